"""Putting fields of a record back to what they are in a new game (``state.FIELDS``)."""

import numpy as np

from dawn_env.state import FIELDS, START, STATE, Field
from dawn_env.state_fields import Lasts
from dawn_env.support.compiling import jit, record_bytes
from dawn_env.tables import constant

_START = constant(START.view(np.int8), np.int8)


def _spans(fields: list[Field]) -> np.ndarray:
    """int64 [n, 2]: first byte, and the one behind the last, of the runs of ``fields`` in a record."""
    marked = np.zeros(STATE.itemsize + 2, np.int8)
    for field in fields:
        kind, offset = STATE.fields[field.name][:2]
        marked[offset + 1 : offset + 1 + kind.itemsize] = 1
    return constant(np.flatnonzero(np.diff(marked)).reshape(-1, 2))


def _lasting(*spans: Lasts) -> np.ndarray:
    return _spans([field for field in FIELDS if field.lasts in spans])


OF_THE_GAME = _spans([field for field in FIELDS if field.start is not None])
OF_THE_TURN = _lasting(Lasts.TURN, Lasts.ROUND)
OF_THE_ROUND = _lasting(Lasts.ROUND)
OF_THE_STRUGGLE = _lasting(Lasts.STRUGGLE)
OF_THE_MOVE = _lasting(Lasts.MOVE)
"""Bytes that end with each of these; options of the game stay."""


@jit
def reset(s, spans):
    """Put the bytes in ``spans`` back to what they are in a new game."""
    record = record_bytes(s)
    for run in range(len(spans)):
        for at in range(spans[run, 0], spans[run, 1]):
            record[at] = _START[at]
