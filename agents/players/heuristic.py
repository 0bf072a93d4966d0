"""The rule-based player as a player of many games."""

from dataclasses import asdict, dataclass

import numpy as np

from agents.family import scoring as family
from agents.heuristic.levels import BEST, LEVELS, errors_of, weights_of
from agents.heuristic.scoring import UNKNOWN, choose_rows, choose_rows_erring, scorer, working_position
from agents.heuristic.style import STYLES
from dawn_env.layouts import FAMILY_LAYOUT
from dawn_env.players import BatchPlayer
from dawn_env.support.hashing import view_weights, view_words
from dawn_env.support.threads import Team, checked_threads

TIMES = 1 / 8
"""A tenth as many rows as of the rules' loops are enough to call helpers for, see ``threads.Team``."""


class HeuristicPlayer(BatchPlayer):
    """Values the board by country and time of year and each choice by what it changes; no look-ahead."""

    @dataclass(frozen=True)
    class Options:
        """``heuristic``, ``heuristic:style=NAME`` or ``heuristic:level=3``."""

        style: str = "balanced"
        """One of ``style.STYLES``."""
        level: int = BEST
        """One of ``levels.LEVELS``: below the best, errors are drawn by a hash of the view and the seed."""

        def __post_init__(self):
            if self.style not in STYLES:
                raise ValueError(f"style {self.style!r}: expected one of {', '.join(STYLES)}")
            if self.level not in LEVELS:
                raise ValueError(f"level: {min(LEVELS)} ... {BEST} expected, not {self.level}")

    def __init__(self, name: str, seed: int, options: Options):
        super().__init__(name, seed, _settings(options))
        level = LEVELS[options.level]
        self._team = Team(checked_threads(None), TIMES)
        self._positions = working_position(weights_of(level, STYLES[options.style]), self._team.members)
        self._errors = None if options.level == BEST else errors_of(level)

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K]; 0 in rows whose mask is empty. Family mode has rules of thumb of its own."""
        seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)
        errors = self._drawn(seen)
        if observations.shape[1] == FAMILY_LAYOUT.size:
            return family.choose(seen, legal, *errors)
        actions = np.zeros(len(observations), np.int64)
        choose = choose_rows_erring if errors else choose_rows
        if self._team.share(len(actions), choose, scorer(), seen, legal, self._positions, actions, *errors):
            raise ValueError(UNKNOWN)
        return actions

    def _drawn(self, seen: np.ndarray) -> tuple[np.ndarray, ...]:
        """What errors are drawn from (``scoring.choose_rows_erring``); nothing on the best level."""
        if self._errors is None:
            return ()
        words = view_words(seen)
        return self._errors, words, view_weights(self.seed, words.shape[1])


def _settings(options: HeuristicPlayer.Options) -> dict:
    """Options as databases of results keep them; the best level goes without saying, as before there were others."""
    return {name: value for name, value in asdict(options).items() if (name, value) != ("level", BEST)}
