"""Dealing anew what one side cannot know."""

from dawn_env.compiling import entry, jit
from dawn_env.rules.chance import below, seed_generator
from dawn_env.rules.struggle import hands_looked_at, sees_their_hand
from dawn_env.state import (
    CANCEL_WITH_HOME,
    CARD_STREAM,
    DRAW_PILE,
    DRAWN,
    HAND,
    KEEP_CARD,
    POWER_DECK,
    POWER_HAND,
    SET_ASIDE,
)
from dawn_env.tables import COMMUNIST, C

_HOME = 21


@jit
def _hidden(s, side, card):
    """Whether a side does not know where a card is."""
    zone = s.where[card]
    if zone == DRAW_PILE:
        return True
    if zone == HAND + 1 - side:
        announced = s.decision == CANCEL_WITH_HOME and card == _HOME  # being asked shows that he holds it
        return not s.known[card] and not announced
    if zone == SET_ASIDE:
        return side == COMMUNIST
    return zone == DRAWN and s.decision == KEEP_CARD and s.actor != side


@jit
def _sort_hidden(s, side):
    """Order the zones of the hidden cards, so that what is dealt depends on the seed only; their number."""
    hidden = 0
    for card in range(1, C):
        if not _hidden(s, side, card):
            continue
        hidden += 1
        zone, at = s.where[card], card
        for before in range(card - 1, 0, -1):
            if not _hidden(s, side, before):
                continue
            if s.where[before] <= zone:
                break
            s.where[at] = s.where[before]
            at = before
        s.where[at] = zone
    return hidden


@jit
def _redeal_cards(s, side):
    """Shuffle the zones among all hidden cards (Fisher-Yates)."""
    hidden_left = _sort_hidden(s, side)
    for card in range(1, C):
        if not _hidden(s, side, card):
            continue
        nth = below(s, CARD_STREAM, hidden_left)
        hidden_left -= 1
        other = card
        while True:
            if _hidden(s, side, other):
                if nth == 0:
                    break
                nth -= 1
            other += 1
        s.where[card], s.where[other] = s.where[other], s.where[card]


@jit
def _return_hand(s, hand):
    """Put a struggle hand back into the deck; returns its size."""
    size = s.power_cards[hand].sum()
    s.power_cards[POWER_DECK] += s.power_cards[hand]
    s.power_cards[hand] = 0
    return size


@jit
def _deal_hand(s, hand, size):
    """Deal ``size`` random cards of the struggle deck into a hand."""
    left = s.power_cards[POWER_DECK].sum()
    for _ in range(size):
        nth = below(s, CARD_STREAM, left)
        left -= 1
        face = 0
        while nth >= s.power_cards[POWER_DECK, face]:
            nth -= s.power_cards[POWER_DECK, face]
            face += 1
        s.power_cards[POWER_DECK, face] -= 1
        s.power_cards[hand, face] += 1


@jit
def _redeal_struggle(s, side):
    """The opponent's struggle cards unless he shows them; both hands before anyone has looked (rule 7.3)."""
    mine, theirs = POWER_HAND + side, POWER_HAND + 1 - side
    if not hands_looked_at(s):
        my_size, their_size = _return_hand(s, mine), _return_hand(s, theirs)
        _deal_hand(s, mine, my_size)
        _deal_hand(s, theirs, their_size)
    elif not sees_their_hand(s, side):
        _deal_hand(s, theirs, _return_hand(s, theirs))


@jit
def _redeal(s, side, seed):
    seed_generator(s, seed)
    s.seed = seed
    s.tape[:], s.tape_len[:], s.tape_at[:], s.scripted = 0, 0, 0, 0
    _redeal_cards(s, side)
    _redeal_struggle(s, side)


@entry
def redeal_rows(states, side, seeds):
    """Deal anew in every record, in place."""
    for i in range(len(states)):
        _redeal(states[i], side, seeds[i])
