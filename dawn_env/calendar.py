"""Calendar of the game: turns and the decks that join in them, action rounds, hand sizes (rules 4.1, 4.4, 4.5)."""

LAST_TURN = 10
"""Turns are 1 ... ``LAST_TURN``; 0 is the set-up."""

FIRST_TURN = (0, 4, 8)
"""First turn with the cards of each of ``tables.PERIODS`` (rule 4.4)."""

ROUNDS = 7
"""Action rounds of a turn."""

EXTRA_ROUND = ROUNDS + 1
"""The round that Honecker (15) gives the Communist (rule 4.1)."""

HAND_SIZE = 8
"""Cards of a hand after the deal (rule 4.5.1)."""

FAMILY_ROUNDS, FAMILY_HAND_SIZE, FAMILY_POWER_HAND_SIZE = 8, 5, 3
"""In family mode: rounds of a turn, strategy and power struggle cards of a hand after the deal (rule TR.2)."""


def latest_period(turn: int) -> int:
    """Latest period with a deck in play at ``turn``."""
    return max(period for period, first in enumerate(FIRST_TURN) if first <= turn)
