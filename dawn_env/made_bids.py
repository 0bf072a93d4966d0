"""Bids made for both players, where a learner is to play a given side and to meet many handicaps."""

from collections.abc import Sequence

import numpy as np

from dawn_env import engine
from dawn_env.actions import MOST_POINTS
from dawn_env.bids import Offer, bid_action, is_bid
from dawn_env.rules.bid import OFFERED_POINTS, OFFERED_SIDE
from dawn_env.state import put_states, take_states
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDES

SPREAD = 4
"""How far offers made for others lie from what they would offer, in points either way."""


def offers_around(even: Sequence[Offer], seeds: np.ndarray) -> np.ndarray:
    """int8 [K, 2, 2]: offers of the first and the second player, side and points, in games with ``seeds`` [K].

    Each is the offer held to be ``even`` [K] there, moved by up to ``SPREAD`` points towards either side, so that those
    who learn from such games meet other handicaps too.
    """
    sides, points = np.array(even, np.int64).reshape(-1, 2).T
    moves = [np.random.default_rng(int(seed)).integers(-SPREAD, SPREAD + 1, SIDES) for seed in seeds]
    balance = np.array(moves).reshape(-1, SIDES) + np.where(sides == DEMOCRAT, points, -points)[:, None]
    offers = np.empty((len(seeds), SIDES, 2), np.int8)
    offers[..., OFFERED_SIDE] = np.where(balance >= 0, DEMOCRAT, COMMUNIST)
    offers[..., OFFERED_POINTS] = np.minimum(abs(balance), MOST_POINTS)
    return offers


def bid_actions(states: np.ndarray, offers: np.ndarray) -> np.ndarray:
    """int64 [K]: what makes ``offers`` [K, 2, 2] in ``states`` [K], all of them at a bid."""
    made = offers[np.arange(len(states)), states["actor"]].tolist()
    pending = zip(states["decision"].tolist(), made, strict=True)
    return np.array([bid_action(decision, Offer(*offer)) for decision, offer in pending], np.int64)


def make_bids(states: np.ndarray, offers: np.ndarray) -> None:
    """Play ``states`` [K], games that begin with a bid, with ``offers`` [K, 2, 2] until sides are known."""
    while len(rows := np.flatnonzero(is_bid(states["decision"]))):
        bidding = take_states(states, rows)
        engine.advance(bidding, bid_actions(bidding, offers[rows]))
        put_states(states, rows, bidding)
