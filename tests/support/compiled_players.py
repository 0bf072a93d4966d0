"""Compiled players for tests: some that go wrong, and those of the project in disguise."""

import numpy as np
from numba import njit

from dawn_env.players import ANSWER_TYPES, BatchPlayer, CompiledPlayer
from dawn_env.support.compiling import function_pointer


@njit
def ignorant(memory, observation, mask, action):
    action[0] = -1


@njit
def cheating(memory, observation, mask, action):
    action[0] = len(mask) + 5


class Compiled(CompiledPlayer):
    """Answers by a function that remembers nothing."""

    def __init__(self, function):
        super().__init__("compiled")
        self.function = function

    def answer(self, size):
        return function_pointer(self.function, *ANSWER_TYPES)

    def new_memory(self, size):
        return np.zeros(1, np.int64)


class Wrapped(BatchPlayer):
    def __init__(self, player):
        super().__init__(player.name, player.seed)
        self._player, self.bid = player, player.bid

    def choose(self, observations, masks):
        return self._player.choose(observations, masks)
