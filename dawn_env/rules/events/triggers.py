"""One card making the event of another happen: its program, or the struggle of a scoring card."""

from dawn_env.rules.cards import is_scoring, move_card
from dawn_env.rules.events.event_start import DISPOSES, start_event
from dawn_env.rules.struggle import start_struggle
from dawn_env.state import Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import SCORES


@jit
def trigger(s, side, card):
    """Begin a card's event for another card; a scoring card starts a struggle (rule 5.3)."""
    move_card(s, card, Zone.RESOLVING)
    if is_scoring(card):
        start_struggle(s, side, SCORES[card], card)
    else:
        start_event(s, side, card, DISPOSES)
