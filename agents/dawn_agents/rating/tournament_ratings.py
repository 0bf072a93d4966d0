"""Ratings from pairs of games: the model of ``davidson`` with an advantage of the Democrat, in Elo.

Intervals are those of the profile likelihood: all values of a parameter with which the results, the other parameters
fitted anew, are not much less likely. How much less follows from how the points of pairs vary (``meetings``): both
games of a pair share their deal, and luck may have been taken out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dawn_agents.rating.pair_results import Meetings, PairResult
from dawn_agents.rating.result_model import Davidson
from dawn_agents.rating.tournament_errors import TournamentError

ELO = 400 / np.log(10)
"""Elo points per unit of log odds."""
PRIOR_ELO = 1000.0
"""Standard deviation of the prior of ratings and of the advantage, around 0."""
PRIOR_LOG_DRAW = (-3.0, 3.0)
"""Mean and standard deviation of the prior of ln v."""
_Z = 1.96  # standard deviations of a 95% interval
_LEAST = 0.01  # of the variance that the likelihood has, which is left whatever the pairs say
_CLOSE = {"fatol": 1e-4, "xrtol": 1e-6}  # of the search for the ends of intervals, in standard deviations


class Estimate(NamedTuple):
    """A number with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """Elo ratings by name, the ``anchor`` being 0.

    ``superiority`` float [n, n]: how likely the player of the row is stronger than that of the column, in
    the order of ``names``. ``advantage``: of the Democrat, in Elo. ``draw``: v, the weight of a draw.
    """

    names: list[str]
    anchor: str
    ratings: dict[str, Estimate]
    superiority: np.ndarray
    advantage: Estimate
    draw: Estimate


def rate(results: Sequence[PairResult], anchor: str | None = None, adjusted: bool = False) -> Ratings:
    """Fit the model; ``anchor`` is the first name in the alphabet unless given. ``adjusted``: luck is taken out.

    Raises ``TournamentError`` without results or with an unknown anchor.
    """
    meetings = Meetings(results, adjusted)
    names = meetings.names
    anchor = names[0] if anchor is None else anchor
    if anchor not in names:
        raise TournamentError(f"anchor {anchor!r} has played no pair; players: {', '.join(names)}")
    fitted = _Fit(meetings)
    combinations = np.concatenate([_above(names.index(anchor), len(names)), np.eye(len(names) + 2)[-2:]])
    *ratings, advantage, draw = fitted.estimates(combinations)
    return Ratings(
        names=names,
        anchor=anchor,
        ratings={name: Estimate(*(ELO * row).tolist()) for name, row in zip(names, ratings, strict=True)},
        superiority=fitted.superiority(),
        advantage=Estimate(*(ELO * advantage).tolist()),
        draw=Estimate(*np.exp(draw).tolist()),
    )


def expected_score(ratings: Ratings, one: str, two: str) -> float:
    """Share of the points to be expected of ``one`` in pairs against ``two``."""
    ahead = (ratings.ratings[one].value - ratings.ratings[two].value) / ELO
    edge, draw = ratings.advantage.value / ELO, ratings.draw.value
    sides = np.array([ahead + edge, ahead - edge]) / 2
    odds = np.exp(sides), draw, np.exp(-sides)
    return float(((odds[0] + draw / 2) / sum(odds)).mean())


def _above(zero: int, count: int) -> np.ndarray:
    """float64 [n, n + 2]: ratings above that of player ``zero``, as combinations of the parameters."""
    combinations = np.eye(count, count + 2)
    combinations[:, zero] -= 1
    return combinations


class _Fit:
    """The model at its best fit to ``meetings``: parameters ``best`` float64 [P]."""

    def __init__(self, meetings: Meetings):
        count = len(meetings.names)
        self._centre, deviation = np.zeros(count + 2), np.full(count + 2, PRIOR_ELO / ELO)
        self._centre[-1], deviation[-1] = PRIOR_LOG_DRAW
        self._model, self._tallies = Davidson(meetings.lead, deviation), meetings.tallies[None]
        (self.best,) = self._model.fit(self._tallies, self._centre[None], self._centre)
        _, (curvature,) = self._model.derivatives(self._tallies, self._centre[None], self.best[None])
        self._likely = np.linalg.inv(curvature)
        self._covariance = self._likely @ (self._spread(meetings) + np.diag(deviation**-2.0)) @ self._likely

    def _spread(self, meetings: Meetings) -> np.ndarray:
        """Covariance [P, P] of the sums of points, and of draws, on which the parameters depend."""
        chances, games = self._model.chances(self.best[None]), self._tallies.sum(axis=-1)
        expected, with_draws, draws = self._model.spreads(chances, games)
        variances, covariances = meetings.covariances(chances[0])
        first, second = np.split(self._model.lead, 2)
        crossed = (first * covariances[:, None]).T @ second
        (spread,) = self._model.squares(variances[None], with_draws * np.sqrt(variances / expected), draws)
        spread[:-1, :-1] += crossed + crossed.T
        return spread

    def estimates(self, combinations: np.ndarray) -> np.ndarray:
        """float64 [K, 3]: value, low and high of combinations [K, P] of the parameters."""
        some = combinations.any(axis=1)
        found = np.repeat((combinations @ self.best)[:, None], 3, axis=1)
        ends = self._highest(np.concatenate([-combinations[some], combinations[some]]))
        found[some, 1], found[some, 2] = np.split(ends * np.repeat([-1, 1], some.sum()), 2)
        return found

    def superiority(self) -> np.ndarray:
        """float64 [n, n]: how likely each player is stronger than each other, by how unlikely they are equal."""
        from scipy.special import ndtr  # here: --help works without extras

        count = len(self.best) - 2
        one, two = np.triu_indices(count, 1)
        behind = np.eye(count, count + 2)[two] - np.eye(count, count + 2)[one]
        behind *= np.where(behind @ self.best > 0, -1, 1)[:, None]  # now all are negative at the best fit
        standing = self._deviations(behind, self._pull(behind, lambda x, rows: (x * behind[rows]).sum(axis=1)))
        found = np.full((count, count), 0.5)
        found[one, two] = ndtr(np.where(behind[np.arange(len(one)), one] < 0, 1, -1) * standing)
        found[two, one] = 1 - found[one, two]
        return found

    # --- profiles ------------------------------------------------------------------------------------
    # To pull at a combination of the parameters is to shift the centre of their prior: the fit then has the largest
    # value of the combination that can be had for its likelihood.

    def _highest(self, combinations: np.ndarray) -> np.ndarray:
        """The ends [K] of the intervals of combinations [K, P], in the direction in which they grow."""
        pulls = self._pull(combinations, lambda x, rows: self._standing(combinations[rows], x) - _Z)
        return (self._pulled(combinations, pulls) * combinations).sum(axis=1)

    def _pull(self, combinations: np.ndarray, goal) -> np.ndarray:
        """The pulls [K] at which ``goal(x, rows)``, which grows with them from below 0, is 0."""

        from scipy.optimize import elementwise  # here: --help works without extras

        def reached(pulls, rows):
            return goal(self._pulled(combinations[rows], pulls), rows)

        rows = np.arange(len(combinations))
        scale = self._scale(combinations)
        bracket = elementwise.bracket_root(reached, np.zeros(len(rows)), scale, xmin=0, args=(rows,))
        return elementwise.find_root(reached, bracket.bracket, args=(rows,), tolerances=_CLOSE).x

    def _pulled(self, combinations: np.ndarray, pulls: np.ndarray) -> np.ndarray:
        centres = self._centre + pulls[:, None] * self._model.deviation**2 * combinations
        return self._model.fit(np.repeat(self._tallies, len(pulls), axis=0), centres, self.best)

    def _deviations(self, combinations: np.ndarray, pulls: np.ndarray) -> np.ndarray:
        return self._standing(combinations, self._pulled(combinations, pulls))

    def _standing(self, combinations: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Distance of parameters ``x`` [K, P] from the best, in standard deviations of combinations."""
        tallies, centres = np.repeat(self._tallies, len(x), axis=0), np.repeat(self._centre[None], len(x), axis=0)
        best = self._model.loss(self._tallies, self._centre[None], self.best[None])
        deviance = 2 * np.maximum(0, self._model.loss(tallies, centres, x) - best)
        likely, varies = self._variances(combinations)
        return np.sqrt(deviance * likely / varies)

    def _scale(self, combinations: np.ndarray) -> np.ndarray:
        """About the pulls [K] that move combinations by two standard deviations."""
        likely, varies = self._variances(combinations)
        return 2 * np.sqrt(varies) / likely

    def _variances(self, combinations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of combinations [K, P]: as the likelihood has them, and as the spread of pairs does."""
        likely, varies = (
            np.einsum("kp,pq,kq->k", combinations, matrix, combinations) for matrix in (self._likely, self._covariance)
        )
        return likely, np.maximum(varies, _LEAST * likely)
