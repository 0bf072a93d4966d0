"""Observation of games with a bid: the standard game's vector (``parts``), followed by the bid.

Until both offers are open there is no board and no side yet, so all of the standard part is zero, and the other's offer
is the other's secret.
"""

import numpy as np

from dawn_env.actions import MOST_POINTS
from dawn_env.observation.parts import BID_DECISIONS, TABLE, Axis, F, flag, number, offsets, one_of
from dawn_env.observation.standard_writer import write_mask, write_observation
from dawn_env.rules.bid import OFFERED_POINTS, OFFERED_SIDE, is_bidding
from dawn_env.state import FrameKind, Result
from dawn_env.support.compiling import entry, jit

BID_PARTS = (
    flag("first", "I am the first player"),
    flag("bid_acting", "the decision about the bid is mine"),
    one_of("bid_decision", Axis.BID_DECISION, "pending decision about the bid"),
    one_of("my_offer_side", Axis.SIDE, "side that I offer the opponent"),
    number("my_offer_points", 0, MOST_POINTS, "support points that I offer with it"),
    one_of("their_offer_side", Axis.SIDE, "side that the opponent offers me, once offers are open"),
    number("their_offer_points", 0, MOST_POINTS, "support points that they offer with it"),
)
BID_TABLE = TABLE + BID_PARTS
"""The parts of the vector, in order."""

BID_F = sum(part.size for part in BID_TABLE)
"""Length of the vector."""

_AT = offsets(BID_TABLE)
_DECISIONS = np.array(BID_DECISIONS)


@jit
def _write_offer(offer, at_side, at_points, out):
    if offer[OFFERED_SIDE] >= 0:
        out[at_side + int(offer[OFFERED_SIDE])] = 1
    out[at_points] = max(0, offer[OFFERED_POINTS])


@entry
def write_bid_view(s, side, out, mask):
    """Write the view of a side, or of a player until sides are given, into ``out``, int8 [BID_F], and the legal actions
    into ``mask``, int8 [ALL_ACTIONS]: zeros unless the decision is theirs."""
    out[:] = 0
    before = s.frames[0].kind == FrameKind.BID
    if not before:
        write_observation(s, side, out[:F])
    player = side ^ s.swapped
    out[_AT.first] = player == 0
    _write_offer(s.offers[player], _AT.my_offer_side, _AT.my_offer_points, out)
    if not is_bidding(s):
        _write_offer(s.offers[1 - player], _AT.their_offer_side, _AT.their_offer_points, out)
    if before and s.result == Result.RUNNING:
        out[_AT.bid_acting] = s.actor == side
        for i in range(len(_DECISIONS)):
            out[_AT.bid_decision + i] = s.decision == _DECISIONS[i]
    write_mask(s, side, mask)
