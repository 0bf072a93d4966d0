"""Many games at once: one call steps all of them, in caller-visible arrays that are reused.

No Python runs per game in ``step``: one compiled loop advances the rows, in several threads where there are many.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.bids import who_decides
from dawn_env.errors import BadOptions, IllegalAction, MalformedPosition
from dawn_env.game import Game
from dawn_env.observation.view_layouts import call_view, layout_of, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.rules.flow import call_begin, call_step
from dawn_env.state import DECISIONS, ERRORS, Decision, Error, Result, new_states, put_states, take_states
from dawn_env.support.argument_checks import between, game_count, integer, integers
from dawn_env.support.compiling import entry
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import checked_seeds, next_seed, row_seeds
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDES
from dawn_env.validation.state_validity import check_state

_LEAST_ROWS = 1024
"""Rows of a thread at least: half a millisecond of steps, see ``thread_pool.ThreadTeam``."""


def action_array(actions: np.ndarray, count: int) -> np.ndarray:
    """``actions`` as an array [count] of integers of some kind.

    Raises ``ValueError`` for another shape, ``TypeError`` unless integers.
    """
    try:
        actions = np.asarray(actions)
    except ValueError:
        raise ValueError(f"actions: expected shape ({count},), got {short_repr(actions)}") from None
    if actions.shape != (count,):
        raise ValueError(f"actions: expected shape ({count},), got {actions.shape}")
    if actions.dtype.kind not in "iu":
        raise TypeError(f"actions: expected integers, got {actions.dtype}")
    return actions


def checked_rows(rows: Sequence[int] | np.ndarray, count: int) -> np.ndarray:
    """``rows`` as int64 [K]; raises ``ValueError`` unless integers below ``count``, each once."""
    numbers = integers(rows, 0, count - 1)
    if numbers is None or len(set(numbers.tolist())) < len(numbers):
        raise ValueError(f"rows: integers 0 ... {count - 1}, each once, expected, not {short_repr(rows)}")
    return numbers


def checked_actions(actions: np.ndarray, states: np.ndarray, masks: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """``actions`` as int64 [K], once they are known to be legal in ``rows`` int64 [K].

    ``states`` STATE [B] and ``masks`` int8 [B, A], A being the number of actions of these games. Games that are over
    accept anything. Raises as ``action_array``, and ``IllegalAction`` naming all offending rows and what would be legal
    in the first.
    """
    actions = action_array(actions, len(rows))
    numbers = actions.astype(np.int64)  # of whatever size and byte order they were given
    if _all_legal(numbers, masks, rows):
        return numbers
    legal = legal_actions(numbers, masks[rows])
    wrong = np.flatnonzero(~legal & (states["result"][rows] == Result.RUNNING))
    if len(wrong):
        first = rows[wrong[0]]
        refusal = refused_action(actions[wrong[0]], masks[first], states["decision"][first], who_decides(states[first]))
        which = f"{len(wrong)} of {len(rows)} rows, {rows[wrong].tolist()}"
        raise IllegalAction(f"illegal in {which}, none moved; in row {first}: {refusal}")
    return np.where(legal, numbers, 0)


def legal_actions(actions: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """bool [K]: True for each of ``actions`` int64 [K] that is legal in its row of ``masks`` int8 [K, A]."""
    inside = (actions >= 0) & (actions < masks.shape[1])
    return inside & (masks[np.arange(len(actions)), np.where(inside, actions, 0)] != 0)


@entry
def _all_legal(actions, masks, rows):
    for i in range(len(rows)):
        action = actions[i]
        if not (0 <= action < masks.shape[1] and masks[rows[i], action]):
            return False
    return True


def legal_action(action: object, mask: np.ndarray, states: np.ndarray, who: str = "") -> int:
    """``action`` of one game, ``states`` STATE [1], as an int; raises ``IllegalAction`` unless its ``mask`` [A] has it.

    ``who``: name of who takes it, by default the side.
    """
    number = integer(action)
    if number is None or not (0 <= number < len(mask) and mask[number]):
        raise IllegalAction(refused_action(action, mask, states["decision"][0], who or who_decides(states[0])))
    return number


def refused_action(action: object, mask: np.ndarray, decision: int, who: str) -> str:
    """Message about an ``action`` of one game, anything that is not legal in its ``mask`` [A].

    ``decision``: the pending one, an index into ``DECISIONS``; ``who``: name of who takes it.
    """
    number = integer(action)
    if number is None:
        return f"action: an integer expected, not {short_repr(action)}"
    what = ACTIONS[number] if 0 <= number < len(mask) else f"outside 0 ... {len(mask) - 1}"
    legal = ", ".join(f"{ACTIONS[legal]} ({legal})" for legal in np.flatnonzero(mask))
    return f"{short_repr(number)} ({what}) is not legal at decision {DECISIONS[decision]!r} of {who}; legal: {legal}"


@entry
def _play_rows(first, last, _, step, view, begin, again, rows, actions, states, actors, observations, masks,
               rewards, ended, final_observations, vp, result, reason, turn, length, seed):  # fmt: skip
    """Take an action in each of ``rows`` and write all that a batch tells of the game while it is at hand.

    Does ``rows[first:last]``; returns the number of games that an error has stopped. ``step``, ``view``, ``begin``:
    addresses of what does it to one game; ``again``: whether one that ends is followed by another.
    """
    errors = 0
    for i in range(first, last):
        row = rows[i]
        s = states[row]
        running = s.result == Result.RUNNING
        call_step(step, s, actions[i])
        errors += int(s.error != Error.NONE)
        over = s.result != Result.RUNNING
        ended[row], rewards[row, 0], rewards[row, 1] = over, 0, 0
        if running and over:
            winner = int(s.result == Result.DEMOCRAT) - int(s.result == Result.COMMUNIST)
            rewards[row, 0], rewards[row, 1] = winner, -winner
            vp[row], result[row], reason[row] = s.vp, s.result, s.reason
            turn[row], length[row], seed[row] = s.turn, s.decisions, s.seed
            for side in range(SIDES):
                call_view(view, s, side, final_observations[row, side], masks[row])
            if again:
                call_begin(begin, s, next_seed(int(s.seed)))
        actors[row] = s.actor
        call_view(view, s, s.actor, observations[row], masks[row])
    return errors


class Batch:
    """``count`` games, stepped together.

    The arrays below are written in place by all methods that change the games: copy what you want to
    keep, and do not write to them.

    - ``observations`` int8 [B, F], ``masks`` int8 [B, A], ``actors`` int8 [B]: what the side to act sees,
      its legal actions, and which side it is (0 Democrat, 1 Communist; while players bid for sides, 0 the first
      player, 1 the second). F and A are those of ``layout``. Masks of ended games are zero.
    - ``rewards`` float32 [B, 2], by side: +1, -1 or 0 (draw) in the step that ends a game, else 0.
    - ``ended`` bool [B]: with ``auto_restart``, the game of the row ended in the latest step and another
      has begun; without, the game is over and takes no more actions.
    - for rows that ended, until they end again: ``final_observations`` int8 [B, 2, F] (by side),
      ``final_vp`` int16, ``final_result`` and ``final_reason`` int8 (``state.RESULTS``, ``REASONS``),
      ``final_turn`` int8, ``final_length`` int32 (decisions), ``final_seed`` int64, all [B].
    """

    def __init__(
        self,
        count: int,
        seeds: int | Sequence[int] | np.ndarray | None = None,
        options: GameOptions | Mapping | None = None,
        auto_restart: bool = True,
        threads: int | None = None,
    ):
        """Start ``count`` games; ``seeds`` as in ``reset``, ``options`` as for ``GameOptions.of``.

        ``threads`` that step them, all cores by default (``support.thread_pool``); the games do not depend on it.
        Raises ``ValueError``: ``BadSeed`` and ``BadOptions`` for those two.
        """
        self.count = game_count(count, "count")
        self.threads = checked_threads(threads)
        self.options = GameOptions.of(options)
        self.layout = layout_of(self.options)
        self.auto_restart = auto_restart
        self.states = new_states(self.count)
        self._rows, self._team = np.arange(self.count), ThreadTeam(self.threads, _LEAST_ROWS)
        self._moved, self._actions = np.zeros((2, self.count), np.int64)
        self.observations, self.masks = self.layout.blank(self.count)
        self.rewards, self.ended = np.zeros((self.count, SIDES), np.float32), np.zeros(self.count, np.bool_)
        self.final_observations = np.zeros((self.count, SIDES, self.layout.size), np.int8)
        self.actors, self.final_result, self.final_reason, self.final_turn = np.zeros((4, self.count), np.int8)
        self.final_vp, self.final_length = np.zeros(self.count, np.int16), np.zeros(self.count, np.int32)
        self.final_seed = np.zeros(self.count, np.int64)
        self.reset(seeds)

    @property
    def shown(self) -> tuple[np.ndarray, np.ndarray]:
        """``observations`` and ``masks`` as players are shown them: a game with a bid like others once it is over."""
        layout = layout_of_sides(self.options)
        return self.observations[:, : layout.size], self.masks[:, : layout.actions]

    # --- starting ------------------------------------------------------------------------------

    def reset(self, seeds: int | Sequence[int] | np.ndarray | None = None) -> None:
        """Start a new game in every row.

        ``seeds``: ``[B]`` integers in 0 ... 2**63 - 1; or one integer n, then row i starts from
        ``(n + i) % 2**63``; or None for seeds from the operating system. Raises ``BadSeed``.
        """
        engine.reset(self.states, row_seeds(seeds, self.count), self.options)
        self.rewards[:] = 0
        self.ended[:] = False
        self.actors[:] = self.states["actor"]
        self.layout.rows(self.states, self.actors, self.observations, self.masks)

    def restart(self, rows: np.ndarray, seeds: Sequence[int] | np.ndarray) -> None:
        """Start new games in ``rows`` (integers [K], each once) from ``seeds`` (integers [K], 0 ... 2**63 - 1).

        Raises ``ValueError`` for bad rows and ``BadSeed``; then nothing has changed.
        """
        rows = checked_rows(rows, self.count)
        seeds = checked_seeds(seeds, len(rows))
        if len(rows) == 0:
            return
        fresh = new_states(len(rows))
        engine.reset(fresh, seeds, self.options)
        put_states(self.states, rows, fresh)
        self.rewards[rows], self.ended[rows] = 0, False
        self.write_rows(rows)

    # --- stepping ------------------------------------------------------------------------------

    def step(self, actions: np.ndarray) -> None:
        """Take ``actions[i]`` in game i, for all rows, then write all arrays.

        ``actions``: integers [B]. Entries of games that are over (only without ``auto_restart``) are
        ignored. Raises ``IllegalAction`` naming every offending row, ``TypeError`` for another dtype and
        ``ValueError`` for another shape; then no row has moved.
        """
        self._play(self._rows, actions)

    def step_rows(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Take ``actions[j]`` in game ``rows[j]``; the arrays of the other rows stay as they are.

        ``rows``: integers [K] in 0 ... B - 1, each once; ``actions``: integers [K]. Raises as ``step``
        does (offending rows are named by their number in the batch), and ``ValueError`` for bad rows.
        """
        self._play(checked_rows(rows, self.count), actions)

    def _play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        actions = checked_actions(actions, self.states, self.masks, rows)
        self._moved[: len(rows)], self._actions[: len(rows)] = rows, actions
        faults = self._team.run(
            _play_rows, len(rows), engine.step(), self.layout.view, engine.begin(), self.auto_restart, self._moved,
            self._actions, self.states, self.actors, self.observations, self.masks, self.rewards, self.ended,
            self.final_observations, self.final_vp, self.final_result, self.final_reason, self.final_turn,
            self.final_length, self.final_seed,
        )  # fmt: skip
        if faults:
            errors = self.states["error"]
            wrong = rows[errors[rows] != Error.NONE].tolist()
            raise engine.exception_for(errors[wrong[0]])(
                ", ".join(f"row {row}: {ERRORS[errors[row]]}" for row in wrong)
            )

    def write_rows(self, rows: np.ndarray) -> None:
        """Write what is seen in a few rows."""
        if len(rows) == 0:
            return
        states = take_states(self.states, rows)
        self.actors[rows] = states["actor"]
        self.observations[rows], self.masks[rows] = self.layout.views(states, self.actors[rows])

    # --- single games --------------------------------------------------------------------------

    def game(self, row: int) -> Game:
        """An independent copy of the game in a row; raises ``ValueError`` for a row that is none."""
        return Game.of(self.states[between(row, "row", 0, self.count - 1)])

    def put(self, row: int, game: Game) -> None:
        """Continue a copy of ``game`` in a row; raises ``ValueError`` unless it waits for a decision, unscripted.

        A row that is none, games of another mode, or with a bid among others without one, raise it too.
        """
        row = between(row, "row", 0, self.count - 1)
        if game.over:
            raise ValueError("a game that is over cannot be put into a batch")
        if game.state.scripted:
            raise ValueError("a game with scripted chance cannot be put into a batch: end its script first")
        if game.state.decision == Decision.NONE:
            raise MalformedPosition("a position that asks nothing cannot be put into a batch: resume it first")
        if layout_of(game.options) is not self.layout:
            raise BadOptions("a game of another kind cannot be put into a batch: its options differ in mode or bid")
        check_state(game.state)  # which may have been written to
        self.states[row] = game.state
        self.rewards[row], self.ended[row] = 0, False
        self.write_rows(np.array([row]))
