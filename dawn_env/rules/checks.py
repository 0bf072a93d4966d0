"""Support checks (rule 5.2)."""

from dawn_env.actions import NO, PASS, SPACE0, YES
from dawn_env.rules.board import change_support, controlled_neighbours, controls, score_vp, take_support
from dawn_env.rules.cards import in_play, put
from dawn_env.rules.chance import roll
from dawn_env.rules.regions import in_region
from dawn_env.rules.stack import allow, ask, pop, push, withdraw
from dawn_env.rules.values import ops_value
from dawn_env.state import (
    BONUS,
    BORDER_BONUS,
    CHECK,
    CHECKS_FRAME,
    COUNTRY_NAMED,
    FLAGS,
    LEFT,
    PC,
    REGION,
    REMOVED,
    SIDE,
    SOURCE,
    STEP,
    VALUE,
)
from dawn_env.support.compiling import jit
from dawn_env.tables import (
    BULGARIA,
    COMMUNIST,
    COUNTRY_OF,
    DEMOCRAT,
    EAST_GERMANY,
    INTELLECTUAL,
    ROMANIA,
    SPACE_ID,
    STABILITY,
    STUDENT,
    TYPE_OF,
    S,
)

_GDANSK, _LEIPZIG, _RUSE = SPACE_ID["Gdansk"], SPACE_ID["Leipzig"], SPACE_ID["Ruse"]

# Flags of a series of checks.
BORDER_ASK, BORDER_ON, BORDER_AUTO, KREMLIN = 1, 2, 4, 8
"""Card 58: the bonus is still to be declared; was declared; applies to every East German target without
asking. KREMLIN: targets need no opposing support points (card 109)."""

_TARGET, _ROLL = range(2)


@jit
def start_checks(s, side, source, base, count, region, country, bonus, bound_to_germany):
    """Push a series of checks; ``bonus`` is added to every roll."""
    f = push(s, CHECKS_FRAME, side, source)
    f[LEFT], f[VALUE], f[REGION], f[COUNTRY_NAMED], f[BONUS] = count, base, region, country, bonus
    f[FLAGS] = BORDER_AUTO if count == 1 or bound_to_germany else BORDER_ASK
    return f


@jit
def banned(s, side, space):
    """Bans on Communist checks: cards 2, 48, 49."""
    if side == DEMOCRAT:
        return False
    if space == _GDANSK and in_play(s, 2):
        return True
    if space == _LEIPZIG and in_play(s, 48):
        return True
    return COUNTRY_OF[space] == s.debt_burden


@jit
def _legal_target(s, f, space):
    if space == s.destroyed or not in_region(f[REGION], f[COUNTRY_NAMED], space):
        return False
    if s.support[1 - f[SIDE], space] == 0 and not f[FLAGS] & KREMLIN:
        return False
    if f[FLAGS] & BORDER_ON and COUNTRY_OF[space] != EAST_GERMANY:
        return False
    return not banned(s, f[SIDE], space)


@jit
def _border_is_open(s, f):
    return f[SIDE] == DEMOCRAT and in_play(s, 58)


@jit
def check_value(s, f, space):
    """Ops value of a check of this series in a space, card 58 included (rule 6)."""
    german = COUNTRY_OF[space] == EAST_GERMANY
    border = _border_is_open(s, f) and german and f[FLAGS] & (BORDER_ON | BORDER_AUTO) != 0
    return ops_value(s, int(f[SIDE]), f[SOURCE], f[VALUE], int(border))


@jit
def check_modifiers(s, f, space):
    """All that is added to die and ops value of a check of this series."""
    return int(f[BONUS]) + space_modifiers(s, int(f[SIDE]), space)


@jit
def space_modifiers(s, side, space):
    """What is added to every check of a side in a space: adjacency, cards 9, 30, 59, 74, 100, 101."""
    modifier = controlled_neighbours(s, side, space)
    country = COUNTRY_OF[space]
    wall = side == COMMUNIST and country == EAST_GERMANY and in_play(s, 9)
    if not wall:
        modifier -= controlled_neighbours(s, 1 - side, space)
    if side == COMMUNIST and TYPE_OF[space] == STUDENT and in_play(s, 30):
        modifier += 1
    if side == DEMOCRAT:
        if country == EAST_GERMANY and in_play(s, 59):
            modifier -= 1
        if country != ROMANIA and country != BULGARIA and in_play(s, 74):
            modifier += 1
        if country == ROMANIA and in_play(s, 101):
            modifier -= 1
    if s.stand_fast == 1 - side and controls(s, 1 - side, space):
        modifier -= 1
    return modifier


@jit
def points_moved(total, space):
    """Support points that a modified roll moves in a space; none when it is 0 or below."""
    return total - 2 * STABILITY[space]


@jit
def step_checks(s, f):
    """Name the next target, or roll for the one named."""
    if f[STEP] == _ROLL:
        if _border_is_open(s, f):
            if f[FLAGS] & BORDER_ASK and COUNTRY_OF[f[PC]] == EAST_GERMANY:
                ask(s, BORDER_BONUS, f[SIDE])
                allow(s, YES)
                allow(s, NO)
                return
        f[FLAGS] &= ~BORDER_ASK  # undeclared before the first roll: no bonus in this series
        _resolve(s, f)
        return
    if f[LEFT] > 0:
        ask(s, CHECK, f[SIDE])
        for space in range(S):
            if _legal_target(s, f, space):
                allow(s, SPACE0 + space)
        if s.legal_count > 0:
            allow(s, PASS)
            return
        withdraw(s)
    pop(s)


@jit
def answer_checks(s, f, action):
    """A target, the declaration of card 58, or the end of the series."""
    if action == PASS:
        pop(s)
    elif action == YES or action == NO:
        f[FLAGS] = (f[FLAGS] & ~BORDER_ASK) | (BORDER_ON if action == YES else 0)
    else:
        f[PC] = action - SPACE0
        f[STEP] = _ROLL


@jit
def _resolve(s, f):
    """Roll, use up 9 and 30, move support points, then the riders (ours O12)."""
    side, space = int(f[SIDE]), int(f[PC])
    total = roll(s) + check_value(s, f, space) + check_modifiers(s, f, space)
    f[STEP] = _TARGET
    f[LEFT] -= 1
    if side == COMMUNIST:
        _use_up(s, space)
    moved = points_moved(total, space)
    if moved > 0:
        removed = take_support(s, 1 - side, space, moved)
        if moved > removed:
            change_support(s, side, space, moved - removed)
    if side == COMMUNIST:
        score_vp(s, payment(s, space))


@jit
def _use_up(s, space):
    """The Wall (9) and Tear Gas (30) serve one Communist check of their kind."""
    if COUNTRY_OF[space] == EAST_GERMANY and in_play(s, 9):
        put(s, 9, REMOVED)
    if TYPE_OF[space] == STUDENT and in_play(s, 30):
        put(s, 30, REMOVED)


@jit
def payment(s, space):
    """Victory points that Helsinki (26) and Eco-Glasnost (39) pay the Democrat for a Communist check."""
    helsinki = in_play(s, 26) and (TYPE_OF[space] == STUDENT or TYPE_OF[space] == INTELLECTUAL)
    return int(helsinki) + int(in_play(s, 39) and space == _RUSE)
