"""The compiled functions of the rule-based player of the standard game: scores of actions, and advice."""

from dataclasses import astuple
from functools import cache

import numpy as np

from dawn_agents.players.heuristic.card_decisions import score_cards, score_words
from dawn_agents.players.heuristic.play_levels import (
    ADVISE_TYPES,
    ANSWERING,
    SCORE_TYPES,
    Level,
    advise_actions,
    advise_all,
    country_advice,
    fill_memory,
    weights_of,
)
from dawn_agents.players.heuristic.space_decisions import score_spaces
from dawn_agents.players.heuristic.struggle_decisions import score_faces
from dawn_agents.players.heuristic_values.board_value import board_value, reset, shares_of
from dawn_agents.players.heuristic_values.country_value import write_scoring_weights
from dawn_agents.players.heuristic_values.memoized_operations import begin
from dawn_agents.players.heuristic_values.observation_reader import read
from dawn_agents.players.heuristic_values.position_record import POSITION, StyleWeights, new_position
from dawn_env.actions import A
from dawn_env.observation import F
from dawn_env.state import Error
from dawn_env.support.compiling import array_at, entry, function_pointer, jit
from dawn_env.tables import N

ADVICE = A + N
"""Numbers of advice on one position: one per action, one per country."""
ADVICE_VERSION = 1
"""Goes up whenever the same position would be judged differently: networks have learnt from these opinions."""

MEMORY = np.dtype((np.record, [*ANSWERING, ("position", POSITION)]))
"""What answering a view takes: what kind of player it is, and work space."""
_position_at = array_at(POSITION)


def working_position(weights: StyleWeights) -> np.ndarray:
    """POSITION [1] with these weights, for ``score_row`` to work on."""
    positions = new_position()
    weigh(positions, weights)
    return positions


def weigh(positions: np.ndarray, weights: StyleWeights) -> None:
    """Set the weights of POSITION [n]."""
    positions["w"], positions["shares"] = astuple(weights), shares_of(weights.progress)


def new_memory(weights: StyleWeights, level: Level, seed: int) -> np.ndarray:
    """MEMORY [1] of a player of this style and level."""
    memory = np.zeros(1, MEMORY)
    weigh(memory["position"], weights_of(level, weights))
    return fill_memory(memory, score_pointer(), level, seed, F)


@jit
def _begin(p):
    write_scoring_weights(p)
    reset(p)
    begin(p)


@jit
def value_board(p):
    """Compute the value of each country in the position that was read."""
    _begin(p)
    board_value(p)


@entry
def score_row(work, observation, mask, scores):
    """Write scores of the legal actions of a view (``play_levels.call_scorer``); ``work``: of a POSITION with its
    weights set."""
    p = _position_at(work, 1)[0]
    p.error = Error.NONE
    scores[:] = 0.0
    read(observation, p)
    if not score_faces(p, mask, scores):
        _begin(p)
        if not (score_spaces(p, mask, scores) or score_cards(p, mask, scores)):
            score_words(p, mask, scores)
    if p.error != Error.NONE:
        scores[:] = np.nan


@cache
def score_pointer():
    """Function pointer to the compiled ``score_row``."""
    return function_pointer(score_row, *SCORE_TYPES)


@entry
def _advise_row(scorer, work, observation, mask, scores, advice):
    if advise_actions(scorer, work, observation, mask, scores, advice):
        p = _position_at(work, 1)[0]
        value_board(p)
        for n in range(N):
            advice[A + n] = country_advice(p.viewer, p.worth[n])


@cache
def adviser():
    """Function pointer to the compiled adviser (``play_levels.call_adviser``)."""
    return function_pointer(_advise_row, *ADVISE_TYPES)


def advise(observations: np.ndarray, masks: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """int8 [K, F + ADVICE]: observations [K, F], each followed by advice (``play_levels.advise_all``)."""
    return advise_all(adviser(), score_pointer(), positions, observations, masks)
