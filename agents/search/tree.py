"""The search tree: nodes and edges in preallocated arrays, and the rule that selects an edge.

A node is what was done since the root and which decision it led to; hidden cards and dice are not part of it,
so one node stands for many positions. An edge is an action that was legal in at least one of them. Values are
from the Democrat's point of view, in -1 ... 1. -1 as an index: none.
"""

import math
from typing import NamedTuple

import numpy as np

from dawn_env.actions import A
from dawn_env.compiling import jit
from dawn_env.tables import DEMOCRAT

ROOT = 0
MAX_DEPTH = 512
"""Decisions a path may hold."""
_EDGES_PER_NODE = 24  # on average

_NODE_FIELDS = [
    # The pending decision and who takes it.
    ("decision", "i1"), ("actor", "i1"),
    # Lists: edges of the node; nodes that the same edge leads to.
    ("first_edge", "i4"), ("next_node", "i4"),
]  # fmt: skip
_EDGE_FIELDS = [
    ("action", "i2"), ("prior", "f4"),
    # Visits of the edge, and of its node while the action was legal; sum of the values found.
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
    edge_of: np.ndarray  # int32 [A], edges of the node in hand by action
    path: np.ndarray  # int32 [MAX_DEPTH], edges from the root


def new_tree(capacity: int) -> Tree:
    """An empty tree for up to ``capacity`` nodes."""
    return Tree(
        np.zeros(capacity, NODE),
        np.zeros(_EDGES_PER_NODE * capacity + A, EDGE),
        np.zeros(2, np.int64),
        np.full(A, -1, np.int32),
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
    node.actor, node.decision, node.first_edge, node.next_node = s.actor, s.decision, -1, -1
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
def find_edges(tree, node_at):
    """Note the edges of a node in ``edge_of``."""
    tree.edge_of[:] = -1
    at = tree.nodes[node_at].first_edge
    while at >= 0:
        edge = tree.edges[at]
        tree.edge_of[edge.action] = at
        at = edge.next_edge


@jit
def lacks_edges(tree, s):
    """Whether some legal action has no edge yet."""
    for action in range(A):
        if s.legal[action] and tree.edge_of[action] < 0:
            return True
    return False


@jit
def add_edges(tree, node_at, s, priors, doubt):
    """Edges for the legal actions that have none; False when the tree is full.

    ``priors``: probabilities [A]; a share ``doubt`` of them is spread evenly over the legal actions.
    """
    node = tree.nodes[node_at]
    if tree.used[1] + s.legal_count > len(tree.edges):
        return False
    for action in range(A):
        if not s.legal[action] or tree.edge_of[action] >= 0:
            continue
        at = tree.used[1]
        tree.used[1] = at + 1
        edge = tree.edges[at]
        edge.action, edge.visits, edge.available, edge.value = action, 0, 0, 0.0
        edge.prior = (1 - doubt) * priors[action] + doubt / s.legal_count
        edge.first_child, edge.next_edge = -1, node.first_edge
        node.first_edge = tree.edge_of[action] = at
    return True


@jit
def _mean_value(tree, s):
    """Mean value of the visits of the legal actions, and 0 counted as one more."""
    total, visits = 0.0, 1
    for action in range(A):
        if s.legal[action]:
            edge = tree.edges[tree.edge_of[action]]
            total, visits = total + edge.value, visits + edge.visits
    return total / visits


@jit
def select(tree, s, exploration, caution):
    """Edge of the legal action with the highest upper bound (PUCT, with visits while available).

    An action that was not tried yet is expected to be worse than the mean by ``caution``.
    """
    sign = 1.0 if s.actor == DEMOCRAT else -1.0
    untried = sign * _mean_value(tree, s) - caution
    best, best_bound = -1, -1e9
    for action in range(A):
        if not s.legal[action]:
            continue
        edge = tree.edges[tree.edge_of[action]]
        edge.available += 1
        mean = untried if edge.visits == 0 else sign * edge.value / edge.visits
        bound = mean + exploration * edge.prior * math.sqrt(edge.available) / (1 + edge.visits)
        if bound > best_bound:
            best, best_bound = tree.edge_of[action], bound
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
    visits, values = np.zeros(A, np.int64), np.zeros(A)
    at = tree.nodes[ROOT].first_edge
    while at >= 0:
        edge = tree.edges[at]
        visits[edge.action], values[edge.action] = edge.visits, edge.value / max(1, edge.visits)
        at = edge.next_edge
    return visits, values
