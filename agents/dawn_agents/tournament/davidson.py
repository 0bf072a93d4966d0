"""The Bradley-Terry model with draws (Davidson): fitted to several problems of the same shape side by side.

Parameters [P]: ratings and the advantage of the Democrat as log odds, and ln v, v being the weight of a draw. With
``ahead = lead @ parameters``, Democrat, draw and Communist have the odds ``exp(ahead / 2) : v : exp(-ahead / 2)``.
``lead`` float64 [R, P - 1]: log odds of the Democrat in each kind of game per unit of the parameters but the last.
``tallies`` float64 [B, R, 3]: games of each kind won by the Democrat, drawn, won by the Communist, in B problems; where
luck is taken out they are no whole numbers, and may be negative.
"""

from dataclasses import dataclass

import numpy as np

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
