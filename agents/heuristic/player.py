"""The rule-based player as a player of many games."""

from dataclasses import dataclass

import numpy as np

from agents.family import scoring as family
from agents.heuristic.scoring import choose_rows, scorer, working_position
from agents.heuristic.style import STYLES
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.players import BatchPlayer


class HeuristicPlayer(BatchPlayer):
    """Values the board by country and time of year and each choice by what it changes; no look-ahead."""

    @dataclass(frozen=True)
    class Options:
        """``heuristic`` or ``heuristic:style=NAME``."""

        style: str = "balanced"
        """One of ``style.STYLES``."""

        def __post_init__(self):
            if self.style not in STYLES:
                raise ValueError(f"style {self.style!r}: expected one of {', '.join(STYLES)}")

    def __init__(self, name: str, seed: int, options: Options):
        super().__init__(name, seed, {"style": options.style})
        self._positions = working_position(STYLES[options.style])

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K]; 0 in rows whose mask is empty. Family mode has rules of thumb of its own."""
        if observations.shape[1] == FAMILY_LAYOUT.size:
            return family.choose(observations, masks)
        actions = np.zeros(len(observations), np.int64)
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        choose_rows(scorer(), seen, legal, self._positions, actions)
        return actions
