"""JSON description of a standard position for one viewer."""

import numpy as np

from dawn_env.picture.card_panels import bindings
from dawn_env.picture.standard_view import Bid, StandardPosition, Struggle
from dawn_env.tables import FACES, SIDES, SUITS


def describe_standard(seen: StandardPosition) -> dict:
    """Fields of a message for the tracks, Power, hands, piles, lasting events, the struggle and the bid."""
    return {
        "ussr": seen.ussr,
        "track": list(seen.track),
        "triedBox": [bool(tried) for tried in seen.tried_box],
        "usedAwards": list(seen.used_awards),
        "power": seen.power,
        "scored": seen.times_scored,
        "hands": [_hand(seen, side) for side in range(SIDES)],
        "inPlay": [[card, note] for card, note in bindings(seen)],
        "source": seen.source,
        "drawPile": seen.piles[0],
        "removed": seen.removed,
        "future": seen.future,
        "struggle": _struggle(seen.struggle) if seen.struggle else None,
        "bid": _bid(seen.bid, seen.is_bidding) if seen.bid else None,
    }


def _bid(bid: Bid, is_open: bool) -> dict:
    """The bid: whether the sides are given out, and the offers by player, None where they are not made or not seen."""
    return {"settled": not is_open, "offers": [offer and list(offer) for offer in bid.offers]}


def _hand(seen: StandardPosition, side: int) -> dict:
    return {
        "cards": seen.hand(side),
        "size": seen.hand_size(side),
        "whole": side in seen.sides,
        "shown": seen.shown(side),
        "drawn": seen.drawn(side),
        "aside": seen.set_aside if side == 0 else [],
    }


def _struggle(fight: Struggle) -> dict:
    return {
        "country": fight.country,
        "attacker": fight.attacker,
        "starter": fight.starter,
        "raised": [bool(raised) for raised in fight.raised],
        "blocked": _suit(fight.blocked),
        "suit": _suit(fight.led_suit),
        "rank": fight.led_rank,
        "winner": fight.winner,
        "hands": [None if hand is None else copies(hand) for hand in fight.hands],
        "sizes": list(fight.sizes),
        "deck": fight.deck,
        "discards": copies(fight.discarded),
    }


def _suit(suit: int) -> str | None:
    return SUITS[suit] if suit >= 0 else None


def copies(faces: np.ndarray) -> dict[str, int]:
    """Copies of power struggle cards by face, of the faces that there are."""
    return {FACES[face]: int(faces[face]) for face in np.flatnonzero(faces)}
