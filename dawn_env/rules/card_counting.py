"""Cards that a hand must hold, since no others can fill its places (``rules.knowledge``, ruling what-is-known).

A place takes any card unseen by the opponent that can have been in the draw pile when the place was filled. Where no
more cards fit than there are places up to that one, all of them are in the hand. The state keeps them, so that views
cost no counting.
"""

import numpy as np

from dawn_env.rules.knowledge import unknown_count
from dawn_env.state import MAX_EPOCH, MAX_HELD, Decision, Mode, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, OWNER, SIDES, C

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

    Hidden: held, set aside or drawn to choose from, and not known to the opponent.
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
