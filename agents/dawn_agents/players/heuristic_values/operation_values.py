"""Values of operations: support points placed one by one, and support checks."""

from dawn_agents.players.heuristic_values.board_value import known_gain, open_country
from dawn_agents.players.heuristic_values.position_record import EVEN, SPACES_IN
from dawn_env.rules.board import map_variant
from dawn_env.rules.operations.operations import CHECKS_PER_OPERATION
from dawn_env.rules.operations.placement import cost, within_reach
from dawn_env.rules.operations.support_checks import banned, check_vp, points_moved, space_modifiers
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import COMMUNIST, COUNTRY_OF, STABILITY, S

_SECOND_CHECK = 0.85  # worth of the second check of an operation against the first
_WORST = -99.0


# --- placing ---------------------------------------------------------------------------------------


@jit
def _cost_after(p, side, space, placed):
    """Points for one more support point in a space where ``placed`` have been placed."""
    p.support[side, space] += placed
    points = cost(p, side, space)
    p.support[side, space] -= placed
    return points


@spliced
def most_placed(space):
    """Points that one thinks of placing in a space, at most."""
    return STABILITY[space] + 1


@jit
def write_rates(p, side, space, most):
    """Fill ``p.rates`` up to ``most``: best gain per operations point from placing so many in a space; low when none
    can be afforded."""
    open_country(p, COUNTRY_OF[space])
    best, spent, known = _WORST, 0, 0
    for count in range(1, most_placed(space) + 1):
        spent += _cost_after(p, side, space, count - 1)
        if spent > most:
            break
        while known < spent:
            p.rates[known] = best
            known += 1
        best = max(best, known_gain(p, side, space, count, 0) / spent)
    while known <= most:
        p.rates[known] = best
        known += 1


@jit
def placing_gain(first, second, points):
    """Worth of placing so many points at the best two rates, the best one for two."""
    near = min(points, 2)
    return first * near + second * (points - near)


@jit
def _placing_gain(p, side, points):
    """Worth of placing so many points on the board as it is tried."""
    p.first[points] = p.second[points] = 0
    variant = map_variant(p)
    for space in range(S):
        if within_reach(p, side, space, variant):
            write_rates(p, side, space, points)
            rank_rate(p, points, p.rates[points])
    return placing_gain(p.first[points], p.second[points], points)


@spliced
def rank_rate(best, points, rate):
    """Keep the best two rates of so many points in the fields ``first`` and ``second``."""
    first = best.first[points]
    best.second[points] = max(best.second[points], min(first, rate))
    best.first[points] = max(first, rate)


# --- checks ----------------------------------------------------------------------------------------


@jit
def may_check(p, side, space):
    """Return True if a side may check a space; a destroyed one has no support points."""
    return p.support[1 - side, space] > 0 and not banned(p, side, space)


@jit
def added_to_roll(p, side, space):
    """Number added to the die and the value of a check, before points move."""
    return points_moved(space_modifiers(p, side, space), space)


@jit
def write_shifts(p, side, space, most):
    """Fill ``p.shifts`` up to ``most``: what it is worth to move so many points by a check."""
    open_country(p, COUNTRY_OF[space])
    mine, theirs = int(p.support[side, space]), int(p.support[1 - side, space])
    last = min(most, max(1, theirs + EVEN - min(mine, EVEN)))  # more points do not matter
    for moved in range(1, last + 1):
        gone = min(moved, theirs)
        p.shifts[moved] = known_gain(p, side, space, moved - gone, -gone)
    for moved in range(last + 1, most + 1):
        p.shifts[moved] = p.shifts[last]


@jit
def check_gain(p, side, space, added):
    """Expected gain of a check, ``added`` to its die, where ``write_shifts`` has been."""
    worth = 0.0
    for die in range(max(1, 1 - added), 7):
        worth += p.shifts[die + added]
    return worth / 6 - (check_vp(p, side, space) if side == COMMUNIST else 0)


@jit
def series_gain(best, count):
    """Worth of a series of checks from that of the best one."""
    return best * (1 + _SECOND_CHECK * (count - 1)) if count > 0 else 0.0


@jit
def checks_gain(p, side, points, count, region):
    """Worth of up to ``count`` checks with so many points in a region, on the board as it is tried."""
    best = 0.0
    for space in SPACES_IN[region]:
        if space < 0:
            break
        if may_check(p, side, space):
            added = points + added_to_roll(p, side, space)
            write_shifts(p, side, space, 6 + added)
            best = max(best, check_gain(p, side, space, added))
    return series_gain(best, count)


# --- operations ------------------------------------------------------------------------------------


@jit
def operation_gain(p, side, points, region):
    """Worth of placing anywhere and of two checks in a region with an ops value, on the board as it is tried."""
    return _placing_gain(p, side, points), checks_gain(p, side, points, CHECKS_PER_OPERATION, region)
