"""The search tree: nodes and edges in preallocated arrays, and the rule that selects an edge.

A node is what was done since the root and which decision it led to; hidden cards and dice are not part of it,
so one node stands for many positions. An edge is an action that was legal in at least one of them; the edges of
a node are in a list, the likeliest first. Values are from the Democrat's point of view, in -1 ... 1. -1 as an
index: none.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dawn_agents.search.search_options import Options
from dawn_env.rules.flow import call_step
from dawn_env.state import Result
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT

ROOT = 0
MAX_DEPTH = 512
"""Decisions a path may hold."""
_EDGES_PER_NODE = 24  # on average

# Progressive widening: after n visits a node offers the likeliest ceil(_WIDTH * n**_GROWTH) legal actions.
_WIDTH = 1.0
_GROWTH = 0.5
_EVENLY = 0.1  # share of the prior probabilities that is spread evenly, so that nothing is ruled out

_NODE_FIELDS = [
    # The pending decision and who takes it.
    ("decision", "i1"), ("actor", "i1"),
    ("visits", "i4"),
    # Lists: edges of the node; nodes that the same edge leads to.
    ("first_edge", "i4"), ("next_node", "i4"),
]  # fmt: skip
_EDGE_FIELDS = [
    ("action", "i2"), ("prior", "f8"),
    # Visits of the edge, and of its node while the action was on offer; sum of the values found.
    ("visits", "i4"), ("available", "i4"), ("value", "f8"),
    # Lists: nodes the edge leads to; edges of the same node.
    ("first_child", "i4"), ("next_edge", "i4"),
]  # fmt: skip
NODE = np.dtype((np.record, _NODE_FIELDS))
EDGE = np.dtype((np.record, _EDGE_FIELDS))


class Tree(NamedTuple):
    """A tree, and what is in hand while it is walked."""

    nodes: np.ndarray  # NODE [n]
    edges: np.ndarray  # EDGE [m]
    used: np.ndarray  # int64 [2], how many nodes and edges there are
    known: np.ndarray  # bool [A], actions that have an edge at the node in hand
    path: np.ndarray  # int32 [MAX_DEPTH], edges from the root


def new_tree(capacity: int, actions: int) -> Tree:
    """An empty tree for up to ``capacity`` nodes, of a game with so many ``actions``."""
    return Tree(
        np.zeros(capacity, NODE),
        np.zeros(_EDGES_PER_NODE * capacity + actions, EDGE),
        np.zeros(2, np.int64),
        np.zeros(actions, np.bool_),
        np.zeros(MAX_DEPTH, np.int32),
    )


@jit
def add_node(tree, s):
    """A node for the pending decision; -1 when the tree is full."""
    at = tree.used[0]
    if at == len(tree.nodes):
        return -1
    tree.used[0] = at + 1
    node = tree.nodes[at]
    node.decision, node.actor, node.visits = s.decision, s.actor, 0
    node.first_edge, node.next_node = -1, -1
    return at


@jit
def child_of(tree, edge_at, s):
    """Node that an edge leads to when the pending decision comes next, and whether it was there.

    A missing one is added; -1 when the tree is full.
    """
    edge = tree.edges[edge_at]
    at = edge.first_child
    while at >= 0:
        node = tree.nodes[at]
        if node.decision == s.decision and node.actor == s.actor:
            return at, True
        at = node.next_node
    at = add_node(tree, s)
    if at >= 0:
        tree.nodes[at].next_node = edge.first_child
        edge.first_child = at
    return at, False


@jit
def lacks_edges(tree, node_at, s):
    """Return True if some legal action has no edge yet; notes in ``known`` which have one."""
    tree.known[:] = False
    missing, at = int(s.legal_count), tree.nodes[node_at].first_edge
    while at >= 0:
        edge = tree.edges[at]
        tree.known[edge.action] = True
        missing -= s.legal[edge.action] != 0
        at = edge.next_edge
    return missing > 0


@jit
def add_edges(tree, node_at, s, priors):
    """Edges for the legal actions that are not ``known``; False when the tree is full.

    ``priors``: probabilities [A] of the legal actions.
    """
    if tree.used[1] + s.legal_count > len(tree.edges):
        return False
    for action in range(len(priors)):
        if not s.legal[action] or tree.known[action]:
            continue
        at = tree.used[1]
        tree.used[1] = at + 1
        edge = tree.edges[at]
        edge.action, edge.first_child = action, -1
        edge.prior = (1 - _EVENLY) * priors[action] + _EVENLY / s.legal_count
        edge.visits, edge.available, edge.value = 0, 0, 0.0
        _enlist(tree, node_at, at)
    return True


@jit
def _enlist(tree, node_at, edge_at):
    """Put an edge into its node's list, behind all that are no less likely."""
    node, edge = tree.nodes[node_at], tree.edges[edge_at]
    before, after = -1, node.first_edge
    while after >= 0 and tree.edges[after].prior >= edge.prior:
        before, after = after, tree.edges[after].next_edge
    edge.next_edge = after
    if before < 0:
        node.first_edge = edge_at
    else:
        tree.edges[before].next_edge = edge_at


@jit
def _mean_value(tree, node_at, s):
    """Mean value of the visits of the legal actions, and 0 counted as one more."""
    total, visits, at = 0.0, 1, tree.nodes[node_at].first_edge
    while at >= 0:
        edge = tree.edges[at]
        if s.legal[edge.action]:
            total, visits = total + edge.value, visits + edge.visits
        at = edge.next_edge
    return total / visits


@jit
def select(tree, node_at, s, exploration):
    """Edge with the highest upper bound (PUCT, with visits while available) of the actions on offer.

    An action that was not tried yet is expected to be worth the mean of the others.
    """
    node, sign = tree.nodes[node_at], (1.0 if s.actor == DEMOCRAT else -1.0)
    node.visits += 1
    offers = math.ceil(_WIDTH * node.visits**_GROWTH)
    untried = sign * _mean_value(tree, node_at, s)
    best, best_bound, at = -1, -math.inf, node.first_edge
    while at >= 0 and offers > 0:
        edge = tree.edges[at]
        if s.legal[edge.action]:
            offers -= 1
            edge.available += 1
            mean = untried if edge.visits == 0 else sign * edge.value / edge.visits
            bound = mean + exploration * edge.prior * math.sqrt(edge.available) / (1 + edge.visits)
            if bound > best_bound:
                best, best_bound = at, bound
        at = edge.next_edge
    return best


@jit
def back_up(tree, depth, value):
    """Count a value on the first ``depth`` edges of the path."""
    for i in range(depth):
        edge = tree.edges[tree.path[i]]
        edge.visits += 1
        edge.value += value


def root_statistics(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Visits int64 [A] and mean values float64 [A] (0 where unvisited) of the actions at the root."""
    visits, values = np.zeros(len(tree.known), np.int64), np.zeros(len(tree.known))
    at = tree.nodes[ROOT].first_edge if tree.used[0] else -1
    while at >= 0:
        edge = tree.edges[at]
        visits[edge.action], values[edge.action] = edge.visits, edge.value / max(1, edge.visits)
        at = edge.next_edge
    return visits, values


_TEMPERATURE = 1.0  # of the prior probabilities, in victory points


class DescentSettings(NamedTuple):
    """Settings of a descent and its working array."""

    plays: int  # changes of the clock from the root to the horizon
    exploration: float  # see tree.select
    root_prior: np.ndarray  # float64 [A], probabilities to use at the root; all zero: the rule-based player's
    priors: np.ndarray  # float64 [A], probabilities of the legal actions in hand


def new_settings(options: Options, plays: int, actions: int) -> DescentSettings:
    """Settings of searches in a game with so many ``actions``."""
    return DescentSettings(plays, options.exploration, np.zeros(actions), np.zeros(actions))


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


def compile_descent(judge: Callable, clock: Callable) -> Callable:
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
