"""Choosing by scores: the best of the legal actions, or what a weaker player takes for the best."""

import math

from dawn_agents.heuristic.plays import MUST
from dawn_env.support.compiling import jit
from dawn_env.support.hashing import mixed

_WORD = 0xFFFFFFFF
_STRIDE = 0x9E3779B1  # keeps the draws of one view apart
_UNSEEN = 4 * MUST  # more than scores differ by


@jit
def best_legal(mask, scores):
    """The legal action with the highest score, the first of equals; 0 where none is legal."""
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or scores[action] > scores[best]):
            best = action
    return max(0, best)


@jit
def _draw(view, number):
    """The ``number``-th draw of a view, between 0 and 1; ``view`` is its hash."""
    return (mixed((view + (number + 1) * _STRIDE) & _WORD) + 0.5) * 2.0**-32


@jit
def _forget(mask, scores):
    """No urgency is felt: scoring cards count for what they score."""
    for action in range(len(mask)):
        if mask[action]:
            if scores[action] > MUST / 2:
                scores[action] -= MUST
            elif scores[action] < -MUST / 2:
                scores[action] += MUST


@jit
def misjudge(mask, scores, errors, view):
    """Change the ``scores`` of the legal actions by ``errors``, a record of ``levels.ERRORS``.

    ``view``: hash of what the player sees and of their seed (``hashing.view_hash``). What is added has Gumbel's
    distribution, so that of two options worth x and y the odds are exp(x / misjudges) : exp(y / misjudges): the
    larger a blunder, the rarer.
    """
    if _draw(view, 0) < errors.forgets:
        _forget(mask, scores)
    for action in range(len(mask)):
        if mask[action]:
            scores[action] -= errors.misjudges * math.log(-math.log(_draw(view, 2 * action + 1)))
            if _draw(view, 2 * action + 2) < errors.overlooks:
                scores[action] -= _UNSEEN
