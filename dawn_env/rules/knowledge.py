"""Inference about a hand by its opponent, kept so that it can be dealt anew without contradiction
(ruling what-is-known).

An *epoch* begins when cards enter the draw pile, or when a hand shows what it lacks. Per holder, ``since`` is the
epoch from which on each card can have been drawn, and ``drawn_at`` holds the epochs in which the cards were drawn
that the opponent does not know. A card fits where ``since`` is no later than the draw. Which draw a card came from
that is seen to leave is not known; if it was the earliest that fits, all that is possible stays possible.

Cards that a hand must hold, since no others can fill its places, are counted and kept in the state, so that views
cost no counting; each change asks for that to be done anew. A place takes any card unseen by the opponent that can
have been in the draw pile when the place was filled. Where no more cards fit than there are places up to that one, all
of them are in the hand.

Cards drawn to choose from (award 3) fill the latest places, a card set aside (77) one of those up to ``aside_at``.
"""

import numpy as np

from dawn_env.state import MAX_EPOCH, MAX_HELD, Decision, Mode, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, OWNER, SIDES, C


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
def record_draw(s, side):
    """A side has drawn a card unseen."""
    count = unknown_count(s, side)
    if count < MAX_HELD:
        s.drawn_at[side, count] = s.epoch
    s.recount[side] = 1


@jit
def record_seen(s, side, card, first):
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
        record_seen(s, side, card, 0)


@jit
def begin_absence(s, side):
    """A hand is about to show what it lacks, which is then recorded with ``record_absence``.

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
def record_absence(s, side, card):
    """A side does not hold a card, as its opponent has learnt."""
    s.since[side, card] = s.epoch


# --- counting -------------------------------------------------------------------------------------

_NO_ZONE = -1
_NO_EPOCH = MAX_EPOCH + 1  # 127: any epoch | 127 is 127
_DRAWN_BY = np.ones((len(Mode), SIDES, C - 1), np.int8)
"""[modes, sides, cards] 1 for cards that a side can draw: in family mode each has a deck of its own (rule TR.1)."""
_DRAWN_BY[Mode.FAMILY] = OWNER[1:] == np.arange(SIDES)[:, None]


@jit
def is_hidden(s, holder, card):
    """Return True if a side holds a card, and its opponent has not seen it."""
    zone = s.where[card]
    if zone == Zone.DRAWN:
        return s.actor == holder
    kept = zone == Zone.HAND + holder or (zone == Zone.SET_ASIDE and holder == DEMOCRAT)
    return kept and not s.known[card]


@jit
def _first_epoch_of_pile(s, side):
    """Earliest epoch in which a card that now lies in the draw pile can have been drawn by a side.

    ``_NO_EPOCH`` if none lies there that the side can draw.
    """
    where, since, owned, pile = s.where[1:], s.since[side, 1:], _DRAWN_BY[s.mode, side], np.int8(Zone.DRAW_PILE)
    first = np.int8(_NO_EPOCH)
    for i in range(C - 1):  # without branches, for vector instructions
        elsewhere = np.int8(_NO_EPOCH) * (np.int8(where[i] != pile) | np.int8(owned[i] == 0))
        first = min(first, np.int8(since[i] | elsewhere))
    return first


@jit
def _mark_fitting(s, holder, epoch):
    """Mark the hidden cards of ``holder`` that can have been drawn in an epoch or before; return their number.

    Hidden cards are held, set aside or drawn to choose from, and not known to the opponent.
    """
    where, known, since, owned = s.where[1:], s.known[1:], s.since[holder, 1:], _DRAWN_BY[s.mode, holder]
    hand, counted = np.int8(Zone.HAND + holder), s.counted[holder, 1:]
    aside = np.int8(Zone.SET_ASIDE if holder == DEMOCRAT else _NO_ZONE)
    drawn = np.int8(Zone.DRAWN if s.actor == holder else _NO_ZONE)
    count = np.int8(0)
    for i in range(C - 1):
        zone = where[i]
        kept = np.int8((zone == hand) | (zone == aside)) & ~known[i]
        counted[i] = (np.int8(zone == drawn) | kept) & np.int8(since[i] <= epoch) & owned[i]
        count = np.int8(count + counted[i])
    return count


@jit
def _places(s, holder, before):
    """Count the hidden cards of a hand that were drawn before an epoch.

    Cards drawn to choose from (award 3) do not count; they have the last places.
    """
    most, places = MAX_HELD, 0
    if s.decision == Decision.KEEP_CARD and s.actor == holder:
        most = unknown_count(s, holder)
        for card in range(1, C):
            most -= s.where[card] == Zone.DRAWN
    while places < most and 0 <= s.drawn_at[holder, places] < before:
        places += 1
    return places


@jit
def count_hand(s, holder):
    """Mark the unseen cards that must be in a hand, or set aside (77) from it.

    A place of the hand that a card now in the draw pile could have filled says nothing, so only places filled in
    earlier epochs are looked at.
    """
    place = _places(s, holder, _first_epoch_of_pile(s, holder)) - 1
    while place >= 0:
        epoch = s.drawn_at[holder, place]
        if _mark_fitting(s, holder, epoch) == place + 1:
            return
        while place >= 0 and s.drawn_at[holder, place] == epoch:
            place -= 1
    s.counted[holder] = 0


@jit
def count_anew(s):
    """Count the hands of which the opponent can tell more, or less, than when they were last counted."""
    for side in range(SIDES):
        if s.recount[side]:
            s.recount[side] = 0
            count_hand(s, side)
