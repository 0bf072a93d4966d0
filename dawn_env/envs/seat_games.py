"""Games seen from one seat: the learner's decisions come out, the opponents answer theirs inside.

The core of the single seat and of both vector environments. What a game is follows from its seed alone,
the learner's side and the opponent included, so all of them play the same game for the same seed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode

from dawn_env import engine
from dawn_env.batch import action_array, checked_actions
from dawn_env.bids import make_bids, offers_around
from dawn_env.envs.seat_loop import COUNTS, ENDED, Next, Phase, Table, all_legal, play_rows
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.events import RowWitnesses
from dawn_env.host.opponent_pool import Opponents, OpponentsWithBids, Pool
from dawn_env.observation.view_layouts import layout_of, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.players import Player, RandomPlayer
from dawn_env.state import ERRORS, REASONS, RESULTS, Result, new_states, put_states, take_states
from dawn_env.support.argument_checks import finite, game_count, reset_options
from dawn_env.support.safe_text import quoted
from dawn_env.support.seeds import next_seeds, row_seeds
from dawn_env.support.thread_pool import ThreadTeam, checked_threads
from dawn_env.tables import SIDE_NAMES, SIDES

_SAVED = ("states", "observations", "masks", "sides", "_learner_decisions")
_NONE = 0  # in place of actions where none are taken
_LEAST_ROWS, _LEAST_RANDOM_ROWS = 128, 1024  # of a thread (``thread_pool.ThreadTeam``); random players answer at once
_OPPONENT, _NOBODY = int(Next.OPPONENT), int(Next.NOBODY)  # numpy is slow with enumerations


class Finished(NamedTuple):
    """A game that ended: its row and seed, the learner's side and reward (+1, -1, 0), and how it went."""

    row: int
    seed: int
    side: str
    opponent: str
    outcome: int
    result: str
    vp: int
    turn: int
    decisions: int
    learner_decisions: int


def side_number(side: str | None) -> int | None:
    """Side id of ``"democrat"`` or ``"communist"``, None for None; raises ``ValueError``."""
    if side is not None and side not in SIDE_NAMES:
        raise ValueError(f"side: {', '.join(SIDE_NAMES)} or None for a draw each game expected, not {quoted(side)}")
    return None if side is None else SIDE_NAMES.index(side)


class SeatGames:
    """``count`` games for one learner.

    Arrays, reused by every ``reset`` and ``step``; copy what you keep and do not write to them:

    - ``observations`` int8 [n, F], ``masks`` int8 [n, A]: the learner's view and legal actions,
    - ``rewards`` float32 [n]: +1, -1 or 0 at the end of a game, plus ``shaping`` times the change of VP
      since their last decision, from their point of view,
    - ``ended`` bool [n]; with the autoreset mode ``SAME_STEP`` the next game has begun in these rows, and
      ``final_observations`` int8 [n, F] holds their last view of the one that ended,
    - ``sides``, ``vp`` and ``result`` int64 [n]: the side they play (while players bid for sides, 0 for the first
      player, 1 for the second), VP, and the result as a number (``state.RESULTS``),
    - ``ends`` ``seat_loop.ENDED`` [n]: how the game went that ended latest in a row.

    F and A are those of ``layout``.
    """

    def __init__(
        self,
        count: int,
        side: str | None = None,
        opponents: Pool | None = None,
        weights: Sequence[float] | None = None,
        options: GameOptions | Mapping | None = None,
        shaping: float = 0.0,
        autoreset: AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int | None = None,
    ):
        """No game has begun before ``reset``. ``side`` None draws it each game, or leaves it to the bid where there is
        one; for a given side the bid is made for both, with offers around the opponent's. ``opponents`` and
        ``weights`` as for ``set_opponents``, a ``RandomPlayer`` by default; ``options`` as for ``GameOptions.of``;
        ``threads`` as for ``Batch``. ``autoreset``: where a game is over, the next one begins in the same step, in the
        next one, whose action is ignored, or by ``reset`` only.

        Raises ``ValueError``.
        """
        self.count = count = game_count(count, "count")
        self.options, self.autoreset = GameOptions.of(options), autoreset
        self.layout = layout_of(self.options) if side is None else layout_of_sides(self.options)
        self.side, self.shaping = side_number(side), finite(shaping, "shaping")
        self.threads = checked_threads(threads)
        self.states = new_states(count)
        size, actions = self.layout.size, self.layout.actions
        self.observations, self.final_observations = np.zeros((2, count, size), np.int8)
        self.masks = np.zeros((count, actions), np.int8)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        self.sides, self.vp, self.result = np.zeros((3, count), np.int64)
        self.ends = np.zeros(count, ENDED)
        self._finished: list[Finished] | None = None  # once somebody has asked for them
        self._results: dict[tuple[str, str], dict[str, int]] = {}
        self._players, self._learner_decisions = np.zeros(count, np.int8), np.zeros(count, np.int64)
        self._rows, self._witnesses = np.arange(count), RowWitnesses()
        self._team = ThreadTeam(self.threads, _LEAST_ROWS)
        self._phase, self._then = np.zeros(1, np.int64), np.zeros(count, np.int8)
        self._moved, self._actions, self._their_actions = np.zeros((3, count), np.int64)
        self._their_seen, self._their_legal = np.zeros((count, size), np.int8), np.zeros((count, actions), np.int8)
        self.opponents = Opponents(count, RandomPlayer() if opponents is None else opponents, weights)
        self._bids = OpponentsWithBids(self.opponents, self.options) if self.options.bid and side is None else None
        self._asked = self._bids or self.opponents
        self._table: Table | None = None
        self._counts = np.zeros((0, 0, SIDES, len(COUNTS)), np.int64)
        self._alike = True  # whether no game in progress has other options than those that follow

    def __getstate__(self) -> dict:
        """Addresses are not for copies and other processes."""
        return self.__dict__ | {"_table": None}

    @property
    def finished(self) -> list[Finished]:
        """The games that ended in the latest step, by row."""
        if self._finished is None:
            rows = np.flatnonzero(self.ended)
            self._finished = [self._finished_in(row, self.ends[row]) for row in rows.tolist()]
        return self._finished

    def _finished_in(self, row: int, end: np.record) -> Finished:
        seed, play, side, outcome, result, _, *rest = end.tolist()
        return Finished(row, seed, SIDE_NAMES[side], self.opponents.players[play].name, outcome, RESULTS[result], *rest)

    # --- opponents and results -----------------------------------------------------------------

    def set_opponents(self, pool: Pool, weights: Sequence[float] | None = None) -> None:
        """Draw the opponents of games that begin from now on from ``pool``; games in progress keep theirs.

        ``pool``: one or several of what ``players.as_player`` takes: players, specifications, functions.
        ``weights``: relative, one per player, equal by default. Raises ``ValueError``.
        """
        self._settle()
        self.opponents.set_pool(pool, weights)

    def results(self, clear: bool = False) -> dict[tuple[str, str], dict[str, int]]:
        """Per (opponent, learner's side): ``games``, ``wins``, ``draws``, ``losses``, and the sums ``vp``
        (the learner's) and ``decisions`` (of both), since the start or the last ``clear``."""
        self._count()
        kept = {key: dict(counts) for key, counts in self._results.items()}
        if clear:
            self._results = {}
        return kept

    def _settle(self) -> None:
        """Opponents are about to have other numbers: note by name what games that are over tell of them."""
        self._finished = self.finished
        self._count()
        self._table = None

    def _count(self) -> None:
        """Add what loops have counted to the results."""
        counted = self._counts.sum(axis=0)
        for play, side in np.argwhere(counted.any(axis=2)).tolist():
            key = self.opponents.players[play].name, SIDE_NAMES[side]
            counts = self._results.setdefault(key, dict.fromkeys(COUNTS, 0))
            for name, more in zip(COUNTS, counted[play, side].tolist(), strict=True):
                counts[name] += more
        self._counts[:] = 0

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Copies of all that ``restore`` needs to go on exactly; opponents are named, not kept."""
        kept = {name: getattr(self, name).copy() for name in _SAVED} | {"_plays": self.opponents.plays.copy()}
        return kept | {"players": [player.name for player in self.opponents.players], "results": self.results()}

    def restore(self, state: Mapping[str, Any], players: Mapping[str, Player]) -> None:
        """Go on from ``state`` of as many games; ``players``: by name, all that it names.

        Call ``set_opponents`` afterwards: who is drawn for new games is not part of it. Raises ``ValueError``.
        """
        if len(state["states"]) != self.count:
            raise ValueError(f"a state of {len(state['states'])} games cannot be restored into {self.count}")
        self._settle()
        self._open(self._rows)
        for name in _SAVED:
            getattr(self, name)[:] = state[name]
        self._players[:] = self.sides ^ self.states["swapped"]
        self.vp[:], self.result[:] = self.states["vp"], self.states["result"]
        self.opponents.restore([players[name] for name in state["players"]], state["_plays"])
        running = np.flatnonzero(self.states["result"] == Result.RUNNING)
        options = [GameOptions.of_state(state) for state in self.states[running]]
        self._alike = all(each == self.options for each in options)
        for row, of_row in zip(running, options, strict=True):
            here = slice(row, row + 1)
            self.opponents.begin(self._rows[here], 1 - self.sides[here], of_row)
        self._follow(running)
        self._results = {key: dict(counts) for key, counts in state["results"].items()}

    # --- playing -------------------------------------------------------------------------------

    def reset(
        self,
        seeds: int | Sequence[int] | np.ndarray | None = None,
        options: GameOptions | None = None,
        rows: np.ndarray | None = None,
    ) -> None:
        """Start a game in every row or in ``rows`` only; ``seeds`` of all rows as in ``Batch.reset``. Results are kept.

        ``options``: of these games, not of those that follow; the usual ones if left out. Raises ``BadSeed``.
        """
        seeds, options = row_seeds(seeds, self.count), options or self.options
        alike = options == self.options and (rows is None or self._alike)
        if alike != self._alike:
            self._alike, self._table = alike, None
        rows = self._rows if rows is None else rows
        self._open(rows)
        self._answer(self._begin(rows, seeds[rows], options))

    def options_at_reset(self, given: Any, *others: str) -> GameOptions:
        """Options of the games that a ``reset`` with the options ``given`` begins; sets the opponents if it names any.

        ``others``: keys that the caller reads. Raises ``BadOptions``, ``ValueError``; then nothing has changed.
        """
        given = reset_options(given, (*self.options.names(), "opponents", "weights", *others))
        agreed = self.options.at_reset(given)
        if "opponents" in given:
            self.set_opponents(given["opponents"], given.get("weights"))
        elif "weights" in given:
            raise ValueError("weights: expected beside opponents only")
        return agreed

    def step(self, actions: np.ndarray) -> None:
        """Take the learner's ``actions`` (integers [n]) and go on to their next decisions.

        Raises ``IllegalAction`` naming all offending rows, ``TypeError``, ``ValueError`` as ``Batch.step``
        and ``GameOver`` without autoreset when a game is over; then nothing has moved.
        """
        over = self._over()
        rows = np.flatnonzero(~self.ended) if len(over) else self._rows
        actions = action_array(actions, self.count)[rows]
        if not all_legal(rows, actions.astype(np.int64), self.states, self.layout.actions):
            legal = self.states["legal"][rows, : self.layout.actions]
            checked_actions(actions, self.states, legal, games=rows)
        before = self._lead() if self.shaping else 0
        further = self._advance(rows, actions, Phase.LEARNER) if len(rows) else 0
        self._finished = None
        waiting = self._sorted(rows, further)
        if len(over):
            self.rewards[over], self.ended[over] = 0, False
            waiting = np.concatenate([waiting, self._begin(over, next_seeds(self.ends["seed"][over]), self.options)])
        self._answer(waiting)
        if self.shaping:
            self.rewards[rows] += np.float32(self.shaping) * (self._latest_lead() - before)[rows]

    def _over(self) -> np.ndarray:
        """Rows with a next game to begin in this step; raises ``GameOver`` where only ``reset`` begins it."""
        if self.autoreset == AutoresetMode.SAME_STEP or not self.ended.any():
            return self._rows[:0]
        over = np.flatnonzero(self.ended)
        if self.autoreset == AutoresetMode.DISABLED:
            where = "" if self.count == 1 else f" in rows {quoted(over.tolist())}"
            raise GameOver(f"the game is over{where}: reset before the next step")
        return over

    def _open(self, rows: np.ndarray) -> None:
        """Prepare ``rows`` for other games."""
        self.rewards[rows], self.ended[rows], self._finished = 0, False, None

    def _lead(self) -> np.ndarray:
        """VP from the learner's point of view, int64 [n]."""
        return self.vp * (1 - 2 * self.sides)

    def _latest_lead(self) -> np.ndarray:
        """The same, in rows that ended that of the game which is over."""
        return np.where(self.ended, self.ends["vp"] * (1 - 2 * self.ends["side"]), self._lead())

    def _begin(self, rows: np.ndarray, seeds: np.ndarray, options: GameOptions) -> np.ndarray:
        """Start games in ``rows``; those where the opponent is to act."""
        fresh = take_states(self.states, rows)
        options.write(fresh)
        put_states(self.states, rows, fresh)
        self._play(rows, seeds, Phase.BEGIN)
        self.opponents.seat(rows)
        if options.bid and self.side is not None:
            self._make_bids(rows, seeds, options)
        self._follow(rows)
        if self._bids:
            self._bids.forget(rows)
        else:
            sides = self._players[rows] ^ self.states["swapped"][rows]
            for row, side in zip(rows.tolist(), sides.tolist(), strict=True):
                self.opponents.introduce(row, 1 - side, options)
        return self._sorted(rows, self._play(rows, _NONE, Phase.BEGUN))

    def _make_bids(self, rows: np.ndarray, seeds: np.ndarray, options: GameOptions) -> None:
        """Make the bids of games that have just begun, so that the learner plays the side that is given."""
        even = [self.opponents.bid(row, options) for row in rows.tolist()]
        bidding = take_states(self.states, rows)
        make_bids(bidding, offers_around(even, seeds))
        put_states(self.states, rows, bidding)
        self._players[rows] = self.side ^ bidding["swapped"]

    def _follow(self, rows: np.ndarray) -> None:
        """Subscribe the opponents in ``rows`` to events, if they follow them."""
        for row, place in zip(rows.tolist(), self._players[rows].tolist(), strict=True):
            self._witnesses.begin(row, {1 - place: self.opponents.seated(row)})

    def _answer(self, rows: np.ndarray) -> None:
        """Let the opponents decide, in ``rows`` and after that, until the learner is to act everywhere."""
        while len(rows):
            rows = self._sorted(rows, self._advance(rows, self._choices(rows), Phase.OPPONENT))

    def _choices(self, rows: np.ndarray) -> np.ndarray:
        """The opponents' answers in ``rows``."""
        if self._witnesses:
            for row in rows.tolist():
                self._witnesses.tell(row, 1 - int(self._players[row]))
        self._play(rows, _NONE, Phase.SHOW)
        seen, legal = self._their_seen[: len(rows)], self._their_legal[: len(rows)]
        actions = self._asked.choose(rows, self.states, seen, legal)
        try:
            return checked_actions(actions, self.states, legal, games=rows)
        except (ValueError, TypeError) as error:
            raise IllegalAction(f"an opponent's answer cannot be used, reset before going on: {error}") from error

    def _advance(self, rows: np.ndarray, actions: np.ndarray, phase: Phase) -> int:
        """Take ``actions`` [K] in ``rows`` [K] and notify subscribers; returns the result of ``play_rows``."""
        with self._witnesses.watching(rows, actions, self.states):
            return self._play(rows, actions, phase)

    def _play(self, rows: np.ndarray, actions: np.ndarray | int, phase: Phase) -> int:
        """``play_rows`` in ``rows`` [K], with one action or [K] of them; its faults."""
        self._moved[: len(rows)], self._actions[: len(rows)], self._phase[0] = rows, actions, phase
        return self._team.run(play_rows, len(rows), self._table or self._new_table())

    def _sorted(self, rows: np.ndarray, further: int) -> np.ndarray:
        """End the games that are over of ``rows``, all of which have just been played; where an opponent is to act.

        ``further``: in how many of them it is not the learner's turn.
        """
        if not further:
            return rows[:0]
        then = self._then[: len(rows)]
        waiting, over = rows[then == _OPPONENT], rows[then == _NOBODY]
        return np.concatenate([waiting, self._finish(over)]) if len(over) else waiting

    def _finish(self, rows: np.ndarray) -> np.ndarray:
        """Tell opponents that games are over and begin the next ones; those in which an opponent is to act."""
        if error := int(self.states["error"][rows].max()):
            raise engine.exception_for(error)(ERRORS[error])
        ends = self.ends[rows]
        told = (ends[name].tolist() for name in ("result", "reason", "vp"))
        for row, result, reason, vp in zip(rows.tolist(), *told, strict=True):
            self._witnesses.tell(row, 1 - int(self._players[row]))
            self.opponents.end(row, {"result": RESULTS[result], "reason": REASONS[reason], "vp": vp})
        if self.autoreset != AutoresetMode.SAME_STEP:
            return rows[:0]
        return self._begin(rows, next_seeds(ends["seed"]), self.options)

    def _follow_by_themselves(self) -> bool:
        """Return True if a game may follow another in the loop: no opponent takes part in how it ends and begins."""
        here = self.autoreset == AutoresetMode.SAME_STEP
        return here and self._alike and not self.options.bid and self.opponents.only_answer

    def _new_table(self) -> Table:
        """Lay out for the loop what it plays with."""
        self._count()
        threads, opponents = self._team.size, len(self.opponents.players)
        at_once = all(isinstance(player, RandomPlayer) for player in self.opponents.players)
        self._team.least_rows = _LEAST_RANDOM_ROWS if at_once else _LEAST_ROWS
        self._counts = np.zeros((threads, opponents, SIDES, len(COUNTS)), np.int64)
        answers, memories = self._asked.addresses(self.layout.size, threads)
        self._table = Table(
            phase=self._phase, rows=self._moved, actions=self._actions, then=self._then,
            step=engine.step(), write=self.layout.view, begin=engine.begin(),
            again=self._follow_by_themselves(), side=-1 if self.side is None else self.side,
            states=self.states, players=self._players, sides=self.sides, vp=self.vp, result=self.result,
            rewards=self.rewards, ended=self.ended, learner_decisions=self._learner_decisions,
            seen=self.observations, legal=self.masks,
            final_observations=self.final_observations, ends=self.ends, counts=self._counts,
            plays=self.opponents.plays, bounds=self.opponents.bounds, answers=answers, memories=memories,
            their_seen=self._their_seen, their_legal=self._their_legal, their_actions=self._their_actions,
        )  # fmt: skip
        return self._table

    def opponent(self, row: int) -> Player:
        """Opponent of the learner in a row."""
        return self.opponents.at(row)

    def close(self) -> None:
        """Close the opponents."""
        self.opponents.close()
