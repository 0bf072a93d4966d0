"""Decisions that name a space: scores of the legal ones."""

import numpy as np

from dawn_agents.players.heuristic_values.board_value import gain
from dawn_agents.players.heuristic_values.event_values import pick_changes
from dawn_agents.players.heuristic_values.memoized_operations import (
    checks_in,
    general_conditions,
    placing_in,
    prepare,
    row_of,
)
from dawn_env.actions import SPACE0, Word
from dawn_env.cards.event_tables import PROGRAM, PROGRAM_START
from dawn_env.cards.event_verbs import Opcode
from dawn_env.rules.board import missing_for_control
from dawn_env.rules.operations.ops_values import ops_value
from dawn_env.rules.operations.placement import budget
from dawn_env.rules.operations.support_checks import space_modifiers
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, FIRST_SPACE, SOURCES, N, S

_SETUP_POINTS = 2
_STAY_PUT = 0.3  # worth of moving no further point out of Lutheran Church
_REVOLT_MISSES = 3  # die with which a revolt fails in a space that nobody holds around


def _pick_sizes() -> np.ndarray:
    """[SOURCES, 3] points moved by one pick of PLACE, REMOVE or REPLACE of an event."""
    sizes = np.ones((SOURCES, 3), np.int64)
    for source in range(SOURCES):
        for pc in range(PROGRAM_START[source], len(PROGRAM)):
            opcode = PROGRAM[pc].opcode
            if opcode == Opcode.END:
                break
            if Opcode.PICK_PLACE <= opcode <= Opcode.PICK_REPLACE:
                sizes[source, opcode - Opcode.PICK_PLACE] = PROGRAM[pc].per
    return sizes


_PICK_SIZE = _pick_sizes()


@jit
def _offers(mask, country):
    """Return True if a space of a country is on offer."""
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if mask[SPACE0 + space]:
            return True
    return False


@jit
def _score_placing(p, mask, scores, points, bonus, unbound):
    """Rates of placing; the bonus counts in whole countries."""
    for country in range(N):
        if _offers(mask, country):
            first = FIRST_SPACE[country]
            most = budget(points, bonus, first)
            prepare(p, most, unbound)
            rates = placing_in(p, p.viewer, country, general_conditions(p, p.viewer)).rates
            for space in range(first, FIRST_SPACE[country + 1]):
                if mask[SPACE0 + space]:
                    scores[SPACE0 + space] = rates[row_of(most), space - first]


@jit
def _is_unbound(p, mask):
    """Return True if spaces without support points of the opponent may be checked."""
    for space in range(S):
        if mask[SPACE0 + space] and p.support[1 - p.viewer, space] == 0:
            return True
    return False


@jit
def _score_check(p, mask, scores):
    points = ops_value(p, p.viewer, p.source, p.value, 0) + p.bonus
    scores[Word.PASS] = 0.0
    prepare(p, points, _is_unbound(p, mask))
    general = general_conditions(p, p.viewer)
    for country in range(N):
        if _offers(mask, country):
            first, checks = FIRST_SPACE[country], checks_in(p, p.viewer, country, general).checks
            for space in range(first, FIRST_SPACE[country + 1]):
                if mask[SPACE0 + space]:
                    scores[SPACE0 + space] = checks[row_of(points), space - first]


@jit
def _pick_gain(p, space, opcode):
    """Worth of a pick of an event, or of the space in which Scare Tactics take a point."""
    size = 1
    if p.kind != FrameKind.STRUGGLE and opcode <= Opcode.PICK_REPLACE:
        size = _PICK_SIZE[p.source, opcode - Opcode.PICK_PLACE]
    mine, theirs = pick_changes(p, p.viewer, opcode, size, space)
    return gain(p, p.viewer, space, mine, theirs)


@jit
def _revolt_gain(p, space):
    """Value of a revolt: all of the opponent's points turn, unless too many spaces around are theirs."""
    theirs = int(p.support[1 - p.viewer, space])
    against = max(0, -space_modifiers(p, p.viewer, space))
    chance = max(0.0, (6 - _REVOLT_MISSES - against) / 6)
    return chance * gain(p, p.viewer, space, theirs, -theirs)


@jit
def _space_gain(p, space):
    """Worth of naming a space in a decision that is not about operations."""
    decision = p.decision
    if decision == Decision.PLACE:
        return _pick_gain(p, space, Opcode.PICK_PLACE)
    if decision == Decision.REPLACE:
        return _pick_gain(p, space, Opcode.PICK_REPLACE)
    if decision == Decision.TAKE_CONTROL:
        return _pick_gain(p, space, Opcode.PICK_TAKE_CONTROL)
    if decision == Decision.REMOVE:
        if p.executor == p.viewer or p.kind == FrameKind.STRUGGLE:
            return _pick_gain(p, space, Opcode.PICK_REMOVE)
        return gain(p, p.viewer, space, -1, 0)  # an event of the opponent asks for one's own points
    if decision == Decision.SUPPORT_LOSS:
        return gain(p, p.viewer, space, -1, 0)
    if decision == Decision.MOVE:
        return gain(p, p.viewer, space, 1, 0)
    if decision == Decision.DESTROY:
        return gain(p, p.viewer, space, -int(p.support[p.viewer, space]), -int(p.support[1 - p.viewer, space]))
    if decision == Decision.REVOLT:
        return _revolt_gain(p, space)
    # A hiding place: where the Democrat is furthest from control, the nearest one if the Democrat names it.
    missing = missing_for_control(p, DEMOCRAT, space)
    return -float(missing) if p.viewer == DEMOCRAT else float(missing)


@jit
def score_spaces(p, mask, scores):
    """Score a decision that names a space; False when it is none of them."""
    decision = p.decision
    if decision == Decision.OPS_PLACE:
        _score_placing(p, mask, scores, p.left, p.bonus, False)
    elif decision == Decision.SETUP:
        _score_placing(p, mask, scores, _SETUP_POINTS, 0, True)
    elif decision == Decision.CHECK:
        _score_check(p, mask, scores)
    elif (
        decision == Decision.PLACE
        or decision == Decision.REMOVE
        or decision == Decision.REPLACE
        or decision == Decision.TAKE_CONTROL
        or decision == Decision.SUPPORT_LOSS
        or decision == Decision.MOVE
        or decision == Decision.DESTROY
        or decision == Decision.HIDEOUT
        or decision == Decision.REVOLT
    ):
        scores[Word.PASS] = _STAY_PUT if decision == Decision.MOVE else 0.0
        for space in range(S):
            if mask[SPACE0 + space]:
                scores[SPACE0 + space] = _space_gain(p, space)
    else:
        return False
    return True
