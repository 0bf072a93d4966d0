"""The spaces of a region as a list, which is quicker to go through than its mask."""

import numpy as np

from dawn_env.cards.events import REGIONS
from dawn_env.support.compiling import jit
from dawn_env.tables import S

EVERYWHERE, SCOPE = 0, -1
"""Regions beside those of the events: everything; the ``scope`` of the position."""


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


@jit
def nth_space(p, region, i):
    """A space of a region by its place in the list, -1 behind the last one."""
    return int(p.scope[i]) if region == SCOPE else SPACES_IN[region, i]
