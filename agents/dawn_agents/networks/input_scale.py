"""Factors that bring the entries of observations to a size of about one."""

import numpy as np

from dawn_env.observation.view_layouts import ViewLayout

_TYPICAL = {
    "turn": 10, "round": 8, "vp": 20, "my_support": 4, "their_support": 4, "picked": 2, "times_scored": 2,
    "their_hand_size": 8, "draw_pile_size": 40, "discard_pile_size": 40, "ussr": 4, "track": 8,
    "led_rank": 6, "my_power_hand": 2, "their_power_hand": 2, "power_discard": 2, "power_hand_size": 8,
    "power_deck_size": 52, "left": 4, "value": 4, "roll_bonus": 2, "bound_points": 2, "setup_batch": 4,
    "deck_size": 40, "their_power_known": 2, "points": 4, "attack": 8, "defence": 8, "my_offer_points": 4,
    "their_offer_points": 4,
}  # fmt: skip


def input_scale(layout: ViewLayout) -> np.ndarray:
    """float32 [F] factors of the entries of an observation."""
    scale = np.ones(layout.size, np.float32)
    for name, place in layout.slices.items():
        scale[place] = 1 / _TYPICAL.get(name, 1)
    return scale
