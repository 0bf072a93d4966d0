"""Scores and ratings with their 95% intervals, as numbers, JSON and text, and the constants of the Elo scale."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Z = 1.96
"""Standard deviations of a 95% interval."""
ELO = 400 / math.log(10)
"""Elo points per unit of log odds."""
_UNKNOWN = "above and below"


class Estimate(NamedTuple):
    """A number with its 95% interval.

    ``beyond``: ``above`` or ``below`` where all games were won or lost, so that only ``low`` or ``high`` is known;
    ``above and below`` for the mean of two such numbers, of which nothing is known.
    """

    value: float
    low: float
    high: float
    beyond: str = ""

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """``low`` and ``high``; None for the one that is not known."""
        return (None if "below" in self.beyond else self.low), (None if "above" in self.beyond else self.high)

    def known(self, name: str = "rating") -> dict[str, Any]:
        """JSON values, ``name`` being the key of the value; None for what has no bound."""
        low, high = self.bounds
        return {name: None if self.beyond else self.value, "low": low, "high": high, "beyond": self.beyond}

    @classmethod
    def of_known(cls, known: Mapping[str, Any]) -> "Estimate":
        """The estimate with these JSON values of ``known("value")``."""
        value, low, high = (math.nan if known[key] is None else known[key] for key in ("value", "low", "high"))
        return cls(value, low, high, known["beyond"])

    def cells(self) -> list[str]:
        """Value, low and high in whole points for a table; the bound in place of the value where one is known."""
        low, high = self.bounds
        value = self.text() if self.beyond else points(self.value)
        return [value, points(low), points(high)]

    def text(self, unit: str = "", form: str = "+z.0f") -> str:
        """The value with its interval, or the bound; each number formatted by ``form``."""
        value, low, high = (f"{number:{form}}" for number in self[:3])
        if self.beyond == _UNKNOWN:
            return "no bound"
        if self.beyond:
            return f"{self.beyond} {low if self.beyond == 'above' else high}{unit}"
        return f"{value}{unit} ({low} to {high})"


def beyond(score: float | None) -> str:
    """``below`` or ``above`` the bound, by the share of the points, if all games were lost or won; else empty."""
    return "" if score is None else {0.0: "below", 1.0: "above"}.get(score, "")


def beyond_of_mean(kinds: Iterable[str]) -> str:
    """``Estimate.beyond`` of the mean of numbers with these; one bound makes the mean a bound."""
    return " and ".join(sorted({word for kind in kinds for word in kind.split(" and ")} - {""}))


def points(number: float | None) -> str:
    """Whole points with their sign; a dash for None."""
    return "-" if number is None else f"{number:+z.0f}"


def percent(share: float | None) -> str:
    """A share as a percentage; a dash for None."""
    return "-" if share is None else f"{share:z.1%}"


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

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of ``rate``."""
        n, z2 = self.games, Z**2
        middle = (self.rate + z2 / (2 * n)) / (1 + z2 / n)
        reach = Z / (1 + z2 / n) * math.sqrt(self.rate * (1 - self.rate) / n + z2 / (4 * n * n))
        return middle - reach, middle + reach

    def __str__(self) -> str:
        """``rate`` with its interval; a dash without games."""
        return Estimate(self.rate, *self.interval()).text(form=".1%") if self.games else "-"


def score_of(shares: list[float]) -> Score:
    """Score of games by their points: 0, 1/2 or 1."""
    return Score(len(shares), shares.count(1.0), shares.count(0.5))
