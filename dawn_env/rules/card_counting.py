"""Cards that a hand must hold, since no others can fill its places (``rules.knowledge``, ruling what-is-known).

A place takes any card unseen by the opponent that can have been in the draw pile when the place was filled. Where no
more cards fit than there are places up to that one, all of them are in the hand. Written with every view, so loops are
free of branches, over bytes, for vector instructions.
"""

import numpy as np

from dawn_env.rules.knowledge import held
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
def _fitting(s, holder, epoch, mark, out):
    """Number of cards unseen by the opponent of ``holder`` that can have been drawn by an epoch.

    With ``mark`` 1 they are marked in ``out`` int8 [C - 1]; with 0 it stays as it is.
    """
    where, known, since, owned = s.where[1:], s.known[1:], s.since[holder, 1:], _DRAWN_BY[s.mode, holder]
    hand, pile = np.int8(Zone.HAND + holder), np.int8(Zone.DRAW_PILE)
    aside = np.int8(Zone.SET_ASIDE if holder == DEMOCRAT else _NO_ZONE)
    drawn = np.int8(Zone.DRAWN if s.actor == holder else _NO_ZONE)
    count, marked = np.int8(0), np.int8(mark)
    for i in range(C - 1):
        zone = where[i]
        kept = np.int8((zone == hand) | (zone == aside)) & ~known[i]
        unseen = np.int8((zone == drawn) | (zone == pile)) | kept
        fits = np.int8(unseen & np.int8(since[i] <= epoch) & owned[i])
        out[i] |= fits & marked
        count = np.int8(count + fits)
    return count


@jit
def _places(s, holder, latest):
    """Places of a hand that were filled by the epoch ``latest``, without those of cards drawn to choose from (award 3),
    which are the last."""
    most, places = MAX_HELD, 0
    if s.decision == Decision.KEEP_CARD and s.actor == holder:
        most = held(s, holder)
        for card in range(1, C):
            most -= s.where[card] == Zone.DRAWN
    while places < most and 0 <= s.drawn_at[holder, places] <= latest:
        places += 1
    return places


@jit
def write_counted(s, holder, piled, out):
    """Mark in ``out`` int8 [C - 1], beside what is marked there, the unseen cards that must be in a hand, or set aside
    (77) from it.

    ``piled``: 1 if the draw pile holds cards, any of which can be drawn in the latest epoch, else 0.
    """
    place = _places(s, holder, s.epoch - piled) - 1
    while place >= 0:
        epoch = s.drawn_at[holder, place]
        if _fitting(s, holder, epoch, 0, out) == place + 1:
            _fitting(s, holder, epoch, 1, out)
            return
        while place >= 0 and s.drawn_at[holder, place] == epoch:
            place -= 1
