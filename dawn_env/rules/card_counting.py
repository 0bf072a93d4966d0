"""Cards that a hand must hold, since no others can fill its places (``rules.knowledge``, ruling what-is-known).

A place takes any card unseen by the opponent that can have been in the draw pile when the place was filled. Where no
more cards fit than there are places up to that one, all of them are in the hand. The state keeps them, so that views
cost no counting.
"""

import numpy as np

from dawn_env.rules.knowledge import unknown_count
from dawn_env.state import MAX_HELD, Decision, Mode, Zone
from dawn_env.support.compiling import jit
from dawn_env.tables import DEMOCRAT, OWNER, SIDES, C

_NO_ZONE = -1
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
def _fitting(s, holder, epoch, mark):
    """Number of cards unseen by the opponent of ``holder`` that can have been drawn by an epoch.

    With ``mark`` 1 they are marked as counted, with 0 nothing is. Without branches, for vector instructions.
    """
    where, known, since, owned = s.where[1:], s.known[1:], s.since[holder, 1:], _DRAWN_BY[s.mode, holder]
    hand, pile, counted = np.int8(Zone.HAND + holder), np.int8(Zone.DRAW_PILE), s.counted[holder, 1:]
    aside = np.int8(Zone.SET_ASIDE if holder == DEMOCRAT else _NO_ZONE)
    drawn = np.int8(Zone.DRAWN if s.actor == holder else _NO_ZONE)
    count, marked = np.int8(0), np.int8(mark)
    for i in range(C - 1):
        zone = where[i]
        kept = np.int8((zone == hand) | (zone == aside)) & ~known[i]
        unseen = np.int8((zone == drawn) | (zone == pile)) | kept
        fits = np.int8(unseen & np.int8(since[i] <= epoch) & owned[i])
        counted[i] = fits & marked
        count = np.int8(count + fits)
    return count


@jit
def _can_draw(s, side):
    """Return True if a card is left that a side can draw."""
    left = np.int8(0)
    for i in range(C - 1):
        left |= np.int8(s.where[i + 1] == Zone.DRAW_PILE) & _DRAWN_BY[s.mode, side, i]
    return left != 0


@jit
def _places(s, holder, latest):
    """Places of a hand that were filled by the epoch ``latest``, without those of cards drawn to choose from (award 3),
    which are the last."""
    most, places = MAX_HELD, 0
    if s.decision == Decision.KEEP_CARD and s.actor == holder:
        most = unknown_count(s, holder)
        for card in range(1, C):
            most -= s.where[card] == Zone.DRAWN
    while places < most and 0 <= s.drawn_at[holder, places] <= latest:
        places += 1
    return places


@jit
def count_hand(s, holder):
    """Mark the unseen cards that must be in a hand, or set aside (77) from it.

    Any card of the draw pile can be drawn in the latest epoch, so places of that epoch tell nothing while there is one.
    """
    s.counted[holder] = 0
    place = _places(s, holder, s.epoch - _can_draw(s, holder)) - 1
    while place >= 0:
        epoch = s.drawn_at[holder, place]
        if _fitting(s, holder, epoch, 0) == place + 1:
            _fitting(s, holder, epoch, 1)
            return
        while place >= 0 and s.drawn_at[holder, place] == epoch:
            place -= 1


@jit
def count_anew(s):
    """Count the hands of which the opponent can tell more, or less, than when they were last counted."""
    for side in range(SIDES):
        if s.recount[side]:
            s.recount[side] = 0
            count_hand(s, side)
