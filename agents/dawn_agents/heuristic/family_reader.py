"""Reads a family observation into a record for the rules of thumb."""

from collections import namedtuple

import numpy as np

from dawn_agents.heuristic_values.observation_reader import marked
from dawn_env.observation.parts import FAMILY_DECISIONS
from dawn_env.observation.view_layouts import FAMILY_LAYOUT
from dawn_env.state import Decision, PowerZone, new_states
from dawn_env.support.compiling import jit
from dawn_env.tables import PRINTED_OPS, C, P, S

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
