"""The random player as a registered one."""

from dataclasses import dataclass

import numpy as np

from agents.player import BatchPlayer
from dawn_env import players


class RandomPlayer(BatchPlayer):
    """Uniform over the legal actions."""

    @dataclass(frozen=True)
    class Options:
        """It has none."""

    def __init__(self, name: str = "random", seed: int = 0, options: Options | None = None):
        super().__init__(name, seed)
        self._player = players.RandomPlayer(seed, name)

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """As ``BatchPlayer.choose``; the same view is answered in the same way each time."""
        return self._player.choose(observations, masks)
