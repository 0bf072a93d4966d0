"""The compiled simulations: one action, then play by the rule-based player up to the horizon, and the outcome."""

import math
from typing import NamedTuple

import numpy as np

from agents import evaluation
from agents.heuristic import country
from agents.heuristic.scoring import call_score, working_position
from agents.heuristic.style import STYLES
from agents.search import chances
from agents.search.chances import win_chance
from dawn_env.actions import A
from dawn_env.compiling import entry_calling, jit
from dawn_env.observe import F, write_observation
from dawn_env.rules.flow import call_step
from dawn_env.state import RUNNING, new_states

_LONGEST = 2000  # decisions of a simulation


class Scratch(NamedTuple):
    """Working arrays of a search."""

    state: np.ndarray  # STATE [1], the game that is simulated
    observation: np.ndarray  # int8 [F], what the side to act sees
    mask: np.ndarray  # int8 [A]
    positions: np.ndarray  # POSITION [1], work space of the scoring function
    scores: np.ndarray  # float32 [A], of the scoring function


def new_scratch() -> Scratch:
    """Working arrays, set to the strongest style of the rule-based player."""
    seen = np.zeros(F, np.int8), np.zeros(A, np.int8)
    return Scratch(new_states(1), *seen, working_position(STYLES["balanced"]), np.zeros(A, np.float32))


@jit
def _clock(s):
    """A number that changes with every card play."""
    return (int(s.turn) * 16 + s.action_round) * 2 + s.phasing


@jit
def _best_action(score, s, scratch):
    """What the rule-based player does; fills ``scratch.scores`` for the legal actions."""
    write_observation(s, s.actor, scratch.observation)
    scratch.mask[:] = s.legal
    call_score(score, scratch.observation, scratch.mask, scratch.positions[0], scratch.scores)
    best, best_score = -1, -math.inf
    for action in range(A):
        if s.legal[action] and scratch.scores[action] > best_score:
            best, best_score = action, scratch.scores[action]
    return best


@jit
def _play_out(step, score, s, action, plays, scratch):
    """Take ``action`` and play on until ``plays`` card plays have ended or the game has."""
    for _ in range(_LONGEST):
        clock = _clock(s)
        call_step(step, s, action)
        plays -= _clock(s) != clock
        if s.result != RUNNING or plays <= 0:
            return
        action = _best_action(score, s, scratch)


@entry_calling(country.__file__, evaluation.__file__, chances.__file__)
def simulate(step, score, deals, candidates, plays, scratch, values):
    """Fill ``values`` float64 [n, k]: the Democrat's chance of winning after ``candidates`` [k] in ``deals`` [n].

    Every candidate meets the same hidden cards and the same dice. ``step``: see ``engine.step``;
    ``score``: see ``heuristic.scoring.scorer``.
    """
    s = scratch.state[0]
    for n in range(len(deals)):
        for k in range(len(candidates)):
            scratch.state[0] = deals[n]
            _play_out(step, score, s, candidates[k], plays, scratch)
            values[n, k] = win_chance(s)


@entry_calling(country.__file__)
def score_actions(score, observation, mask, scratch):
    """Fill ``scratch.scores`` with the rule-based player's scores of the legal actions."""
    call_score(score, observation, mask, scratch.positions[0], scratch.scores)
