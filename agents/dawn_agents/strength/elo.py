"""Units of ratings, and numbers with their intervals."""

from typing import NamedTuple

Z = 1.96
"""Standard deviations of a 95% interval."""


class Estimate(NamedTuple):
    """A rating in Elo with its 95% interval."""

    rating: float
    low: float
    high: float
