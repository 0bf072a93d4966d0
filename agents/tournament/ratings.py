"""Ratings from pairs of games: a Bradley-Terry model with draws (Davidson) and an advantage of the Democrat.

With ratings r and ``d = (r_democrat - r_communist + advantage) / s``, ``s = 400 / ln 10``, the results Democrat,
draw and Communist have odds ``exp(d / 2) : v : exp(-d / 2)``. A weak normal prior on every parameter keeps the
fit finite where a player won or lost everything. Intervals are percentiles over fits to resampled pairs, in
each of which the centre of the prior is drawn from the prior: where the games say little, it speaks there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from agents.tournament.errors import TournamentError
from agents.tournament.results import PairResult

ELO = 400 / np.log(10)
"""Elo points per unit of log odds."""
PRIOR_ELO = 1000.0
"""Standard deviation of the prior of ratings and of the advantage, around 0."""
PRIOR_LOG_DRAW = (-3.0, 3.0)
"""Mean and standard deviation of the prior of ln v."""
_INTERVAL = (2.5, 97.5)  # percentiles
_LEVELS = (0.0, 0.5, 1.0)  # points in a game


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


def rate(results: Sequence[PairResult], anchor: str | None = None, samples: int = 1000, seed: int = 0) -> Ratings:
    """Fit the model; ``anchor`` is the first name in the alphabet unless given.

    ``samples``: resamplings for the intervals. Raises ``TournamentError`` without results or with an unknown anchor.
    """
    meetings = _Meetings(results)
    anchor = meetings.names[0] if anchor is None else anchor
    if anchor not in meetings.names:
        raise TournamentError(f"anchor {anchor!r} has played no pair; players: {', '.join(meetings.names)}")
    zero, count = meetings.names.index(anchor), len(meetings.names)
    best, drawn = _scaled(_fit_and_resample(meetings, samples, np.random.default_rng(seed)), zero, count)
    estimates = [_estimate(best[i], drawn[:, i]) for i in range(len(best))]
    ahead = drawn[:, :count, None] - drawn[:, None, :count]
    return Ratings(
        names=meetings.names,
        anchor=anchor,
        ratings=dict(zip(meetings.names, estimates, strict=False)),
        superiority=((ahead > 0) + 0.5 * (ahead == 0)).mean(axis=0),
        advantage=estimates[count],
        draw=estimates[count + 1],
    )


class _Meetings:
    """Pair results counted per two players, and the design matrix of the model.

    ``counts`` int64 [M, 9]: pairs by points of the first player as Democrat (3) and as Communist (3).
    """

    def __init__(self, results: Sequence[PairResult]):
        if not results:
            raise TournamentError("no pair of games has been played, so there is nothing to rate")
        self.names = sorted({name for result in results for name in (result.one, result.two)})
        couples = sorted({(result.one, result.two) for result in results})
        place = {couple: row for row, couple in enumerate(couples)}
        self.counts = np.zeros((len(couples), len(_LEVELS) ** 2), np.int64)
        for one, two, as_democrat, as_communist in results:
            cell = len(_LEVELS) * _LEVELS.index(as_democrat) + _LEVELS.index(as_communist)
            self.counts[place[one, two], cell] += 1
        first, second = np.array([[self.names.index(name) for name in couple] for couple in couples]).T
        self.design = _design(np.append(first, second), np.append(second, first), len(self.names))

    def tallies(self, counts: np.ndarray) -> np.ndarray:
        """Games [2M, 3] won by the Communist, drawn, won by the Democrat; first players as Democrats come first."""
        cells = counts.reshape(-1, len(_LEVELS), len(_LEVELS))
        return np.concatenate([cells.sum(axis=2), cells.sum(axis=1)[:, ::-1]]).astype(float)

    def resampled(self, random: np.random.Generator) -> np.ndarray:
        """Counts of as many pairs, drawn with replacement for each two players."""
        totals = self.counts.sum(axis=1)
        return random.multinomial(totals, self.counts / totals[:, None])


def _design(democrats: np.ndarray, communists: np.ndarray, players: int) -> np.ndarray:
    """float [R, 3, players + 2]: log odds of Communist, draw, Democrat per unit of each parameter."""
    rows = np.arange(len(democrats))
    lead = np.zeros((len(democrats), players + 2))
    lead[rows, democrats], lead[rows, communists], lead[:, players] = 1, -1, 1
    draw = np.zeros_like(lead)
    draw[:, players + 1] = 1
    return np.stack([-lead / 2, draw, lead / 2], axis=1)


def _fit_and_resample(meetings: _Meetings, samples: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Parameters of the best fit [P], and of the fits to resampled pairs [samples, P]."""
    centre = np.zeros(len(meetings.names) + 2)
    deviation = np.full(len(centre), PRIOR_ELO / ELO)
    centre[-1], deviation[-1] = PRIOR_LOG_DRAW
    best = _fit(meetings.design, meetings.tallies(meetings.counts), centre, deviation, centre)
    drawn = [
        _fit(
            meetings.design,
            meetings.tallies(meetings.resampled(random)),
            random.normal(centre, deviation),
            deviation,
            best,
        )
        for _ in range(samples)
    ]
    return best, np.array(drawn)


def _fit(design, tallies, centre, deviation, start) -> np.ndarray:
    """Parameters [P] that maximise likelihood times prior, which is concave in them."""
    games, precision = tallies.sum(axis=1), deviation**-2.0

    def loss(x):
        log_odds = log_softmax(design @ x, axis=1)
        return -(tallies * log_odds).sum() + 0.5 * (precision * (x - centre) ** 2).sum()

    def slope(x):
        expected = games[:, None] * np.exp(log_softmax(design @ x, axis=1))
        return np.einsum("ro,rop->p", expected - tallies, design) + precision * (x - centre)

    def curvature(x):
        chances = np.exp(log_softmax(design @ x, axis=1))
        mean = np.einsum("ro,rop->rp", chances, design)
        around = design - mean[:, None]
        return np.einsum("ro,rop,roq->pq", games[:, None] * chances, around, around, optimize=True) + np.diag(precision)

    return minimize(loss, start, jac=slope, hess=curvature, method="trust-exact").x


def _scaled(fits: tuple[np.ndarray, np.ndarray], zero: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Parameters as they are reported: Elo above player ``zero``, Elo of the advantage, v."""

    def scaled(x: np.ndarray) -> np.ndarray:
        ratings = (x[..., :count] - x[..., [zero]]) * ELO
        return np.concatenate([ratings, x[..., [count]] * ELO, np.exp(x[..., [count + 1]])], axis=-1)

    return scaled(fits[0]), scaled(fits[1])


def _estimate(value: float, drawn: np.ndarray) -> Estimate:
    low, high = np.percentile(drawn, _INTERVAL)
    return Estimate(float(value), float(low), float(high))
