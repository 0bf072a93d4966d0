"""A game's whole record as JSON, every field by name."""

import json
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval, Len

from dawn_env.errors import MalformedPosition
from dawn_env.state import STATE, new_states
from dawn_env.validation.checked_input import FROM_LIST, keyed, read
from dawn_env.validation.untrusted_json import parse_json


def _type(field: np.dtype) -> Any:
    """Type of the JSON of a field: integers within its own, lists of its shape, lists for records."""
    if field.base.names:
        kind: Any = Annotated[tuple[tuple(_type(field.base[name]) for name in field.base.names)], FROM_LIST]
    else:
        bounds = np.iinfo(field.base)
        kind = Annotated[int, Interval(ge=int(bounds.min), le=int(bounds.max))]
    for length in reversed(field.shape):
        kind = Annotated[list[kind], Len(length, length)]
    return kind


_FIELDS = keyed({name: _type(STATE[name]) for name in STATE.names})


def state_to_json(state: np.record) -> str:
    """Every field of a ``STATE`` record by name; frames are lists in the order of ``FRAME``."""
    return json.dumps({name: np.asarray(state[name]).tolist() for name in STATE.names})


def state_from_json(text: str) -> np.record:
    """Read what ``state_to_json`` wrote: each field of its shape and within its integers. Raises
    ``MalformedPosition``."""
    try:
        fields = read(_FIELDS, parse_json(text))
    except (ValueError, TypeError) as error:
        raise MalformedPosition(f"a state: {error}") from None
    state = new_states(1)[0]
    for name, value in fields.items():
        state[name] = np.array(value, STATE[name].base)
    return state
