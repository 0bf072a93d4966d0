"""What the event of a card is worth: its program run on the board as far as it goes, and a table for the rest."""

import numpy as np

from agents.heuristic.country import board_value, gain, put, take_back
from agents.heuristic.operations import best_check, checks_gain, operation_gain
from agents.heuristic.sight import AT, controls, countries_held, in_play, ops_value, rounds_left
from dawn_env.cards.conditions import COMMUNIST_LEADS
from dawn_env.cards.conditions import controls as controls_space
from dawn_env.cards.declarations import CROWD_TOOK_EFFECT, EARLY, MIDDLE, TYRANT_GONE, WALL_IS_GONE
from dawn_env.cards.effects import (
    ADD,
    BRANCH,
    CAP,
    CHECKS,
    CHOOSE_NOMENKLATURA,
    CHOOSE_OPERATION,
    CLEAR,
    COUNT,
    END,
    EXTRA,
    FILL,
    NOT_OPPONENTS,
    NOT_OWN,
    OPCODE,
    OPERATION,
    PER,
    PICK_LOSE,
    PICK_PLACE,
    PICK_REPLACE,
    PICK_TAKE_CONTROL,
    REGION_ID,
    ROLL_ABOVE,
    ROLL_USSR,
    UNCONTROLLED,
    UNLESS,
    VP,
    WHERE,
    WITHOUT_OPPONENT,
)
from dawn_env.cards.events import PROGRAM, PROGRAM_START, REGIONS, condition_number
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, PRINTED_OPS, SOURCES, SPACE_ID, STABILITY, S

WORTH = np.zeros(SOURCES)
"""[SOURCES] victory points of what an event does beside its program's points, for its executor."""
for _card, _worth in {
    2: 1.0, 5: 2.5, 6: 1.5, 13: 1.2, 15: 3.0, 17: 1.5, 20: 3.0, 24: 1.0, 26: 1.5, 30: 0.3, 33: 1.0, 36: 1.0,
    39: 0.7, 46: 2.5, 48: 1.5, 53: 0.6, 54: 2.0, 62: 1.0, 65: 1.2, 67: 2.0, 69: 1.0, 70: 1.0, 71: 2.0, 72: 1.0,
    73: 0.5, 75: 0.5, 77: 0.3, 78: 2.5, 81: 1.0, 85: 1.2, 86: -1.0, 89: 3.0, 97: 1.5, 99: 2.0, 100: 0.7, 101: 0.2,
    102: 1.5, 108: 0.5, 109: 2.5,
}.items():  # fmt: skip
    WORTH[_card] = _worth

WORTH_A_ROUND = np.zeros(SOURCES)
"""[SOURCES] the same, per action round that is left of the turn."""
for _card, _worth in {8: 0.45, 9: 0.1, 25: 0.5, 50: 0.5, 58: 0.25, 59: 0.15, 63: 0.1, 74: 0.35}.items():
    WORTH_A_ROUND[_card] = _worth

_ROLL_SUCCEEDS = 0.5
_MOST_PICKS = 5
_CZECH_WRITERS = SPACE_ID["Czech Writers"]
(
    _TYRANT_GONE, _COMMUNIST_LEADS, _EARLY_YEAR, _MIDDLE_YEAR, _WALL_IS_GONE, _WALL_STANDS, _CZECH_WRITERS_NOT_FREE,
    _CROWD_WAITS,
) = map(
    condition_number,
    (
        TYRANT_GONE, COMMUNIST_LEADS, EARLY, MIDDLE, WALL_IS_GONE, ~WALL_IS_GONE,
        ~controls_space(DEMOCRAT, "Czech Writers"), ~CROWD_TOOK_EFFECT,
    ),
)  # fmt: skip


@jit
def _holds(o, p, condition):
    """A condition on the game (``dawn_env.cards.effects``)."""
    if condition == _TYRANT_GONE:
        return o[AT.tyrant_done] != 0
    if condition == _COMMUNIST_LEADS:
        return o[AT.vp] > 0 if o[AT.side] == COMMUNIST else o[AT.vp] < 0
    if condition == _EARLY_YEAR:
        return o[AT.turn] <= 3
    if condition == _MIDDLE_YEAR:
        return o[AT.turn] <= 7
    if condition == _WALL_IS_GONE:
        return in_play(o, 86)
    if condition == _WALL_STANDS:
        return not in_play(o, 86)
    if condition == _CZECH_WRITERS_NOT_FREE:
        return not controls(p, DEMOCRAT, _CZECH_WRITERS)
    if condition == _CROWD_WAITS:
        return o[AT.crowd_done] == 0
    return in_play(o, 108)


@jit
def _fits(p, side, where, space):
    """A condition on a space (``dawn_env.cards.effects``)."""
    if where == NOT_OPPONENTS:
        return not controls(p, 1 - side, space)
    if where == UNCONTROLLED:
        return not controls(p, 0, space) and not controls(p, 1, space)
    if where == WITHOUT_OPPONENT:
        return p.support[1 - side, space] == 0
    if where == NOT_OWN:
        return not controls(p, side, space)
    return True


@jit
def missing_for_control(p, side, space):
    """Points a side lacks for control of a space."""
    return max(0, STABILITY[space] + int(p.support[1 - side, space]) - int(p.support[side, space]))


@jit
def pick_changes(p, side, opcode, per, space):
    """(own points, opposing points) added by one pick in a space."""
    if opcode == PICK_PLACE:
        return per, 0
    if opcode == PICK_TAKE_CONTROL:
        return missing_for_control(p, side, space), 0
    gone = min(per, int(p.support[1 - side, space]))
    return gone if opcode == PICK_REPLACE else 0, -gone


@jit
def _pick_once(o, p, side, row, picked):
    """Make the best pick there is (the opponent picks what costs him least); the executor's gain."""
    best, best_space, losing = -99.0, -1, row[OPCODE] == PICK_LOSE
    region = REGIONS[row[REGION_ID]]
    for space in range(S):
        if not region[space] or o[AT.destroyed + space] or not _fits(p, side, row[WHERE], space):
            continue
        if row[CAP] > 0 and picked[space] >= row[CAP]:
            continue
        mine, theirs = pick_changes(p, side, row[OPCODE], row[PER], space)
        if mine == 0 and theirs == 0:
            continue
        worth = gain(p, side, space, mine, theirs)
        if (-worth if losing else worth) > best:
            best, best_space = -worth if losing else worth, space
    if best_space < 0:
        return 0.0
    mine, theirs = pick_changes(p, side, row[OPCODE], row[PER], best_space)
    put(p, side, best_space, mine, theirs)
    picked[best_space] += 1
    return -best if losing else best


@jit
def _picks(o, p, side, row):
    picked, total = np.zeros(S, np.int8), 0.0
    for _ in range(3 if row[COUNT] < 0 else min(row[COUNT], _MOST_PICKS)):
        total += _pick_once(o, p, side, row, picked)
    return total


@jit
def _whole_region(p, side, row):
    """ADD, CLEAR and FILL; the executor's gain."""
    before, region = board_value(p), REGIONS[row[REGION_ID]]
    for space in range(S):
        if not region[space]:
            continue
        if row[OPCODE] == CLEAR:
            put(p, row[EXTRA], space, -row[COUNT], 0)
        elif row[OPCODE] == FILL:
            put(p, side, space, missing_for_control(p, side, space), 0)
        elif _fits(p, side, row[WHERE], space):
            put(p, side, space, row[COUNT], 0)
    worth = board_value(p) - before
    return worth if side == DEMOCRAT else -worth


@jit
def _run(o, p, side, source, pc, variant):
    """Gain of a program from an instruction on; it changes the board."""
    total, certainty = 0.0, 1.0
    while PROGRAM[pc, OPCODE] != END:
        row, base = PROGRAM[pc], PRINTED_OPS[source]
        opcode = row[OPCODE]
        if opcode == UNLESS and _holds(o, p, row[EXTRA]):
            break
        if opcode <= PICK_TAKE_CONTROL:
            total += certainty * _picks(o, p, side, row)
        elif opcode == ADD or opcode == CLEAR or opcode == FILL:
            total += certainty * _whole_region(p, side, row)
        elif opcode == VP:
            total += certainty * (row[COUNT] if side == DEMOCRAT else -row[COUNT])
        elif opcode == CHECKS:
            points = ops_value(o, side, base) + row[PER]
            best = best_check(o, p, side, points, REGIONS[row[REGION_ID]], variant)
            total += certainty * checks_gain(best, row[COUNT])
        elif opcode == OPERATION:
            place, check = operation_gain(o, p, side, base, REGIONS[row[REGION_ID]], variant)
            total += certainty * max(place, check)
        elif ROLL_ABOVE <= opcode <= ROLL_USSR:
            certainty = _ROLL_SUCCEEDS
        pc += 1
    return total


@jit
def _first_instruction(o, p, pc):
    """Follow the branches at the start of a program."""
    while PROGRAM[pc, OPCODE] == BRANCH:
        pc += 1 if _holds(o, p, PROGRAM[pc, EXTRA]) else PROGRAM[pc, COUNT]
    return pc


@jit
def way_gain(o, p, side, source, pc, variant):
    """Gain of an event from an instruction on; the board is as before afterwards."""
    worth = _run(o, p, side, source, pc, variant)
    take_back(p)
    return worth


@jit
def _party_gain(o, side):
    """New Year's Eve Party (104): worth the game when it ends with the lead."""
    communist = 1 if o[AT.side] == COMMUNIST else -1
    lead = communist * o[AT.vp] + (3 if countries_held(o, COMMUNIST) >= 4 else -3)
    return 8.0 if lead > 4 else 0.0


@jit
def event_gain(o, p, side, card, variant):
    """Worth of an event for the side that carries it out."""
    pc = _first_instruction(o, p, PROGRAM_START[card])
    opcode = PROGRAM[pc, OPCODE]
    extra = WORTH[card] + WORTH_A_ROUND[card] * (rounds_left(o) - 1)
    if card == 104:
        return _party_gain(o, side)
    if opcode == CHOOSE_NOMENKLATURA or opcode == CHOOSE_OPERATION:
        first = way_gain(o, p, side, card, pc + 1, variant)
        return max(first, way_gain(o, p, side, card, pc + PROGRAM[pc, COUNT], variant))
    return extra + way_gain(o, p, side, card, pc, variant)
