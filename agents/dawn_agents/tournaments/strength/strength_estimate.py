"""Rating of one player from games against those of a scale, and the choice of the next opponent.

The player has a rating for either side. The ratings of the scale, its advantage of the Democrat and its share of draws
are parameters too, their prior being what the scale says, correlations included: so its uncertainty is accounted for.
Opponents are chosen, a few pairs of games at a time, to make the rating as certain as can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.rating.estimates import ELO, Estimate, beyond, beyond_of_mean
from dawn_agents.tournaments.rating.result_model import PRIOR_ELO, Model, Posterior
from dawn_agents.tournaments.strength.rating_scale import WEIGHTS, Rated, Scale
from dawn_env.tables import COMMUNIST, DEMOCRAT

_FEW = 4  # pairs of games against one opponent before the next is chosen; later a share of those played
_MANY, _SHARE = 16, 4
_NEARLY = 0.8  # share of the best opponent's gain with which a faster one will do


class Next(NamedTuple):
    """The next games: the number of the opponent on the scale, and of pairs."""

    opponent: int
    pairs: int


@dataclass(frozen=True)
class Goal:
    """Stopping rule: the interval reaches at most ``precision`` Elo to either side, or ``budget`` games are played."""

    precision: float
    budget: int


class StrengthEstimate:
    """A running evaluation. ``tallies`` int64 [2, K, 3]: games as Democrat and as Communist against each of the K
    players of ``scale``, by points made: 0, 1/2, 1. ``side``: the one that is measured, for players who can play no
    other; None for both. ``played``: games of ``add_games``, of sides that are measured."""

    def __init__(self, scale: Scale, side: int | None = None):
        self.side, self._weights = side, np.array(WEIGHTS[side])
        self.scale, self.tallies = scale, np.zeros((2, len(scale.rungs), 3), np.int64)
        self.played: list[Outcome] = []
        self._model = _model(scale)
        self._fitted = Posterior(self._model, self._by_result())

    @property
    def games(self) -> int:
        """Games so far."""
        return int(self.tallies.sum())

    @property
    def by_side(self) -> np.ndarray:
        """int64 [2, 3]: games by side and points: 0, 1/2, 1."""
        return self.tallies.sum(axis=1)

    def add(self, tallies: np.ndarray) -> None:
        """Count games, int64 [2, K, 3] as ``tallies``, if they are of a side that is measured."""
        self.tallies = self.tallies + tallies * (self._weights > 0)[:, None, None]
        self._fitted = Posterior(self._model, self._by_result(), start=self._fitted.best)

    def add_games(self, games: Sequence[Outcome], player: str) -> None:
        """Count games of a player if they are of a side that is measured."""
        tallies = np.zeros_like(self.tallies)
        for game in games:
            side = game.players.index(player)
            opponent = self.scale.names.index(game.players[1 - side])
            tallies[side, opponent, round(2 * game.points[side])] += 1
        self.played += [game for game in games if self.side in (None, game.players.index(player))]
        self.add(tallies)

    def _by_result(self) -> np.ndarray:
        """Numbers of games, float [2 K, 3]: won by the Communist, drawn, won by the Democrat."""
        return np.concatenate([self.tallies[DEMOCRAT], self.tallies[COMMUNIST, :, ::-1]]).astype(float)

    # --- what is known -----------------------------------------------------------------------------

    def estimate(self, side: int | None) -> Estimate:
        """The rating of a side; None for the mean of both."""
        weights = np.array(WEIGHTS[side])
        found = ELO * self._fitted.estimates(self._direction(weights)[None])[0]
        sides = self.tallies[weights > 0].sum(axis=1).tolist()
        return Estimate(*found.tolist(), beyond_of_mean(map(_beyond, sides)))

    def _direction(self, weights: np.ndarray) -> np.ndarray:
        return np.append(weights, np.zeros(len(self._fitted.best) - len(weights)))

    def rated(self) -> Rated:
        """The ratings in the mean of both sides, and on either."""
        return Rated(*map(self.estimate, WEIGHTS))

    def main(self, rated: Rated) -> Estimate:
        """The rating that is measured, of those of a player: the mean of both sides, or that of the side."""
        return rated.both if self.side is None else rated[1 + self.side]

    def reached(self, goal: Goal) -> bool:
        """Return True if the wished precision is reached."""
        if ELO * self._fitted.normal_halfwidth(self._direction(self._weights)) > 2 * goal.precision:
            return False  # far from it, and the interval takes longer to find
        value, low, high, _ = self.estimate(self.side)
        return max(value - low, high - value) <= goal.precision

    # --- what to do next ---------------------------------------------------------------------------

    def next(self, goal: Goal) -> Next | None:
        """The fastest opponent of those that would teach nearly as much as the best, and the number of games; None when
        the goal is reached."""
        left = (goal.budget - self.games) // 2
        if left < 1 or self.reached(goal):
            return None
        pairs = min(left, _MANY, max(_FEW, self.games // 2 // _SHARE))
        gains = self._gains(pairs)
        enough = np.flatnonzero(gains >= _NEARLY * gains.max())
        return Next(int(min(enough, key=lambda place: (self.scale.rungs[place].seconds, place))), pairs)

    def _gains(self, pairs: int) -> np.ndarray:
        """float [K]: by how much the variance of the rating can be expected to fall with so many pairs.

        The games against one opponent add two terms, one a side, to the curvature of the likelihood.
        """
        probabilities = self._model.probabilities(self._fitted.best)
        scores = np.array([-0.5, 0.0, 0.5])
        information = probabilities @ scores**2 - (probabilities @ scores) ** 2
        by_side = self._model.lead.reshape(2, -1, len(self._fitted.best))
        explained = np.einsum("skp,pq->skq", by_side, self._fitted.covariance)
        between = np.einsum("skq,tkq->kst", explained, by_side)
        between[:, [0, 1], [0, 1]] += 1 / (pairs * np.maximum(information.reshape(2, -1).T, 1e-12))
        told = (explained[:, :, :2] @ self._weights).T
        return np.einsum("ks,kst,kt->k", told, np.linalg.inv(between), told)


def _beyond(counts: list[int]) -> str:
    """``Estimate.beyond`` of a side, from its games by points made: 0, 1/2, 1."""
    games, (_, drawn, won) = sum(counts), counts
    return beyond((won + drawn / 2) / games if games else None)


def _model(scale: Scale) -> Model:
    """Parameters: ratings as Democrat and as Communist, then what spans the uncertainty of the scale, each N(0, 1)."""
    count = len(scale.rungs)
    spread, axes = np.linalg.eigh(scale.covariance)
    used = spread > 1e-9 * max(1e-9, spread.max())
    factor = axes[:, used] * np.sqrt(spread[used])
    rows = np.arange(count)
    of_scale = np.zeros((2, count, len(scale.mean)))  # what the parameters of the scale add to the lead of each game
    of_scale[DEMOCRAT, rows, count + rows], of_scale[COMMUNIST, rows, rows] = -1, 1
    of_scale[:, :, -2] = 1
    of_scale = of_scale.reshape(2 * count, -1)
    own = np.zeros((2, count, 2))
    own[DEMOCRAT, :, DEMOCRAT], own[COMMUNIST, :, COMMUNIST] = 1, -1
    lead = np.concatenate([own.reshape(2 * count, 2), of_scale @ factor], axis=1)
    draw = np.zeros_like(lead)
    draw[:, 2:] = factor[-1]
    middle = [(side.min() + side.max()) / 2 for side in (scale.mean[:count], scale.mean[count : 2 * count])]
    centre = np.array([*middle, *np.zeros(factor.shape[1])])
    deviation = np.array([*[PRIOR_ELO / ELO] * 2, *np.ones(factor.shape[1])])
    return Model(lead, draw, of_scale @ scale.mean, np.full(2 * count, scale.mean[-1]), centre, deviation)
