"""A game's whole record as JSON, every field by name; what earlier versions wrote is still read."""

import json

import numpy as np

from dawn_env.actions import ALL_ACTIONS, A
from dawn_env.errors import MalformedPosition
from dawn_env.formats.foreign import parse_json
from dawn_env.formats.position import assume_draws
from dawn_env.options import GameOptions
from dawn_env.state import FRAME, MAX_FRAMES, STATE, FrameKind, new_states

# Fields that came with later versions.
_KNOWLEDGE = {"epoch", "since", "drawn_at", "aside_at", "aside_unsure"}
_OTHER_GAMES = {
    "power_known": 0, "origin": -1, "destination": -1, "moved": 0, "attack": 0, "defence": 0, "attack_face": -1,
    "offers": -1, "swapped": 0,
}  # fmt: skip
"""Those of family mode and of bids, and what they hold in games without."""

_EARLIER_COLUMNS = ("kind", "step", "side", "source", "left", "value", "region", "country", "bonus", "marks", "pc")
_RENAMED = {
    FrameKind.TURN: {"value": "batch"},
    FrameKind.PLAY: {"left": "first", "value": "second", "pc": "use"},
    FrameKind.CHECKS: {"pc": "target"},
    FrameKind.STRUGGLE: {"value": "asked"},
}
"""Frames once had eleven columns; what some of them were called since, by kind of frame."""


def state_to_json(state: np.record) -> str:
    """Every field of a ``STATE`` record by name; frames are lists in the order of ``FRAME``."""
    return json.dumps({name: np.asarray(state[name]).tolist() for name in STATE.names})


def state_from_json(text: str) -> np.record:
    """Inverse of ``state_to_json``, each field of its shape and within its integers; what a version before this did not
    keep is taken as unknown. Raises ``MalformedPosition``."""
    try:
        fields = parse_json(text)
    except (ValueError, TypeError) as error:
        raise MalformedPosition(f"a state: not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise MalformedPosition(f"a state: an object expected, not {type(fields).__name__}")
    missing = set(STATE.names) - set(fields) - set(GameOptions.names()) - set(_OTHER_GAMES)
    unknown = set(fields) - set(STATE.names)
    if (missing and missing != _KNOWLEDGE) or unknown:
        raise MalformedPosition(f"a state: missing fields {sorted(missing)}, unknown fields {sorted(unknown)}")
    state = new_states(1)[0]
    GameOptions().write(state)
    for name, value in _OTHER_GAMES.items():
        state[name] = value
    for name, value in fields.items():
        read = _READERS.get(name)
        state[name] = read(value) if read else _integers(name, value, STATE[name])
    if missing:
        assume_draws(state)
    return state


def _frames(rows: object) -> np.ndarray:
    earlier = isinstance(rows, list) and all(
        isinstance(row, list) and len(row) == len(_EARLIER_COLUMNS) for row in rows
    )
    columns = _EARLIER_COLUMNS if earlier else FRAME.names
    values = _integers("frames", rows, np.dtype(("i2", (MAX_FRAMES, len(columns)))))
    frames = np.zeros(MAX_FRAMES, FRAME)
    for frame, row in zip(frames, values.tolist(), strict=True):
        names = _RENAMED.get(row[0], {}) if earlier else {}
        for column, value in zip(columns, row, strict=True):
            frame[names.get(column, column)] = _integers("frames", value, FRAME[names.get(column, column)])
    return frames


def _legal(value: object) -> np.ndarray:
    """Legal actions; once there were those of the standard game only."""
    if isinstance(value, list) and len(value) == A:
        value = value + [0] * (ALL_ACTIONS - A)
    return _integers("legal", value, STATE["legal"])


_READERS = {"frames": _frames, "legal": _legal}


def _integers(name: str, value: object, field: np.dtype) -> np.ndarray:
    """``value`` in the type and shape of a field."""
    try:
        array = np.array(value)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    if array.shape != field.shape or array.dtype.kind not in "iu":
        raise MalformedPosition(f"{name}: integers of shape {list(field.shape)} expected")
    bounds = np.iinfo(field.base)
    if (array < bounds.min).any() or (array > bounds.max).any():
        raise MalformedPosition(f"{name}: integers {bounds.min} ... {bounds.max} expected")
    return array.astype(field.base)
