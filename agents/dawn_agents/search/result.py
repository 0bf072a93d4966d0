"""Results of a search."""

from typing import NamedTuple

import numpy as np


class SearchResult(NamedTuple):
    """Statistics of the actions at the root.

    ``action``: its choice. ``visits`` int64 [A]: simulations that began with an action. ``values`` float64 [A]:
    their means in -1 ... 1, Democrat positive, 0 where unvisited.
    """

    action: int
    visits: np.ndarray
    values: np.ndarray
