"""Check of records from outside, compiled, for callers in other languages: what compiled code relies on.

``validation.state_validity`` checks more, and says what is wrong.
"""

import numpy as np

from dawn_env.rules import flow
from dawn_env.rules.bid import OFFERED_SIDE
from dawn_env.state import (
    FIELDS,
    FRAME,
    FRAME_KINDS,
    MAX_HAND,
    STATE,
    Decision,
    FrameKind,
    Mode,
    PowerZone,
    Result,
    Zone,
)
from dawn_env.support.compiling import entry, inlined, jit, record_bytes
from dawn_env.tables import FACE_COUNT, FIRST_TURN, PERIOD, SIDES, C, P
from dawn_env.validation.state_validity import PROGRAM_END, PROGRAM_START, frame_bounds
from dawn_native.games import Code

_advance = inlined(flow.advance)


def _row(record: np.dtype, name: str, low: int, high: int, none: int | None = None) -> list[int]:
    kind, offset = record.fields[name][:2]
    return [offset, kind.base.itemsize, int(np.prod(kind.shape, dtype=int)), low, high, low if none is None else none]


FIELD_ROWS = np.array([
    _row(STATE, field.name, field.low, field.high, field.none) for field in FIELDS if field.low is not None
], np.int64)  # fmt: skip
"""Offset, size and count of numbers, least and greatest value, and the one besides for none, of each field."""
_COLUMNS = np.array([
    [_row(FRAME, name, *frame_bounds(kind, name)) for name in FRAME.names[1:]] for kind in range(len(FRAME_KINDS))
], np.int64)  # fmt: skip
"""Rows like those of ``FIELD_ROWS`` for the columns of each kind of frame."""
_FRAMES, _FRAME_SIZE = STATE.fields["frames"][1], FRAME.itemsize


@jit
def _number(record, at, size):
    """Signed little-endian integer of ``size`` bytes."""
    value = int(record[at + size - 1])
    for i in range(size - 2, -1, -1):
        value = (value << 8) | (int(record[at + i]) & 0xFF)
    return value


@jit
def in_bounds(record, start, rows):
    for row in range(len(rows)):
        offset, size, count, low, high, none = rows[row]
        for n in range(count):
            value = _number(record, start + offset + n * size, size)
            if (value < low or value > high) and value != none:
                return False
    return True


@jit
def _frames_fit(s, record):
    for depth in range(s.depth):
        frame = s.frames[depth]
        if frame.kind < 0 or frame.kind >= len(_COLUMNS):
            return False
        if not in_bounds(record, _FRAMES + depth * _FRAME_SIZE, _COLUMNS[frame.kind]):
            return False
        if frame.kind == FrameKind.EVENT and not PROGRAM_START[frame.source] <= frame.pc < PROGRAM_END[frame.source]:
            return False
    return True


@jit
def _is_standard(s):
    """Return True for the standard game after any bidding."""
    return s.mode == Mode.STANDARD and s.frames[0].kind != FrameKind.BID


@jit
def _table_fits(s):
    """Check hand sizes, zones of the standard game's cards in this turn, and sides of offers."""
    for side in range(SIDES):
        held = 0
        for card in range(C):
            held += s.where[card] == Zone.HAND + side
        if held > MAX_HAND:
            return False
    for card in range(1, C if _is_standard(s) else 1):
        later = FIRST_TURN[PERIOD[card]] > s.turn
        if s.where[card] == Zone.NOWHERE or (s.where[card] == Zone.FUTURE) != later:
            return False
    for side in range(SIDES):
        if s.offers[side, OFFERED_SIDE] >= SIDES:
            return False
    return s.where[0] == Zone.NOWHERE


@jit
def _struggle_fits(s):
    """Return True if the fields of a struggle are set while one is fought, and no power struggle card is missing."""
    fought, lasting = 0, int(s.led_rank) + s.staked + s.raised[0] + s.raised[1]
    for depth in range(s.depth):
        fought += s.frames[depth].kind == FrameKind.STRUGGLE
    for face in range(P):
        copies = 0
        for zone in range(s.power_cards.shape[0]):
            copies += s.power_cards[zone, face]
        if copies != FACE_COUNT[face] or (fought == 0 and s.power_cards[PowerZone.DECK, face] != copies):
            return False
    if fought:
        return fought == 1 and s.struggle >= 0 and s.starter >= 0 and s.attacker >= 0
    suits = s.winning_suit >= 0 or s.led_suit >= 0 or s.blocked >= 0
    return not (suits or lasting or s.struggle >= 0 or s.starter >= 0 or s.attacker >= 0 or s.winner >= 0)


@jit
def _chance_moves(s):
    """Return True if no random generator is in the all-zero state, and every tape position is within its tape."""
    for stream in range(s.generator.shape[0]):
        words = 0
        for word in range(s.generator.shape[1]):
            words |= int(s.generator[stream, word])
        if words == 0:
            return False
    for kind in range(len(s.tape_len)):
        if s.tape_at[kind] > s.tape_len[kind]:
            return False
    return True


@entry
def check(s, work):
    """Check a record; ``work`` STATE [1] is overwritten. Returns ``Code.OK`` or ``Code.BAD_STATE``."""
    record = record_bytes(s)
    if not (in_bounds(record, 0, FIELD_ROWS) and _table_fits(s) and _chance_moves(s)):
        return Code.BAD_STATE
    if s.result != Result.RUNNING:
        return Code.OK if s.decision == Decision.NONE else Code.BAD_STATE
    if not (_frames_fit(s, record) and (_struggle_fits(s) or not _is_standard(s))):
        return Code.BAD_STATE
    if s.decision == Decision.NONE:  # such a game could not be stepped
        return Code.BAD_STATE
    work[0] = s
    work[0].recount[:] = 1
    _advance(work[0], flow.POSE)
    posed = record_bytes(work[0])
    for i in range(len(record)):
        if posed[i] != record[i]:
            return Code.BAD_STATE
    return Code.OK
