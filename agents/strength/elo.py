"""Units of ratings, and numbers with their intervals."""

import math
from typing import NamedTuple

ELO = 400 / math.log(10)
"""Elo points per unit of log odds."""
Z = 1.96
"""Standard deviations of a 95% interval."""


class Estimate(NamedTuple):
    """A rating in Elo with its 95% interval."""

    rating: float
    low: float
    high: float
