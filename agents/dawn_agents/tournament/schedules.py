"""Pairs of games, and their deals.

The seed of a pair depends on the seed of the tournament, its two players and how often they have met, so that a longer
or larger tournament contains the games of a smaller one.
"""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Two games between two players on the same deal (deck, dice): each plays both sides once."""

    seed: int
    one: str
    two: str


def pair_seed(seed: int, one: str, two: str, number: int) -> int:
    """Seed of the games of the ``number``-th pair of two players, whichever is named first."""
    text = "\n".join([str(seed), str(number), *sorted((one, two))])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1


def meeting(one: str, two: str, numbers: range, seed: int, label: str = "") -> list[Pair]:
    """The pairs with these ``numbers`` of two players; deals follow from ``label``, if given, in place of ``one``."""
    return [Pair(pair_seed(seed, label or one, two, number), one, two) for number in numbers]
