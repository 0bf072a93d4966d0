"""Deals the hidden cards of one side's view anew, consistent with all that the side has learnt (``rules.knowledge``,
ruling worlds-that-can-be).

``holder`` is the other side, whose hand, drawn cards and card set aside are hidden. While players bid for sides, they
take the places of sides, and the other's offer is hidden.
"""

from dawn_env.rules.bid import is_bidding, redeal_offer
from dawn_env.rules.cards import is_drawn_by
from dawn_env.rules.chance import below, seed_generator
from dawn_env.rules.flow import POSE, call_step
from dawn_env.rules.frames import PlayStep, top
from dawn_env.rules.knowledge import count_hand, is_hidden
from dawn_env.rules.struggle import sees_their_hand
from dawn_env.state import MAX_EPOCH, MAX_HELD, Decision, PowerZone, Result, Stream, Zone
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import DEMOCRAT, C, P

_NO_PLACE = -1
_MOST_DEALS, _ATTEMPT_SHIFT = 200, 40


@jit
def _collect(s, holder):
    """Shuffle what is hidden into the draw pile: how many cards were held, set aside, drawn to choose from."""
    count = aside = drawn = 0
    for card in range(1, C):
        if is_hidden(s, holder, card):
            count += 1
            aside += s.where[card] == Zone.SET_ASIDE
            drawn += s.where[card] == Zone.DRAWN
            s.where[card] = Zone.DRAW_PILE
    return count, aside, drawn


@jit
def _epoch_of(s, holder, place):
    """Epoch in which a card was drawn; any for one that was put there by hand."""
    epoch = s.drawn_at[holder, place] if place < MAX_HELD else -1
    return epoch if epoch >= 0 else MAX_EPOCH


@jit
def _place_set_aside(s, places, aside):
    """Place, among those of the Democrat, of the card set aside (77): one drawn by then, or the announced card."""
    if not aside and not s.aside_unsure:
        return _NO_PLACE
    fitting = 0
    while fitting < places and _epoch_of(s, DEMOCRAT, fitting) <= s.aside_at:
        fitting += 1
    chosen = below(s, Stream.CARDS, fitting + 1 if s.aside_unsure else max(1, fitting))
    if not s.aside_unsure:
        return chosen
    s.where[s.stasi_card] = Zone.SET_ASIDE if chosen == fitting else Zone.HAND + DEMOCRAT
    return _NO_PLACE if chosen == fitting else chosen


@jit
def _fits(s, holder, card, epoch):
    return s.where[card] == Zone.DRAW_PILE and s.since[holder, card] <= epoch and is_drawn_by(s, holder, card)


@jit
def _count_fitting(s, holder, epoch):
    count = 0
    for card in range(1, C):
        count += _fits(s, holder, card, epoch)
    return count


@jit
def _deal_card(s, holder, epoch, zone):
    """Deal a card that can have been drawn in an epoch; any card where none can, as in no legal game."""
    fitting = _count_fitting(s, holder, epoch)
    if fitting == 0:
        epoch = MAX_EPOCH
        fitting = _count_fitting(s, holder, epoch)
    nth = below(s, Stream.CARDS, fitting)
    for card in range(1, C):
        if _fits(s, holder, card, epoch):
            if nth == 0:
                s.where[card] = zone
                return
            nth -= 1


@jit
def _redeal_cards(s, holder):
    """Fill the places, the one with the fewest cards to choose from first: all consistent deals are equally likely."""
    count, aside, drawn = _collect(s, holder)
    place_aside = _place_set_aside(s, count - drawn, aside) if holder == DEMOCRAT else _NO_PLACE
    for place in range(count):
        zone = Zone.DRAWN if place >= count - drawn else Zone.SET_ASIDE if place == place_aside else Zone.HAND + holder
        _deal_card(s, holder, _epoch_of(s, holder, place), zone)


@jit
def _redeal_struggle(s, side):
    """Deal the opponent's struggle cards anew, except those shown or known by counting (family mode)."""
    hand, known = s.power_cards[PowerZone.HAND + 1 - side], s.power_known[1 - side]
    if sees_their_hand(s, side):
        return
    deck = s.power_cards[PowerZone.DECK]
    size = hand.sum() - known.sum()
    for face in range(P):
        deck[face] += hand[face] - known[face]
        hand[face] = known[face]
    left = deck.sum()
    for _ in range(size):
        nth = below(s, Stream.CARDS, left)
        left -= 1
        face = 0
        while nth >= deck[face]:
            nth -= deck[face]
            face += 1
        deck[face] -= 1
        hand[face] += 1


@jit
def redeal_record(s, side, seed):
    seed_generator(s, seed)
    s.seed = seed
    s.tape[:], s.tape_len[:], s.tape_at[:], s.scripted = 0, 0, 0, 0
    s.decisions = 0  # the opponent's secret ones are among them
    if s.decision == Decision.CANCEL_WITH_HOME and s.actor != side:  # posed as the question that it looks like
        top(s).step = PlayStep.USE
    if is_bidding(s):
        redeal_offer(s, 1 - side)
    _redeal_cards(s, 1 - side)
    _redeal_struggle(s, side)
    count_hand(s, side)  # which the other side counts by what it sees of the pile that has changed


@entry
def redeal_rows(step, states, dealt, side, seeds):
    """Write every record with what is hidden from ``side`` dealt anew into ``dealt``; ``step``: address of the rules.

    The opponent's pending decision is posed again for their new hand; hands with which they would have had no choice
    are dealt once more (ruling real-choices-only).
    """
    for i in range(len(states)):
        dealt[i] = states[i]
        redeal_record(dealt[i], side, seeds[i])
        attempt = 1 if states[i].actor != side and states[i].result == Result.RUNNING else _MOST_DEALS
        while attempt < _MOST_DEALS:
            call_step(step, dealt[i], POSE)
            if dealt[i].legal_count > 1:
                break
            dealt[i] = states[i]
            redeal_record(dealt[i], side, seeds[i] ^ (attempt << _ATTEMPT_SHIFT))
            attempt += 1
