"""Values of the countries on the board of a POSITION ``p``, in victory points, Democrat positive.

``gain`` asks what a change would be worth, ``apply_change`` makes it. A country is looked at when something is asked
about it, and again after each change.
"""

from dawn_agents.heuristic_values.country_value import USABLE, points_ahead, struggle_worth
from dawn_agents.heuristic_values.lead_table import (
    GROUND,
    GUARD,
    at_control,
    at_lead,
    judge_lead,
    judge_listed,
    lead_in,
    mirrored,
)
from dawn_agents.heuristic_values.position_record import COUNTRIES_IN, EVERYWHERE
from dawn_env.rules.board import is_control
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import COMMUNIST, COUNTRY_OF, DEMOCRAT, FIRST_SPACE, TYPE_OF, N

# --- the sums of each country ----------------------------------------------------------------------


@spliced
def _extras(p, space, democrat, communist):
    """Footholds, and what guards control against checks."""
    footholds = int(democrat > 0) - int(communist > 0)
    return p.w.foothold * footholds + p.w.cushion * GUARD[space, at_lead(democrat - communist)]


@jit
def _sum_spaces(p, country):
    """Spaces and battlegrounds of both sides; footholds and the like."""
    spaces_d = spaces_c = grounds_d = grounds_c = small = 0.0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        at = at_lead(lead_in(p, space))
        share_d, share_c = p.shares[space, at], p.shares[space, mirrored(at)]
        spaces_d += share_d
        spaces_c += share_c
        grounds_d += GROUND[space] * share_d
        grounds_c += GROUND[space] * share_c
        p.extras[space] = _extras(p, space, int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space]))
        small += p.extras[space]
    p.spaces[country, DEMOCRAT], p.spaces[country, COMMUNIST] = spaces_d, spaces_c
    p.grounds[country, DEMOCRAT], p.grounds[country, COMMUNIST], p.small[country] = grounds_d, grounds_c, small


@jit
def _sum_types(p, country):
    types_d = types_c = again_d = again_c = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        lead, kind = lead_in(p, space), 1 << TYPE_OF[space]
        held_d, held_c = kind if is_control(lead, space) else 0, kind if is_control(-lead, space) else 0
        again_d, again_c = again_d | types_d & held_d, again_c | types_c & held_c
        types_d, types_c = types_d | held_d, types_c | held_c
    p.types[country, DEMOCRAT], p.types[country, COMMUNIST] = types_d, types_c
    p.types_again[country, DEMOCRAT], p.types_again[country, COMMUNIST] = again_d, again_c


@jit
def _weigh(p, country):
    """Find out what a country is worth; what it was worth with other leads is forgotten."""
    _sum_types(p, country)
    points = _points_now(p, country)
    fight = p.weights[country, 1] * _fight_now(p, country) if p.weights[country, 1] > 0 else 0.0
    for other in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        at = at_control(lead_in(p, other), other)
        p.points[other, at], p.fights[other, at], p.known[other] = points, fight, 1 << at
    space = p.changed[country]
    p.worth[country] = _value_after(p, space, int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space]))


@jit
def reset(p):
    """Begin with new support points or weights: no country has been looked at, and nothing tried."""
    p.summed, p.weighed, p.touched, p.tries = 0, 0, 0, 0


@jit
def _open_sums(p, country):
    """Have the sums of a country at hand."""
    if not p.summed >> country & 1:
        p.summed |= 1 << country
        p.changed[country] = FIRST_SPACE[country]
        _sum_spaces(p, country)


@jit
def open_country(p, country):
    """Compute the worth of a country, for ``lead_table`` and ``known_gain``."""
    if not p.weighed >> country & 1:
        _open_sums(p, country)
        p.weighed |= 1 << country
        _weigh(p, country)


@jit
def open_region(p, region):
    """The same for all countries of a region."""
    for country in range(N):
        if COUNTRIES_IN[region] >> country & 1:
            open_country(p, country)


@jit
def judge_opened(p, side):
    """``judge_listed``, the countries of the spaces being opened."""
    for space in p.listed:
        if space < 0:
            break
        open_country(p, COUNTRY_OF[space])
    judge_listed(p, side)


@jit
def _points_now(p, country):
    spaces, grounds = p.spaces[country], p.grounds[country]
    return points_ahead(country, spaces[DEMOCRAT], spaces[COMMUNIST], grounds[DEMOCRAT], grounds[COMMUNIST])


@jit
def _fight_now(p, country):
    spaces, types = p.spaces[country], p.types[country]
    usable_d, usable_c = USABLE[types[DEMOCRAT]], USABLE[types[COMMUNIST]]
    return struggle_worth(country, spaces[DEMOCRAT], spaces[COMMUNIST], usable_d, usable_c, p.w.topple)


@jit
def worth_now(p, country):
    """Worth of scoring a country as it stands, its struggle included."""
    open_country(p, country)
    return _points_now(p, country) + _fight_now(p, country)


@jit
def board_value(p):
    """Sum over the countries."""
    open_region(p, EVERYWHERE)
    return p.worth.sum()


# --- changes ---------------------------------------------------------------------------------------


@spliced
def _value_after(p, space, democrat, communist):
    """Value of a space's country with these points in the space, from ``lead_table``."""
    country, at = COUNTRY_OF[space], at_control(democrat - communist, space)
    small = p.small[country] + _extras(p, space, democrat, communist) - p.extras[space]
    return p.weights[country, 0] * (p.points[space, at] + small) + p.fights[space, at]


@spliced
def _points_after(p, side, space, mine, theirs):
    """Points of the Democrat and of the Communist in a space after a change by a side."""
    own, other = max(0, int(p.support[side, space]) + mine), max(0, int(p.support[1 - side, space]) + theirs)
    return (own, other) if side == DEMOCRAT else (other, own)


@spliced
def known_gain(p, side, space, mine, theirs):
    """``gain`` where ``judge_listed`` has found out about the lead; quicker in loops."""
    democrat, communist = _points_after(p, side, space, mine, theirs)
    more = _value_after(p, space, democrat, communist) - p.worth[COUNTRY_OF[space]]
    return more if side == DEMOCRAT else -more


@jit
def gain(p, side, space, mine, theirs):
    """Value to a side of adding points to a space (below 0: to take away as many as there are)."""
    democrat, communist = _points_after(p, side, space, mine, theirs)
    open_country(p, COUNTRY_OF[space])
    judge_lead(p, space, at_control(democrat - communist, space))
    return known_gain(p, side, space, mine, theirs)


@jit
def _count_space(p, space, sign):
    """Enter a space into the sums of its country, or take it out."""
    country, at = COUNTRY_OF[space], at_lead(lead_in(p, space))
    p.extras[space] = _extras(p, space, int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space]))
    p.small[country] += sign * p.extras[space]
    held_d, held_c = sign * p.shares[space, at], sign * p.shares[space, mirrored(at)]
    p.spaces[country, DEMOCRAT] += held_d
    p.spaces[country, COMMUNIST] += held_c
    p.grounds[country, DEMOCRAT] += GROUND[space] * held_d
    p.grounds[country, COMMUNIST] += GROUND[space] * held_c


@jit
def _count_change(p, space, democrat, communist):
    """Change the points in a space and the sums of its country."""
    _count_space(p, space, -1)
    p.support[DEMOCRAT, space], p.support[COMMUNIST, space] = democrat, communist
    _count_space(p, space, 1)
    country = COUNTRY_OF[space]
    p.changed[country] = space
    p.touched |= 1 << country
    p.weighed &= ~(1 << country)


@jit
def apply_change(p, side, space, mine, theirs):
    """Try the change ``gain`` asks about; ``undo_changes`` undoes all that was tried."""
    p.tried[p.tries, 0] = space
    p.tried[p.tries, 1], p.tried[p.tries, 2] = p.support[DEMOCRAT, space], p.support[COMMUNIST, space]
    p.tries += 1
    democrat, communist = _points_after(p, side, space, mine, theirs)
    _open_sums(p, COUNTRY_OF[space])
    _count_change(p, space, democrat, communist)


@jit
def undo_changes(p):
    """The board as it was before anything was tried."""
    for i in range(p.tries - 1, -1, -1):
        before = p.tried[i]
        _count_change(p, int(before[0]), before[1], before[2])
    p.tries = 0
