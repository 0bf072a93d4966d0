"""Support points, control, adjacency, regions and victory points (rules 2.1, 10.1)."""

import numpy as np

from dawn_env.cards.event_tables import REGION_BOUND, REGIONS
from dawn_env.state import Reason, Result
from dawn_env.support.compiling import jit
from dawn_env.tables import COUNTRY_OF, DEMOCRAT, FIRST_ROMANIAN, FIRST_SPACE, MAX_NEIGHBOURS, NEIGHBOURS, STABILITY, N


@jit
def is_control(lead, space):
    """Return True if a lead in support points is control of a space (rule 2.1.7)."""
    return lead >= STABILITY[space]


@jit
def controls(s, side, space):
    """Return True if a side controls a space."""
    return is_control(s.support[side, space] - s.support[1 - side, space], space)


@jit
def map_variant(s):
    """Row of NEIGHBOURS in force: Systematization (69) may have changed them."""
    return 0 if s.destroyed < 0 else s.destroyed - FIRST_ROMANIAN + 1


@jit
def controlled_neighbours(s, side, space):
    """Number of neighbours of a space that a side controls."""
    around = NEIGHBOURS[map_variant(s), space]
    count = 0
    for i in range(MAX_NEIGHBOURS):
        if around[i] < 0:
            break
        count += controls(s, side, around[i])
    return count


@jit
def controlled_in(s, side, country):
    """Number of spaces of a country that a side controls."""
    count = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        count += controls(s, side, space)
    return count


@jit
def end_game(s, result, reason):
    """Finish the game; later calls change nothing (ruling victory-at-once)."""
    if s.result == Result.RUNNING:
        s.result, s.reason = result, reason


@jit
def test_victory(s):
    """Automatic victory (rule 10.1)."""
    if s.vp >= 20:
        end_game(s, Result.DEMOCRAT, Reason.AUTOMATIC_VICTORY)
    elif s.vp <= -20:
        end_game(s, Result.COMMUNIST, Reason.AUTOMATIC_VICTORY)


@jit
def score_vp(s, vp):
    """Move the VP marker (Democrat positive) and test for victory unless that has to wait."""
    if s.result != Result.RUNNING:
        return
    s.vp += vp
    if not s.victory_waits:
        test_victory(s)


@jit
def change_support(s, side, space, change):
    """Add or take support points; a destroyed space takes none (ruling destroyed-space-does-nothing), a finished
    game neither (ruling victory-at-once)."""
    if space == s.destroyed or s.result != Result.RUNNING:
        return
    s.support[side, space] += change
    if space == s.hideout and controls(s, DEMOCRAT, space):  # capture of the Ceausescus (rule 7.6.5)
        s.hideout = -1
        score_vp(s, 2)


@jit
def take_support(s, side, space, most):
    """Remove up to ``most`` support points of a side; returns how many went."""
    gone = min(most, int(s.support[side, space]))
    if gone > 0:
        change_support(s, side, space, -gone)
    return gone


@jit
def missing_for_control(s, side, space):
    """Support points a side lacks for control of a space (rule 2.1.7)."""
    if space == s.destroyed:
        return 0
    return max(0, STABILITY[space] + s.support[1 - side, space] - s.support[side, space])


@jit
def support_in(s, side, country):
    """Support points of a side in a country."""
    total = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        total += s.support[side, space]
    return total


@jit
def countries_held(s, side):
    """Number of countries in which a side holds Power."""
    count = 0
    for country in range(N):
        count += s.power[country] == side
    return count


_IN_COUNTRY = np.arange(N + 1)[:, None] == COUNTRY_OF  # the last for no country, which is index -1

MEMBERS = (REGIONS[:, None] & (_IN_COUNTRY | ~REGION_BOUND[:, None, None])).astype(np.int8)
"""[regions, country named, S] 1 for the spaces in it; a bound region is empty until a country is named (-1)."""
MEMBERS.setflags(write=False)


@jit
def in_region(region, country, space):
    """Return True if a space lies in a region."""
    return MEMBERS[region, country, space] != 0
