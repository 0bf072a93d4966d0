"""Decisions that name a space: scores of the legal ones."""

import numpy as np

from dawn_agents.heuristic_values.board_value import gain
from dawn_agents.heuristic_values.event_values import pick_changes
from dawn_agents.heuristic_values.memoized_operations import checks_in, general_conditions, placing_in, prepare, row_of
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
def _score_picks(p, mask, scores, opcode):
    """Picks of events, and the space in which Scare Tactics take a point."""
    size = 1
    if p.kind != FrameKind.STRUGGLE and opcode <= Opcode.PICK_REPLACE:
        size = _PICK_SIZE[p.source, opcode - Opcode.PICK_PLACE]
    for space in range(S):
        if mask[SPACE0 + space]:
            mine, theirs = pick_changes(p, p.viewer, opcode, size, space)
            scores[SPACE0 + space] = gain(p, p.viewer, space, mine, theirs)


@jit
def _score_change(p, mask, scores, change):
    """Value of adding own points."""
    for space in range(S):
        if mask[SPACE0 + space]:
            scores[SPACE0 + space] = gain(p, p.viewer, space, change, 0)


@jit
def _score_destroy(p, mask, scores):
    for space in range(S):
        if mask[SPACE0 + space]:
            mine, theirs = int(p.support[p.viewer, space]), int(p.support[1 - p.viewer, space])
            scores[SPACE0 + space] = gain(p, p.viewer, space, -mine, -theirs)


@jit
def _score_hideout(p, mask, scores):
    """Hide where the Democrat is furthest from control (the Democrat hides them where they are nearest)."""
    for space in range(S):
        if mask[SPACE0 + space]:
            missing = missing_for_control(p, DEMOCRAT, space)
            scores[SPACE0 + space] = -missing if p.viewer == DEMOCRAT else missing


@jit
def _score_revolt(p, mask, scores):
    """All of the opponent's points turn, unless too many spaces around are theirs."""
    for space in range(S):
        if mask[SPACE0 + space]:
            theirs = int(p.support[1 - p.viewer, space])
            against = max(0, -space_modifiers(p, p.viewer, space))
            chance = max(0.0, (6 - _REVOLT_MISSES - against) / 6)
            scores[SPACE0 + space] = chance * gain(p, p.viewer, space, theirs, -theirs)


@jit
def score_spaces(p, mask, scores):
    """Score a decision that names a space; False when it is none of them."""
    decision = p.decision
    if decision == Decision.OPS_PLACE:
        _score_placing(p, mask, scores, p.left, p.bonus, False)
    elif decision == Decision.CHECK:
        _score_check(p, mask, scores)
    elif decision == Decision.PLACE:
        _score_picks(p, mask, scores, Opcode.PICK_PLACE)
    elif decision == Decision.REMOVE:
        if (
            p.executor != p.viewer and p.kind != FrameKind.STRUGGLE
        ):  # an event of the opponent asks for one's own points
            _score_change(p, mask, scores, -1)
        else:
            _score_picks(p, mask, scores, Opcode.PICK_REMOVE)
    elif decision == Decision.REPLACE:
        _score_picks(p, mask, scores, Opcode.PICK_REPLACE)
    elif decision == Decision.TAKE_CONTROL:
        _score_picks(p, mask, scores, Opcode.PICK_TAKE_CONTROL)
    elif decision == Decision.SETUP:
        _score_placing(p, mask, scores, _SETUP_POINTS, 0, True)
    elif decision == Decision.SUPPORT_LOSS:
        _score_change(p, mask, scores, -1)
    elif decision == Decision.MOVE:
        _score_change(p, mask, scores, 1)
        scores[Word.PASS] = _STAY_PUT
    elif decision == Decision.DESTROY:
        _score_destroy(p, mask, scores)
    elif decision == Decision.HIDEOUT:
        _score_hideout(p, mask, scores)
    elif decision == Decision.REVOLT:
        _score_revolt(p, mask, scores)
    else:
        return False
    return True
