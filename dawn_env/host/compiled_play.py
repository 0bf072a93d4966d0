"""Games in which compiled players decide inside compiled loops: nothing goes through Python between two decisions."""

import platform
from collections.abc import Sequence
from functools import cached_property

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from dawn_env.observation.view_layouts import call_view
from dawn_env.players import CompiledPlayer, Memories, Player, call_answer
from dawn_env.rules.flow import call_step
from dawn_env.state import Error, Result
from dawn_env.support.compiling import ADDRESS, COMPILED, entry, jit

_TICKS = COMPILED and platform.machine() in ("x86_64", "AMD64")  # elsewhere a process may not look


class Compiled:
    """Function pointers and memories of players that answer in compiled loops.

    ``known`` bool [P]: whether a player is one of them. ``answers`` ADDRESS [P]: what answers views, 0 for one who has
    to be asked by Python; ``memories`` ADDRESS [threads, P]: what they know and work with, by the thread that asks.
    Both are made when they are first looked at.
    """

    def __init__(self, players: Sequence[Player], size: int, threads: int):
        """``size``: numbers of a view."""
        self.known = np.array([_plays_as_compiled(player) for player in players], np.bool_)
        self._players, self._size, self._threads = players, size, threads

    @cached_property
    def answers(self) -> np.ndarray:
        """Arrays by player."""
        answers = np.zeros(len(self._players), ADDRESS)
        for index in np.flatnonzero(self.known):
            answers[index] = self._players[index].answer(self._size)
        return answers

    @cached_property
    def memories(self) -> np.ndarray:
        """Arrays by thread and player."""
        self._kept = {
            index: Memories(self._players[index], self._size, self._threads) for index in np.flatnonzero(self.known)
        }
        addresses = np.zeros((self._threads, len(self._players)), ADDRESS)
        for index, kept in self._kept.items():
            addresses[:, index] = kept.addresses
        return addresses


def _plays_as_compiled(player: Player) -> bool:
    """Return True if a compiled function is all there is to a player: ``choose`` may have been overridden."""
    if not isinstance(player, CompiledPlayer):
        return False
    return _keeps(player, "choose", CompiledPlayer) and not (player.follows or player.one_game_at_a_time)


def only_answers(player: Player) -> bool:
    """Return True for a compiled player without callbacks at the beginning and end of games."""
    told = ("begin_game", "end_game")
    return _plays_as_compiled(player) and all(_keeps(player, name, CompiledPlayer) for name in told)


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


if _TICKS:

    @intrinsic
    def _ticks(_):
        """The processor's clock."""

        def generate(context, builder, _, __):
            clock = ir.FunctionType(ir.IntType(64), [])
            return builder.call(cgutils.get_or_insert_function(builder.module, clock, "llvm.readcyclecounter"), [])

        return numba.int64(), generate

else:

    @jit
    def _ticks():
        return 0


@entry
def read_ticks(ticks):
    """Write what the processor's clock says into ``ticks`` int64 [1]; always 0 where it cannot be read."""
    ticks[0] = _ticks()


@entry
def play_to_ends(first, last, number, step, view, answers, memories, plays, rows, states, seen, legal, chosen, moves,
                 lengths, ticks, taken):  # fmt: skip
    """Play the games of ``rows``, and note the actions in ``moves`` uint8 [B, M] behind the first ``lengths`` [B].

    Does ``rows[first:last]``, slice ``number``; returns the number of games that an error has stopped. ``step``,
    ``view``: addresses of the rules and of what writes a view. ``answers``, ``memories``: see ``Compiled``; ``plays``
    [B, 2]: who plays each side. A game stops where it has ended or cannot go on, where somebody does not give a legal
    answer, and after M actions. ``ticks`` and ``taken`` int64 [B, 2]: thinking time by ``read_ticks`` and number of
    decisions of each side. Work space: ``seen``, ``legal``, ``chosen``.
    """
    errors = 0
    for i in range(first, last):
        row = rows[i]
        s = states[row]
        while s.result == Result.RUNNING and s.error == Error.NONE and lengths[row] < moves.shape[1]:
            side = s.actor
            who, began = plays[row, side], _ticks()
            # What they see stands where this part begins, so that it stays in the processor's cache.
            if not answer_into(
                view, s, answers[who], memories[number, who], seen[first], legal[first], chosen[first:last]
            ):
                break
            ticks[row, side] += _ticks() - began
            taken[row, side] += 1
            moves[row, lengths[row]] = chosen[first]
            lengths[row] += 1
            call_step(step, s, chosen[first])
        errors += int(s.error != Error.NONE)
    return errors
