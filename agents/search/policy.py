"""Probabilities of the legal actions, for the tree and the rollouts, from a scoring function."""

import math
from functools import cache

import numba

from agents.heuristic.decide import score_row
from agents.heuristic.player import SOURCE_FILES
from agents.heuristic.position import POSITION
from dawn_env.actions import A
from dawn_env.compiling import by_address, entry_calling, jit


@entry_calling(*SOURCE_FILES)
def _score(observation, mask, position, scores):
    score_row(observation, mask, position, scores)


@cache
def rules_of_thumb():
    """The rule-based player as the scoring function of a search.

    A scoring function takes an observation int8 [F], a mask int8 [A] and a POSITION record as work space, and
    writes what each legal action is worth to the side to act, in victory points, into scores float32 [A].
    """
    return by_address(_score, numba.int8[::1], numba.int8[::1], numba.from_dtype(POSITION), numba.float32[::1])


@jit
def _best_score(mask, scores):
    best = -math.inf
    for action in range(A):
        if mask[action]:
            best = max(best, scores[action])
    return best


@jit
def softmax(mask, scores, temperature):
    """Turn scores into probabilities, in place; what is not legal gets none."""
    best, total = _best_score(mask, scores), 0.0
    for action in range(A):
        scores[action] = math.exp((scores[action] - best) / temperature) if mask[action] else 0.0
        total += scores[action]
    for action in range(A):
        scores[action] /= total


@jit
def draw_action(mask, probabilities, point):
    """The legal action in whose share of 0 ... 1 ``point`` lies."""
    chosen = -1
    for action in range(A):
        if mask[action]:
            chosen = action
            point -= probabilities[action]
            if point < 0:
                break
    return chosen
