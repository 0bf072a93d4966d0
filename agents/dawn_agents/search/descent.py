"""Going down a search tree, whatever the game: what differs between games is given as compiled functions."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dawn_agents.search.options import Options
from dawn_agents.search.tree import MAX_DEPTH, ROOT, add_edges, child_of, lacks_edges, select
from dawn_env.rules.flow import call_step
from dawn_env.state import Result
from dawn_env.support.compiling import jit

_TEMPERATURE = 1.0  # of the prior probabilities, in victory points


class Settings(NamedTuple):
    """Settings of a descent and its working array."""

    plays: int  # changes of the clock from the root to the horizon
    exploration: float  # see tree.select
    root_prior: np.ndarray  # float64 [A], probabilities to use at the root; all zero: the rule-based player's
    priors: np.ndarray  # float64 [A], probabilities of the legal actions in hand


def new_settings(options: Options, plays: int, actions: int) -> Settings:
    """Settings of searches in a game with so many ``actions``."""
    return Settings(plays, options.exploration, np.zeros(actions), np.zeros(actions))


@jit
def _find_priors(s, scores, best, priors):
    """Fill ``priors`` for the legal actions: the softmax of ``scores``, of which that of ``best`` is the highest."""
    total = 0.0
    for action in range(len(priors)):
        if s.legal[action]:
            priors[action] = math.exp((scores[action] - scores[best]) / _TEMPERATURE)
            total += priors[action]
    for action in range(len(priors)):
        if s.legal[action]:
            priors[action] /= total


def descending(judge: Callable, clock: Callable) -> Callable:
    """The compiled ``descend(step, work, scores, nodes, s, settings)`` of a game: go down until a node is new or the
    horizon is reached; depth of the path, plays left.

    ``judge(s, work)``: the choice of the rules of thumb, whose ``scores`` [A] it fills; ``clock(s)``: a number that
    changes with every play. Both are compiled functions.
    """

    @jit
    def expand(work, scores, nodes, node_at, s, settings):
        """Give a node the edges it lacks; False when the tree is full."""
        if not lacks_edges(nodes, node_at, s):
            return True
        if node_at == ROOT and settings.root_prior.sum() > 0:
            return add_edges(nodes, node_at, s, settings.root_prior)
        _find_priors(s, scores, judge(s, work), settings.priors)
        return add_edges(nodes, node_at, s, settings.priors)

    @jit
    def descend(step, work, scores, nodes, s, settings):
        node_at, depth, plays = ROOT, 0, settings.plays
        while depth < MAX_DEPTH and expand(work, scores, nodes, node_at, s, settings):
            edge_at, before = select(nodes, node_at, s, settings.exploration), clock(s)
            nodes.path[depth] = edge_at
            depth += 1
            call_step(step, s, nodes.edges[edge_at].action)
            plays -= clock(s) != before
            if s.result != Result.RUNNING or plays <= 0:
                break
            node_at, known = child_of(nodes, edge_at, s)
            if not known:
                break
        return depth, plays

    return descend
