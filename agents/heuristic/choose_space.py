"""Decisions that name a space: scores of the legal ones."""

import numpy as np

from agents.heuristic.board import gain
from agents.heuristic.events import pick_changes
from agents.heuristic.leads import judge_listed
from agents.heuristic.operations import check_gain, placing_rate, prepare_check
from dawn_env.actions import SPACE0, Word
from dawn_env.cards.effects import Opcode
from dawn_env.cards.events import PROGRAM, PROGRAM_START
from dawn_env.rules.board import missing_for_control
from dawn_env.rules.checks import space_modifiers
from dawn_env.rules.placement import budget
from dawn_env.rules.values import ops_value
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, SOURCES, S

_SETUP_POINTS = 2
_STAY_PUT = 0.3  # worth of moving no further point out of Lutheran Church
_REVOLT_MISSES = 3  # die with which a revolt fails in a space that nobody holds around


def _pick_sizes() -> np.ndarray:
    """[SOURCES, 4] points moved by one pick of PLACE, REMOVE, REPLACE or LOSE of an event."""
    sizes = np.ones((SOURCES, 4), np.int64)
    for source in range(SOURCES):
        for pc in range(PROGRAM_START[source], len(PROGRAM)):
            opcode = PROGRAM[pc].opcode
            if opcode == Opcode.END:
                break
            if Opcode.PICK_PLACE <= opcode <= Opcode.PICK_LOSE:
                sizes[source, opcode - Opcode.PICK_PLACE] = PROGRAM[pc].per
    return sizes


_PICK_SIZE = _pick_sizes()


@jit
def _list_legal(p, mask, far):
    """List the spaces on offer, where up to ``far`` points may be placed."""
    count = 0
    for space in range(S):
        p.listed[count], p.far[space] = space, far
        count += mask[SPACE0 + space] != 0
    p.listed[count] = -1


@jit
def _score_placing(p, scores, points, bonus):
    """Rates of placing in the spaces listed."""
    judge_listed(p, p.viewer)
    for space in p.listed:
        if space < 0:
            break
        scores[SPACE0 + space] = placing_rate(p, p.viewer, space, budget(points, bonus, space))


@jit
def _score_ops_place(p, mask, scores):
    _list_legal(p, mask, p.left + p.bonus)
    _score_placing(p, scores, p.left, p.bonus)


@jit
def _score_setup(p, mask, scores):
    _list_legal(p, mask, _SETUP_POINTS)
    _score_placing(p, scores, _SETUP_POINTS, 0)


@jit
def _score_check(p, mask, scores):
    points = ops_value(p, p.viewer, p.source, p.value, 0) + p.bonus
    scores[Word.PASS] = 0.0
    _list_legal(p, mask, 0)
    for space in p.listed:
        if space < 0:
            break
        prepare_check(p, p.viewer, space, points)
    judge_listed(p, p.viewer)
    for space in p.listed:
        if space < 0:
            break
        scores[SPACE0 + space] = check_gain(p, p.viewer, space)


@jit
def _score_picks(p, mask, scores, opcode):
    """Picks of events, and the space in which Scare Tactics take a point."""
    size = 1
    if p.kind != FrameKind.STRUGGLE and opcode <= Opcode.PICK_LOSE:
        size = _PICK_SIZE[p.source, opcode - Opcode.PICK_PLACE]
    for space in range(S):
        if mask[SPACE0 + space]:
            mine, theirs = pick_changes(p, p.viewer, opcode, size, space)
            scores[SPACE0 + space] = gain(p, p.viewer, space, mine, theirs)


@jit
def _score_remove(p, mask, scores):
    """The opponent's points, or, where an event of the opponent asks for it, one's own."""
    if p.executor != p.viewer and p.kind != FrameKind.STRUGGLE:
        _score_change(p, mask, scores, -1)
    else:
        _score_picks(p, mask, scores, Opcode.PICK_REMOVE)


@jit
def _score_change(p, mask, scores, change):
    """What it is worth to add own points."""
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
        _score_ops_place(p, mask, scores)
    elif decision == Decision.CHECK:
        _score_check(p, mask, scores)
    elif decision == Decision.PLACE:
        _score_picks(p, mask, scores, Opcode.PICK_PLACE)
    elif decision == Decision.REMOVE:
        _score_remove(p, mask, scores)
    elif decision == Decision.REPLACE:
        _score_picks(p, mask, scores, Opcode.PICK_REPLACE)
    elif decision == Decision.TAKE_CONTROL:
        _score_picks(p, mask, scores, Opcode.PICK_TAKE_CONTROL)
    elif decision == Decision.SETUP:
        _score_setup(p, mask, scores)
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
