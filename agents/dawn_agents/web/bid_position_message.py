"""JSON description of the bid for sides, for one viewer."""

import numpy as np

from dawn_env.bids import is_bid
from dawn_env.observation.parts import BID_DECISIONS
from dawn_env.observation.view_layouts import BID_LAYOUT
from dawn_env.state import Decision
from dawn_env.tables import SIDES


def describe_bid(state: np.record, side: int) -> dict | None:
    """JSON values of the bid for a side, or a player until sides are given; None in games without a bid.

    ``player``: 0 the first, 1 the second; ``settled``: the sides are given out; ``offers`` by player: the side that is
    given away and the points with it, as far as they are made and seen, else None.
    """
    if not state.bid:
        return None
    parts = BID_LAYOUT.decode(BID_LAYOUT.one(state, side))
    player = side ^ int(state.swapped)
    offers = [_offer(parts, whose) for whose in ("my", "their")]
    return {
        "player": player,
        "settled": not is_bid(state.decision),
        "offers": offers if player == 0 else offers[::-1],
    }


def _offer(parts: dict, whose: str) -> list[int | None] | None:
    side, points = parts[f"{whose}_offer_side"], int(parts[f"{whose}_offer_points"][0])
    if not side.any():
        return None
    naming = parts["bid_acting"][0] and parts["bid_decision"][BID_DECISIONS.index(Decision.OFFER_POINTS)]
    unsaid = whose == "my" and naming
    return [int(side.argmax()), None if unsaid else points]


def describe_bid_openly(state: np.record) -> dict | None:
    """The offers once both are made."""
    bid = describe_bid(state, 0)
    if bid and not all(bid["offers"]):
        bid["offers"] = [None] * SIDES
    return bid and bid | {"player": -1}
