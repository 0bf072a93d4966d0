"""Games in which compiled players decide inside compiled loops: nothing goes through Python between two decisions."""

import platform
from collections.abc import Sequence

import numpy as np

from dawn_env.observation.view_layouts import call_view
from dawn_env.players import CompiledPlayer, Player, ThreadMemories, call_answer
from dawn_env.support.compiling import ADDRESS, COMPILED, entry, jit, read_clock, spliced

CLOCK = COMPILED and platform.machine() in ("x86_64", "AMD64")  # elsewhere a process may not look


def loop_tables(
    players: Sequence[Player | None], size: int, threads: int
) -> tuple[np.ndarray, np.ndarray, list[ThreadMemories]]:
    """Tables of players for compiled loops, with views of ``size`` numbers.

    Function pointers of what answers views, ADDRESS [P], 0 for a player that Python has to ask; their memories,
    ADDRESS [threads, P], by the thread that asks; and the owners of the memories, to be kept as long as these are used.
    """
    answers, memories = np.zeros(len(players), ADDRESS), np.zeros((threads, len(players)), ADDRESS)
    owners = []
    for number, player in enumerate(players):
        if isinstance(player, CompiledPlayer) and plays_as_compiled(player):
            owners.append(owner := ThreadMemories(player, size, threads))
            answers[number], memories[:, number] = player.answer(size), owner.addresses
    return answers, memories, owners


def plays_as_compiled(player: Player | None) -> bool:
    """Return True if a compiled function is all there is to a player: ``choose`` may have been overridden."""
    if not isinstance(player, CompiledPlayer):
        return False
    return _keeps(player, "choose", CompiledPlayer) and not (player.wants_events or player.one_game_at_a_time)


def needs_calls(player: Player) -> bool:
    """Return True if Python has to be called where games of a player begin, are watched or end."""
    callbacks = ("begin_game", "end_game")
    return (
        player.wants_events or player.one_game_at_a_time or not all(_keeps(player, name, Player) for name in callbacks)
    )


def _keeps(player: Player, name: str, kind: type[Player]) -> bool:
    """Return True if a method of a player is that of its ``kind``, and not overridden."""
    return getattr(getattr(player, name), "__func__", None) is getattr(kind, name)


@jit
def answer_into(view, s, answer, memory, seen, legal, action):
    """Have a compiled player decide, into ``action[0]``; false unless it gives a legal answer.

    ``view``: address of what writes a view, which goes to ``seen`` int8 [F] and ``legal`` int8 [A].
    """
    if answer == 0:
        return False
    call_view(view, s, s.actor, seen, legal)
    call_answer(answer, memory, seen, legal, action)
    return 0 <= action[0] < len(legal) and legal[action[0]] != 0


@jit
def ticks():
    """The processor's clock; 0 where there is none."""
    return read_clock() if CLOCK else 0


@spliced
def passed_ticks(began):
    """Ticks since ``began``, at least 1: where there is no clock, decisions are counted in its place."""
    return max(1, ticks() - began)


@entry
def read_ticks(now):
    """Write what the processor's clock says into ``now`` int64 [1]; always 0 where it cannot be read."""
    now[0] = ticks()
