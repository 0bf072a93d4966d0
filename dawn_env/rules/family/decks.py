"""The cards of family mode: each side draws from a deck of its colour, both from one power struggle deck (TR.2)."""

from dawn_env.rules.cards import draw_to_hand, hand_size
from dawn_env.rules.chance import pick_copy
from dawn_env.state import Chance, PowerZone, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, DEMOCRAT, FAMILY_HAND_SIZE, FAMILY_POWER_HAND_SIZE, NEUTRAL, OWNER, SIDES, C, P


@jit
def sort_by_colour(s):
    """All cards of a side are its deck, whatever their period; neutral ones are removed (TR.1)."""
    for card in range(1, C):
        s.where[card] = Zone.REMOVED if OWNER[card] == NEUTRAL else Zone.DRAW_PILE


@jit
def _rebuild_power_deck(s):
    """Make the discards the deck; both hands follow by counting now (ruling family-counted-hands)."""
    for face in range(P):
        for side in range(SIDES):
            s.power_known[side, face] = s.power_cards[PowerZone.HAND + side, face]
        s.power_cards[PowerZone.DECK, face] += s.power_cards[PowerZone.DISCARD, face]
        s.power_cards[PowerZone.DISCARD, face] = 0


@jit
def _draw_power(s, side):
    """A side draws a power struggle card."""
    deck = s.power_cards[PowerZone.DECK]
    if deck.sum() == 0:
        _rebuild_power_deck(s)
    left = deck.sum()
    if left == 0:
        return
    face = pick_copy(s, Chance.POWER_DRAWS, deck, left)
    deck[face] -= 1
    s.power_cards[PowerZone.HAND + side, face] += 1
    if left == 1:
        _rebuild_power_deck(s)


@jit
def power_hand_size(s, side):
    """Power struggle cards in a side's hand."""
    return s.power_cards[PowerZone.HAND + side].sum()


@jit
def discard_power(s, side, face):
    """A side plays a power struggle card."""
    s.power_cards[PowerZone.HAND + side, face] -= 1
    s.power_cards[PowerZone.DISCARD, face] += 1
    s.power_known[side, face] = max(0, s.power_known[side, face] - 1)


@jit
def deal(s):
    """Both sides fill their hands (TR.2.4.1), card by card, the Democrat first (ruling family-deal-in-turn)."""
    missing_d = FAMILY_HAND_SIZE - hand_size(s, DEMOCRAT)
    missing_c = FAMILY_HAND_SIZE - hand_size(s, COMMUNIST)
    for i in range(max(missing_d, missing_c)):
        if i < missing_d:
            draw_to_hand(s, DEMOCRAT)
        if i < missing_c:
            draw_to_hand(s, COMMUNIST)
    missing_d = FAMILY_POWER_HAND_SIZE - power_hand_size(s, DEMOCRAT)
    missing_c = FAMILY_POWER_HAND_SIZE - power_hand_size(s, COMMUNIST)
    for i in range(max(missing_d, missing_c)):
        if i < missing_d:
            _draw_power(s, DEMOCRAT)
        if i < missing_c:
            _draw_power(s, COMMUNIST)
