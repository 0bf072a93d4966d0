"""Inference about a hand by its opponent, kept so that it can be dealt anew without contradiction
(ruling what-is-known).

An *epoch* begins when cards enter the draw pile, or when a hand shows what it lacks. Per holder, ``since`` is the
epoch from which on each card can have been drawn, and ``drawn_at`` holds the epochs in which the cards were drawn
that the opponent does not know. A card fits where ``since`` is no later than the draw. Which draw a card came from
that is seen to leave is not known; if it was the earliest that fits, all that is possible stays possible.

Each change asks for the cards that follow by counting to be counted anew (``rules.card_counting``).

Cards drawn to choose from (award 3) fill the latest places, a card set aside (77) one of those up to ``aside_at``.
"""

from dawn_env.state import MAX_EPOCH, MAX_HELD
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, SIDES


@jit
def next_epoch(s):
    """Begin an epoch; the last one that can be counted goes on for ever."""
    s.epoch = min(s.epoch + 1, MAX_EPOCH)
    s.recount[:] = 1


@jit
def enters_draw_pile(s, card):
    """Either side can draw a card from this epoch on."""
    for side in range(SIDES):
        s.since[side, card] = s.epoch


@jit
def unknown_count(s, side):
    """Number of cards of a side that are hidden from its opponent."""
    count = 0
    while count < MAX_HELD and s.drawn_at[side, count] >= 0:
        count += 1
    return count


@jit
def note_draw(s, side):
    """A side has drawn a card unseen."""
    count = unknown_count(s, side)
    if count < MAX_HELD:
        s.drawn_at[side, count] = s.epoch
    s.recount[side] = 1


@jit
def note_seen(s, side, card, first):
    """A card that was hidden is seen; it fills the earliest place that fits, from ``first`` on."""
    places, last = s.drawn_at[side], unknown_count(s, side) - 1
    at = first
    if side == DEMOCRAT and at == 0 and s.aside_at >= 0 and not s.aside_unsure:
        at = 1 if last < 1 or places[1] > s.aside_at else 0  # the only place left for the card set aside
    while at < last and places[at] < s.since[side, card]:
        at += 1
    for place in range(at, last):
        places[place] = places[place + 1]
    if last >= 0:
        places[last] = -1
    s.recount[side] = 1


@jit
def reveal(s, side, card):
    """The opponent learns that a side holds a card."""
    if not s.known[card]:
        s.known[card] = 1
        note_seen(s, side, card, 0)


@jit
def begin_absence(s, side):
    """A hand is about to show what it lacks, which is then noted with ``note_absence``.

    A card set aside is not in it.
    """
    next_epoch(s)
    if side == DEMOCRAT and s.aside_at >= 0:
        places, last = s.drawn_at[side], unknown_count(s, side) - 1
        for place in range(last):
            places[place] = places[place + 1]
        if last >= 0:
            places[last] = s.epoch
        s.aside_at = s.epoch


@jit
def note_absence(s, side, card):
    """A side does not hold a card, as its opponent has learnt."""
    s.since[side, card] = s.epoch
