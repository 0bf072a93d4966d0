"""Observations: one vector ``[F]`` of int8 from the player's own point of view, mine and theirs.

``layout`` declares its parts, ``write`` fills it, ``explain`` tells it to people.
"""

from dawn_env.observation.explain import explain
from dawn_env.observation.parts import OBSERVATION_VERSION, SLICES, TABLE, Axis, EntryKind, F, ObservationPart, decode
from dawn_env.observation.standard_writer import (
    SHOWN_OFF_TURN,
    full_view,
    observe,
    shown_decision,
    write_mask,
    write_observation,
)

__all__ = [
    "OBSERVATION_VERSION", "SHOWN_OFF_TURN", "SLICES", "TABLE", "Axis", "F", "EntryKind", "ObservationPart",
    "decode", "explain",
    "full_view", "observe", "shown_decision", "write_mask", "write_observation",
]  # fmt: skip
