"""The bid for sides before the set-up (rule 13.0).

The first and the second player each offer support points of a side, so as to play the other one, the second without
having seen the first's offer (ruling offers-in-turn). Until both have, ``actor`` is a player; who plays which side
follows from the offers.
"""

from dawn_env.actions import MOST_POINTS, OFFER0, POINTS0, Word
from dawn_env.rules.chance import below, roll
from dawn_env.rules.frames import allow, ask, pop, push
from dawn_env.rules.setup import start_standard
from dawn_env.state import Decision, FrameKind, Stream
from dawn_env.support.compiling import jit
from dawn_env.tables import COMMUNIST, SIDES

FIRST, SECOND = range(2)  # players
OFFERED_SIDE, OFFERED_POINTS = range(2)  # columns of ``offers``; also steps of the frame, in this order
TIED = 2  # step of the frame


@jit
def start_bid(s):
    """The first player is asked for a side; nothing is dealt before the offers are open (rule 13.0)."""
    f = push(s, FrameKind.BID, FIRST, 0)
    s.extra_support[:] = 0
    step_bid(s, f)


@jit
def step_bid(s, f):
    """Ask a player for the side they give away, then for the points that go with it; or which of equal offers wins."""
    if f.step == OFFERED_SIDE:
        ask(s, Decision.OFFER_SIDE, int(f.side))
        for side in range(SIDES):
            allow(s, OFFER0 + side)
    elif f.step == OFFERED_POINTS:
        ask(s, Decision.OFFER_POINTS, int(f.side))
        for points in range(MOST_POINTS + 1):
            allow(s, POINTS0 + points)
    else:
        ask(s, Decision.OWN_OFFER, int(f.side))
        allow(s, Word.YES)
        allow(s, Word.NO)


@jit
def answer_bid(s, f, action):
    """Store one part of an offer; once both offers are made, or a tie is broken, the game begins."""
    if f.step == TIED:
        _settle(s, int(f.side) if action == Word.YES else 1 - int(f.side))
        return
    s.offers[f.side, f.step] = action - (OFFER0 if f.step == OFFERED_SIDE else POINTS0)
    if f.step == OFFERED_SIDE:
        f.step = OFFERED_POINTS
    elif f.side == FIRST:
        f.side, f.step = SECOND, OFFERED_SIDE
    else:
        _compare(s, f)


@jit
def _compare(s, f):
    """Compare the open offers: different sides, a higher offer, or dice (rule 13.0)."""
    first, second = s.offers[FIRST], s.offers[SECOND]
    lead = first[OFFERED_POINTS] - second[OFFERED_POINTS]
    if first[OFFERED_SIDE] != second[OFFERED_SIDE] or lead != 0:
        _settle(s, FIRST if lead > 0 else SECOND)
        return
    while lead == 0:  # ruling equal-offers
        lead = roll(s) - roll(s)
    f.side, f.step = FIRST if lead > 0 else SECOND, TIED


@jit
def _settle(s, winner):
    """Give out the sides, and the winner's points where both have offered the same side; the game begins."""
    side = s.offers[winner, OFFERED_SIDE]
    if side == s.offers[1 - winner, OFFERED_SIDE]:
        s.extra_support[side] = s.offers[winner, OFFERED_POINTS]
    s.swapped = is_swapped(s.offers, winner)
    pop(s)
    start_standard(s)


@jit
def is_swapped(offers, winner):
    """Return True if the first player is the Communist: the winner plays the side that they have not offered."""
    return (offers[winner, OFFERED_SIDE] == COMMUNIST) == (winner == SECOND)


@jit
def is_bidding(s):
    """Return True if offers are being made, each its player's secret."""
    return s.frames[s.depth - 1].kind == FrameKind.BID and s.frames[s.depth - 1].step != TIED


@jit
def redeal_offer(s, player):
    """Make up what a player may have offered, as far as they have."""
    if s.offers[player, OFFERED_SIDE] >= 0:
        s.offers[player, OFFERED_SIDE] = below(s, Stream.CARDS, SIDES)
    if s.offers[player, OFFERED_POINTS] >= 0:
        s.offers[player, OFFERED_POINTS] = below(s, Stream.CARDS, MOST_POINTS + 1)
