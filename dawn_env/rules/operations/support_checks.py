"""Support checks (rule 6.2)."""

from dawn_env.actions import SPACE0, Word
from dawn_env.cards.event_tables import BOUND_OPS
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import MEMBERS, change_support, controlled_neighbours, controls, score_vp, take_support
from dawn_env.rules.cards_in_play import any_in, applies, clear_where, discard_used, total_in
from dawn_env.rules.chance import roll
from dawn_env.rules.frames import ChecksStep, allow, ask, count_allowed, fail, pop, push, withdraw
from dawn_env.rules.operations.ops_values import in_bound_region, ops_value
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import STABILITY, S

PROTECTION = -1  # of Stand Fast (100), on checks in spaces that the protected side controls

# Marks of a series of checks (ruling bonus-binds-checks).
BORDER_ASK, BORDER_ON, BORDER_AUTO, KREMLIN = 1, 2, 4, 8
"""Border Reopened (58), see BOUND_OPS: the bonus is still to be declared; was declared; applies to every target in
its region without asking. KREMLIN: targets need no opposing support points (card 109)."""


@jit
def start_checks(s, side, source, base, count, region, country, bonus, bound):
    """Push a series of checks; ``bonus`` is added to every roll, ``bound``: the event allows no target elsewhere
    than in the region of BOUND_OPS (ruling free-check-is-single)."""
    f = push(s, FrameKind.CHECKS, side, source)
    f.left, f.value, f.region, f.country, f.bonus = count, base, region, country, bonus
    f.marks = BORDER_AUTO if count == 1 or bound else BORDER_ASK
    return f


@jit
def banned(s, side, space):
    """Return True if cards in play bar a side from checks in a space."""
    return any_in(s, EffectKind.BAN, side, space)


@jit
def _allow_targets(s, f):
    """Spaces with opposing support points in which nothing forbids a check."""
    side, destroyed, anywhere, bound = int(f.side), int(s.destroyed), f.marks & KREMLIN != 0, f.marks & BORDER_ON != 0
    theirs, inside = s.support[1 - side], MEMBERS[f.region, f.country]
    for space in range(S):
        met = ((theirs[space] > 0) | anywhere) & (in_bound_region(space) | (not bound)) & (space != destroyed)
        s.legal[SPACE0 + space] = inside[space] & int(met)
    clear_where(s, EffectKind.BAN, side, s.legal[SPACE0 : SPACE0 + S])
    count_allowed(s, SPACE0, SPACE0 + S)


@jit
def check_value(s, f, space):
    """Ops value of a check of this series in a space, Border Reopened (58) included (rules 7.3, 11.1)."""
    side = int(f.side)
    border = f.marks & (BORDER_ON | BORDER_AUTO) != 0 and in_bound_region(space) and applies(s, BOUND_OPS, side)
    return ops_value(s, side, f.source, f.value, BOUND_OPS.amount if border else 0)


@jit
def check_modifiers(s, f, space):
    """Sum of the modifiers of a check of this series (rule 6.2.4)."""
    return int(f.bonus) + space_modifiers(s, int(f.side), space)


@jit
def space_modifiers(s, side, space):
    """Modifiers of every check of a side in a space: adjacency, cards in play."""
    modifier = controlled_neighbours(s, side, space)
    if not any_in(s, EffectKind.NEIGHBOURS, side, space):
        modifier -= controlled_neighbours(s, 1 - side, space)
    modifier += total_in(s, EffectKind.CHECK_ROLLS, side, space)
    if s.stand_fast == 1 - side and controls(s, 1 - side, space):
        modifier += PROTECTION
    return modifier


@jit
def points_moved(total, space):
    """Support points that a modified roll moves in a space; none when it is 0 or below."""
    return total - 2 * STABILITY[space]


@jit
def check_vp(s, side, space):
    """Victory points (Democrat positive) that cards in play pay for a check of a side in a space."""
    return total_in(s, EffectKind.PAYMENT, side, space)


@jit
def step_checks(s, f):
    """Name the next target, or roll for the one named."""
    if f.step == ChecksStep.ROLL:
        if f.marks & BORDER_ASK and in_bound_region(f.target) and applies(s, BOUND_OPS, int(f.side)):
            ask(s, Decision.BORDER_BONUS, f.side)
            allow(s, Word.YES)
            allow(s, Word.NO)
            return
        f.marks &= ~BORDER_ASK  # undeclared before the first roll: no bonus in this series
        _resolve(s, f)
        return
    if f.step != ChecksStep.TARGET:
        fail(s)
        return
    if f.left > 0:
        ask(s, Decision.CHECK, f.side)
        _allow_targets(s, f)
        if s.legal_count > 0:
            allow(s, Word.PASS)
            return
        withdraw(s)
    pop(s)


@jit
def answer_checks(s, f, action):
    """A target, the declaration of card 58, or the end of the series (ruling declining-ends-the-series)."""
    if action == Word.PASS:
        pop(s)
    elif action == Word.YES or action == Word.NO:
        f.marks = (f.marks & ~BORDER_ASK) | (BORDER_ON if action == Word.YES else 0)
    elif SPACE0 <= action < SPACE0 + S:
        f.target = action - SPACE0
        f.step = ChecksStep.ROLL
    else:
        fail(s)


@jit
def _resolve(s, f):
    """Roll, use up cards, move support points, pay, in this order (rule 6.2.5, ruling order-within-a-check)."""
    side, space = int(f.side), int(f.target)
    total = roll(s) + check_value(s, f, space) + check_modifiers(s, f, space)
    f.step = ChecksStep.TARGET
    f.left -= 1
    discard_used(s, EffectKind.CHECK_ROLLS, side, space)
    discard_used(s, EffectKind.NEIGHBOURS, side, space)
    moved = points_moved(total, space)
    if moved > 0:
        removed = take_support(s, 1 - side, space, moved)
        if moved > removed:
            change_support(s, side, space, moved - removed)
    score_vp(s, check_vp(s, side, space))
