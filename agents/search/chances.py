"""The Democrat's chance of winning from a position: a logistic regression on ``features``, fitted by ``fit``."""

import math

import numpy as np

from agents.heuristic import country, style
from agents.players import evaluation
from agents.search import features
from agents.search.features import TIMES, K, write_features
from agents.search.weights import WEIGHTS
from dawn_env.state import Result
from dawn_env.support.compiling import entry_calling, jit


def weights_by_turn() -> np.ndarray:
    """float64 [11, K + 1]: weights of the features, and the constant, in each turn."""
    return np.ascontiguousarray(TIMES @ np.array(list(WEIGHTS.values())).T)


@jit
def win_chance(s, weights, numbers):
    """0 ... 1; ``weights`` as from ``weights_by_turn``, ``numbers`` float64 [K]: work space."""
    if s.result != Result.RUNNING:
        return 1.0 if s.result == Result.DEMOCRAT else (0.5 if s.result == Result.DRAW else 0.0)
    write_features(s, numbers)
    total = weights[s.turn, K]
    for i in range(K):
        total += weights[s.turn, i] * numbers[i]
    return 1 / (1 + math.exp(-total))


@entry_calling(country.__file__, style.__file__, evaluation.__file__, features.__file__)
def _fill(states, weights, numbers, chances):
    for row in range(len(states)):
        chances[row] = win_chance(states[row], weights, numbers)


def win_chances(states: np.ndarray) -> np.ndarray:
    """float64 [B], 0 ... 1: the Democrat's chance in each of ``states`` STATE [B], all cards known."""
    chances = np.zeros(len(states))
    _fill(states, weights_by_turn(), np.zeros(K), chances)
    return chances
