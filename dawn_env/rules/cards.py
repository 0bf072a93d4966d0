"""Strategy cards: where they are, drawing them, and whether an event can occur (rules 4.3-4.5.1, 5.2, 7.5)."""

from dawn_env.cards.event_tables import CAN_OCCUR
from dawn_env.rules.chance import ANY, pick_from_zone
from dawn_env.rules.events.condition_checks import holds
from dawn_env.rules.knowledge import enters_draw_pile, next_epoch, note_draw, note_seen
from dawn_env.state import Chance, Mode, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import ASTERISK, COMMUNIST, DEMOCRAT, NEUTRAL, OWNER, PERIOD, SCORES, C


@jit
def move_card(s, card, zone):
    """Move a card openly; an announcement (13) of it ends with that (ruling announcement-ends-with-the-hand)."""
    if s.where[card] >= Zone.HAND:
        if not s.known[card]:
            note_seen(s, s.where[card] - Zone.HAND, card, 0)
        if s.stasi_card == card:
            s.stasi_card = 0
    s.where[card] = zone
    s.known[card] = 0


@jit
def in_play(s, card):
    """Return True if a lasting event is in effect."""
    return s.where[card] == Zone.IN_PLAY


@jit
def in_hand(s, side, card):
    """Return True if a side holds a card."""
    return s.where[card] == Zone.HAND + side


@jit
def leave_play(s, card):
    """A card that stayed in play leaves it for the pile it belongs to."""
    move_card(s, card, Zone.REMOVED if ASTERISK[card] else Zone.DISCARD_PILE)


@jit
def end_stays(s, cards):
    """Remove those of ``cards`` that are in play."""
    for card in cards:
        if in_play(s, card):
            leave_play(s, card)


@jit
def is_drawn_by(s, side, card):
    """Return True if a side can draw a card at some time: in family mode each has a deck of its own (rule TR.1)."""
    return s.mode == Mode.STANDARD or OWNER[card] == side


@jit
def count_in(s, zone):
    """Cards in a zone."""
    count = 0
    for card in range(1, C):
        count += s.where[card] == zone
    return count


@jit
def hand_size(s, side):
    """Cards in a side's hand."""
    return count_in(s, Zone.HAND + side)


@jit
def deck_size(s, side):
    """Cards in the draw pile of a side."""
    if s.mode == Mode.STANDARD:
        return count_in(s, Zone.DRAW_PILE)
    count = 0
    for card in range(1, C):
        count += OWNER[card] == side and s.where[card] == Zone.DRAW_PILE
    return count


@jit
def refill_draw_pile(s, side):
    """The discards of a side become its draw pile (rules 4.3, TR.2.3)."""
    next_epoch(s)
    for card in range(1, C):
        if s.where[card] == Zone.DISCARD_PILE and is_drawn_by(s, side, card):
            s.where[card] = Zone.DRAW_PILE
            enters_draw_pile(s, card)


@jit
def draw(s, side, zone):
    """A side draws a card into a zone; the pile refills when it runs empty (ruling refill-at-once)."""
    left = deck_size(s, side)
    if left == 0:
        refill_draw_pile(s, side)
        left = deck_size(s, side)
        if left == 0:
            return
    colour = side if s.mode == Mode.FAMILY else ANY
    s.where[pick_from_zone(s, Chance.DRAWS, Zone.DRAW_PILE, colour, left)] = zone
    note_draw(s, side)
    if left == 1:
        refill_draw_pile(s, side)


@jit
def draw_to_hand(s, side):
    """A side draws a card."""
    draw(s, side, Zone.HAND + side)


@jit
def deal(s, target_democrat, target_communist):
    """Fill both hands, alternating, Communist first, skipping a full hand (rule 4.5.1)."""
    missing_c = target_communist - hand_size(s, COMMUNIST)
    missing_d = target_democrat - hand_size(s, DEMOCRAT)
    while missing_c > 0 or missing_d > 0:
        if missing_c > 0:
            draw_to_hand(s, COMMUNIST)
            missing_c -= 1
        if missing_d > 0:
            draw_to_hand(s, DEMOCRAT)
            missing_d -= 1


@jit
def add_deck(s, period):
    """Shuffle the cards of a period into the draw pile (rule 4.4)."""
    next_epoch(s)
    for card in range(1, C):
        if PERIOD[card] == period and s.where[card] == Zone.FUTURE:
            s.where[card] = Zone.DRAW_PILE
            enters_draw_pile(s, card)


@jit
def dispose(s, card, occurred):
    """Remove or discard a card after its play; a lasting event has already put it in play (rule 2.2.4)."""
    if s.where[card] == Zone.RESOLVING:
        move_card(s, card, Zone.REMOVED if occurred and ASTERISK[card] else Zone.DISCARD_PILE)


@jit
def executor(card, player):
    """Side that carries out a card's event when ``player`` makes it happen (rule 5.2)."""
    return player if OWNER[card] == NEUTRAL else OWNER[card]


@jit
def playable(s, side, card):
    """Return True if an event can occur with executor ``side`` (rules 5.2, 7.5, ruling condition-or-no-effect)."""
    return holds(s, CAN_OCCUR[card], side)


@jit
def opponents_event(s, side, card):
    """Return True if a card carries an event of the opponent that can occur now."""
    return OWNER[card] == 1 - side and playable(s, 1 - side, card)


@jit
def is_scoring(card):
    """Return True if a card is a scoring card."""
    return SCORES[card] >= 0


@jit
def holds_scoring(s, side):
    """Return True if a side holds a scoring card (rule 4.5.4)."""
    for card in range(1, C):
        if SCORES[card] >= 0 and in_hand(s, side, card):
            return True
    return False


@jit
def has_home_card(s, side):
    """Return True if Common European Home (21) has a card to be paired with (ruling home-needs-an-event)."""
    for card in range(1, C):
        if in_hand(s, side, card) and opponents_event(s, side, card):
            return True
    return False
