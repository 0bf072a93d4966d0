"""Probabilities of the legal actions, for the tree and the rollouts, from their scores."""

import math

from dawn_env.actions import A
from dawn_env.compiling import jit


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
