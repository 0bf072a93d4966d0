"""The compiled functions of the rules of thumb for family mode: reading a view, scores of actions, and advice."""

from functools import cache

import numpy as np

from dawn_agents.players.heuristic.family_actions import country_worth, evaluate, score_actions
from dawn_agents.players.heuristic.play_levels import (
    ADVISE_TYPES,
    ANSWERING,
    SCORE_TYPES,
    Level,
    advise_actions,
    advise_all,
    country_advice,
    fill_memory,
)
from dawn_agents.players.heuristic_values.observation_reader import marked
from dawn_env.actions import ALL_ACTIONS
from dawn_env.observation.parts import FAMILY_DECISIONS, offsets
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.state import STATE, Decision, PowerZone, new_states
from dawn_env.support.compiling import array_at, entry, function_pointer, jit
from dawn_env.tables import PRINTED_OPS, C, N, P, S

_AT = offsets(FAMILY_LAYOUT.table)
"""Index of the first entry of each part of an observation."""
_DECISIONS = np.array(FAMILY_DECISIONS)
_CARD_WITH = np.array([0, *(np.flatnonzero(PRINTED_OPS[:C] == ops)[0] for ops in range(1, 5))])
"""[5] some card of each value: of the one that is placed, no more matters."""


def working_record() -> np.ndarray:
    """STATE [1] to read into."""
    states = new_states(1)
    states[0].destroyed, states[0].depth = -1, 1
    return states


@jit
def read(o, mask, s):
    """Read the view ``o`` int8 [F] of the side to act, and its ``mask`` int8 [A], into the record ``s``."""
    side = int(o[_AT.side])
    s.actor = side
    s.decision = _DECISIONS[marked(o, _AT.decision, len(_DECISIONS))]
    for i in range(S):
        s.support[side, i], s.support[1 - side, i] = o[_AT.my_support + i], o[_AT.their_support + i]
    s.power_cards[:] = 0
    for face in range(P):
        s.power_cards[PowerZone.HAND + side, face] = o[_AT.my_power_hand + face]
    s.power_cards[PowerZone.HAND + 1 - side, 0] = o[_AT.power_hand_size + 1]  # whatever they are, so many
    s.origin, s.destination = marked(o, _AT.origin, S), marked(o, _AT.destination, S)
    placing = s.decision == Decision.PLACE
    s.frames[0].source, s.moved = (_CARD_WITH[o[_AT.points]], 0) if placing else (0, o[_AT.points])
    s.attack, s.defence, s.attack_face = o[_AT.attack], o[_AT.defence], marked(o, _AT.attack_face, P)
    for action in range(len(mask)):
        s.legal[action] = mask[action]


FAMILY_ADVICE = ALL_ACTIONS + N
"""Numbers of advice on one position: one per action, one per country."""
FAMILY_ADVICE_VERSION = 1
"""Goes up whenever the same position would be judged differently: networks have learnt from these opinions."""

MEMORY = np.dtype((np.record, [*ANSWERING, ("position", STATE)]))
"""As ``action_scores.MEMORY``."""
_record_at = array_at(STATE)


def new_memory(level: Level, seed: int) -> np.ndarray:
    """MEMORY [1] of a player of this level."""
    memory = np.zeros(1, MEMORY)
    memory["position"] = working_record()
    return fill_memory(memory, score_pointer(), level, seed, FAMILY_LAYOUT.size)


@entry
def score_row(work, observation, mask, scores):
    """Write scores of the legal actions of a view (``play_levels.call_scorer``); ``work``: of a ``working_record``."""
    s = _record_at(work, 1)[0]
    scores[:] = 0.0
    read(observation, mask, s)
    score_actions(s, scores)


@cache
def score_pointer():
    """Function pointer to the compiled ``score_row``."""
    return function_pointer(score_row, *SCORE_TYPES)


@entry
def _advise_row(scorer, work, observation, mask, scores, advice):
    if advise_actions(scorer, work, observation, mask, scores, advice):
        s = _record_at(work, 1)[0]
        for n in range(N):
            advice[ALL_ACTIONS + n] = country_advice(s.actor, country_worth(s, n))


@cache
def adviser():
    """Function pointer to the compiled adviser (``play_levels.call_adviser``)."""
    return function_pointer(_advise_row, *ADVISE_TYPES)


def advise(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """int8 [K, F + FAMILY_ADVICE]: observations [K, F], each followed by advice (``play_levels.advise_all``)."""
    return advise_all(adviser(), score_pointer(), working_record(), observations, masks)


@entry
def evaluate_rows(states, values):
    """Fill ``values`` float64 [B] with the values of ``states`` [B], Democrat positive."""
    for row in range(len(states)):
        values[row] = evaluate(states[row])
