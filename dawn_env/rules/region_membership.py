"""Membership of a space in a region of an event, the country it named included."""

import numpy as np

from dawn_env.cards.event_tables import REGION_BOUND, REGIONS
from dawn_env.support.compiling import jit
from dawn_env.tables import COUNTRY_OF, N

_IN_COUNTRY = np.arange(N + 1)[:, None] == COUNTRY_OF  # the last for no country, which is index -1

MEMBERS = (REGIONS[:, None] & (_IN_COUNTRY | ~REGION_BOUND[:, None, None])).astype(np.int8)
"""[regions, country named, S] 1 for the spaces in it; a bound region is empty until a country is named (-1)."""
MEMBERS.setflags(write=False)


@jit
def in_region(region, country, space):
    """Return True if a space lies in a region."""
    return MEMBERS[region, country, space] != 0
