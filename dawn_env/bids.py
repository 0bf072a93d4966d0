"""Bids for sides (rule 13.0) as players make them: offers, and the actions they come to."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.actions import MOST_POINTS, OFFER0, POINTS0, Word
from dawn_env.errors import PlayerFailure
from dawn_env.options import GameOptions
from dawn_env.rules.bid import OFFERED_POINTS, OFFERED_SIDE
from dawn_env.state import Decision, put_states, take_states
from dawn_env.support.argument_checks import integer
from dawn_env.support.compiling import jit, spliced
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_LETTERS, SIDE_NAMES, SIDES

PLAYER_NAMES = ("first player", "second player")
"""Who bids, before sides are known."""


class Offer(NamedTuple):
    """``points`` support points of ``side`` (0 Democrat, 1 Communist) for the opponent, so as to play the other one."""

    side: int
    points: int

    def __str__(self) -> str:
        return f"{self.points} for the {SIDE_NAMES[self.side]}"


BALANCE: Mapping[str, Offer] = {
    "heuristic": Offer(COMMUNIST, 2),
    "pretrained": Offer(DEMOCRAT, 3),
    "search": Offer(DEMOCRAT, 3),
}
"""By name of a player: the offer with which games against their like are even, as measured."""
_UNMEASURED = Offer(DEMOCRAT, 0)
_YES = int(Word.YES)


def fair_offer(name: str) -> Offer:
    """Default offer of a player by its name without options."""
    return BALANCE.get(name.partition(":")[0], _UNMEASURED)


def offer_of(player: Any, options: GameOptions) -> Offer:
    """Ask a player for its offer; raises what the player raises, and ``PlayerFailure`` unless it is an offer."""
    offer = player.bid(options)
    try:
        side, points = map(integer, offer)
    except (TypeError, ValueError):
        side = points = None
    if side is None or points is None or not (0 <= side < SIDES and 0 <= points <= MOST_POINTS):
        expected = f"a side 0 ... {SIDES - 1} and points 0 ... {MOST_POINTS}"
        raise PlayerFailure(f"{player.name} offered {short_repr(offer)} where {expected} were expected")
    return Offer(side, points)


@jit
def bid_action(decision, offer):
    """The action by which an offer (side and points) is made, step by step; of equal offers one's own is to count."""
    if decision == Decision.OFFER_SIDE:
        return OFFER0 + offer[0]
    return POINTS0 + offer[1] if decision == Decision.OFFER_POINTS else _YES


def support_given(offers: Sequence[Sequence[int]]) -> list[int]:
    """Support points that (Democrat, Communist) place after the offers (side, points) of the first and the second."""
    (side, points), (other, other_points) = offers
    given = [0] * SIDES
    if side == other:
        given[side] = max(points, other_points)
    return given


def who_decides(state: np.record) -> str:
    """A side by its letter or, while players bid, a player: who takes the pending decision of a ``STATE`` record."""
    return f"the {PLAYER_NAMES[state.actor]}" if is_bid(state.decision) else SIDE_LETTERS[state.actor]


@spliced
def is_bid(decisions: Any) -> Any:
    """bool of the shape of ``decisions``, one or an array: which pending decisions are about a bid."""
    return (decisions >= Decision.OFFER_SIDE) & (decisions <= Decision.OWN_OFFER)


SPREAD = 4
"""How far offers made for others lie from what they would offer, in points either way."""


def sample_offers(even: Sequence[Offer], seeds: np.ndarray) -> np.ndarray:
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


def play_bids(states: np.ndarray, offers: np.ndarray) -> None:
    """Play ``states`` [K], games that begin with a bid, with ``offers`` [K, 2, 2] until sides are known."""
    while len(rows := np.flatnonzero(is_bid(states["decision"]))):
        bidding = take_states(states, rows)
        pending = zip(bidding["decision"].tolist(), offers[rows, bidding["actor"]].tolist(), strict=True)
        engine.advance(bidding, np.array([bid_action(decision, Offer(*offer)) for decision, offer in pending]))
        put_states(states, rows, bidding)
