"""The opponents on offer, and making players of them."""

from collections.abc import Sequence

import numpy as np

from agents.registry import PLAYERS, make_player
from agents.specification import Unavailable, load, split
from dawn_env.players import Player

_SHOWN = (
    ("random", "Random", 0, "takes any legal action"),
    ("greedy", "Greedy", 567, "looks one decision ahead"),
    ("heuristic:style=events", "Rules of thumb, fond of events", 1875, "answers at once"),
    ("heuristic", "Rules of thumb", 1878, "answers at once"),
    ("pretrained", "Trained policy", 2130, "answers at once"),
    ("search:sims=50", "Search, 50 simulations", None, "thinks a moment"),
    ("search", "Search, 200 simulations", 2353, "thinks a moment"),
    ("search:sims=2000", "Search, 2000 simulations", None, "thinks for a while"),
)
"""Specification, name, Elo points above ``random`` (``docs/ladder.md``), how it plays."""
_PLAYER_STREAM = 1  # so that a player's seed tells nothing about the game's cards and dice


def offers(more: Sequence[str] = ()) -> list[dict]:
    """The players that can be made here, weakest first, then those named ``more``, as JSON values."""
    shown = [
        {"spec": spec, "name": name, "rating": rating, "note": note}
        for spec, name, rating, note in _SHOWN
        if _can_be_made(spec)
    ]
    return shown + [{"spec": spec, "name": spec, "rating": None, "note": ""} for spec in more]


def _can_be_made(spec: str) -> bool:
    """Whether the packages that a player needs are there."""
    try:
        load("player", PLAYERS, split("player", PLAYERS, spec)[0])
    except Unavailable:
        return False
    return True


def seat_player(spec: str, seed: int, side: int) -> Player:
    """A player for one game; ``seed`` is the game's. Raises ``BadSpec``, and what the player raises."""
    return make_player(spec, int(np.random.SeedSequence((seed, _PLAYER_STREAM, side)).generate_state(1)[0]))
