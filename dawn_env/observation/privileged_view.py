"""Hidden information for critics in training: the true place of every card.

It is never part of an observation. Players that are asked in games never get it.
"""

import numpy as np

from dawn_env.observation.parts import POWER_CARDS, Axis, ObservationPart, cards, number, places
from dawn_env.state import PowerZone, Zone

PRIVILEGED_VERSION = 1
"""Goes up with every change of meaning, order or size."""


def _copies(name: str, meaning: str) -> ObservationPart:
    return number(name, 0, POWER_CARDS, meaning, Axis.FACE)


PRIVILEGED_TABLE = (
    cards("my_hand", "in the viewer's hand"),
    cards("their_hand", "in the opponent's hand"),
    cards("draw_pile", "in the draw pile; in family mode in the deck of its side"),
    cards("set_aside", "set aside by Samizdat (77)"),
    cards("drawn", "drawn for the third Tiananmen award, while its winner chooses"),
    _copies("my_power_hand", "copies in the viewer's struggle hand"),
    _copies("their_power_hand", "copies in the opponent's struggle hand"),
    _copies("power_deck", "copies in the power struggle deck"),
)
"""The parts of the vector, in order; egocentric as observations are."""
PRIVILEGED_SLICES = places(PRIVILEGED_TABLE)
"""Name of each part to its place in the vector."""
PRIVILEGED_SIZE = sum(part.size for part in PRIVILEGED_TABLE)
"""Length of the vector, P in the documentation."""


def privileged_view(states: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """int8 [n, P]: the hidden cards of the games ``states`` STATE [n], as seen by ``sides`` integers [n]."""
    where, power = states["where"][:, 1:], states["power_cards"]
    rows, mine = np.arange(len(states)), np.asarray(sides, np.int64)
    zones = (Zone.HAND + mine, Zone.HAND + 1 - mine, Zone.DRAW_PILE, Zone.SET_ASIDE, Zone.DRAWN)
    parts = [where == np.broadcast_to(zone, len(states))[:, None] for zone in zones]
    parts += [power[rows, zone] for zone in (PowerZone.HAND + mine, PowerZone.HAND + 1 - mine, PowerZone.DECK)]
    return np.concatenate(parts, axis=1).astype(np.int8)
