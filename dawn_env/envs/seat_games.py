"""Games seen from one seat: the learner's decisions come out, the opponents answer theirs inside.

The core of the single seat and of both vector environments. What a game is follows from its seed alone,
the learner's side and the opponent included, so all of them play the same game for the same seed.
"""

from collections.abc import Mapping, Sequence
from enum import auto
from typing import Any, NamedTuple

import numpy as np

from dawn_env import compiled_play, engine
from dawn_env.batch import checked_actions
from dawn_env.compiled_play import answer_into
from dawn_env.envs.opponents import Opponents, OpponentsWithBids, Pool
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.layouts import call_view, layout_of, layout_of_sides
from dawn_env.made_bids import make_bids, offers_around
from dawn_env.options import GameOptions
from dawn_env.players import Player, RandomPlayer
from dawn_env.rules.flow import call_step
from dawn_env.state import ERRORS, REASONS, RESULTS, Error, Result, new_states, put_states, take_states
from dawn_env.support.argument_checks import finite, game_count
from dawn_env.support.compiling import entry_calling, jit
from dawn_env.support.lent import Lent
from dawn_env.support.numbered import Numbered
from dawn_env.support.plain_text import quoted
from dawn_env.support.seeds import next_seeds, row_seeds
from dawn_env.support.shared_rows import done, take
from dawn_env.support.threads import Team, checked_threads
from dawn_env.tables import DEMOCRAT, SIDE_NAMES
from dawn_env.witness import RowWitnesses

_SAVED = ("states", "observations", "masks", "sides", "_learner_decisions")
_TOLD = ("seed", "result", "reason", "vp", "turn", "decisions")  # of a game that is over
_WON = (Result.DEMOCRAT, Result.COMMUNIST)  # by side
_WORD = 2**64 - 1
_SIDE_DRAW, _OPPONENT_DRAW = 0x1E3779B97F4A7C15, 0x3C6EF372FE94F82A


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


class _Next(Numbered):
    """Who goes on with a game."""

    LEARNER = auto()
    OPPONENT = auto()
    NOBODY = auto()  # it is over


_OPPONENT, _NOBODY = int(_Next.OPPONENT), int(_Next.NOBODY)  # numpy is slow with members of enumerations
_NONE, _ASK = -1, -2  # in place of an action: none has been taken yet; show the opponent what they are asked


@jit
def _goes_on(s):
    return s.result == Result.RUNNING and s.error == Error.NONE


@jit
def _is_theirs(s, player):
    """Whether the opponent of the learner, who is ``player`` 0 or 1, is to act."""
    return _goes_on(s) and s.actor != player ^ s.swapped


@jit
def _answered(step, view, s, answer, memory, seen, legal, action):
    """Let an opponent whose answers are compiled decide; false if that is not possible."""
    able = answer_into(view, s, answer, memory, seen, legal, action)
    if able:
        call_step(step, s, action[0])
    return able


@entry_calling(compiled_play.__file__, makes_arrays=False)
def _play_rows(job, member, count, step, view, answers, memories, plays, rows, actions, then, players, sides, vp,
               result, states, seen, place, legal, their_seen, their_legal, their_actions):  # fmt: skip
    """Take action i in game ``rows[i]``, and note in ``then[i]`` who goes on; or show the opponent ``_ASK``ed there.

    ``job``, ``member``, ``count``: see ``shared_rows``; ``step``, ``view``: addresses of the rules and of what writes a
    view. The opponent ``plays[row]`` goes on at once if ``answers`` has an address for it; ``memories`` [members, P].
    Sides, VP and results are noted for the learner, who is ``players[row]``; unless the opponent goes on, the learner's
    view is written to that row of ``seen[place[0]]`` and of ``legal``. What opponents see stands side by side, at i.
    """
    first, last = take(job, member, count)
    while first < last:
        for i in range(first, last):
            row = rows[i]
            s, player, answer, memory = states[row], players[row], answers[plays[row]], memories[member, plays[row]]
            if actions[i] == _ASK:
                call_view(view, s, s.actor, their_seen[i], their_legal[i])
                continue
            if actions[i] != _NONE:
                call_step(step, s, actions[i])
            # What they see stands where this part begins, so that it stays in the processor's cache.
            while _is_theirs(s, player) and _answered(
                step, view, s, answer, memory, their_seen[first], their_legal[first], their_actions[first:last]
            ):
                pass
            sides[row] = player ^ s.swapped
            if _is_theirs(s, player):
                then[i] = _Next.OPPONENT
                continue
            call_view(view, s, sides[row], seen[place[0]][row], legal[row])
            vp[row], result[row] = s.vp, s.result
            then[i] = _Next.LEARNER if _goes_on(s) else _Next.NOBODY
        first, last = done(job, member, last - first, 0)


def _mix(seeds: np.ndarray, purpose: int) -> np.ndarray:
    """uint64 hashes of seeds (splitmix64), another for each purpose; of Python's numbers, as they are mostly few."""
    return np.array([_mixed(seed + purpose & _WORD) for seed in seeds.tolist()], np.uint64)


def _mixed(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _WORD
    return x ^ x >> 31


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
    - ``ended`` bool [n]; with ``restart`` the next game has begun in these rows, and
      ``final_observations`` int8 [n, F] holds their last view of the one that ended,
    - ``sides`` int8 [n]: the side they play; while players bid for sides, 0 for the first player, 1 for the second,
    - ``vp`` and ``result`` int64 [n]: VP, and the result as a number (``state.RESULTS``).

    F and A are those of ``layout``.

    ``finished``: the games that ended in the latest step.
    """

    def __init__(
        self,
        count: int,
        side: str | None = None,
        opponents: Pool | None = None,
        weights: Sequence[float] | None = None,
        options: GameOptions | Mapping | None = None,
        shaping: float = 0.0,
        restart: bool = True,
        threads: int | None = None,
    ):
        """No game has begun before ``reset``. ``side`` None draws it each game, or leaves it to the bid where there is
        one; for a given side the bid is made for both, with offers around the opponent's. ``opponents`` and
        ``weights`` as for ``set_opponents``, a ``RandomPlayer`` by default; ``options`` as for ``GameOptions.of``;
        ``threads`` as for ``Batch``.

        Raises ``ValueError``.
        """
        self.count = count = game_count(count, "count")
        self.options, self.restart = GameOptions.of(options), restart
        self.layout = layout_of(self.options) if side is None else layout_of_sides(self.options)
        self.side, self.shaping = side_number(side), finite(shaping, "shaping")
        self.threads = checked_threads(threads)
        self.states = new_states(count)
        size, actions = self.layout.size, self.layout.actions
        self._observations, self.final_observations = Lent((count, size)), np.zeros((count, size), np.int8)
        self.masks = np.zeros((count, actions), np.int8)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        self.sides, self._players = np.zeros((2, count), np.int8)
        self.vp, self.result = np.zeros((2, count), np.int64)
        self.finished: list[Finished] = []
        self._results: dict[tuple[str, str], dict[str, int]] = {}
        self._learner_decisions = np.zeros(count, np.int64)
        self._rows, self._witnesses = np.arange(count), RowWitnesses()
        self._team = Team(self.threads)
        self._moved, self._actions = np.zeros((2, count), np.int64)
        self._then = np.zeros(count, np.int8)
        self._their_seen, self._their_legal = np.zeros((count, size), np.int8), np.zeros((count, actions), np.int8)
        self._their_actions = np.zeros(count, np.int64)
        self.opponents = Opponents(count, RandomPlayer() if opponents is None else opponents, weights)
        self._bids = OpponentsWithBids(self.opponents, self.options) if self.options.bid and side is None else None
        self._asked = self._bids or self.opponents

    @property
    def observations(self) -> np.ndarray:
        """See above."""
        return self._observations.now

    def taken_observations(self) -> np.ndarray:
        """``observations``, for the caller to keep and to write to, once a step; copies after that."""
        return self._observations.take()

    def facts(self) -> dict[str, np.ndarray]:
        """What is told of the games beside views and masks: ``side``, ``vp`` and ``result``."""
        return {"side": self.sides, "vp": self.vp, "result": self.result}

    # --- opponents and results -----------------------------------------------------------------

    def set_opponents(self, pool: Pool, weights: Sequence[float] | None = None) -> None:
        """Draw the opponents of games that begin from now on from ``pool``; games in progress keep theirs.

        ``pool``: one or several of what ``players.as_player`` takes: players, specifications, functions.
        ``weights``: relative, one per player, equal by default. Raises ``ValueError``.
        """
        self.opponents.set_pool(pool, weights)

    def results(self, clear: bool = False) -> dict[tuple[str, str], dict[str, int]]:
        """Per (opponent, learner's side): ``games``, ``wins``, ``draws``, ``losses``, and the sums ``vp``
        (the learner's) and ``decisions`` (of both), since the start or the last ``clear``."""
        kept = {key: dict(counts) for key, counts in self._results.items()}
        if clear:
            self._results = {}
        return kept

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
        self._observations.begin()
        for name in _SAVED:
            getattr(self, name)[:] = state[name]
        self._players[:] = self.sides ^ self.states["swapped"]
        self.vp[:], self.result[:] = self.states["vp"], self.states["result"]
        self.opponents.restore([players[name] for name in state["players"]], state["_plays"])
        for row in np.flatnonzero(self.states["result"] == Result.RUNNING):
            here = slice(row, row + 1)
            self.opponents.begin(self._rows[here], 1 - self.sides[here], GameOptions.of_state(self.states[row]))
        self._follow(np.flatnonzero(self.states["result"] == Result.RUNNING))
        self._results = {key: dict(counts) for key, counts in state["results"].items()}

    # --- playing -------------------------------------------------------------------------------

    def reset(self, seeds: int | Sequence[int] | np.ndarray | None = None, options: GameOptions | None = None) -> None:
        """Start a game in every row; ``seeds`` as in ``Batch.reset``. Results are kept.

        ``options``: of these games, not of those that follow; the usual ones if left out. Raises ``BadSeed``.
        """
        seeds = row_seeds(seeds, self.count)
        self._open()
        self._answer(self._begin(self._rows, seeds, options or self.options))

    def step(self, actions: np.ndarray) -> None:
        """Take the learner's ``actions`` (integers [n]) and go on to their next decisions.

        Raises ``IllegalAction`` naming all offending rows, ``TypeError``, ``ValueError`` as ``Batch.step``
        and ``GameOver`` without ``restart`` when a game is over; then nothing has moved.
        """
        if self.finished and not self.restart:
            raise GameOver("the game is over: reset before the next step")
        actions = checked_actions(actions, self.states, self.masks, self._rows)
        before = self._lead() if self.shaping else np.zeros(0)
        self._learner_decisions += 1
        self._open()
        self._answer(self._advance(self._rows, actions))
        if self.shaping:
            change = self._lead() - before
            for game in self.finished:
                change[game.row] = (game.vp if game.side == SIDE_NAMES[DEMOCRAT] else -game.vp) - before[game.row]
            self.rewards += np.float32(self.shaping) * change

    def _open(self) -> None:
        """All rows are about to be played."""
        self.rewards[:], self.ended[:], self.finished = 0, False, []
        self._observations.begin()

    def _lead(self) -> np.ndarray:
        """VP from the learner's point of view, int64 [n]."""
        return self.vp * (1 - 2 * self.sides.astype(np.int64))

    def _begin(self, rows: np.ndarray, seeds: np.ndarray, options: GameOptions) -> np.ndarray:
        """Start games in ``rows``; those where the opponent is to act."""
        fresh = take_states(self.states, rows)
        engine.reset(fresh, seeds, options)
        self.opponents.draw(rows, _mix(seeds, _OPPONENT_DRAW).astype(np.float64) / 2.0**64)
        self.opponents.seat(rows)
        self._players[rows] = self._places(fresh, rows, seeds, options)
        self._follow(rows)
        if self._bids:
            self._bids.forget(rows)
        else:
            sides = self._players[rows] ^ fresh["swapped"]
            for row, side in zip(rows.tolist(), sides.tolist(), strict=True):
                self.opponents.introduce(row, 1 - side, options)
        self._learner_decisions[rows] = 0
        put_states(self.states, rows, fresh)
        self._play(rows, _NONE)
        return self._sort(rows)

    def _follow(self, rows: np.ndarray) -> None:
        """Have the opponents in ``rows`` told from now on what happens, if they follow."""
        for row, place in zip(rows.tolist(), self._players[rows].tolist(), strict=True):
            self._witnesses.begin(row, {1 - place: self.opponents.seated(row)})

    def _places(self, fresh: np.ndarray, rows: np.ndarray, seeds: np.ndarray, options: GameOptions) -> np.ndarray:
        """int8 [K]: the learner's side in games that begin, or with a bid whether they are the first or the second
        player; for a side that is given, the bid is made here."""
        if self.side is None:
            return (_mix(seeds, _SIDE_DRAW) >> np.uint64(63)).astype(np.int8)
        if options.bid:
            even = [self.opponents.bid(row, options) for row in rows.tolist()]
            make_bids(fresh, offers_around(even, seeds))
        return self.side ^ fresh["swapped"]

    def _answer(self, rows: np.ndarray) -> None:
        """Let the opponents decide, in ``rows`` and after that, until the learner is to act everywhere."""
        while len(rows):
            rows = self._advance(rows, self._choices(rows))

    def _choices(self, rows: np.ndarray) -> np.ndarray:
        """The opponents' answers in ``rows``."""
        if self._witnesses:
            for row in rows.tolist():
                self._witnesses.tell(row, 1 - int(self._players[row]))
        self._play(rows, _ASK)
        seen, legal = self._their_seen[: len(rows)], self._their_legal[: len(rows)]
        actions = self._asked.choose(rows, self.states, seen, legal)
        try:
            return checked_actions(actions, self.states, legal, games=rows)
        except (ValueError, TypeError) as error:
            raise IllegalAction(f"an opponent's answer cannot be used, reset before going on: {error}") from error

    def _advance(self, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Take ``actions`` [K] in ``rows`` [K]; rows where an opponent is to act then. Those who follow are told."""
        with self._witnesses.watching(rows, actions, self.states):
            self._play(rows, actions)
        return self._sort(rows)

    def _play(self, rows: np.ndarray, actions: np.ndarray | int) -> None:
        """``_play_rows`` in ``rows`` [K], with one action or [K] of them."""
        self._moved[: len(rows)], self._actions[: len(rows)] = rows, actions
        asked = self._asked.addresses(self.layout.size, self._team.members)
        self._team.share(
            len(rows), _play_rows, engine.step(), self.layout.view, *asked, self.opponents.plays,
            self._moved, self._actions, self._then, self._players, self.sides, self.vp, self.result, self.states,
            self._observations.memory, self._observations.place, self.masks, self._their_seen, self._their_legal,
            self._their_actions,
        )  # fmt: skip

    def _sort(self, rows: np.ndarray) -> np.ndarray:
        """End the games that are over of ``rows``, all of which have just been played; where an opponent is to act."""
        then = self._then[: len(rows)]
        waiting, over = rows[then == _OPPONENT], rows[then == _NOBODY]
        return np.concatenate([waiting, self._finish(over)]) if len(over) else waiting

    def _finish(self, rows: np.ndarray) -> np.ndarray:
        """Note games that are over and begin the next ones; those in which an opponent is to act."""
        if error := int(self.states["error"][rows].max()):
            raise engine.exception_for(error)(ERRORS[error])
        self.final_observations[rows], self.ended[rows] = self.observations[rows], True
        told = [self.states[name][rows] for name in _TOLD]
        for row, *of_row in zip(rows.tolist(), *(column.tolist() for column in told), strict=True):
            self._note(row, *of_row)
        return self._begin(rows, next_seeds(told[0]), self.options) if self.restart else rows[:0]

    def _note(self, row: int, seed: int, result: int, reason: int, vp: int, turn: int, decisions: int) -> None:
        """Reward the learner for a game that is over, and keep how it went; the opponent is told."""
        side = int(self.sides[row])
        self.rewards[row] = outcome = (result == _WON[side]) - (result == _WON[1 - side])
        game = Finished(
            row, seed, SIDE_NAMES[side], self.opponents.at(row).name, outcome, RESULTS[result], vp, turn, decisions,
            int(self._learner_decisions[row]),
        )  # fmt: skip
        self.finished.append(game)
        self._witnesses.tell(row, 1 - int(self._players[row]))
        self.opponents.end(row, {"result": game.result, "reason": REASONS[reason], "vp": vp})
        self._count(game)

    def _count(self, game: Finished) -> None:
        empty = dict.fromkeys(("games", "wins", "draws", "losses", "vp", "decisions"), 0)
        counts = self._results.setdefault((game.opponent, game.side), empty)
        counts["games"] += 1
        counts[("losses", "draws", "wins")[game.outcome + 1]] += 1
        counts["vp"] += game.vp if game.side == SIDE_NAMES[DEMOCRAT] else -game.vp
        counts["decisions"] += game.decisions

    def opponent(self, row: int) -> Player:
        """Who plays against the learner in a row."""
        return self.opponents.at(row)

    def close(self) -> None:
        """Close the opponents."""
        self.opponents.close()
