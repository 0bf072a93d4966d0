"""Weaker opponents: the errors of each level of play. ``choice.misjudge`` makes them."""

from dataclasses import astuple, dataclass, fields, replace

import numpy as np

from dawn_agents.heuristic.style import Weights


@dataclass(frozen=True)
class Level:
    """Error sizes of a level; the errors of a view follow from it and the player's seed."""

    misjudges: float = 0.0  # size of the errors on what an option is worth, in victory points
    overlooks: float = 0.0  # chance not to see an option at all
    forgets: float = 0.0  # chance not to think of a scoring card that must be played, or let go, now
    foresight: float = 1.0  # share of its due that what pays later, or the opponent's answer, gets


LEVELS = {
    1: Level(2.5, 0.26, 0.53, 0.27),
    2: Level(1.6, 0.20, 0.40, 0.40),
    3: Level(1.17, 0.15, 0.29, 0.51),
    4: Level(0.9, 0.12, 0.20, 0.60),
    5: Level(0.65, 0.10, 0.15, 0.70),
    6: Level(0.5, 0.09, 0.11, 0.78),
    7: Level(0.38, 0.07, 0.08, 0.83),
    8: Level(0.27, 0.05, 0.05, 0.87),
    9: Level(0.15, 0.03, 0.02, 0.93),
    10: Level(),
}
"""The levels: even steps of strength above ``random`` (``docs/ladder.md``); on the last, no such errors are made."""
BEST = max(LEVELS)

ERRORS = np.dtype((np.record, [(field.name, "f8") for field in fields(Level)]))
"""A ``Level`` as a record."""


def errors_of(level: Level) -> np.ndarray:
    """ERRORS [1] of a level, for compiled functions."""
    return np.array([astuple(level)], ERRORS)


def weights_of(level: Level, weights: Weights) -> Weights:
    """Weights of a level, from the ``weights`` of its style."""
    later = ("progress", "cushion", "foothold", "struggle", "topple", "fear")
    return replace(weights, **{name: level.foresight * getattr(weights, name) for name in later})
