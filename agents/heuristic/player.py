"""The rule-based player as a player of many games."""

from dataclasses import dataclass

import numpy as np

from agents.heuristic import country, decide, events, operations, outlook, plays, position, sight, struggle, style
from agents.heuristic.decide import choose_row
from agents.heuristic.position import new_position
from agents.heuristic.style import STYLES, Weights, style_array
from agents.player import BatchPlayer
from dawn_env.actions import A
from dawn_env.compiling import entry_calling

SOURCE_FILES = tuple(
    module.__file__
    for module in (country, decide, events, operations, outlook, plays, position, sight, struggle, style)
)
"""Files whose compiled functions an entry point that scores actions calls (``compiling.entry_calling``)."""


def working_position(weights: Weights) -> np.ndarray:
    """POSITION [1] with these weights, to be passed to the compiled functions."""
    positions = new_position()
    positions[0].w = style_array(weights)
    return positions


@entry_calling(*SOURCE_FILES)
def choose_rows(observations, masks, positions, actions):
    """Write the choice of each row into ``actions`` int64 [K]; 0 where nothing is legal.

    ``positions``: POSITION [1], work space whose weights are set.
    """
    scores = np.zeros(A, np.float32)
    for row in range(len(observations)):
        actions[row] = max(0, choose_row(observations[row], masks[row], positions[0], scores))


@dataclass(frozen=True)
class HeuristicOptions:
    """Options of the rule-based player."""

    style: str = "balanced"  # one of STYLES

    def __post_init__(self):
        if self.style not in STYLES:
            raise ValueError(f"style {self.style!r}: expected one of {', '.join(STYLES)}")


class HeuristicPlayer(BatchPlayer):
    """Values the board by country and time of year and each choice by what it changes; no look-ahead."""

    Options = HeuristicOptions

    def __init__(self, name: str = "heuristic", seed: int = 0, options: HeuristicOptions = HeuristicOptions()):
        super().__init__(name, seed, {"style": options.style})
        self._positions = working_position(STYLES[options.style])

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K]; 0 in rows whose mask is empty."""
        actions = np.zeros(len(observations), np.int64)
        choose_rows(np.ascontiguousarray(observations), np.ascontiguousarray(masks), self._positions, actions)
        return actions
