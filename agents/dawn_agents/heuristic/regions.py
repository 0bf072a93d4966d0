"""The spaces of a region as a list, which is quicker to go through than its mask; the countries it lies in."""

import numpy as np

from dawn_env.cards.events import REGIONS
from dawn_env.tables import COUNTRY_OF, N, S

EVERYWHERE = 0
"""The region that is everything."""


def _space_lists() -> np.ndarray:
    lists = np.full((len(REGIONS), S + 1), -1, np.int64)
    for region, mask in enumerate(REGIONS):
        spaces = np.flatnonzero(mask)
        lists[region, : len(spaces)] = spaces
    lists.setflags(write=False)
    return lists


SPACES_IN = _space_lists()
"""[R, S + 1] spaces of each region of ``cards.events``, ascending, ended by -1; the country that an event names is left
out of account."""
COUNTRIES_IN = np.array(
    [sum(1 << country for country in range(N) if mask[COUNTRY_OF == country].any()) for mask in REGIONS]
)
"""[R] bits of the countries in which each region has spaces."""
