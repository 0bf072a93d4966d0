"""The compiled search loop: descend the tree, play on with the policy, evaluate, count."""

import math
from typing import NamedTuple

import numpy as np

from agents import evaluation
from agents.evaluation import WON, evaluate
from agents.heuristic import country
from agents.heuristic.scoring import call_score, working_position
from agents.heuristic.style import STYLES
from agents.search import policy, tree
from agents.search.policy import draw_action, softmax
from agents.search.tree import MAX_DEPTH, ROOT, add_edges, back_up, child_of, find_edges, lacks_edges, select
from dawn_env.actions import A
from dawn_env.compiling import entry_calling, jit
from dawn_env.observe import F, write_observation
from dawn_env.rules.flow import call_step
from dawn_env.state import RUNNING

_LONGEST = 400  # decisions of a rollout
_WORD = 0xFFFFFFFF
_AHEAD = 0.95  # value of a running game that is as good as won


class Settings(NamedTuple):
    """How to search: the horizon, and what can be tuned."""

    plays: int  # card plays from the root to the evaluation
    exploration: float  # see tree.select
    caution: float = 0.1  # see tree.select
    doubt: float = 0.25  # see tree.add_edges
    scale: float = 12.0  # victory points that are worth tanh(1)
    prior_temperature: float = 2.0  # of the policy in the tree, in victory points
    rollout_temperature: float = 0.5


class Scratch(NamedTuple):
    """Working arrays of a search."""

    observation: np.ndarray  # int8 [F], what the side to act sees
    mask: np.ndarray  # int8 [A]
    positions: np.ndarray  # POSITION [1], work space of the scoring function
    scores: np.ndarray  # float32 [A], of the scoring function, then probabilities
    root_prior: np.ndarray  # float32 [A], probabilities to use at the root; all zero: the policy's
    chance: np.ndarray  # int64 [1], state of the loop's own generator


def new_scratch() -> Scratch:
    """Working arrays, set to the strongest style of the rule-based player."""
    seen, scores = (np.zeros(F, np.int8), np.zeros(A, np.int8)), (np.zeros(A, np.float32), np.zeros(A, np.float32))
    return Scratch(*seen, working_position(STYLES["balanced"]), *scores, np.zeros(1, np.int64))


@jit
def _uniform(scratch):
    """A number in 0 ... 1, from a linear congruential generator."""
    scratch.chance[0] = (int(scratch.chance[0]) * 1664525 + 1013904223) & _WORD
    return scratch.chance[0] / (_WORD + 1)


@jit
def _clock(s):
    """A number that changes with every card play."""
    return (int(s.turn) * 16 + s.action_round) * 2 + s.phasing


@jit
def _find_probabilities(score, s, scratch, temperature):
    """Fill ``scratch.mask``, and ``scratch.scores`` with the policy's probabilities of the legal actions."""
    write_observation(s, s.actor, scratch.observation)
    scratch.mask[:] = s.legal
    call_score(score, scratch.observation, scratch.mask, scratch.positions[0], scratch.scores)
    softmax(scratch.mask, scratch.scores, temperature)


@jit
def _expand(score, nodes, node_at, s, scratch, settings):
    """Give a node the edges it lacks; False when the tree is full."""
    find_edges(nodes, node_at)
    if not lacks_edges(nodes, s):
        return True
    if node_at == ROOT and scratch.root_prior.sum() > 0:
        return add_edges(nodes, node_at, s, scratch.root_prior, settings.doubt)
    _find_probabilities(score, s, scratch, settings.prior_temperature)
    return add_edges(nodes, node_at, s, scratch.scores, settings.doubt)


@jit
def _descend(step, score, nodes, s, scratch, settings):
    """Go down the tree until a node is new or the horizon is reached; depth of the path, plays left."""
    node_at, depth, plays = ROOT, 0, settings.plays
    while depth < MAX_DEPTH and _expand(score, nodes, node_at, s, scratch, settings):
        edge_at, clock = select(nodes, s, settings.exploration, settings.caution), _clock(s)
        nodes.path[depth] = edge_at
        depth += 1
        call_step(step, s, nodes.edges[edge_at].action)
        plays -= _clock(s) != clock
        if s.result != RUNNING or plays == 0:
            break
        node_at, known = child_of(nodes, edge_at, s)
        if not known:
            break
    return depth, plays


@jit
def _roll_out(step, score, s, plays, scratch, settings):
    """Play on with the policy until the horizon."""
    for _ in range(_LONGEST):
        if s.result != RUNNING or plays == 0:
            return
        _find_probabilities(score, s, scratch, settings.rollout_temperature)
        clock = _clock(s)
        call_step(step, s, draw_action(scratch.mask, scratch.scores, _uniform(scratch)))
        plays -= _clock(s) != clock


@jit
def _value(s, scale):
    """Value of a position in -1 ... 1, Democrat positive."""
    value = evaluate(s)
    return value / WON if s.result != RUNNING else _AHEAD * math.tanh(value / scale)


@entry_calling(country.__file__, evaluation.__file__, policy.__file__, tree.__file__)
def run(step, score, nodes, deals, scratch, settings):
    """One simulation from each of ``deals`` (STATE [n], stepped in place), counted in the tree ``nodes``.

    ``step``: see ``engine.step``; ``score``: see ``heuristic.scoring.scorer``.
    """
    for i in range(len(deals)):
        s = deals[i]
        depth, plays = _descend(step, score, nodes, s, scratch, settings)
        _roll_out(step, score, s, plays, scratch, settings)
        back_up(nodes, depth, _value(s, settings.scale))
