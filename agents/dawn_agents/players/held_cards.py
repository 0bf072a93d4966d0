"""Scoring cards in hand, which must be played in the turn (rule 4.5.4), and the card plays that are left for them."""

from dawn_env.cards.event_tables import EIGHTH_ROUND
from dawn_env.rules.cards import in_hand
from dawn_env.rules.cards_in_play import applies
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, ROUNDS, SCORING_CARD, N


@jit
def scoring_cards(s, side):
    """Number of scoring cards in a side's hand."""
    count = 0
    for country in range(N):
        count += in_hand(s, side, SCORING_CARD[country])
    return count


@jit
def plays_left(s, side):
    """Number of card plays that a side has left in this turn, including one whose card is being chosen."""
    left, decision = max(ROUNDS - s.action_round, 0) + applies(s, EIGHTH_ROUND, side), s.decision
    if s.phasing != side:
        return left + (side == DEMOCRAT and s.action_round <= ROUNDS)  # the Communist has the first part of a round
    return left + (
        decision == Decision.CARD
        or decision == Decision.STRIKE_CARD
        or decision == Decision.STASI_CARD  # asked before the Communist's part of a round begins
        or decision == Decision.SWAP_CARD  # asked before the first round
    )


@jit
def is_overdue(s, side):
    """Return True if a side has too few card plays left in this turn to play all its scoring cards.

    It then loses the game at the end of the turn, unless an event takes a scoring card from its hand.
    """
    held = scoring_cards(s, side)
    return held > 0 and held > plays_left(s, side)
