"""Values of the countries on the board of a POSITION ``p``, in victory points, Democrat positive.

``gain`` asks what a change would be worth, ``apply_change`` makes it. A country is looked at when something is asked
about it, and again after each change. Values of a country for the leads that there can be in one of its spaces are kept
in a table, the fields ``points``, ``fights`` and ``known``. Leads are the Democrat's, and count as far as they matter.
"""

import numpy as np

from dawn_agents.players.heuristic_values.country_value import (
    USABLE,
    as_far_as_control,
    control_degree,
    points_ahead,
    struggle_worth,
    surplus,
)
from dawn_agents.players.heuristic_values.position_record import EVEN
from dawn_env.rules.board import is_control
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import BATTLEGROUND, COMMUNIST, COUNTRY_OF, DEMOCRAT, FIRST_SPACE, TYPE_OF, N, S

_EACH_LEAD = range(-EVEN, EVEN + 1)


def _guard(lead: int, space: int) -> int:
    """Points beyond what the Democrat's control needs, below 0 the Communist's."""
    if is_control(lead, space):
        return surplus(lead, space)
    return -surplus(-lead, space) if is_control(-lead, space) else 0


_GUARD = np.array([[_guard(lead, space) for lead in _EACH_LEAD] for space in range(S)], np.int8)
"""[S, LEADS] points beyond control, as far as they count; below 0 the Communist's."""
_GROUND = BATTLEGROUND.astype(np.float64)
"""[S] 1 for battlegrounds."""


def shares_of(progress: float) -> np.ndarray:
    """[S, LEADS] how far each lead goes towards control by the Democrat (``country_value.control_degree``)."""
    return np.array([[control_degree(lead, space, progress) for lead in _EACH_LEAD] for space in range(S)])


@spliced
def _at_lead(lead):
    """Table index of a lead, which is clipped."""
    return min(max(lead, -EVEN), EVEN) + EVEN


@spliced
def _mirrored(at):
    """Table index of the Communist's lead, given that of the Democrat's."""
    return 2 * EVEN - at


@spliced
def _lead_in(p, space):
    """Support of the Democrat less that of the Communist in a space, not clipped."""
    return int(p.support[DEMOCRAT, space]) - int(p.support[COMMUNIST, space])


# --- the sums of each country ----------------------------------------------------------------------


@spliced
def _extras(p, space, democrat, communist):
    """Footholds, and what guards control against checks."""
    footholds = int(democrat > 0) - int(communist > 0)
    return p.w.foothold * footholds + p.w.cushion * _GUARD[space, _at_lead(democrat - communist)]


@jit
def _sum_spaces(p, country):
    """Spaces and battlegrounds of both sides; footholds and the like."""
    spaces_d = spaces_c = grounds_d = grounds_c = small = 0.0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        at = _at_lead(_lead_in(p, space))
        share_d, share_c = p.shares[space, at], p.shares[space, _mirrored(at)]
        spaces_d += share_d
        spaces_c += share_c
        grounds_d += _GROUND[space] * share_d
        grounds_c += _GROUND[space] * share_c
        p.extras[space] = _extras(p, space, int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space]))
        small += p.extras[space]
    p.spaces[country, DEMOCRAT], p.spaces[country, COMMUNIST] = spaces_d, spaces_c
    p.grounds[country, DEMOCRAT], p.grounds[country, COMMUNIST], p.small[country] = grounds_d, grounds_c, small


@jit
def _sum_types(p, country):
    types_d = types_c = again_d = again_c = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        lead, kind = _lead_in(p, space), 1 << TYPE_OF[space]
        held_d, held_c = kind if is_control(lead, space) else 0, kind if is_control(-lead, space) else 0
        again_d, again_c = again_d | types_d & held_d, again_c | types_c & held_c
        types_d, types_c = types_d | held_d, types_c | held_c
    p.types[country, DEMOCRAT], p.types[country, COMMUNIST] = types_d, types_c
    p.types_again[country, DEMOCRAT], p.types_again[country, COMMUNIST] = again_d, again_c


@jit
def reset(p):
    """Invalidate all cached country sums and the undo stack, after new support points or weights."""
    p.summed, p.weighed, p.tries = 0, 0, 0


@jit
def _open_sums(p, country):
    """Compute a country's sums unless they are current."""
    if not p.summed >> country & 1:
        p.summed |= 1 << country
        p.changed[country] = FIRST_SPACE[country]
        _sum_spaces(p, country)


@jit
def open_country(p, country):
    """Compute the worth of a country, unless it stands."""
    if p.weighed >> country & 1:
        return
    _open_sums(p, country)
    p.weighed |= 1 << country
    _sum_types(p, country)
    p.known[FIRST_SPACE[country] : FIRST_SPACE[country + 1]] = 0
    space = p.changed[country]
    p.worth[country] = _value_after(p, space, int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space]))


@jit
def worth_now(p, country):
    """Worth of scoring a country as it stands, its struggle included."""
    open_country(p, country)
    spaces, grounds, types = p.spaces[country], p.grounds[country], p.types[country]
    points = points_ahead(country, spaces[DEMOCRAT], spaces[COMMUNIST], grounds[DEMOCRAT], grounds[COMMUNIST])
    usable_d, usable_c = USABLE[types[DEMOCRAT]], USABLE[types[COMMUNIST]]
    return points + struggle_worth(country, spaces[DEMOCRAT], spaces[COMMUNIST], usable_d, usable_c, p.w.topple)


@jit
def board_value(p):
    """Sum over the countries, each of which is looked at."""
    for country in range(N):
        open_country(p, country)
    return p.worth.sum()


# --- other leads -----------------------------------------------------------------------------------


@spliced
def _usable_without(p, country, side, space, held):
    """``USABLE`` of a side that does not control the space."""
    types, kind = p.types[country, side], 1 << TYPE_OF[space]
    return USABLE[(types & ~kind) | (p.types_again[country, side] & kind) if held else types]


@jit
def _judge_lead(p, space, at):
    """Enter a lead into the table."""
    country, lead = COUNTRY_OF[space], _lead_in(p, space)
    more_d = p.shares[space, at] - p.shares[space, _at_lead(lead)]
    more_c = p.shares[space, _mirrored(at)] - p.shares[space, _mirrored(_at_lead(lead))]
    spaces_d, spaces_c = p.spaces[country, DEMOCRAT] + more_d, p.spaces[country, COMMUNIST] + more_c
    grounds_d = p.grounds[country, DEMOCRAT] + _GROUND[space] * more_d
    grounds_c = p.grounds[country, COMMUNIST] + _GROUND[space] * more_c
    p.points[space, at] = points_ahead(country, spaces_d, spaces_c, grounds_d, grounds_c)
    p.fights[space, at] = 0.0
    if p.weights[country, 1] > 0:
        usable_d = _usable_without(p, country, DEMOCRAT, space, is_control(lead, space))
        usable_c = _usable_without(p, country, COMMUNIST, space, is_control(-lead, space))
        if is_control(at - EVEN, space):
            usable_d = USABLE[p.types[country, DEMOCRAT] | 1 << TYPE_OF[space]]
        elif is_control(EVEN - at, space):
            usable_c = USABLE[p.types[country, COMMUNIST] | 1 << TYPE_OF[space]]
        fight = struggle_worth(country, spaces_d, spaces_c, usable_d, usable_c, p.w.topple)
        p.fights[space, at] = p.weights[country, 1] * fight
    p.known[space] |= 1 << at


@spliced
def _value_after(p, space, democrat, communist):
    """Value of a space's country with these points in the space."""
    country, at = COUNTRY_OF[space], as_far_as_control(democrat - communist, space) + EVEN
    if not p.known[space] >> at & 1:
        _judge_lead(p, space, at)
    small = p.small[country] + _extras(p, space, democrat, communist) - p.extras[space]
    return p.weights[country, 0] * (p.points[space, at] + small) + p.fights[space, at]


# --- changes ---------------------------------------------------------------------------------------


@spliced
def _points_after(p, side, space, mine, theirs):
    """Points of the Democrat and of the Communist in a space after a change by a side."""
    own, other = max(0, int(p.support[side, space]) + mine), max(0, int(p.support[1 - side, space]) + theirs)
    return (own, other) if side == DEMOCRAT else (other, own)


@spliced
def known_gain(p, side, space, mine, theirs):
    """``gain`` where the country has been opened; quicker in loops."""
    democrat, communist = _points_after(p, side, space, mine, theirs)
    more = _value_after(p, space, democrat, communist) - p.worth[COUNTRY_OF[space]]
    return more if side == DEMOCRAT else -more


@jit
def gain(p, side, space, mine, theirs):
    """Value to a side of adding points to a space (below 0: to take away as many as there are)."""
    open_country(p, COUNTRY_OF[space])
    return known_gain(p, side, space, mine, theirs)


@jit
def _count_space(p, space, sign):
    """Enter a space into the sums of its country, or take it out."""
    country, at = COUNTRY_OF[space], _at_lead(_lead_in(p, space))
    p.extras[space] = _extras(p, space, int(p.support[DEMOCRAT, space]), int(p.support[COMMUNIST, space]))
    p.small[country] += sign * p.extras[space]
    held_d, held_c = sign * p.shares[space, at], sign * p.shares[space, _mirrored(at)]
    p.spaces[country, DEMOCRAT] += held_d
    p.spaces[country, COMMUNIST] += held_c
    p.grounds[country, DEMOCRAT] += _GROUND[space] * held_d
    p.grounds[country, COMMUNIST] += _GROUND[space] * held_c


@jit
def _count_change(p, space, democrat, communist):
    """Change the points in a space and the sums of its country."""
    _count_space(p, space, -1)
    p.support[DEMOCRAT, space], p.support[COMMUNIST, space] = democrat, communist
    _count_space(p, space, 1)
    p.changed[COUNTRY_OF[space]] = space
    p.weighed &= ~(1 << COUNTRY_OF[space])


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
