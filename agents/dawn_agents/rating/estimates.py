"""Points made in a number of games, and how far they can be trusted."""

import math
from dataclasses import dataclass
from typing import NamedTuple

_Z = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True)
class Score:
    """Games of a player on one side against another."""

    games: int
    wins: int
    draws: int

    @property
    def rate(self) -> float:
        """Share of points, a draw counting half."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def error(self) -> float:
        """Standard error of ``rate``; not zero even when all games were won."""
        rate = (self.wins + self.draws / 2 + 1) / (self.games + 2)
        return math.sqrt(rate * (1 - rate) / self.games)

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of ``rate``."""
        n, z2 = self.games, _Z**2
        middle = (self.rate + z2 / (2 * n)) / (1 + z2 / n)
        reach = _Z / (1 + z2 / n) * math.sqrt(self.rate * (1 - self.rate) / n + z2 / (4 * n * n))
        return middle - reach, middle + reach


Z = 1.96
"""Standard deviations of a 95% interval."""


class Estimate(NamedTuple):
    """A rating in Elo with its 95% interval."""

    rating: float
    low: float
    high: float
