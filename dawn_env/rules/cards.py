"""Strategy cards: where they are, drawing them, and whether an event can occur (rules 4.3-4.5.1, 5.2, 7.5)."""

from dawn_env.cards.event_conditions import Test
from dawn_env.cards.event_tables import CAN_OCCUR, CONDITIONS
from dawn_env.rules.board import controls, countries_held
from dawn_env.rules.chance import ANY, pick_from_zone
from dawn_env.rules.frames import fail
from dawn_env.rules.knowledge import enters_draw_pile, next_epoch, record_draw, record_seen
from dawn_env.state import Chance, Mode, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import ASTERISK, DEMOCRAT, NEUTRAL, OWNER, PERIOD, SCORES, C


@jit
def move_card(s, card, zone):
    """Move a card openly; an announcement (13) of it ends with that (ruling announcement-ends-with-the-hand)."""
    if s.where[card] >= Zone.HAND:
        if not s.known[card]:
            record_seen(s, s.where[card] - Zone.HAND, card, 0)
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
    record_draw(s, side)
    if left == 1:
        refill_draw_pile(s, side)


@jit
def draw_to_hand(s, side):
    """A side draws a card."""
    draw(s, side, Zone.HAND + side)


@jit
def deal(s, first, first_size, second_size):
    """Fill both hands to these sizes, alternating from side ``first`` on, skipping a full hand (rules 4.5.1,
    TR.2.4.1)."""
    missing, others = first_size - hand_size(s, first), second_size - hand_size(s, 1 - first)
    for i in range(max(missing, others)):
        if i < missing:
            draw_to_hand(s, first)
        if i < others:
            draw_to_hand(s, 1 - first)


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
def holds(s, condition, side):
    """Return True if a row of CONDITIONS holds, ``side`` being the executor of the event that asks."""
    row = CONDITIONS[condition]
    return _test(s, row, side) == (row.expected != 0)


@jit
def _test(s, row, side):
    test, value = row.test, row.value
    if test == Test.OCCURRED:
        return s.where[value] == Zone.IN_PLAY or s.where[value] == Zone.REMOVED
    if test == Test.LIES_IN_PLAY:
        return s.where[value] == Zone.IN_PLAY
    if test == Test.CROWD_ACTED:
        return s.crowd_done != 0
    if test == Test.TYRANT_FLED:
        return s.tyrant_done != 0
    if test == Test.TURN_AT_MOST:
        return s.turn <= value
    if test == Test.LEADS:
        return s.vp > 0 if row.side == DEMOCRAT else s.vp < 0
    if test == Test.CONTROLS_SPACE:
        return controls(s, row.side, value)
    if test == Test.AHEAD_ON_TRACK:
        return s.track[side] > s.track[1 - side]
    if test == Test.REACHED_BOX:
        return s.track[row.side] >= value
    if test == Test.HOLDS_COUNTRIES:
        return countries_held(s, row.side) >= value
    if test != Test.ALWAYS:
        fail(s)
    return True


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
