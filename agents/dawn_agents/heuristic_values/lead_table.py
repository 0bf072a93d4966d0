"""Values of a country for other leads in one of its spaces, computed together and once.

``p`` is a POSITION record; its fields ``points``, ``fights`` and ``known`` are the table that is filled here. Leads are
the Democrat's, and count as far as they matter.
"""

import numpy as np

from dawn_agents.heuristic_values.country_value import (
    USABLE,
    as_far_as_control,
    control_degree,
    points_ahead,
    struggle_worth,
    surplus,
)
from dawn_agents.heuristic_values.position_record import EVEN
from dawn_env.rules.board import is_control
from dawn_env.support.compiling import jit, spliced
from dawn_env.tables import BATTLEGROUND, COMMUNIST, COUNTRY_OF, DEMOCRAT, TYPE_OF, S

_EACH_LEAD = range(-EVEN, EVEN + 1)


def _guard(lead: int, space: int) -> int:
    """Points beyond what the Democrat's control needs, below 0 the Communist's."""
    if is_control(lead, space):
        return surplus(lead, space)
    return -surplus(-lead, space) if is_control(-lead, space) else 0


GUARD = np.array([[_guard(lead, space) for lead in _EACH_LEAD] for space in range(S)], np.int8)
"""[S, LEADS] points beyond control, as far as they count; below 0 the Communist's."""
GROUND = BATTLEGROUND.astype(np.float64)
"""[S] 1 for battlegrounds."""


def shares_of(progress: float) -> np.ndarray:
    """[S, LEADS] how far each lead goes towards control by the Democrat (``country_value.control_degree``)."""
    return np.array([[control_degree(lead, space, progress) for lead in _EACH_LEAD] for space in range(S)])


@spliced
def at_lead(lead):
    """Index of a lead."""
    return min(max(lead, -EVEN), EVEN) + EVEN


@spliced
def at_control(lead, space):
    """Index of a lead, that of control at most."""
    return as_far_as_control(lead, space) + EVEN


@spliced
def mirrored(at):
    """Index of the Communist's lead from that of the Democrat's."""
    return 2 * EVEN - at


@spliced
def lead_in(p, space):
    """The Democrat's lead as it is."""
    return int(p.support[DEMOCRAT, space]) - int(p.support[COMMUNIST, space])


@spliced
def is_known(p, space, at):
    """Return True if the table has a lead."""
    return p.known[space] >> at & 1


# --- lists of leads --------------------------------------------------------------------------------


@spliced
def _usable_without(p, country, side, space, held):
    """``USABLE`` of a side that does not control the space."""
    types, kind = p.types[country, side], 1 << TYPE_OF[space]
    return USABLE[(types & ~kind) | (p.types_again[country, side] & kind) if held else types]


@jit
def _ask_space(p, space, first, last, count):
    """Enter the leads of a space from ``first`` to ``last`` that are not known into the list; its length."""
    country, lead = COUNTRY_OF[space], lead_in(p, space)
    share_d, share_c = p.shares[space, at_lead(lead)], p.shares[space, mirrored(at_lead(lead))]
    spaces_d, spaces_c = p.spaces[country, DEMOCRAT], p.spaces[country, COMMUNIST]
    grounds_d, grounds_c = p.grounds[country, DEMOCRAT], p.grounds[country, COMMUNIST]
    usable_d = _usable_without(p, country, DEMOCRAT, space, is_control(lead, space))
    usable_c = _usable_without(p, country, COMMUNIST, space, is_control(-lead, space))
    ground, known = GROUND[space], p.known[space]
    for at in range(first + EVEN, last + 1 + EVEN):
        if known >> at & 1:
            continue
        more_d, more_c = p.shares[space, at] - share_d, p.shares[space, mirrored(at)] - share_c
        p.ask_space[count], p.ask_at[count] = space, at
        p.ask_spaces[DEMOCRAT, count], p.ask_spaces[COMMUNIST, count] = spaces_d + more_d, spaces_c + more_c
        p.ask_grounds[DEMOCRAT, count] = grounds_d + ground * more_d
        p.ask_grounds[COMMUNIST, count] = grounds_c + ground * more_c
        p.ask_usable[DEMOCRAT, count], p.ask_usable[COMMUNIST, count] = usable_d, usable_c
        if is_control(at - EVEN, space):
            p.ask_usable[DEMOCRAT, count] = USABLE[p.types[country, DEMOCRAT] | 1 << TYPE_OF[space]]
        elif is_control(EVEN - at, space):
            p.ask_usable[COMMUNIST, count] = USABLE[p.types[country, COMMUNIST] | 1 << TYPE_OF[space]]
        count += 1
    return count


@jit
def _answer(p, country, count):
    """Judge the leads of the list, all in one country. The loops are simple enough to be done several at a time."""
    if count == 0:
        return
    spaces, grounds, usable, points, fights = p.ask_spaces, p.ask_grounds, p.ask_usable, p.ask_points, p.ask_fights
    weight, topple = p.weights[country, 1], p.w.topple
    for i in range(count):
        points[i] = points_ahead(country, spaces[0, i], spaces[1, i], grounds[0, i], grounds[1, i])
        fights[i] = 0.0
    if weight > 0:
        for i in range(count):
            fight = struggle_worth(country, spaces[0, i], spaces[1, i], usable[0, i], usable[1, i], topple)
            fights[i] = weight * fight
    for i in range(count):
        space, at = p.ask_space[i], p.ask_at[i]
        p.points[space, at], p.fights[space, at] = points[i], fights[i]
        p.known[space] |= 1 << at


@jit
def judge_lead(p, space, at):
    """Find out about one lead, unless it is known."""
    if not is_known(p, space, at):
        _answer(p, COUNTRY_OF[space], _ask_space(p, space, at - EVEN, at - EVEN, 0))


@jit
def judge_listed(p, side):
    """Find out about all leads that up to ``p.far`` points for a side bring in the spaces of ``p.listed``."""
    count, country = 0, 0
    for space in p.listed:
        if space < 0:
            break
        if COUNTRY_OF[space] != country:
            _answer(p, country, count)
            count, country = 0, COUNTRY_OF[space]
        lead, far = lead_in(p, space), p.far[space]
        now = as_far_as_control(lead, space)
        if side == DEMOCRAT:
            count = _ask_space(p, space, now + 1, as_far_as_control(lead + far, space), count)
        else:
            count = _ask_space(p, space, as_far_as_control(lead - far, space), now - 1, count)
    _answer(p, country, count)
