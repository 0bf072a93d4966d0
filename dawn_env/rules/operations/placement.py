"""Placement of support points bought with operations (rule 6.1)."""

from dawn_env.actions import SPACE0
from dawn_env.cards.event_tables import BOUND_OPS
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import MEMBERS, change_support, controls, in_region, is_control, map_variant
from dawn_env.rules.cards_in_play import any_acts, any_in, applies
from dawn_env.rules.frames import ask, count_allowed, pop, push, withdraw
from dawn_env.rules.operations.ops_values import in_bound_region, ops_value
from dawn_env.state import Decision, FrameKind
from dawn_env.support.compiling import jit
from dawn_env.tables import HALF, MAX_NEIGHBOURS, NEAR, NEIGHBOURS, S


@jit
def cost(s, side, space):
    """Points for one support point in a space now (rule 6.1.3)."""
    if not controls(s, 1 - side, space):
        return 1
    return 1 if any_in(s, EffectKind.DOUBLE_COST, side, space) else 2


@jit
def within_reach(s, side, space, variant):
    """Return True if a side has support points in a space or next to it (rule 6.1.2)."""
    if space == s.destroyed:
        return False
    if s.support[side, space] > 0:
        return True
    around = NEIGHBOURS[variant, space]
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            return False
        if s.support[side, around[i]] > 0:
            return True
    return False


@jit
def _bound_bonus(s, side, source, base):
    """Extra points of a placement wholly in the region of BOUND_OPS (ruling bonus-in-placement)."""
    if not applies(s, BOUND_OPS, side):
        return 0
    return ops_value(s, side, source, base, BOUND_OPS.amount) - ops_value(s, side, source, base, 0)


@jit
def budget(points, bonus, space):
    """Points that can be spent in a space, the bonus counting in the region of BOUND_OPS only."""
    return points + (bonus if in_bound_region(space) else 0)


@jit
def can_place(s, side, source, base, region):
    """Return True if at least one support point is affordable (ruling placement-needs-a-target)."""
    points = ops_value(s, side, source, base, 0)
    bonus = _bound_bonus(s, side, source, base)
    variant = map_variant(s)
    for space in range(S):
        if in_region(region, -1, space) and within_reach(s, side, space, variant):
            if cost(s, side, space) <= budget(points, bonus, space):
                return True
    return False


@jit
def start_placement(s, side, source, base, region):
    """Push a placement: points and spaces within reach are fixed now (rule 6.1.2, ruling values-when-needed)."""
    f = push(s, FrameKind.PLACEMENT, side, source)
    f.value = ops_value(s, side, source, base, 0)
    f.left, f.bonus, f.region = f.value, _bound_bonus(s, side, source, base), region
    _mark_reach(s, side, MEMBERS[region, -1])


@jit
def _mark_reach(s, side, inside):
    """``within_reach`` of all spaces that are ``inside``; the board in halves, since a set of bits holds no more."""
    near, support = NEAR[map_variant(s)], s.support[side]
    first, second = 0, 0
    for space in range(S):
        here = -int(support[space] > 0)
        first |= int(near[0, space]) & here
        second |= int(near[1, space]) & here
    for space in range(HALF):
        s.reach[space] = inside[space] & (first >> space & 1)
    for space in range(HALF, S):
        s.reach[space] = inside[space] & (second >> space - HALF & 1)


@jit
def step_placement(s, f):
    """Ask for the next space, or finish when nothing is affordable."""
    ask(s, Decision.OPS_PLACE, f.side)
    _allow_affordable(s, f)
    if s.legal_count == 0:
        withdraw(s)
        s.reach[:] = 0
        pop(s)


@jit
def _allow_affordable(s, f):
    """Spaces within reach that what is left pays for; control says what one costs, where no card in play does."""
    side, left, bonus = int(f.side), int(f.left), int(f.bonus)
    mine, theirs = s.support[side], s.support[1 - side]
    if any_acts(s, EffectKind.DOUBLE_COST, side):
        for space in range(S):
            s.legal[SPACE0 + space] = s.reach[space] & int(cost(s, side, space) <= budget(left, bonus, space))
    else:
        for space in range(S):
            price = 1 + int(is_control(theirs[space] - mine[space], space))
            s.legal[SPACE0 + space] = s.reach[space] & int(price <= budget(left, bonus, space))
    count_allowed(s, SPACE0, SPACE0 + S)


@jit
def answer_placement(s, f, action):
    """Buy one support point."""
    space = action - SPACE0
    f.left -= cost(s, f.side, space)
    if not in_bound_region(space):
        f.bonus = 0
    change_support(s, f.side, space, 1)
