"""Measurement of the standing scale: its schedule and its ratings by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dawn_agents.match import Outcome
from dawn_agents.rating.pair_results import PairResult, pair_results
from dawn_agents.rating.result_model import Model, fit, log_odds
from dawn_agents.rating.tournament_ratings import ELO
from dawn_agents.strength.rating_scale import YARDSTICK, ZERO, Rung, Scale, ScaleError
from dawn_agents.tournament.result_database import Store
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
_PRIOR_ELO = 1000.0  # standard deviation; keeps the fit finite
_LEVELS = (0.0, 0.5, 1.0)  # points in a game


@dataclass(frozen=True)
class Ladder(Plan):
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

    def schedule(self, store: Store) -> Iterator[list[Pair]]:
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
    met = _count(results)
    mean, covariance = fit_ratings(names, met)
    order = np.argsort([mean[place] + mean[len(names) + place] for place in range(len(names))], kind="stable").tolist()
    rows = [*order, *(len(names) + place for place in order), 2 * len(names), 2 * len(names) + 1]
    rungs = [_rung(names[place], versions, games) for place in order]
    told = [{"one": one, "two": two, "pairs": counts.tolist()} for (one, two), counts in met.items()]
    return Scale(tuple(rungs), mean[rows], covariance[np.ix_(rows, rows)], {**origin, "meetings": told})


def _rung(name: str, versions: Mapping[str, str], games: Sequence[Outcome]) -> Rung:
    seconds = [game.seconds[side] for game in games for side in range(SIDES) if game.players[side] == name]
    return Rung(name, versions[name], float(np.median(seconds)), len(seconds))


def _count(results: Sequence[PairResult]) -> dict[tuple[str, str], np.ndarray]:
    """Pairs int64 [3, 3] of two players by points of the first as Democrat and as Communist: 0, 1/2, 1."""
    met: dict[tuple[str, str], np.ndarray] = {}
    for one, two, as_democrat, as_communist, *_ in sorted(results):
        counts = met.setdefault((one, two), np.zeros((3, 3), np.int64))
        counts[_LEVELS.index(as_democrat), _LEVELS.index(as_communist)] += 1
    return met


def fit_ratings(names: list[str], met: Mapping[tuple[str, str], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Parameters [2 K + 2] as in ``Scale``, ``ZERO`` at 0, and the covariance of distances from the ``YARDSTICK``.

    ``met``: pairs int64 [3, 3] of two players, by points of the first as Democrat and as Communist.
    """
    count = len(names)
    first, second = np.array([[names.index(name) for name in couple] for couple in met]).T
    lead = _leads(np.append(first, second), np.append(second, first), count)
    draw = np.zeros_like(lead)
    draw[:, -1] = 1
    precision = np.full(2 * count + 2, (ELO / _PRIOR_ELO) ** 2)
    centre = np.zeros(2 * count + 2)
    centre[-1], precision[-1] = -3.0, 1 / 9
    model = Model(log_odds(lead, draw), np.zeros((len(lead), 3)), centre, precision)
    counts = np.array(list(met.values()), float)
    tallies = np.concatenate([counts.sum(axis=2), counts.sum(axis=1)[:, ::-1]])
    best = fit(model, tallies, centre)
    covariance = _robust(model, best, counts)
    return _shift(count, names.index(ZERO)) @ best.x, _turned(covariance, _shift(count, names.index(YARDSTICK)))


def _leads(democrats: np.ndarray, communists: np.ndarray, count: int) -> np.ndarray:
    """float [R, 2 K + 2]: what a unit of each parameter adds to the lead."""
    lead, rows = np.zeros((len(democrats), 2 * count + 2)), np.arange(len(democrats))
    lead[rows, democrats], lead[rows, count + communists], lead[:, 2 * count] = 1, -1, 1
    return lead


def _robust(model: Model, best, counts: np.ndarray) -> np.ndarray:
    """Covariance of the parameters that allows for the two games of a pair, on one deal, depending on each other."""
    met, chances = len(counts), model.chances(best.x)
    pull = model.design - np.einsum("ro,rop->rp", chances, model.design)[:, None]  # of one game, by its result
    both = pull[:met, :, None] + pull[met:, None, ::-1]  # of a pair, by the first player's points in either game
    spread = np.einsum("mij,mijp,mijq->pq", counts, both, both)
    inverse = np.linalg.inv(best.curvature)
    return inverse @ spread @ inverse


def _shift(count: int, place: int) -> np.ndarray:
    """float [P, P]: takes a player's ratings on both sides from all of that side; games stay as likely as they were."""
    shift = np.eye(2 * count + 2)
    shift[:count, place] -= 1
    shift[count : 2 * count, count + place] -= 1
    shift[2 * count, [place, count + place]] += 1, -1
    return shift


def _turned(covariance: np.ndarray, shift: np.ndarray) -> np.ndarray:
    return shift @ covariance @ shift.T


def steps(scale: Scale) -> list[tuple[float, float, float]]:
    """Differences from each player to the next: Elo in the mean, as Democrat, as Communist."""
    ratings = [[estimate.rating for estimate in rated] for rated in scale.ratings().values()]
    return [tuple(above - below for below, above in zip(*two, strict=True)) for two in pairwise(ratings)]
