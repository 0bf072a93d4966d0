"""The model of results behind all ratings: Bradley and Terry with draws by Davidson, fitted with a normal prior.

A Democrat who leads by ``d`` has odds ``exp(-d / 2) : v : exp(d / 2)`` of losing, drawing and winning; ``d`` and
``ln v`` are linear in the parameters, so the likelihood is concave and Newton's method finds its one maximum.

Intervals are those of the profile likelihood: all values of a combination of the parameters with which the results, the
rest fitted anew, are not much less likely. They are right for few games too, and bounded by the prior where all were
won or lost.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dawn_agents.tournaments.rating.estimates import ELO, Z
from dawn_agents.tournaments.rating.pair_results import Meetings

PRIOR_ELO = 1000.0
"""Standard deviation of the prior of ratings, advantages and the worth of a support point."""
PRIOR_LOG_DRAW = -3.0, 3.0
"""Mean and standard deviation of the prior of ln v."""
_LONGEST_STEP = 1.0  # by which a parameter changes in a step of Newton's method
_STEPS, _EXACT = 200, 1e-8  # most steps; the last one is smaller than that
_DOUBLINGS = 100  # most steps of either search for a root
_LEAST = 0.01  # of the variance that the likelihood has, which is left whatever the pairs say
_CLOSE = 1e-5  # to the ends of intervals, in standard deviations


class Model(NamedTuple):
    """Kinds of games, a row each, and the prior of the parameters.

    The lead of the Democrat, in log odds, is ``lead_offset + lead @ x``, ln v is ``draw_offset + draw @ x``: float
    [R] and [R, P]. ``centre``, ``deviation`` float [P]: of the normal prior.
    """

    lead: np.ndarray
    draw: np.ndarray
    lead_offset: np.ndarray
    draw_offset: np.ndarray
    centre: np.ndarray
    deviation: np.ndarray

    def log_probs(self, x: np.ndarray) -> np.ndarray:
        """float [B, R, 3] of Communist, draw and Democrat for parameters [B, P], natural logarithms."""
        half, draw = (self.lead_offset + x @ self.lead.T) / 2, self.draw_offset + x @ self.draw.T
        odds = np.stack([-half, draw, half], axis=-1)
        return odds - np.logaddexp.reduce(odds, axis=-1, keepdims=True)

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        """float [R, 3] of Communist, draw and Democrat for parameters [P]."""
        return np.exp(self.log_probs(x[None])[0])


def model_of(lead: np.ndarray) -> Model:
    """Build a model with the standard prior. ``lead`` [R, P - 1]: rating differences; parameter P - 1 is log v."""
    rows, size = lead.shape
    lead = np.pad(lead, ((0, 0), (0, 1)))
    centre, deviation = np.zeros(size + 1), np.full(size + 1, PRIOR_ELO / ELO)
    centre[-1], deviation[-1] = PRIOR_LOG_DRAW
    return Model(lead, np.eye(1, size + 1, size).repeat(rows, axis=0), *np.zeros((2, rows)), centre, deviation)


class Posterior:
    """A model fitted to ``tallies`` float [R, 3], games by result: Communist, draw, Democrat.

    ``best`` float [P]; ``covariance`` [P, P]: inverse of the curvature there, or with ``pairs`` the one that allows
    for how points of pairs vary and depend on each other: rows ``r`` and ``M + r`` of the model are the two games.
    """

    def __init__(
        self, model: Model, tallies: np.ndarray, pairs: Meetings | None = None, start: np.ndarray | None = None
    ):
        """``start``: parameters that the search for the best ones begins with."""
        self.model, self._tallies, self._games = model, tallies, tallies.sum(axis=1)
        lead, draw = model.lead, model.draw
        squares = (lead, lead), (lead, draw), (draw, lead), (draw, draw)
        self._products = np.stack([(one[:, :, None] * two[:, None]).reshape(len(one), -1) for one, two in squares])
        self._prior = np.diag(model.deviation**-2.0)
        (self.best,) = self._fit(model.centre[None], (model.centre if start is None else start)[None])
        probabilities = model.probabilities(self.best)
        self._likely = self.covariance = np.linalg.inv(self._squares(*self._spreads(probabilities))[0] + self._prior)
        if pairs is not None:
            self.covariance = self._likely @ (self._spread(pairs, probabilities) + self._prior) @ self._likely

    def _fit(self, centres: np.ndarray, start: np.ndarray, held: np.ndarray | None = None) -> np.ndarray:
        """Parameters [B, P] that maximise likelihood times prior with these ``centres`` [B, P].

        ``held`` [B, P]: a combination of the parameters that stays as it is in ``start`` [B, P].
        """
        x, running = start.copy(), np.arange(len(start))
        for _ in range(_STEPS):
            slope, curvature = self._derivatives(centres[running], x[running])
            step = np.linalg.solve(curvature, slope[..., None])[..., 0]
            if held is not None:
                along = np.linalg.solve(curvature, held[running, :, None])[..., 0]
                gain, width = ((held[running] * part).sum(axis=1, keepdims=True) for part in (step, along))
                step = step - along * gain / width
            size = np.abs(step).max(axis=1, keepdims=True)
            x[running] -= step * np.minimum(1, _LONGEST_STEP / np.maximum(size, _EXACT))
            running = running[size[:, 0] > _EXACT]
            if not len(running):
                break
        return x

    def _loss(self, x: np.ndarray) -> np.ndarray:
        """float [B]: negative log of likelihood times prior, but for a constant."""
        prior = (((x - self.model.centre) / self.model.deviation) ** 2).sum(axis=1) / 2
        return prior - (self._tallies * self.model.log_probs(x)).sum(axis=(1, 2))

    def _derivatives(self, centres: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the loss: first [B, P] and second [B, P, P]."""
        probabilities = np.exp(self.model.log_probs(x))
        more = self._games[:, None] * probabilities - self._tallies
        slope = (more[..., 2] - more[..., 0]) / 2 @ self.model.lead + more[..., 1] @ self.model.draw
        slope += (x - centres) / self.model.deviation**2
        return slope, self._squares(*self._spreads(probabilities)) + self._prior

    def _spreads(self, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Variance of the points, their covariance with draws, and variance of draws, of all games of each kind."""
        lost, drawn, won = np.moveaxis(probabilities, -1, 0)
        edge = (won - lost) / 2
        points = (won + lost) / 4 - edge**2
        return self._games * points, -self._games * edge * drawn, self._games * drawn * (1 - drawn)

    def _squares(self, points: np.ndarray, with_draws: np.ndarray, draws: np.ndarray) -> np.ndarray:
        """Covariances [B, P, P] of the sums on which the parameters depend, from those of each kind [B, R] or [R]."""
        parts = np.stack([points, with_draws, with_draws, draws])
        size = len(self.model.centre)
        return np.matmul(parts.reshape(4, -1, len(self._games)), self._products).sum(axis=0).reshape(-1, size, size)

    def _spread(self, pairs: Meetings, probabilities: np.ndarray) -> np.ndarray:
        """Covariance [P, P] of the sums on which the parameters depend, as the points of pairs vary."""
        expected, with_draws, draws = self._spreads(probabilities)
        variances, covariances = pairs.covariances(probabilities)
        first, second = np.split(self.model.lead, 2)
        crossed = (first * covariances[:, None]).T @ second
        return self._squares(variances, with_draws * np.sqrt(variances / expected), draws)[0] + crossed + crossed.T

    # --- profiles ------------------------------------------------------------------------------------
    # To pull at a combination of the parameters is to shift the centre of their prior: the fit then has the largest
    # value of the combination that can be had for its likelihood.

    def estimates(self, combinations: np.ndarray) -> np.ndarray:
        """float64 [K, 3]: value, low and high of combinations [K, P] of the parameters."""
        some = combinations.any(axis=1)
        found = np.repeat((combinations @ self.best)[:, None], 3, axis=1)
        ends = self._highest(np.concatenate([-combinations[some], combinations[some]]))
        found[some, 1], found[some, 2] = np.split(ends * np.repeat([-1, 1], some.sum()), 2)
        return found

    def normal_halfwidth(self, combination: np.ndarray) -> float:
        """Half-width of the 95% interval of a combination [P] if the likelihood is that of a normal."""
        return float(Z * np.sqrt(combination @ self.covariance @ combination))

    def deviations(self, combinations: np.ndarray) -> np.ndarray:
        """float64 [K]: how far combinations [K, P] are above 0, in standard deviations, by how unlikely 0 is."""
        values = combinations @ self.best
        start = self.best - combinations * (values / (combinations**2).sum(axis=1))[:, None]
        zero = self._fit(np.broadcast_to(self.model.centre, start.shape), start, combinations)
        return np.sign(values) * self._standing(combinations, zero)

    def _highest(self, combinations: np.ndarray) -> np.ndarray:
        """The ends [K] of the intervals of combinations [K, P], in the direction in which they grow."""
        likely, varies = self._variances(combinations)
        step = 2 * np.sqrt(varies) / likely  # moves a combination by about two standard deviations

        def beyond_end(pulls: np.ndarray, rows: np.ndarray) -> np.ndarray:
            return self._standing(combinations[rows], self._pulled(combinations[rows], pulls)) - Z

        pulls = _increasing_roots(beyond_end, -Z, step, _CLOSE)
        return (self._pulled(combinations, pulls) * combinations).sum(axis=1)

    def _pulled(self, combinations: np.ndarray, pulls: np.ndarray) -> np.ndarray:
        centres = self.model.centre + pulls[:, None] * self.model.deviation**2 * combinations
        return self._fit(centres, np.repeat(self.best[None], len(centres), axis=0))

    def _standing(self, combinations: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Distance of parameters ``x`` [K, P] from the best, in standard deviations of combinations."""
        deviance = 2 * np.maximum(0, self._loss(x) - self._loss(self.best[None]))
        likely, varies = self._variances(combinations)
        return np.sqrt(deviance * likely / varies)

    def _variances(self, combinations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Variances of combinations [K, P] by the likelihood alone, and by the spread of pairs."""
        likely, varies = (
            np.einsum("kp,pq,kq->k", combinations, matrix, combinations) for matrix in (self._likely, self.covariance)
        )
        return likely, np.maximum(varies, _LEAST * likely)


def _increasing_roots(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray], at_zero: float, step: np.ndarray, close: float
) -> np.ndarray:
    """float [K]: where increasing functions that are ``at_zero`` < 0 at 0 are within ``close`` of 0.

    ``function(x, rows)``: values of the functions ``rows`` at ``x``, each [R]. ``step`` [K]: where each search begins.
    """
    rows = np.arange(len(step))
    low, below, high, above = np.zeros(len(step)), np.full(len(step), at_zero), step.copy(), function(step, rows)
    for _ in range(_DOUBLINGS):  # double the upper ends until all roots lie between
        short = rows[above < 0]
        if not len(short):
            break
        low[short], below[short], high[short] = high[short], above[short], 2 * high[short]
        above[short] = function(high[short], short)
    x, value = high.copy(), above.copy()
    for _ in range(_DOUBLINGS):  # regula falsi, where an end that stays counts half (Illinois)
        open_rows = rows[np.abs(value) > close]
        if not len(open_rows):
            break
        before = value > 0
        x[open_rows] = ((low * above - high * below) / (above - below))[open_rows]
        value[open_rows] = function(x[open_rows], open_rows)
        upper = value > 0
        below = np.where(upper, np.where(before, below / 2, below), value)
        above = np.where(upper, value, np.where(before, above, above / 2))
        low, high = np.where(upper, low, x), np.where(upper, x, high)
    return x
