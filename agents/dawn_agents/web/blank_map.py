"""The map at the beginning of a game as a picture, made from the printed data alone, without the rules."""

from functools import cache

import numpy as np

from dawn_env.picture.board_geometry import MAP, NARROW
from dawn_env.picture.drawing import map_svg
from dawn_env.picture.viewer_position import CountryStatus
from dawn_env.tables import SETUP, STABILITY, N

LAYOUTS = {"wide": MAP, "narrow": NARROW}
MAP_ROOT = "map"
"""Class of the map's SVG; ``page_facts.theme_css`` has the styles."""


class _PrintedMap:
    """The set-up, as ``map_svg`` takes a position."""

    support = np.asarray(SETUP, int)
    _lead = support[0] - support[1]
    holders = np.where(_lead >= STABILITY, 0, np.where(-_lead >= STABILITY, 1, -1)).tolist()
    scores = (0,) * N
    hideout, move = -1, None
    status_is_score = True

    def __init__(self, destroyed: int):
        self.destroyed = destroyed

    def standing(self, country: int, in_full: bool) -> CountryStatus:
        """Nothing to be said yet."""
        return CountryStatus(-1, "", "")


@cache
def blank_map(layout: str, destroyed: int) -> str:
    """SVG of the map in one of ``LAYOUTS``; ``destroyed``: space without connections (Systematization), -1 for none."""
    return map_svg(_PrintedMap(destroyed), LAYOUTS[layout], MAP_ROOT)
