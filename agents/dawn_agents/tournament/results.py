"""Results as the ratings and reports take them: pairs of games on one deal."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dawn_agents.match import Outcome


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

    def turned(self) -> "PairResult":
        """The same pair from the point of view of ``two``."""
        points, luck = (1 - self.as_communist, 1 - self.as_democrat), (-self.luck_as_communist, -self.luck_as_democrat)
        return PairResult(self.two, self.one, *points, *luck)

    def points_of(self, name: str) -> float:
        """Points of one of the two."""
        return self.points if name == self.one else 2 - self.points

    def adjusted_of(self, name: str) -> float:
        """Points of one of the two, without luck."""
        return self.adjusted if name == self.one else 2 - self.adjusted


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
