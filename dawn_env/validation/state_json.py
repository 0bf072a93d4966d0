"""A game's whole record as JSON, every field by name."""

import json

import numpy as np

from dawn_env.errors import MalformedPosition
from dawn_env.state import FRAME, MAX_FRAMES, STATE, new_states
from dawn_env.validation.untrusted_json import parse_json


def state_to_json(state: np.record) -> str:
    """Every field of a ``STATE`` record by name; frames are lists in the order of ``FRAME``."""
    return json.dumps({name: np.asarray(state[name]).tolist() for name in STATE.names})


def state_from_json(text: str) -> np.record:
    """Read what ``state_to_json`` wrote: each field of its shape and within its integers. Raises
    ``MalformedPosition``."""
    try:
        fields = parse_json(text)
    except (ValueError, TypeError) as error:
        raise MalformedPosition(f"a state: not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise MalformedPosition(f"a state: an object expected, not {type(fields).__name__}")
    missing, unknown = set(STATE.names) - set(fields), set(fields) - set(STATE.names)
    if missing or unknown:
        raise MalformedPosition(f"a state: missing fields {sorted(missing)}, unknown fields {sorted(unknown)}")
    state = new_states(1)[0]
    for name, value in fields.items():
        state[name] = _frames(value) if name == "frames" else _integers(name, value, STATE[name])
    return state


def _frames(rows: object) -> np.ndarray:
    values = _integers("frames", rows, np.dtype(("i2", (MAX_FRAMES, len(FRAME.names)))))
    frames = np.zeros(MAX_FRAMES, FRAME)
    for column, name in enumerate(FRAME.names):
        frames[name] = _integers("frames", values[:, column], np.dtype((FRAME[name], MAX_FRAMES)))
    return frames


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
