"""The compiled search in a tree: descend, expand, play on as the rule-based player, back the outcome up."""

import math
from typing import NamedTuple

import numpy as np

from agents.search import simulation, tree
from agents.search.chances import weights_by_turn
from agents.search.features import K
from agents.search.guide import Scratch, best_action, clock, new_scratch
from agents.search.simulation import outcome, play_out
from agents.search.tree import MAX_DEPTH, ROOT, add_edges, add_node, back_up, child_of, lacks_edges, select
from dawn_env.actions import A
from dawn_env.rules.flow import call_step
from dawn_env.state import Result
from dawn_env.support.compiling import entry_calling, jit

_TEMPERATURE = 1.0  # of the prior probabilities, in victory points


class Setup(NamedTuple):
    """Settings and working arrays of a search."""

    plays: int  # card plays from the root to the horizon
    exploration: float  # see tree.select
    root_prior: np.ndarray  # float64 [A], probabilities to use at the root; all zero: the rule-based player's
    priors: np.ndarray  # float64 [A], probabilities of the legal actions in hand
    weights: np.ndarray  # see chances.weights_by_turn
    numbers: np.ndarray  # float64 [K], work space of chances.win_chance
    scratch: Scratch


def new_setup(plays: int, exploration: float) -> Setup:
    """Settings, and arrays to work with."""
    return Setup(plays, exploration, np.zeros(A), np.zeros(A), weights_by_turn(), np.zeros(K), new_scratch())


@jit
def _find_priors(score, s, setup):
    """Fill ``setup.priors`` for the legal actions: the softmax of the rule-based player's scores."""
    priors, scores, total = setup.priors, setup.scratch.scores, 0.0
    best = best_action(score, s, setup.scratch)
    for action in range(A):
        if s.legal[action]:
            priors[action] = math.exp((scores[action] - scores[best]) / _TEMPERATURE)
            total += priors[action]
    for action in range(A):
        if s.legal[action]:
            priors[action] /= total


@jit
def _expand(score, nodes, node_at, s, setup):
    """Give a node the edges it lacks; False when the tree is full."""
    if not lacks_edges(nodes, node_at, s):
        return True
    if node_at == ROOT and setup.root_prior.sum() > 0:
        return add_edges(nodes, node_at, s, setup.root_prior)
    _find_priors(score, s, setup)
    return add_edges(nodes, node_at, s, setup.priors)


@jit
def _descend(step, score, nodes, s, setup):
    """Go down until a node is new or the horizon is reached; depth of the path, card plays left."""
    node_at, depth, plays = ROOT, 0, setup.plays
    while depth < MAX_DEPTH and _expand(score, nodes, node_at, s, setup):
        edge_at, before = select(nodes, node_at, s, setup.exploration), clock(s)
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


@entry_calling(*simulation.SOURCE_FILES, simulation.__file__, tree.__file__)
def run(step, score, nodes, deals, setup):
    """One simulation from each of ``deals`` (STATE [n], stepped in place), counted in the tree ``nodes``.

    ``step``: see ``engine.step``; ``score``: see ``heuristic.scoring.scorer``.
    """
    if nodes.used[0] == 0:
        add_node(nodes, deals[0])
    for i in range(len(deals)):
        s = deals[i]
        depth, left = _descend(step, score, nodes, s, setup)
        if s.result == Result.RUNNING and left > 0:
            left = play_out(step, score, s, best_action(score, s, setup.scratch), left, setup.scratch)
        back_up(nodes, depth, outcome(s, setup.plays - left, setup.weights, setup.numbers))
