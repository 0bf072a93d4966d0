"""The compiled functions of the rules of thumb for family mode: reading a view, the choice in one game, advice on many
at once."""

from collections import namedtuple
from functools import cache

import numpy as np

from dawn_agents.heuristic.family_actions import country_worth, evaluate, score_actions
from dawn_agents.heuristic.play_levels import (
    BEST,
    ERRORS,
    LEVELS,
    Level,
    add_errors,
    best_legal,
    country_advice,
    errors_of,
    write_opinions,
)
from dawn_agents.heuristic_values.observation_reader import marked
from dawn_env.actions import ALL_ACTIONS
from dawn_env.observation.parts import FAMILY_DECISIONS
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.players import ANSWER_TYPES
from dawn_env.state import STATE, Decision, PowerZone, new_states
from dawn_env.support.compiling import BYTES, Vector, array_at, call_pointer, entry, function_pointer, jit
from dawn_env.support.hashing import view_hash, view_weights
from dawn_env.tables import PRINTED_OPS, C, N, P, S

_AT = namedtuple("Offsets", FAMILY_LAYOUT.slices)(*(place.start for place in FAMILY_LAYOUT.slices.values()))
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

_SEEN = FAMILY_LAYOUT.size

MEMORY = np.dtype((np.record, [
    ("scores", "f4", (ALL_ACTIONS,)), ("errors", ERRORS), ("draws", "i8", (_SEEN // 4,)),
    ("position", STATE), ("errs", "?"),
]))  # fmt: skip
"""As ``action_scores.MEMORY``."""
_memory_at = array_at(MEMORY)


@entry
def _answer(memory, observation, mask, action):
    """Best action, the first of equals (``action_scores``)."""
    m = _memory_at(memory, 1)[0]
    scores = m.scores[:]
    read(observation, mask, m.position)
    score_actions(m.position, scores)
    if m.errs:
        add_errors(mask, scores, m.errors, view_hash(observation, m.draws))
    action[0] = best_legal(mask, scores)


@cache
def answer_pointer():
    """Function pointer of the answers (``dawn_env.players.CompiledPlayer``)."""
    return function_pointer(_answer, *ANSWER_TYPES)


def new_memory(level: Level, seed: int) -> np.ndarray:
    """MEMORY [1] of a player of this level."""
    memory = np.zeros(1, MEMORY)
    memory["position"], memory["draws"] = working_record(), view_weights(seed, _SEEN // 4)
    memory["errs"], memory["errors"] = level != LEVELS[BEST], errors_of(level)
    return memory


ADVISE_TYPES = BYTES, BYTES, STATE, Vector(np.dtype(np.float32)), BYTES
call_advise = call_pointer(*ADVISE_TYPES)
"""``call_advise(adviser, observation, mask, record, scores, advice)`` in compiled loops: writes int8 [FAMILY_ADVICE]
(``advise``); ``record``: of ``working_record``."""


@entry
def _advise_row(observation, mask, s, scores, advice):
    read(observation, mask, s)
    score_actions(s, scores)
    write_opinions(mask, scores, advice)
    for n in range(N):
        advice[ALL_ACTIONS + n] = country_advice(s.actor, country_worth(s, n))


@cache
def adviser():
    """Address of the function that ``call_advise`` calls."""
    return function_pointer(_advise_row, *ADVISE_TYPES)


@entry
def _advise_rows(adviser, advised, masks, records, scores):
    for row in range(len(advised)):
        call_advise(adviser, advised[row, :_SEEN], masks[row], records[0], scores, advised[row, _SEEN:])


def advise(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """int8 [K, F + FAMILY_ADVICE]: observations [K, F], each followed by what the rules of thumb make of it.

    Per action and per country, in the units of ``write_opinions`` and ``country_advice``.
    """
    advised = np.empty((len(observations), _SEEN + FAMILY_ADVICE), np.int8)
    advised[:, :_SEEN] = observations
    scores = np.zeros(ALL_ACTIONS, np.float32)
    _advise_rows(adviser(), advised, np.ascontiguousarray(masks), working_record(), scores)
    return advised


@entry
def score_record(states, scores):
    """Fill ``scores`` float32 [ALL_ACTIONS] for the legal actions of the first of ``states``."""
    score_actions(states[0], scores)


@entry
def evaluate_rows(states, values):
    """Fill ``values`` float64 [B] with the values of ``states`` [B], Democrat positive."""
    for row in range(len(states)):
        values[row] = evaluate(states[row])
