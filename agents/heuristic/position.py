"""The board as the rule-based player works on it: one record, kept up to date point by point."""

import numpy as np

from agents.heuristic.style import WEIGHTS
from dawn_env.tables import SIDES, SPACE_TYPES, N, S

MAX_POINTS = 16
"""Operations values are below this."""
MAX_TRIED = 4 * S

POSITION = np.dtype(
    (
        np.record,
        [
            # Weights of style.py.
            ("w", "f8", (WEIGHTS,)),
            # How much the scoring of each country, and its power struggle, count from now on.
            ("outlook", "f8", (N, 2)),
            # Support points by side and space.
            ("support", "i2", (SIDES, S)),
            # Per country and side: how many spaces and battlegrounds it holds, progress towards control counted
            # in part; the space types it controls as a bit mask, and how many spaces of each.
            ("spaces", "f8", (N, SIDES)),
            ("grounds", "f8", (N, SIDES)),
            ("types", "i8", (N, SIDES)),
            ("of_type", "i1", (N, SIDES, len(SPACE_TYPES))),
            # Per country: footholds and points beyond control; what it is worth in all (Democrat positive).
            ("small", "f8", (N,)),
            ("value", "f8", (N,)),
            # Per side and ops value: worth of placing and of two checks anywhere; NaN until it is asked for.
            ("operations", "f8", (SIDES, MAX_POINTS, 2)),
            # Work space of operations.py, by points: rates of one space, worth of moves by a check in one space;
            # worth of placing (and the second best rate), and of the best check.
            ("rates", "f8", (MAX_POINTS,)),
            ("shifts", "f8", (2 * MAX_POINTS,)),
            ("place", "f8", (MAX_POINTS,)),
            ("second", "f8", (MAX_POINTS,)),
            ("check", "f8", (MAX_POINTS,)),
            # Changes tried and not yet taken back: space, points of the Democrat and of the Communist before.
            ("tried", "i2", (MAX_TRIED, 3)),
            ("tries", "i8"),
        ],
    )
)


def new_position() -> np.ndarray:
    """``[1]`` POSITION records, blank."""
    return np.zeros(1, POSITION)
