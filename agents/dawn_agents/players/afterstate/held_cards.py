"""Scoring cards that a side can no longer play in this turn."""

from dawn_env.cards.event_tables import EIGHTH_ROUND
from dawn_env.rules.cards import in_hand
from dawn_env.rules.cards_in_play import applies
from dawn_env.state import Decision
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, ROUNDS, SCORING_CARD, N


@jit
def _is_between_plays(decision):
    """True for decisions before the card play of the phasing side begins."""
    return (
        decision == Decision.CARD
        or decision == Decision.STRIKE_CARD
        or decision == Decision.STASI_CARD
        or decision == Decision.SWAP_CARD
    )


@jit
def plays_left(s, side):
    """Card plays that a side can still begin in this turn, its choice of a card included."""
    left = max(ROUNDS - s.action_round, 0) + applies(s, EIGHTH_ROUND, side)
    if s.phasing == side:
        return left + _is_between_plays(s.decision)
    return left + (side == DEMOCRAT and s.action_round <= ROUNDS)  # the Communist has the first part of a round


@jit
def is_overdue(s, side):
    """True if a side holds more scoring cards than it can play in this turn: unless an event takes one, it has lost
    (rule 4.5.4)."""
    held = 0
    for country in range(N):
        held += in_hand(s, side, SCORING_CARD[country])
    return held > 0 and held > plays_left(s, side)
