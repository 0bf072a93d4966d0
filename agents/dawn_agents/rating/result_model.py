"""Chances of results between players who have a rating for either side, and fits to results.

A Democrat rated ``r`` leads a Communist rated ``q`` by ``d = (r - q + advantage) / s``, ``s = 400 / ln 10``; Communist,
draw and Democrat have odds ``exp(-d / 2) : v : exp(d / 2)`` (Bradley and Terry, draws by Davidson). The log odds are
linear in the parameters and the likelihood is concave in them, so Newton's method finds the one maximum.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dawn_agents.rating.estimates import Z

_MOST_STEPS, _HALVINGS = 100, 40
_DONE = 1e-9  # of the logarithm of the likelihood, still to be gained
_HOLD = 1e7  # precision with which a parameter is held


class Model(NamedTuple):
    """Kinds of games, a row each, and a normal prior of the parameters.

    ``design`` float [R, 3, P] and ``offset`` float [R, 3]: log odds of Communist, draw, Democrat are
    ``offset + design @ x``; ``centre``, ``precision`` float [P] of the prior. Ratings are in units of log odds.
    """

    design: np.ndarray
    offset: np.ndarray
    centre: np.ndarray
    precision: np.ndarray

    def log_chances(self, x: np.ndarray) -> np.ndarray:
        """float [R, 3], natural logarithms."""
        odds = self.offset + self.design @ x
        return odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)

    def chances(self, x: np.ndarray) -> np.ndarray:
        """float [R, 3] of Communist, draw, Democrat."""
        return np.exp(self.log_chances(x))


class Fit(NamedTuple):
    """The likeliest parameters ``x`` [P], ``loss`` there, and its ``curvature`` [P, P], inverse of their covariance."""

    x: np.ndarray
    loss: float
    curvature: np.ndarray


class Held(NamedTuple):
    """A condition on a fit: ``direction @ x`` is ``value``."""

    direction: np.ndarray
    value: float


def log_odds(lead: np.ndarray, draw: np.ndarray) -> np.ndarray:
    """[..., 3]: log odds of Communist, draw, Democrat from the lead and ln v, or the rows of a design from theirs."""
    return np.stack([-lead / 2, draw, lead / 2], axis=1)


def fit(model: Model, tallies: np.ndarray, start: np.ndarray, held: Held | None = None) -> Fit:
    """Maximise the likelihood of ``tallies`` [R, 3], games by result, times the prior; ``loss`` is its -ln."""
    x, loss = start, _loss(model, tallies, start, held)
    for _ in range(_MOST_STEPS):
        slope, curvature = _derivatives(model, tallies, x, held)
        step = np.linalg.solve(curvature, slope)
        gain = slope @ step
        for _ in range(_HALVINGS):
            further = _loss(model, tallies, x - step, held)
            if further <= loss:
                break
            step = step / 2
        if further > loss:
            break
        x, loss = x - step, further
        if gain < _DONE:
            break
    return Fit(x, _loss(model, tallies, x, None), _derivatives(model, tallies, x, None)[1])


def _loss(model: Model, tallies: np.ndarray, x: np.ndarray, held: Held | None) -> float:
    away = model.precision @ (x - model.centre) ** 2
    if held:
        away += _HOLD * (held.direction @ x - held.value) ** 2
    return float(-(tallies * model.log_chances(x)).sum() + away / 2)


def _derivatives(model: Model, tallies: np.ndarray, x: np.ndarray, held: Held | None) -> tuple[np.ndarray, np.ndarray]:
    """Slope [P] and curvature [P, P] of the loss."""
    chances, games = model.chances(x), tallies.sum(axis=1)
    slope = np.tensordot(games[:, None] * chances - tallies, model.design, 2) + model.precision * (x - model.centre)
    mean = np.einsum("ro,rop->rp", chances, model.design)
    around = (model.design - mean[:, None]) * np.sqrt(games[:, None] * chances)[:, :, None]
    around = around.reshape(-1, len(x))
    curvature = around.T @ around + np.diag(model.precision)
    if held:
        slope = slope + _HOLD * (held.direction @ x - held.value) * held.direction
        curvature = curvature + _HOLD * np.outer(held.direction, held.direction)
    return slope, curvature


def reach(best: Fit, direction: np.ndarray) -> float:
    """Half-width of the 95% interval of ``direction @ x`` if the likelihood is that of a normal."""
    return float(Z * np.sqrt(direction @ np.linalg.solve(best.curvature, direction)))


def interval(model: Model, tallies: np.ndarray, best: Fit, direction: np.ndarray) -> tuple[float, float]:
    """The 95% interval of ``direction @ x``: as far as the likelihood, the rest fitted anew, is not too small.

    It is right for few games too, and where all were won or lost; there the prior bounds it.
    """
    middle, first = float(direction @ best.x), reach(best, direction)
    return tuple(_end(model, tallies, best, direction, middle, way * first) for way in (-1, 1))


def _end(model: Model, tallies: np.ndarray, best: Fit, direction: np.ndarray, middle: float, reach: float) -> float:
    """Bound where the likelihood has fallen as far as a normal one ``Z`` deviations from its middle."""
    x = best.x
    for _ in range(20):
        held = fit(model, tallies, x, Held(direction, middle + reach))
        x, deviations = held.x, np.sqrt(2 * max(1e-12, held.loss - best.loss))
        if abs(deviations - Z) < 0.005:
            break
        reach *= np.clip(Z / deviations, 0.5, 2.0)
    return middle + reach


_LONGEST_STEP = 1.0  # by which a parameter changes in a step of Newton's method
_STEPS, _EXACT = 200, 1e-8  # most steps; the last one is smaller than that


@dataclass(frozen=True)
class Davidson:
    """The model for games of the kinds ``lead``, with a normal prior on every parameter: ``deviation`` float64 [P]."""

    lead: np.ndarray
    deviation: np.ndarray

    def fit(self, tallies: np.ndarray, centres: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Parameters [B, P] that maximise likelihood times prior, which is concave in them, by Newton's method.

        ``centres`` [B, P] of the prior; ``start`` [P]: parameters to start from.
        """
        x = np.repeat(start[None], len(centres), axis=0)
        running = np.arange(len(x))
        for _ in range(_STEPS):
            slope, curvature = self.derivatives(tallies[running], centres[running], x[running])
            step = np.linalg.solve(curvature, slope[..., None])[..., 0]
            size = np.abs(step).max(axis=1, keepdims=True)
            x[running] -= step * np.minimum(1, _LONGEST_STEP / np.maximum(size, _EXACT))
            running = running[size[:, 0] > _EXACT]
            if not len(running):
                break
        return x

    def chances(self, x: np.ndarray) -> np.ndarray:
        """float64 [B, R, 3] of Democrat, draw and Communist."""
        return np.exp(self._log_chances(x))

    def loss(self, tallies: np.ndarray, centres: np.ndarray, x: np.ndarray) -> np.ndarray:
        """float64 [B]: negative log of likelihood times prior, but for a constant."""
        prior = ((x - centres) ** 2 / self.deviation**2).sum(axis=1) / 2
        return prior - (tallies * self._log_chances(x)).sum(axis=(1, 2))

    def derivatives(self, tallies: np.ndarray, centres: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the loss: first [B, P] and second [B, P, P]."""
        chances, games = self.chances(x), tallies.sum(axis=-1)
        more = games[..., None] * chances - tallies
        points, draws = (more[..., 0] - more[..., 2]) / 2, more[..., 1].sum(axis=1, keepdims=True)
        slope = np.concatenate([points @ self.lead, draws], axis=1) + (x - centres) / self.deviation**2
        return slope, self.squares(*self.spreads(chances, games)) + np.diag(self.deviation**-2.0)

    @staticmethod
    def spreads(chances: np.ndarray, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of so many ``games`` [B, R] each: variance of the Democrat's points, their covariance with draws, variance of
        draws."""
        won, drawn, lost = np.moveaxis(chances, -1, 0)
        edge = (won - lost) / 2
        return games * ((won + lost) / 4 - edge**2), -games * edge * drawn, games * drawn * (1 - drawn)

    def squares(self, points: np.ndarray, with_draws: np.ndarray, draws: np.ndarray) -> np.ndarray:
        """Covariances [B, P, P] of the sums on which the parameters depend, from those of games of each kind [B, R]."""
        size = self.lead.shape[1]
        products = (self.lead[:, :, None] * self.lead[:, None, :]).reshape(len(self.lead), -1)
        found = np.empty((len(points), size + 1, size + 1))
        found[:, :-1, :-1] = (points @ products).reshape(-1, size, size)
        found[:, :-1, -1] = found[:, -1, :-1] = with_draws @ self.lead
        found[:, -1, -1] = draws.sum(axis=1)
        return found

    def _log_chances(self, x: np.ndarray) -> np.ndarray:
        ahead = x[:, :-1] @ self.lead.T
        draw = np.broadcast_to(x[:, -1:], ahead.shape)
        from scipy.special import log_softmax  # here: --help works without extras

        return log_softmax(np.stack([ahead / 2, draw, -ahead / 2], axis=-1), axis=-1)
