"""What a player of many games is, and the simplest one."""

from typing import Protocol

import numpy as np

from dawn_env.observe import F
from dawn_env.support.compiling import entry
from dawn_env.support.seeds import checked_seed

_WORD = 0xFFFFFFFF
_WORDS = F // 4  # 32-bit words of an observation


class Player(Protocol):
    """Chooses an action in each of K games that wait for it.

    ``name`` labels results. A player should be a function of what it sees and of its own seed, so that a
    game does not depend on which games were answered along with it.
    """

    name: str

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K], for ``observations`` int8 [K, F] and ``masks`` int8 [K, A].

        The arrays are lent: do not write to them, and copy what is to be kept.
        """
        ...


@entry
def _choose_by_hash(words, masks, weights, actions):
    """The n-th legal action of each row, n from a linear hash of the observation.

    ``words`` int32 [K, _WORDS]; ``weights`` int64 [_WORDS] below 2**21, so that sums stay within 64 bits.
    """
    for row in range(len(words)):
        seen, legal = words[row], masks[row]
        x = 0
        for i in range(len(weights)):
            x += int(seen[i]) * int(weights[i])
        x = (x ^ (x >> 32)) & _WORD
        x = ((x >> 16) ^ x) * 0x7FEB352D & _WORD
        x = ((x >> 15) ^ x) * 0x46A7CA6B & _WORD
        x = (x >> 16) ^ x
        count = 0
        for action in range(len(legal)):
            count += int(legal[action])
        nth = (x * count) >> 32
        for action in range(len(legal)):
            if legal[action]:
                if nth == 0:
                    actions[row] = action
                    break
                nth -= 1


class RandomPlayer:
    """Uniform over the legal actions, by a hash of the observation and ``seed`` (0 ... 2**63 - 1, else ``BadSeed``).

    The same view is answered in the same way each time; players with other seeds answer differently.
    """

    def __init__(self, seed: int = 0, name: str = "random"):
        self.name = name
        self.seed = checked_seed(seed)
        self._weights = np.random.default_rng(self.seed).integers(-(2**20), 2**20, _WORDS)

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K]; 0 in rows whose mask is empty."""
        actions = np.zeros(len(observations), np.int64)
        words = np.ascontiguousarray(observations[:, : 4 * _WORDS]).view(np.int32)
        _choose_by_hash(words, np.ascontiguousarray(masks), self._weights, actions)
        return actions
