"""Results as the ratings and reports take them: pairs of games on one deal."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from dawn_agents.tournaments.match import Outcome
from dawn_env.errors import BadInput


class PairResult(NamedTuple):
    """Points of player ``one`` in the two games of a pair, ``two`` getting the rest, and what of them was luck.

    In games with a bid the first player stands for the Democrat here, the second for the Communist.
    """

    one: str
    two: str
    as_democrat: float
    as_communist: float
    luck_as_democrat: float = 0.0
    luck_as_communist: float = 0.0

    @property
    def points(self) -> float:
        """Points of ``one`` in both games."""
        return self.as_democrat + self.as_communist

    @property
    def adjusted(self) -> float:
        """Points of ``one`` in both games, without luck."""
        return self.points - self.luck_as_democrat - self.luck_as_communist

    def seen_by(self, name: str) -> "PairResult":
        """Result of a pair from the point of view of one of the two."""
        if name == self.one:
            return self
        points, luck = (1 - self.as_communist, 1 - self.as_democrat), (-self.luck_as_communist, -self.luck_as_democrat)
        return PairResult(self.two, self.one, *points, *luck)


def pair_results(games: Iterable[Outcome]) -> dict[int, PairResult]:
    """Pair games by seed, in the order of first games; games without a partner are left out.

    ``one`` is the player whose name comes first in the alphabet.
    """
    by_seed: dict[int, list[Outcome]] = {}
    for game in games:
        by_seed.setdefault(game.seed, []).append(game)
    return {seed: _pair(both) for seed, both in by_seed.items() if _are_a_pair(both)}


def _are_a_pair(games: Sequence[Outcome]) -> bool:
    """Return True if they are two, between the same players with sides changed, or the order of their bids."""
    if len(games) != 2 or games[0].seat == games[1].seat:
        return False
    return {*games[0].players} == {*games[1].players} == {game.seat for game in games}


def _pair(both: Sequence[Outcome]) -> PairResult:
    first, second = sorted(both, key=lambda game: game.seat)
    one = first.seat
    sides = [(game, game.players.index(one)) for game in (first, second)]
    points, luck = [game.points[side] for game, side in sides], [game.luck_of(side) for game, side in sides]
    return PairResult(one, second.seat, *points, *luck)


_BELIEVED = 5.0  # pairs for which luck is believed to count in full
_BORROWED = 20.0  # pairs of all meetings that speak for each one about how its pairs vary
_EXPECTED = 5.0  # pairs that vary as the model expects, added to those of all meetings


class Meetings:
    """M meetings of two players, each of two kinds of games: first those with ``one`` as Democrat, then the others.

    ``names`` of all players, sorted. ``tallies`` float64 [2M, 3]: games of each kind won by the Communist, drawn, won
    by the Democrat; without luck they may be below 0, or above the number of games.
    """

    def __init__(self, results: Sequence[PairResult], probabilities: np.ndarray | None = None):
        """Create the meetings of ``results``; luck is taken out if ``probabilities`` are given: float64 [2M, 3] of the
        results, by a model fitted to points with luck.

        Raises ``BadInput`` without results.
        """
        if not results:
            raise BadInput("no pair of games has been played, so there is nothing to rate")
        by_couple: dict[tuple[str, str], list[PairResult]] = {}
        for result in results:
            by_couple.setdefault((result.one, result.two), []).append(result)
        couples = sorted(by_couple)
        self.names = sorted({name for couple in couples for name in couple})
        self._places = np.array([[self.names.index(name) for name in couple] for couple in couples])
        self._adjusted = probabilities is not None
        shares = np.zeros((2, len(couples))) if probabilities is None else 4 * _variance(probabilities)
        self._pairs = [_games(by_couple[couple], share) for couple, share in zip(couples, shares.T, strict=True)]
        sums = np.array([pairs.sum(axis=0) for pairs in self._pairs])
        self.tallies = np.concatenate([sums[:, 0], sums[:, 1]])

    def leads(self, by_side: bool = False) -> np.ndarray:
        """float64 [2M, ...]: what each parameter adds to the Democrat's lead in each kind of game.

        Parameters are the ratings of the players, those as Democrat and as Communist if ``by_side``, then the
        advantage of the Democrat.
        """
        democrats, communists = np.concatenate([self._places, self._places[:, ::-1]]).T
        rows, count = np.arange(len(democrats)), len(self.names)
        lead = np.zeros((len(rows), count * (1 + by_side) + 1))
        lead[rows, democrats], lead[rows, count * by_side + communists], lead[:, -1] = 1, -1, 1
        return lead

    def covariances(self, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Variation of the Democrat's points: sums over pairs of their variance [2M], and of the covariance of the two
        games of a pair [M].

        ``probabilities`` float64 [2M, 3] of the results are those of the model, from which comes the variance of points
        that contain luck. That of the rest, and how games of a pair go together, are measured in meetings of several
        pairs, each meeting's own pairs counting together with ``_BORROWED`` of all.
        """
        pairs = np.array([len(games) for games in self._pairs])
        variance = _variance(probabilities)
        squares, products = np.array([_moments(games) for games in self._pairs]).T
        if self._adjusted:
            variance = variance * _shared(squares, variance.sum(axis=0), pairs, 1.0)
        together = np.sqrt(variance[0] * variance[1])
        correlation = np.clip(_shared(products, together, pairs, 0.0), -1, 1)
        return (pairs * variance).ravel(), pairs * together * correlation


def _variance(probabilities: np.ndarray) -> np.ndarray:
    """float64 [2, M]: variance of the Democrat's points in a game of each kind, at most 1/4."""
    edge = (probabilities[:, 2] - probabilities[:, 0]) / 2
    return ((probabilities[:, 0] + probabilities[:, 2]) / 4 - edge**2).reshape(2, -1)


def _games(results: Sequence[PairResult], share: np.ndarray) -> np.ndarray:
    """float64 [n, 2, 3]: games won by the Communist, drawn, by the Democrat; luck of the Democrat counts as lost.

    ``share`` [2], 0 ... 1: largest share of the measured luck that is taken out of each game of a pair. It follows the
    slope of the logistic curve, since the same luck decides fewer games between unequal players. Luck that the points
    of the pairs do not correlate with is taken out less.
    """
    points = np.array([(result.as_democrat, 1 - result.as_communist) for result in results])
    games = np.stack([points == 0.0, points == 0.5, points == 1.0], axis=-1).astype(float)
    luck = share * np.array([(result.luck_as_democrat, -result.luck_as_communist) for result in results])
    luck *= _told_by(points, luck)
    games[..., 2] -= luck
    games[..., 0] += luck
    return games


def _told_by(points: np.ndarray, luck: np.ndarray) -> float:
    """Share 0 ... 1 of ``luck`` [n, 2] that ``points`` [n, 2] go with, as if it were all in a few more pairs."""
    about = luck - luck.mean(axis=0)
    spread, believed = (about**2).sum(), _BELIEVED / len(luck)
    share = (points * about).sum() / spread if spread else 1.0
    return float(np.clip((share + believed) / (1 + believed), 0, 1))


def _moments(games: np.ndarray) -> tuple[float, float]:
    """Sums over the pairs of a meeting: squares of both games' points about their means, and their products."""
    if len(games) < 2:
        return 0.0, 0.0
    points = (games[..., 2] - games[..., 0]) / 2
    about = (points - points.mean(axis=0)) * np.sqrt(len(games) / (len(games) - 1))
    return float((about**2).sum()), float((about[:, 0] * about[:, 1]).sum())


def _shared(measured: np.ndarray, expected: np.ndarray, pairs: np.ndarray, ratio: float) -> np.ndarray:
    """Ratios [M] of what was ``measured`` in each meeting to what was ``expected`` of each of its pairs.

    All meetings together, with ``_EXPECTED`` pairs that have this ``ratio``, speak for each. A single pair measures
    nothing.
    """
    mean = (pairs @ expected) / pairs.sum()
    expected = np.where(pairs > 1, pairs, 0) * expected
    shared = (measured.sum() + _EXPECTED * ratio * mean) / (expected.sum() + _EXPECTED * mean)
    return (measured + _BORROWED * shared * mean) / (expected + _BORROWED * mean)
