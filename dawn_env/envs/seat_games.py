"""Games seen from one seat: the learner's decisions come out, the opponents answer theirs inside.

The core of the single seat and of both vector environments. What a game is follows from its seed alone,
the learner's side and the opponent included, so all of them play the same game for the same seed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode

from dawn_env import engine
from dawn_env.batch import action_array
from dawn_env.bids import offer_of, play_bids, sample_offers
from dawn_env.envs.seat_draws import COUNTS, collect_ended, draw_seats
from dawn_env.errors import GameOver
from dawn_env.host.host import Host
from dawn_env.host.host_loop import EXTERNAL, Status
from dawn_env.host.opponent_pool import Pool, SoloPlayers, checked_pool, checked_shares
from dawn_env.observation.view_layouts import layout_of, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.players import Player, RandomPlayer
from dawn_env.state import RESULTS, Result, new_states
from dawn_env.support.argument_checks import between, finite, integer, reset_options
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import next_seed, row_seeds
from dawn_env.tables import SIDE_NAMES, SIDES

_LEAST_ROWS, _LEAST_RANDOM_ROWS = 128, 1024  # of a thread (``thread_pool.ThreadTeam``); random players answer at once
_OVER = int(Status.OVER)  # numpy is slow with enumerations


class FinishedGame(NamedTuple):
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


def side_number(side: str | int | None) -> int | None:
    """Side id of ``"democrat"`` or ``"communist"``, or of an id; None for None. Raises ``ValueError``."""
    if side is None:
        return None
    number = SIDE_NAMES.index(side) if side in SIDE_NAMES else integer(side)
    if number not in range(SIDES):
        names = ", ".join(f"{name} ({number})" for number, name in enumerate(SIDE_NAMES))
        raise ValueError(f"side: {names} or None for a draw each game expected, not {short_repr(side)}")
    return number


class LearnerGames:
    """``count`` games for one learner.

    Arrays, reused by every ``reset`` and ``step``; copy what you keep and do not write to them:

    - ``observations`` int8 [n, F], ``masks`` int8 [n, A]: the learner's view and legal actions,
    - ``rewards`` float32 [n]: +1, -1 or 0 at the end of a game, plus ``shaping`` times the change of VP
      since their last decision, from their point of view,
    - ``ended`` bool [n]; with the autoreset mode ``SAME_STEP`` the next game has begun in these rows,
    - ``truncated`` bool [n]: the same for games cut off after ``most_steps`` of the learner's decisions,
    - ``sides``, ``vp`` and ``result`` int64 [n]: the side they play (while players bid for sides, 0 for the first
      player, 1 for the second), VP, and the result as a number (``state.RESULTS``),
    - ``endings`` ``host_loop.ENDING`` [n] and ``final_sides`` int64 [n]: the game that ended latest in a row, and the
      side that the learner played in it; ``final_observation`` is their last view of it.

    F and A are those of ``layout``. ``host``: where the games are played; the learner has its external seats.
    ``begun``: True after the first ``reset`` or ``restore``, until a ``step`` or ``reset`` is cut short (Ctrl-C, an
    opponent that fails): then opponents are still to act, and the games have to begin anew.
    """

    def __init__(
        self,
        count: int,
        side: str | int | None = None,
        opponents: Pool | None = None,
        weights: Sequence[float] | None = None,
        options: GameOptions | Mapping | None = None,
        shaping: float = 0.0,
        autoreset: AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int | None = None,
        most_steps: int | None = None,
    ):
        """No game has begun before ``reset``. ``side`` None draws it each game, or leaves it to the bid where there is
        one; for a given side the bid is made for both, with offers around the opponent's. ``opponents`` and
        ``weights`` as for ``set_opponents``, a ``RandomPlayer`` by default; ``options`` as for ``GameOptions.of``;
        ``threads`` as for ``Batch``. ``autoreset``: where a game is over, the next one begins in the same step, in the
        next one, whose action is ignored, or by ``reset`` only. ``most_steps``: games are cut off after so many of the
        learner's decisions, and count in no results.

        Raises ``ValueError``.
        """
        self.options, self.autoreset, self.begun = GameOptions.of(options), autoreset, False
        self.side, self.shaping = side_number(side), finite(shaping, "shaping")
        self.before_step: Callable[[int], None] | None = None
        """Called before every step with its number of decisions; the games stay as they are if it raises."""
        self.check_opponents: Callable[[Pool], None] | None = None
        """Called with the opponents that ``set_opponents`` is given; nothing changes if it raises."""
        layout = layout_of(self.options) if side is None else layout_of_sides(self.options)
        self.host = host = Host(count, self.options, "raise", layout=layout, threads=threads)
        self.count, self.layout, self.states, self.endings = host.count, layout, host.states, host.endings
        self.observations, self.masks, self.ended = host.observations, host.masks, host.ended
        self.sides, self.vp, self.result = host.sides, host.vp, host.result
        self.rewards, self.final_sides = np.zeros(count, np.float32), np.zeros(count, np.int64)
        self.most_steps = None if most_steps is None else between(most_steps, "max_episode_steps", 1, 2**31 - 1)
        self.truncated, self._steps = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        self.cut: dict[int, tuple[np.ndarray, int, int]] = {}
        """Games cut off in the latest step and followed by others in it, by row: the learner's last view, side, VP."""
        self._finished: list[FinishedGame] | None = None  # once somebody has asked for them
        self._results: dict[tuple[str, str], dict[str, int]] = {}
        self._counts = np.zeros((1, SIDES, len(COUNTS)), np.int64)  # by number of the opponent and learner's side
        self._rows, self._solo = np.arange(count), SoloPlayers(host)
        self._over_rows = self._rows[:0]  # where the game is over and another is to begin in the next step or by reset
        self._ended_rows, self._seeds = np.zeros((2, count), np.int64)  # work space
        self._set_pool(RandomPlayer() if opponents is None else opponents, weights)

    @property
    def finished(self) -> list[FinishedGame]:
        """The games that ended in the latest step, by row."""
        if self._finished is None:
            rows = np.flatnonzero(self.ended)
            self._finished = [self._finished_in(row) for row in rows.tolist()]
        return self._finished

    def _finished_in(self, row: int) -> FinishedGame:
        ending, side = self.endings[row], int(self.final_sides[row])
        learner = side ^ int(ending.swapped)
        opponent, learner_decisions = ending.seated[1 - learner], int(ending.decisions[learner])
        outcome = {Result.DRAW: 0, Result.DEMOCRAT: 1 - 2 * side, Result.COMMUNIST: 2 * side - 1}[ending.result]
        return FinishedGame(
            row, int(ending.seed), SIDE_NAMES[side], self._name(opponent), outcome, RESULTS[ending.result],
            int(ending.vp), int(ending.turn), int(ending.length), learner_decisions,
        )  # fmt: skip

    def final_observation(self, row: int) -> np.ndarray:
        """The learner's last view of the game that ended latest in a row, int8 [F]."""
        learner = int(self.final_sides[row]) ^ int(self.endings["swapped"][row])
        return self.host.final_observations[row, learner].copy()

    def _name(self, number: int) -> str:
        player = self.host.players[number]
        return player.name if player is not None else ""

    # --- opponents and results -----------------------------------------------------------------

    def set_opponents(self, pool: Pool, weights: Sequence[float] | None = None) -> None:
        """Draw the opponents of games that begin from now on from ``pool``; games in progress keep theirs.

        ``pool``: one or several of what ``players.as_player`` takes: players, specifications, functions.
        ``weights``: relative, one per player, equal by default. Raises ``ValueError``.
        """
        if self.check_opponents is not None:
            self.check_opponents(pool)
        self._set_pool(pool, weights)
        if self.autoreset == AutoresetMode.SAME_STEP:
            self._queue(self._rows)
        stay = {*self._pool.tolist(), *self.host.slots["seated"].ravel().tolist()}
        stay |= self._solo.retain(self._pool.tolist())
        for number in set(range(1, len(self.host.players))) - stay:
            self.host.unregister(number)  # it can no longer be drawn and does not play

    def _set_pool(self, pool: Pool, weights: Sequence[float] | None) -> None:
        players = checked_pool(pool)
        shares = checked_shares(weights, len(players))
        self._settle()
        self._bounds = np.cumsum(shares / shares.sum())[:-1]
        self._pool = np.array([self.host.register(player) for player in players])
        at_once = all(isinstance(player, RandomPlayer) for player in players)
        self.host.team.least_rows = _LEAST_RANDOM_ROWS if at_once else _LEAST_ROWS

    def results(self, clear: bool = False) -> dict[tuple[str, str], dict[str, int]]:
        """Per (opponent, learner's side): ``games``, ``wins``, ``draws``, ``losses``, and the sums ``vp``
        (the learner's) and ``decisions`` (of both), since the start or the last ``clear``."""
        self._count()
        kept = {key: dict(counts) for key, counts in self._results.items()}
        if clear:
            self._results = {}
        return kept

    def _settle(self) -> None:
        """Store by name what is known of games that are over, before opponents get other numbers."""
        self._finished = self.finished
        self._count()

    def _count(self) -> None:
        """Add what the loop has counted to the results."""
        for number, side in np.argwhere(self._counts.any(axis=2)).tolist():
            counts = self._results.setdefault((self._name(number), SIDE_NAMES[side]), dict.fromkeys(COUNTS, 0))
            for name, more in zip(COUNTS, self._counts[number, side].tolist(), strict=True):
                counts[name] += more
        self._counts[:] = 0

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Copies of all that ``restore`` needs to go on exactly; opponents are named, not kept."""
        slots = self.host.slots
        learners = (slots["seated"][:, 1] == EXTERNAL).astype(np.int64)  # [n] seats of the learner
        opponents = slots["seated"][self._rows, 1 - learners]
        names = [self._name(number) for number in opponents.tolist()]
        players = list(dict.fromkeys(names))
        return {
            "states": self.states.copy(),
            "sides": self.sides.copy(),
            "_learner_decisions": slots["decisions"][self._rows, learners],
            "_plays": np.array([players.index(name) for name in names]),
            "players": players,
            "results": self.results(),
        }

    def restore(self, state: Mapping[str, Any], players: Mapping[str, Player]) -> None:
        """Go on from ``state`` of as many games; ``players``: by name, all that it names.

        Call ``set_opponents`` afterwards: who is drawn for new games is not part of it. Raises ``ValueError``.
        """
        if len(state["states"]) != self.count:
            raise ValueError(f"a state of {len(state['states'])} games cannot be restored into {self.count}")
        self._settle()
        self.rewards[:], self.ended[:], self._finished, self._over_rows = 0, False, None, self._rows[:0]
        self.truncated[:], self._steps[:] = False, state["_learner_decisions"]
        numbers = np.array([self.host.register(players[name]) for name in state["players"]])[state["_plays"]]
        learners = state["sides"] ^ state["states"]["swapped"]
        seated = _seated(learners, numbers)
        self._solo.seat(self._rows, seated)
        self.host.resume(self._rows, state["states"], seated)
        self.host.slots["decisions"][self._rows, learners] = state["_learner_decisions"]
        self._play_on()
        self._results = {key: dict(counts) for key, counts in state["results"].items()}
        self.begun = True

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
        seeds, rows = row_seeds(seeds, self.count), self._rows if rows is None else rows
        self.rewards[rows], self.ended[rows], self._finished = 0, False, None
        self.truncated[rows], self._steps[rows] = False, 0
        self._over_rows, self.begun = np.setdiff1d(self._over_rows, rows), False
        self._begin(rows, seeds[rows], options or self.options)
        self._play_on()
        if self.autoreset == AutoresetMode.SAME_STEP:
            self._queue(rows)
        self.begun = True

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
        if self.before_step is not None:
            self.before_step(self.count)
        over = self._over_rows
        if len(over) and self.autoreset == AutoresetMode.DISABLED:
            where = "" if self.count == 1 else f" in rows {short_repr(over.tolist())}"
            raise GameOver(f"the game is over{where}: reset before the next step")
        rows, actions = self._rows, action_array(actions, self.count)
        if len(over):
            rows = np.flatnonzero(~(self.ended | self.truncated))
            actions = actions[rows]
        before = self._lead() if self.shaping else 0
        self.begun = False
        try:
            others = self.host.step(rows, actions) if len(rows) else 0
        except (TypeError, ValueError):  # nothing has moved
            self.begun = True
            raise
        self._finished = None
        if len(over):
            seeds = np.where(self.truncated, self.states["seed"], self.endings["seed"])[over]
            self.ended[over], self._steps[over] = False, 0
            self._begin(over, next_seed(seeds), self.options)
        if others or len(over):
            self._play_on()
        self._collect()
        if self.shaping:
            self.rewards[rows] += np.float32(self.shaping) * (self._latest_lead() - before)[rows]
        if self.most_steps is not None:
            self._cut_off(rows, self.most_steps)
        self.begun = True

    def _cut_off(self, rows: np.ndarray, most: int) -> None:
        """Cut off games that have taken ``most`` steps, ``rows`` having taken one; others follow as after an end."""
        self._steps[rows] += 1
        self.truncated[:] = (self._steps >= most) & ~self.ended
        cut, self.cut = np.flatnonzero(self.truncated), {}
        if self.autoreset != AutoresetMode.SAME_STEP:
            self._over_rows = np.union1d(self._over_rows, cut)
            return
        self._steps[self.truncated | self.ended] = 0
        if len(cut):
            facts = self.observations[cut], self.sides[cut].tolist(), self.vp[cut].tolist()
            self.cut = dict(zip(cut.tolist(), zip(*facts, strict=True), strict=True))
            self._begin(cut, next_seed(self.states["seed"][cut]), self.options)
            self._play_on()
            self.ended[cut] = False
            self._queue(cut)

    def _lead(self) -> np.ndarray:
        """VP from the learner's point of view, int64 [n]."""
        return self.vp * (1 - 2 * self.sides)

    def _latest_lead(self) -> np.ndarray:
        """VP from the learner's point of view, in rows that ended of the game which is over."""
        return np.where(self.ended, self.endings["vp"] * (1 - 2 * self.final_sides), self._lead())

    def _begin(self, rows: np.ndarray, seeds: np.ndarray, options: GameOptions) -> None:
        """Start games in ``rows``; then ``_play_on``."""
        seated = self._drawn(seeds)
        self._solo.seat(rows, seated)
        if options.bid and self.side is not None:
            self._begin_with_bids(rows, seeds, seated, options)
        else:
            self.host.begin(rows, seeds, seated, options)

    def _begin_with_bids(self, rows: np.ndarray, seeds: np.ndarray, seated: np.ndarray, options: GameOptions) -> None:
        """Start games after their bids, with the learner at its fixed side."""
        opponents = seated.max(axis=1)
        bidders = [self.host.players[number] for number in opponents.tolist()]
        even = [offer_of(player, options) for player in bidders if player is not None]
        states = new_states(len(rows))
        engine.reset(states, seeds, options)
        play_bids(states, sample_offers(even, seeds))
        self.host.resume(rows, states, _seated(self.side ^ states["swapped"], opponents))

    def _drawn(self, seeds: np.ndarray) -> np.ndarray:
        """Players by seat of the games from ``seeds`` [K], drawn: int64 [K, 2] for ``Host.begin``."""
        seated = np.zeros((len(seeds), SIDES), np.int64)
        draw_seats(seeds, -1 if self.side is None else self.side, self._bounds, self._pool, seated)
        return seated

    def _queue(self, rows: np.ndarray) -> None:
        """Queue games after those in progress in ``rows``, drawn by their seeds."""
        seeds = next_seed(self.states["seed"][rows])
        self.host.queue(rows, seeds, self._drawn(seeds))

    def _play_on(self) -> None:
        """Play the opponents' decisions until the learner is to act or the game is over everywhere; begin games that
        follow others in this step."""
        host, at_once = self.host, self.autoreset == AutoresetMode.SAME_STEP
        while True:
            if at_once and len(over := np.flatnonzero(host.status == _OVER)):
                self._begin(over, next_seed(self.endings["seed"][over]), self.options)
            if not host.unfinished:
                break
            host.advance()

    def _collect(self) -> None:
        """Reward and count games that have ended, and queue those after the next."""
        missing = len(self.host.players) - len(self._counts)
        if missing > 0:
            self._counts = np.pad(self._counts, ((0, missing), (0, 0), (0, 0)))
        found = collect_ended(self.endings, self.ended, self.rewards, self.final_sides, self._counts, self.states,
                              self._ended_rows, self._seeds)  # fmt: skip
        rows, seeds = self._ended_rows[:found], self._seeds[:found]
        self._over_rows = self._rows[:0]
        if found and self.autoreset != AutoresetMode.SAME_STEP:
            self._over_rows = rows.copy()
            learners = self.final_sides[rows] ^ self.endings["swapped"][rows]
            self.observations[rows] = self.host.final_observations[rows, learners]
        elif found:
            self.host.queue(rows, seeds, self._drawn(seeds))

    def opponent(self, row: int) -> Player:
        """Opponent of the learner in a row."""
        player = self.host.players[self.host.slots["seated"][row].max()]
        assert player is not None, "no game has begun"
        return player

    def close(self) -> None:
        """Close the opponents; ``reset`` begins games with them again."""
        self.begun = False
        self.host.close()


class LearnerEnvironment:
    """Methods common to the environments that play ``games`` for a learner; ``closed`` is True after ``close``."""

    games: LearnerGames
    closed = True  # until it has games: gymnasium 1.1 closes what is deleted half made

    def action_masks(self) -> np.ndarray:
        """Action masks of all rows, a copy, int8 [n, A]: 1 where an action is legal."""
        return self.games.masks.copy()

    def set_opponents(self, pool: Pool, weights: Sequence[float] | None = None) -> None:
        """Set the opponents of the games that begin after this call (``LearnerGames.set_opponents``)."""
        self.games.set_opponents(pool, weights)

    def results(self, clear: bool = False) -> dict:
        """Results per opponent and side so far (``LearnerGames.results``)."""
        return self.games.results(clear)

    def close(self, **_options) -> None:
        """Close the opponents; no steps after this before the next ``reset``."""
        self.games.close()
        self.closed = True

    def _check_begun(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed")
        if not self.games.begun:
            raise ResetNeeded("reset the environment: no game has begun, or the last step was cut short")


def _seated(learners: np.ndarray, opponents: np.ndarray) -> np.ndarray:
    """Player numbers by seat, int64 [K, 2], from the learner's seats [K] and the numbers of its opponents [K]."""
    return np.where(learners[:, None] == np.arange(SIDES), EXTERNAL, opponents[:, None])
