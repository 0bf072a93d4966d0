"""The rule-based player as a player of many games."""

from dataclasses import asdict, dataclass

import numpy as np

from dawn_agents.players.heuristic import action_scores
from dawn_agents.players.heuristic import family_entry_points as family
from dawn_agents.players.heuristic.play_levels import BEST, LEVELS, answer_pointer
from dawn_agents.players.heuristic_values.position_record import STYLES
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import CompiledPlayer


class HeuristicPlayer(CompiledPlayer):
    """Values the board by country and time of year and each choice by what it changes; no look-ahead."""

    @dataclass(frozen=True)
    class Options:
        """``heuristic``, ``heuristic:style=NAME`` or ``heuristic:level=3``."""

        style: str = "balanced"
        """One of ``position_record.STYLES``."""
        level: int = BEST
        """One of ``play_levels.LEVELS``: below the best, errors are drawn by a hash of the view and the seed."""

        def __post_init__(self):
            if self.style not in STYLES:
                raise ValueError(f"style {self.style!r}: expected one of {', '.join(STYLES)}")
            if self.level not in LEVELS:
                raise ValueError(f"level: {min(LEVELS)} ... {BEST} expected, not {self.level}")

    def __init__(self, name: str, seed: int, options: Options):
        super().__init__(name, seed, _settings(options))
        self._weights, self._level = STYLES[options.style], LEVELS[options.level]

    def answer(self, size: int) -> int:
        """Function pointer to the compiled choice by scores."""
        return answer_pointer()

    def new_memory(self, size: int) -> np.ndarray:
        """New work arrays of one thread, in family mode of its own rules of thumb."""
        if size == FAMILY_LAYOUT.size:
            return family.new_memory(self._level, self.seed)
        return action_scores.new_memory(self._weights, self._level, self.seed)


def _settings(options: HeuristicPlayer.Options) -> dict:
    """Options as databases of results keep them; the best level goes without saying, as before there were others."""
    return {name: value for name, value in asdict(options).items() if (name, value) != ("level", BEST)}
