"""Measurement of the standing scale: its schedule and its ratings by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dawn_agents.match import Outcome
from dawn_agents.rating.pair_results import Meetings, PairResult, pair_results
from dawn_agents.rating.result_model import Posterior, model_of
from dawn_agents.strength.rating_scale import YARDSTICK, ZERO, Scale, ScaleError, ScalePlayer
from dawn_agents.tournament.result_database import ResultDatabase
from dawn_agents.tournament.schedules import Pair, meeting
from dawn_agents.tournament.tournament_plan import Plan
from dawn_env.tables import SIDES

RUNGS = {
    "random": 1000,
    **{f"heuristic:level={level}": 1000 for level in range(1, 10)},
    "heuristic": 1000,
    "search:sims=16,plays=1,margin=0.5,guide=heuristic": 150,
    "tuned": 1000,
    "pretrained": 1000,
    "search:sims=32": 100,
    "search": 200,
}
"""The players of the standing scale, weakest first, and pairs of games that their speed allows against one other."""
_LEVELS = (0.0, 0.5, 1.0)  # points in a game


@dataclass(frozen=True)
class ScalePlan(Plan):
    """Pairings of each player with the next and, in half as many ``pairs`` of games, with the next but one.

    The entrants come weakest first. Of those in ``RUNGS`` the slower one says how many pairs they play at most; two
    that think about each position do not meet.
    """

    @property
    def meetings(self) -> list[tuple[str, str, int]]:
        """Two players and their pairs."""
        found = []
        for step, share in ((1, 1), (2, 2)):
            for one, two in zip(self.entrants, self.entrants[step:], strict=False):
                pairs = min(RUNGS.get(name, self.pairs) for name in (one.name, two.name))
                if one.batch or two.batch:
                    found.append((one.name, two.name, max(1, min(self.pairs, pairs) // share)))
        return found

    @property
    def games(self) -> int:
        """Number of games."""
        return 2 * sum(pairs for *_, pairs in self.meetings)

    def schedule(self, store: ResultDatabase) -> Iterator[list[Pair]]:
        """One round with all of it."""
        yield [pair for one, two, pairs in self.meetings for pair in meeting(one, two, range(pairs), self.seed)]


def make_scale(games: Sequence[Outcome], versions: Mapping[str, str], origin: Mapping) -> Scale:
    """The scale of all players in ``games``, complete pairs; ``versions`` of the players by name.

    Raises ``ScaleError`` when the yardstick or the player rated 0 has not played.
    """
    results = list(pair_results(games).values())
    names = sorted({name for result in results for name in (result.one, result.two)})
    for name in (ZERO, YARDSTICK):
        if name not in names:
            raise ScaleError(f"a scale needs {ZERO} and {YARDSTICK}; {name} has played no pair")
    _, mean, covariance = fit_ratings(results)
    order = np.argsort([mean[place] + mean[len(names) + place] for place in range(len(names))], kind="stable").tolist()
    rows = [*order, *(len(names) + place for place in order), 2 * len(names), 2 * len(names) + 1]
    rungs = [_rung(names[place], versions, games) for place in order]
    told = [{"one": one, "two": two, "pairs": counts.tolist()} for (one, two), counts in _count(results).items()]
    return Scale(tuple(rungs), mean[rows], covariance[np.ix_(rows, rows)], {**origin, "meetings": told})


def _rung(name: str, versions: Mapping[str, str], games: Sequence[Outcome]) -> ScalePlayer:
    seconds = [game.seconds[side] for game in games for side in range(SIDES) if game.players[side] == name]
    return ScalePlayer(name, versions[name], float(np.median(seconds)), len(seconds))


def _count(results: Sequence[PairResult]) -> dict[tuple[str, str], np.ndarray]:
    """Pairs int64 [3, 3] of two players by points of the first as Democrat and as Communist: 0, 1/2, 1."""
    met: dict[tuple[str, str], np.ndarray] = {}
    for one, two, as_democrat, as_communist, *_ in sorted(results):
        counts = met.setdefault((one, two), np.zeros((3, 3), np.int64))
        counts[_LEVELS.index(as_democrat), _LEVELS.index(as_communist)] += 1
    return met


def fit_ratings(results: Sequence[PairResult]) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names, sorted; parameters [2 K + 2] as in ``Scale``, ``ZERO`` at 0; their covariance, ``YARDSTICK`` at 0."""
    meetings = Meetings(results)
    fitted = Posterior(model_of(meetings.leads(by_side=True)), meetings.tallies, meetings)
    zero, yardstick = (_shift(len(meetings.names), meetings.names.index(name)) for name in (ZERO, YARDSTICK))
    return meetings.names, zero @ fitted.best, yardstick @ fitted.covariance @ yardstick.T


def _shift(count: int, place: int) -> np.ndarray:
    """float [P, P]: takes a player's ratings on both sides from all of that side; games stay as likely as they were."""
    shift = np.eye(2 * count + 2)
    shift[:count, place] -= 1
    shift[count : 2 * count, count + place] -= 1
    shift[2 * count, [place, count + place]] += 1, -1
    return shift


def steps(scale: Scale) -> list[tuple[float, float, float]]:
    """Differences from each player to the next: Elo in the mean, as Democrat, as Communist."""
    ratings = [[estimate.value for estimate in rated] for rated in scale.ratings().values()]
    return [tuple(above - below for below, above in zip(*two, strict=True)) for two in pairwise(ratings)]
