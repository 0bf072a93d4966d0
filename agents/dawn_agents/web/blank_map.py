"""The map at the beginning of a game as a picture, made from the printed data alone, without the rules."""

from functools import cache

import numpy as np

from dawn_agents.web.position_messages import LAYOUTS, MAP_ROOT
from dawn_env.picture.country_panels import board_parts
from dawn_env.picture.drawing import map_svg
from dawn_env.picture.viewer_position import CountryStatus
from dawn_env.tables import SETUP, STABILITY, N


class _PrintedMap:
    """The set-up, as ``board_parts`` takes a position."""

    support = np.asarray(SETUP, int)
    _lead = support[0] - support[1]
    holders = np.where(_lead >= STABILITY, 0, np.where(-_lead >= STABILITY, 1, -1)).tolist()
    scores = (0,) * N
    destroyed, hideout, move = -1, -1, None
    status_is_score = True

    def standing(self, country: int, in_full: bool) -> CountryStatus:
        """Nothing to be said yet."""
        return CountryStatus(-1, "", "")


@cache
def blank_map(layout: str) -> str:
    """SVG of the map in one of ``LAYOUTS``."""
    return map_svg(board_parts(_PrintedMap(), None, LAYOUTS[layout]), LAYOUTS[layout], MAP_ROOT)
