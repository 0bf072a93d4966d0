"""Memories of compiled players, filled by compiled functions, for callers in other languages.

A memory is zeros at first, and is used by one thread at a time. ``draws`` int64 [n]: ``hashing.view_weights`` of the
player's seed, from which the errors of weaker levels and draws from probabilities follow.
"""

from dataclasses import astuple

import numpy as np
from numba import int64
from numba.core.types import ExternalFunction

from dawn_agents.players import sparse_player
from dawn_agents.players.heuristic import action_scores
from dawn_agents.players.heuristic import family_entry_points as family
from dawn_agents.players.heuristic.family_entry_points import working_record
from dawn_agents.players.heuristic.play_levels import BEST, LEVELS, errors_of, weights_of
from dawn_agents.players.heuristic_values.board_value import shares_of
from dawn_agents.players.heuristic_values.position_record import POSITION, STYLES, WEIGHTS
from dawn_env.state import STATE
from dawn_env.support.compiling import array_at, entry, jit
from dawn_env.tables import SIDES

_LEVELS = [weights_of(level, STYLES["balanced"]) for level in LEVELS.values()]
_WEIGHTS = np.array([astuple(weights) for weights in _LEVELS], WEIGHTS)
_SHARES = np.array([shares_of(weights.progress) for weights in _LEVELS])
_ERRORS = np.concatenate([errors_of(level) for level in LEVELS.values()])
_BLANK = working_record()

_heuristic_at, _family_at = array_at(action_scores.MEMORY), array_at(family.MEMORY)
_sparse_at, _weights_at, _errors_at = array_at(sparse_player.MEMORY), array_at(WEIGHTS), array_at(_ERRORS.dtype)
_state_at = array_at(STATE)


def _offset(record: np.dtype, name: str) -> int:
    return record.fields[name][1]


_WEIGHTS_IN, _ERRORS_IN = _offset(POSITION, "w"), _offset(action_scores.MEMORY, "errors")
_POSITION_IN, _SPARSE_POSITION_IN = (_offset(module.MEMORY, "position") for module in (action_scores, sparse_player))

_address = int64()
_scorer = ExternalFunction("dawn_score_row_pointer", _address)
_family_scorer = ExternalFunction("dawn_score_family_row_pointer", _address)
_adviser = ExternalFunction("dawn_advise_row_pointer", _address)


@jit
def _weigh(address, position, level):
    """Copy the weights of a level into the POSITION at ``address``."""
    _weights_at(address + _WEIGHTS_IN, 1)[0] = _WEIGHTS[level - 1]
    for space in range(_SHARES.shape[1]):
        for lead in range(_SHARES.shape[2]):
            position.shares[space, lead] = _SHARES[level - 1, space, lead]


@jit
def _begin_answers(m, memory, scorer, level, draws):
    """Fill the first fields of a memory (``play_levels.ANSWERING``)."""
    _errors_at(memory + _ERRORS_IN, 1)[0] = _ERRORS[level - 1]
    m.scorer, m.work, m.errs = scorer, memory + _POSITION_IN, level != BEST
    for i in range(min(len(draws), len(m.draws))):
        m.draws[i] = draws[i]


@entry
def begin_heuristic(memory, level, draws):
    """Fill a memory at an address for the rule-based player of a level, 1 ... ``BEST``."""
    m = _heuristic_at(memory, 1)[0]
    _weigh(memory + _POSITION_IN, m.position, level)
    _begin_answers(m, memory, _scorer(), level, draws)


@entry
def begin_family_heuristic(memory, level, draws):
    """Fill a memory for the rule-based player of family mode."""
    m = _family_at(memory, 1)[0]
    _state_at(memory + _POSITION_IN, 1)[0] = _BLANK[0]
    _begin_answers(m, memory, _family_scorer(), level, draws)


@entry
def begin_sparse(memory, weights, shapes, draws, temperature):
    """Fill a memory for networks of the standard game: addresses of ``weights`` int64 [2] and ``shapes`` int64 [2], by
    side.

    A shape is a record of ``sparse_weights.SHAPE``. Without ``draws`` the likeliest action is chosen.
    """
    m = _sparse_at(memory, 1)[0]
    _weigh(memory + _SPARSE_POSITION_IN, m.position, BEST)
    m.adviser, m.scorer, m.work = _adviser(), _scorer(), memory + _SPARSE_POSITION_IN
    for side in range(SIDES):
        m.weights[side], m.shapes[side], m.known[side] = weights[side], shapes[side], 1
    m.samples, m.temperature = len(draws) > 0, temperature
    for i in range(min(len(draws), len(m.draws))):
        m.draws[i] = draws[i]
