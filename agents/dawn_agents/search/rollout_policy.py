"""Rule-based player on records, corrected or not, for compiled loops."""

from typing import NamedTuple

import numpy as np

from dawn_agents.heuristic import score_offsets
from dawn_agents.heuristic.action_scores import score_by, scorer, working_position
from dawn_agents.heuristic.play_levels import best_legal
from dawn_agents.heuristic.score_offsets import NONE, Corrections, correct
from dawn_agents.heuristic_values.position_record import STYLES
from dawn_env.actions import A
from dawn_env.observation import F, write_observation
from dawn_env.support.compiling import entry_with_arrays, jit


class Scratch(NamedTuple):
    """Working arrays."""

    observation: np.ndarray  # int8 [F], what the side to act sees
    mask: np.ndarray  # int8 [A]
    positions: np.ndarray  # POSITION [1], work space of the scoring function
    scores: np.ndarray  # float32 [A], of the scoring function
    corrections: Corrections


def learnt_by(guide: str) -> Corrections:
    """Corrections of ``options.Options.guide``."""
    return score_offsets.learnt() if guide == "tuned" else NONE


def new_scratch(learnt: Corrections = NONE) -> Scratch:
    """Working arrays, set to the strongest style of the rule-based player and what it has ``learnt``."""
    seen = np.zeros(F, np.int8), np.zeros(A, np.int8)
    return Scratch(*seen, working_position(STYLES["balanced"]), np.zeros(A, np.float32), learnt)


@jit
def score_seen(score, o, mask, scratch):
    """The scores of the legal actions, into ``scratch.scores``; ``o`` int8 [F], ``mask`` int8 [A]."""
    score_by(score, o, mask, scratch.positions[0], scratch.scores)
    if len(scratch.corrections.by_kind):
        correct(o, mask, scratch.scores, scratch.corrections)


@jit
def best_action(score, s, scratch):
    """The rule-based player's choice, the first of equals; fills ``scratch.scores`` for the legal actions.

    ``score``: see ``heuristic.scoring.scorer``.
    """
    write_observation(s, s.actor, scratch.observation)
    for action in range(A):
        scratch.mask[action] = s.legal[action]
    score_seen(score, scratch.observation, scratch.mask, scratch)
    return best_legal(scratch.mask, scratch.scores)


@jit
def clock(s):
    """A number that changes with every card play."""
    return (int(s.turn) * 16 + s.action_round) * 2 + s.phasing


def clocks(states: np.ndarray) -> np.ndarray:
    """``clock`` of each of ``states`` STATE [B], int64 [B]."""
    return (states["turn"].astype(np.int64) * 16 + states["action_round"]) * 2 + states["phasing"]


@entry_with_arrays
def _score(score, observation, mask, scratch):
    score_seen(score, observation, mask, scratch)


def score_view(observation: np.ndarray, mask: np.ndarray, scratch: Scratch) -> np.ndarray:
    """The rule-based player's scores of the legal actions, float32 [A]: an array of ``scratch``."""
    _score(scorer(), observation, mask, scratch)
    return scratch.scores
