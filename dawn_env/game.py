"""One game as a Python object: for tests, records, bots and people."""

from collections.abc import Iterable, Mapping

import numpy as np

from dawn_env import engine
from dawn_env.actions import ACTIONS, ALL_ACTIONS, A, action_id
from dawn_env.bids import who_decides
from dawn_env.errors import ChanceError, GameOver, IllegalAction, MalformedPosition
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.state import (
    CHANCE_KINDS,
    DECISIONS,
    ERRORS,
    REASONS,
    RESULTS,
    STATE,
    TAPE,
    Chance,
    Mode,
    Result,
    copy_states,
    new_states,
    put_states,
)
from dawn_env.support.argument_checks import integer, side_id
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import checked_seed
from dawn_env.tables import FACE_ID, FACES, C
from dawn_env.validation.state_json import state_from_json, state_to_json
from dawn_env.validation.state_validity import check_state

_FACE_KINDS = (Chance.POWER_DEAL, Chance.POWER_DRAWS, Chance.POWER_RANDOM_DISCARDS)


def _action_number(action: int | str) -> int | None:
    """Id of an action given as text or integer, None for what is no action."""
    try:
        number = action_id(action) if isinstance(action, str) else integer(action)
    except KeyError:
        return None
    return number if number is not None and 0 <= number < ALL_ACTIONS else None


def _queue(kind: int, name: str, queue) -> list[int]:
    """Outcomes of a kind of chance as numbers, from what a script may hold; raises ``ChanceError``."""
    try:
        if isinstance(queue, Mapping):
            queue = [*queue.get("D", ()), *queue.get("C", ())]
        outcomes: list = [FACE_ID.get(outcome) if kind in _FACE_KINDS else integer(outcome) for outcome in queue]
    except TypeError:
        outcomes = [None]
    if not all(outcome is not None and 0 <= outcome < C for outcome in outcomes):
        wanted = "names of power struggle cards" if kind in _FACE_KINDS else f"integers 0 ... {C - 1}"
        raise ChanceError(f"{name}: a list of {wanted} expected, not {short_repr(queue)}")
    if len(outcomes) > TAPE:
        raise ChanceError(f"{name}: {len(outcomes)} outcomes, at most {TAPE} fit a script")
    return outcomes


class Game:
    """A game of 1989: Dawn of Freedom.

    ``state`` is the ``STATE`` record (a view; ``states`` is the same as an array of one). Actions are
    texts (``"space:Berlin"``) or ids. Copying, pickling, ``to_bytes`` and ``to_json`` keep everything,
    in the middle of an event too.
    """

    def __init__(self, seed: int = 0, options: GameOptions | Mapping | None = None):
        """``seed``: 0 ... 2**63 - 1, else ``BadSeed``; ``options`` as for ``GameOptions.of``, else ``BadOptions``."""
        seeds = np.array([checked_seed(seed)])
        self.states = new_states(1)
        engine.reset(self.states, seeds, options)

    @classmethod
    def from_state(cls, record) -> "Game":
        """Game that continues from a copy of a ``STATE`` record.

        Raises ``MalformedPosition`` for a record that no game can reach, ``TypeError`` for other objects.
        """
        check_state(record)
        return cls.of(record)

    @classmethod
    def of(cls, record) -> "Game":
        """Like ``from_state`` for a record that the engine made, or that has been checked."""
        game = cls.__new__(cls)
        game.states = new_states(1)
        game.states[0] = record
        return game

    # --- what is going on ----------------------------------------------------------------------

    @property
    def state(self) -> np.record:
        """The record itself; writing to it changes the game."""
        return self.states[0]

    @property
    def options(self) -> GameOptions:
        """Options of the game."""
        return GameOptions.of_state(self.state)

    @property
    def over(self) -> bool:
        """Return True if the game has ended."""
        return self.states["result"].item() != Result.RUNNING

    @property
    def result(self) -> str:
        """``running``, ``democrat``, ``communist`` or ``draw``."""
        return RESULTS[self.states["result"].item()]

    @property
    def reason(self) -> str:
        """Reason of the end, one of ``state.REASONS``."""
        return REASONS[self.state.reason]

    @property
    def vp(self) -> int:
        """Victory points, Democrat positive."""
        return self.states["vp"].item()

    @property
    def actor(self) -> int:
        """Side to decide: 0 Democrat, 1 Communist."""
        return self.states["actor"].item()

    @property
    def decision(self) -> str:
        """Name of the pending decision, ``none`` when the game is over."""
        return DECISIONS[self.states["decision"].item()]

    @property
    def mask(self) -> np.ndarray:
        """int8 [``options.actions``], a copy: 1 for legal actions; all 0 when nothing is pending."""
        state = self.states
        with_more = state["bid"].item() or state["mode"].item() == Mode.FAMILY
        legal = state["legal"][0, : ALL_ACTIONS if with_more else A]
        return legal.copy() if state["decision"].item() else np.zeros_like(legal)

    @property
    def legal(self) -> list[str]:
        """Legal action texts, sorted."""
        return sorted(ACTIONS[action] for action in np.flatnonzero(self.mask))

    def view(self, side: int | None = None) -> View:
        """View of a side (0 Democrat, 1 Communist; by default the one to act); raises ``ValueError``."""
        return View(self.state, side)

    # --- playing -------------------------------------------------------------------------------

    def check(self, action: int | str) -> int:
        """The id of a legal action, text or integer; raises ``IllegalAction`` or ``GameOver`` when it is not legal."""
        if self.over:
            raise GameOver(f"action {short_repr(action)}: the game is over ({self.result}, {self.reason})")
        number, state = _action_number(action), self.states
        if number is None or not (state["decision"].item() and state["legal"][0, number]):
            name = action if number is None else ACTIONS[number]
            raise IllegalAction(
                f"{short_repr(name)} is not legal at decision {self.decision!r} of {who_decides(self.state)}; "
                f"legal: {', '.join(self.legal)}"
            )
        return number

    def step(self, action: int | str) -> None:
        """Take a legal action and run to the next decision; on an error the game is unchanged.

        Raises ``IllegalAction``, ``GameOver`` and ``ChanceError``.
        """
        self._advance(self.check(action))

    def resume(self) -> None:
        """Run a loaded position to its first decision."""
        self._advance(engine.RUN)

    def _advance(self, number: int) -> None:
        after = copy_states(self.states)
        engine.advance(after, np.array([number]))
        if error := after["error"].item():
            raise engine.exception_for(error)(f"{ERRORS[error]}; given: {self._outcomes(self.state, 0)}")
        put_states(self.states, slice(None), after)

    # --- chance --------------------------------------------------------------------------------

    def script(self, chance: Mapping[str, Iterable]) -> None:
        """Feed chance from queues (``state.CHANCE_KINDS``, as in a game record) instead of the generator.

        Replaces what is left of an earlier script. ``power_deal`` is the Democrat's faces, then the
        Communist's, or a mapping of the two by side letter. Raises ``ChanceError``; then the game is unchanged.
        """
        if not isinstance(chance, Mapping):
            raise ChanceError(f"a mapping of kinds of chance to outcomes expected, not {short_repr(chance)}")
        if unknown := set(chance) - set(CHANCE_KINDS):
            raise ChanceError(f"unknown kinds of chance: {sorted(map(str, unknown))}; known: {', '.join(CHANCE_KINDS)}")
        queues = [_queue(kind, name, chance.get(name, ())) for kind, name in enumerate(CHANCE_KINDS)]
        state = self.state
        state.scripted, state.tape_len[:], state.tape_at[:] = 1, 0, 0
        for kind, outcomes in enumerate(queues):
            state.tape[kind, : len(outcomes)] = outcomes
            state.tape_len[kind] = len(outcomes)

    def end_script(self) -> None:
        """Go back to the generator; raises ``ChanceError`` when scripted outcomes are left over."""
        state = self.state
        left = self._outcomes(state, state.tape_at)
        if state.scripted and left:
            raise ChanceError(f"left over: {left}")
        state.scripted, state.tape_len[:], state.tape_at[:] = 0, 0, 0

    @property
    def chance(self) -> dict[str, list]:
        """Outcomes of the latest step by kind, those kinds only that occurred (not when scripted)."""
        return self._outcomes(self.state, 0)

    @staticmethod
    def _outcomes(state, start) -> dict[str, list]:
        starts = np.broadcast_to(start, len(CHANCE_KINDS))
        result = {}
        for kind, name in enumerate(CHANCE_KINDS):
            queue = state.tape[kind, starts[kind] : state.tape_len[kind]].tolist()
            if queue:
                result[name] = [FACES[face] for face in queue] if kind in _FACE_KINDS else queue
        return result

    # --- keeping -------------------------------------------------------------------------------

    def copy(self) -> "Game":
        """An independent copy that goes on exactly like the original."""
        return self.of(self.state)

    def __deepcopy__(self, memo: dict) -> "Game":
        return self.copy()

    def redeal(self, side: int, seed: int) -> "Game":
        """Copy with all cards hidden from ``side`` (0 Democrat, 1 Communist) dealt anew.

        Raises ``ValueError`` for another side, ``BadSeed`` for a seed outside 0 ... 2**63 - 1.
        """
        side, seeds = side_id(side), np.array([checked_seed(seed)])
        return self.of(engine.redeal(self.states, side, seeds)[0])

    def to_bytes(self) -> bytes:
        """The record, ``STATE.itemsize`` bytes."""
        return self.states.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Game":
        """Inverse of ``to_bytes``; raises ``MalformedPosition``."""
        if len(data) != STATE.itemsize:
            raise MalformedPosition(f"a state has {STATE.itemsize} bytes, not {len(data)}")
        return cls.from_state(np.frombuffer(data, STATE)[0])

    def to_json(self) -> str:
        """Every field of the record by name."""
        return state_to_json(self.state)

    @classmethod
    def from_json(cls, text: str) -> "Game":
        """Inverse of ``to_json``; raises ``MalformedPosition``."""
        return cls.from_state(state_from_json(text))

    def __getstate__(self) -> bytes:
        return self.to_bytes()

    def __setstate__(self, data: bytes) -> None:
        self.states = Game.from_bytes(data).states

    def __eq__(self, other) -> bool:
        return isinstance(other, Game) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def _repr_svg_(self) -> str:
        """Board for notebooks in the view of the side to act; with both hands once the game is over."""
        from dawn_env import board_svg  # loaded where a picture is wanted

        return board_svg(self.state, "both" if self.over else self.actor)
