"""Player interfaces, and the simplest player.

A player answers decisions: many games in one call (``BatchPlayer``), or one position at a time (``ViewPlayer``). The
answer of a ``CompiledPlayer`` is a compiled function, which loops over many games ask without leaving compiled code.
``choose_action`` and ``choose_actions`` ask players of both kinds, as ``dawn_env.host`` does; environments take plain
functions and specifications too, by ``as_player``. ``docs/how-to/players.md`` has a worked example.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, TypeGuard

import numpy as np

from dawn_env.actions import MOST_POINTS
from dawn_env.bids import Offer, fair_offer
from dawn_env.errors import PlayerFailure
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import check_views
from dawn_env.options import GameOptions
from dawn_env.support.compiling import (
    ADDRESS,
    BYTES,
    INT64,
    Vector,
    address_of,
    array_at,
    call_pointer,
    entry,
    function_pointer,
)
from dawn_env.support.hashing import nth_legal, view_hash, view_weights
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import checked_seed
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDES


class PlayerUnreachable(PlayerFailure):
    """A resource of a player, such as a server, does not answer. This says nothing about its play, so a ``Host`` raises
    it and the game is not lost."""


class Player:
    """Common to all players; derive from ``BatchPlayer`` or ``ViewPlayer``.

    ``name`` labels results (the specification it was made from); ``version`` goes up whenever the same name would
    play differently; ``options`` are the settings in effect, by name. What a player does depends on what it sees, its
    options and ``seed`` only, so that a game does not depend on which games were answered along with it.
    """

    version: ClassVar[str] = "1"
    one_game_at_a_time: ClassVar[bool] = False
    """Whether its games must be played one after another (an outside program, a person)."""
    is_external: ClassVar[bool] = False
    """Whether it is a program or a person, who could work out what is public and remember what they have seen."""
    wants_events: ClassVar[bool] = False
    """Whether ``on_events`` is called with what happens in its games; ask it in one game at a time then."""
    threads: int | None = None
    """Threads that share the games of one call, at most; None as for ``Batch``. Set it before the first call."""
    choose: Callable[..., Any]
    """What answers decisions, in one of the two ways below."""

    @dataclass(frozen=True)
    class Options:
        """Options of a specification: fields with defaults, and at most one without, which takes the rest."""

    def __init__(self, name: str = "player", seed: int = 0, options: Any = None):
        """``options``: an instance of ``Options``, or a mapping of names to values."""
        self.name, self.seed = name, seed
        self.options = (
            asdict(options) if is_dataclass(options) and not isinstance(options, type) else dict(options or {})
        )

    @property
    def declared(self) -> str:
        """Name that the player gives itself; empty if unknown."""
        return ""

    def clone(self) -> "Player":
        """A player alike for a game beside those it plays, asked for where it plays one game at a time."""
        return self

    def bid(self, options: GameOptions) -> Offer:
        """Make an offer in a game with a bid, before ``begin_game``; offers are secret."""
        return fair_offer(self.name)

    def begin_game(self, side: int, options: GameOptions) -> None:
        """A game with these options begins, in which it plays ``side``."""

    def on_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Receive the events that its side has seen (``docs/reference/protocol.md``): before it decides, and before
        ``end_game``; if it ``wants_events``."""

    def stop_thinking(self) -> None:
        """Answer soon: called from another thread while it thinks. What thinks for a moment only need not heed it."""

    def costs(self) -> Mapping[str, float]:
        """Costs of its latest game besides time, by name, such as tokens, for results and reports."""
        return {}

    @property
    def progress(self) -> float | None:
        """Progress of the current decision, 0 ... 1, for other threads; None where unknown."""
        return None

    def end_game(self, outcome: Mapping[str, Any]) -> None:
        """Take note that the game has ended: ``result``, ``reason``, ``vp`` as in a game record."""

    def close(self) -> None:
        """Release processes and files; another game may begin nevertheless."""


class BatchPlayer(Player, ABC):
    """Answers many games in one call."""

    @abstractmethod
    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K], for ``observations`` int8 [K, F] and ``masks`` int8 [K, A].

        The arrays are lent: do not write to them, and copy what is to be kept.
        """


class ViewPlayer(Player, ABC):
    """Answers one position at a time, and may look ahead in positions dealt anew from the view."""

    @abstractmethod
    def choose(self, view: View) -> int:
        """A legal action."""

    def choose_each(self, views: Sequence[View]) -> list[int]:
        """Choose a legal action for each view. Override it if many views take less time in one call than one by one.

        Each answer depends on its own view only. If the call fails in a match, each view is asked about alone.
        """
        return [self.choose(view) for view in views]


def choose_actions(
    player: Player, states: np.ndarray, observations: np.ndarray, masks: np.ndarray, rows: np.ndarray | slice
) -> np.ndarray:
    """Ask a player of either kind in ``rows`` [K] of games with a decision pending; its answers [K].

    ``states`` STATE [B] are the games, of which the player is shown what the side to act may know; ``observations``
    int8 [B, F] and ``masks`` int8 [B, A] are that side's. The answers are as the player gives them: not checked.
    """
    if isinstance(player, ViewPlayer):
        return np.array(player.choose_each([View(state) for state in states[rows]]))
    return np.asarray(player.choose(observations[rows], masks[rows]))


def choose_action(player: Player, view: View) -> int:
    """Ask a player of either kind in one position; its answer, not checked."""
    if isinstance(player, ViewPlayer):
        return player.choose(view)
    return int(player.choose(view.observation[None], view.mask[None])[0])


# --- players from what callers have --------------------------------------------------------------


class _BatchFunction(BatchPlayer):
    def __init__(self, name: str, function: Callable):
        super().__init__(name)
        self._function = function

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return self._function(observations, masks)


class _ViewFunction(ViewPlayer):
    def __init__(self, name: str, function: Callable):
        super().__init__(name)
        self._function = function

    def choose(self, view: View) -> int:
        return self._function(view)


def as_player(given: "Player | str | Callable") -> Player:
    """A player from a player, its specification, a function, or an object with a ``name`` and a method ``choose``.

    Functions and methods that take one argument are asked as ``ViewPlayer``, those that take two as ``BatchPlayer``.
    Raises ``ValueError`` for anything else, and what ``make_player`` raises.
    """
    if isinstance(given, Player):
        return given
    if isinstance(given, str):
        return make_player(given)
    if isinstance(given, type):
        raise ValueError(f"a player expected, not the class {short_repr(given)}: make one of it")
    name, choose = getattr(given, "name", None), getattr(given, "choose", None)
    if callable(choose) and isinstance(name, str):
        return function_player(name, choose)
    if callable(given):
        return function_player(getattr(given, "__name__", type(given).__name__), given)
    raise ValueError(f"a player, its specification or a function expected, not {short_repr(given)}")


def function_player(name: str, function: Callable) -> Player:
    """A player that asks a function, of a view or of observations and masks; raises ``ValueError`` for others."""
    kinds = {1: _ViewFunction, 2: _BatchFunction}
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        parameters = []
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(needed) not in kinds:
        raise ValueError(f"{name}: a function of a view, or of observations and masks, expected")
    return kinds[len(needed)](name, function)


def make_player(specification: str, seed: int = 0) -> Player:
    """Player of a specification, such as ``heuristic`` or ``my_bots.fancy:Fancy`` (``docs/how-to/players.md``).

    ``dawn_agents`` registers what makes them: as the entry point ``registry`` of the group ``dawn_env.players``. Raises
    ``ValueError`` for a specification that names no player, and what the player raises.
    """
    return _registry()(specification, seed)


@cache
def _registry() -> Callable[[str, int], Player]:
    found = entry_points(group="dawn_env.players", name="registry")
    if not found:
        raise ValueError("players have names only where dawn_env is installed: pip install dawn_env")
    return next(iter(found)).load()


# --- compiled players ------------------------------------------------------------------------------

ANSWER_TYPES = INT64, BYTES, BYTES, Vector(INT64)
call_answer = call_pointer(*ANSWER_TYPES)
"""``call_answer(answer, memory, observation, mask, action)`` in compiled loops: writes a legal action, 0 where there is
none, or -1 where the player does not know what it is asked. ``memory``: an address, of one thread at a time."""
_LEAST_ROWS = 128
"""Rows of a thread at least: half a millisecond of answers of a rule-based player, see ``thread_pool.ThreadTeam``."""


@entry
def _choose_rows(first, last, number, answer, memories, observations, masks, actions):
    """Write answers into ``actions[first:last]`` int64; returns the number of rows without one.

    ``memories``: addresses by the ``number`` of the slice.
    """
    unanswered = 0
    for row in range(first, last):
        call_answer(answer, memories[number], observations[row], masks[row], actions[row : row + 1])
        unanswered += int(actions[row] < 0)
    return unanswered


class CompiledPlayer(BatchPlayer, ABC):
    """Answers views by a compiled function of ``ANSWER_TYPES``, which ``answer`` names and ``new_memory`` serves."""

    def __init__(self, name: str = "player", seed: int = 0, options: Any = None):
        super().__init__(name, seed, options)
        self._idle: dict[int, list[tuple[ThreadTeam, ThreadMemories]]] = {}  # by the length of an observation

    def __getstate__(self) -> dict:
        """Copies and pickles have memories of their own."""
        return self.__dict__ | {"_idle": {}}

    @abstractmethod
    def answer(self, size: int) -> int:
        """The address (``compiling.function_pointer``) of what answers views of ``size`` numbers."""

    @abstractmethod
    def new_memory(self, size: int) -> np.ndarray:
        """Memory of the compiled function for views of ``size`` numbers: knowledge and work space."""

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Choose actions of the rows, 0 in rows without legal ones; safe for threads.

        Raises ``ValueError`` for views of no kind of game, and where the player does not know what it is asked.
        """
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        check_views(seen, legal)
        actions, size = np.zeros(len(seen), np.int64), seen.shape[1]
        idle = self._idle.setdefault(size, [])
        if idle:
            team, memories = idle.pop()
        else:
            team = ThreadTeam(checked_threads(self.threads), _LEAST_ROWS)
            memories = ThreadMemories(self, size, team.size)
        if team.run(_choose_rows, len(seen), self.answer(size), memories.addresses, seen, legal, actions):
            raise ValueError(f"{self.name} does not know what it is asked")
        idle.append((team, memories))
        return actions


def plays_as_compiled(player: Player | None) -> TypeGuard[CompiledPlayer]:
    """Return True if a compiled function is all there is to a player: ``choose`` may have been overridden."""
    if not isinstance(player, CompiledPlayer):
        return False
    return _keeps(player, "choose", CompiledPlayer) and not (player.wants_events or player.one_game_at_a_time)


def answers_one_by_one(player: Player) -> bool:
    """Return True for a ``ViewPlayer`` that has not overridden ``choose_each``, so that it answers view by view."""
    return isinstance(player, ViewPlayer) and _keeps(player, "choose_each", ViewPlayer)


def needs_calls(player: Player) -> bool:
    """Return True if Python has to be called where games of a player begin, are watched or end."""
    called = not (_keeps(player, "begin_game", Player) and _keeps(player, "end_game", Player))
    return player.wants_events or player.one_game_at_a_time or called


def _keeps(player: Player, name: str, kind: type[Player]) -> bool:
    """Return True if a method of a player is that of its ``kind``, and not overridden."""
    return getattr(getattr(player, name), "__func__", None) is getattr(kind, name)


class ThreadMemories:
    """Memories of a compiled player for a number of threads. ``addresses``: ADDRESS [threads], while this lives."""

    def __init__(self, player: CompiledPlayer, size: int, threads: int):
        self._kept = [player.new_memory(size) for _ in range(threads)]
        self.addresses = np.empty(threads, ADDRESS)
        for thread, memory in enumerate(self._kept):
            self.addresses[thread] = address_of(memory)


_weights_at = array_at(np.dtype(np.int64))


@entry
def _answer(memory, observation, mask, action):
    """The n-th legal action, n from a hash of the view; see ``hashing.view_hash``."""
    weights = _weights_at(memory, len(observation) // 4)
    count = 0
    for at in range(len(mask)):
        count += int(mask[at])
    action[0] = nth_legal(mask, (view_hash(observation, weights) * count) >> 32) if count else 0


@cache
def _answerer():
    return function_pointer(_answer, *ANSWER_TYPES)


class RandomPlayer(CompiledPlayer):
    """Uniform over the legal actions.

    The action follows from a hash of the observation and ``seed`` (0 ... 2**63 - 1, else ``BadSeed``): the same view
    is answered in the same way each time; players with other seeds answer differently.
    """

    def __init__(self, seed: int = 0, name: str = "random", options: Player.Options | None = None):
        super().__init__(name, checked_seed(seed), options)

    def bid(self, options: GameOptions) -> Offer:
        """Return an offer drawn from the seed, the same in every game."""
        side, points = np.random.default_rng(self.seed).integers([SIDES, MOST_POINTS + 1]).tolist()
        return Offer(side, points)

    def answer(self, size: int) -> int:
        """Answer of the compiled player."""
        return _answerer()

    def new_memory(self, size: int) -> np.ndarray:
        """int64 [size // 4] weights of the hash."""
        return view_weights(self.seed, size // 4)
