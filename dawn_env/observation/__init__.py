"""Observations: one vector ``[F]`` of int8 from the player's own point of view, mine and theirs.

``parts`` declares its parts, ``standard_writer`` fills it, ``view_layouts`` knows each kind of game.
"""

from dawn_env.observation.parts import OBSERVATION_VERSION, SLICES, TABLE, Axis, EntryKind, F, ObservationPart
from dawn_env.observation.standard_writer import SHOWN_OFF_TURN, shown_decision, write_mask, write_observation
from dawn_env.observation.view_layouts import STANDARD_LAYOUT

observe, decode, explain = STANDARD_LAYOUT.one, STANDARD_LAYOUT.decode, STANDARD_LAYOUT.explain

__all__ = [
    "OBSERVATION_VERSION", "SHOWN_OFF_TURN", "SLICES", "TABLE", "Axis", "F", "EntryKind", "ObservationPart",
    "decode", "explain", "observe", "shown_decision", "write_mask", "write_observation",
]  # fmt: skip
