"""A position as a page is told it: JSON values and the map, made of what a viewer sees."""

import numpy as np

from agents.terminal.menu import Menu
from agents.terminal.question import question
from agents.web.assess import Assessment, assess, check_sums
from dawn_env.bids import is_bid
from dawn_env.layouts import BID_LAYOUT
from dawn_env.observation.layout import BID_DECISIONS
from dawn_env.picture.cards import bindings
from dawn_env.picture.drawing import map_svg
from dawn_env.picture.layout import MAP, NARROW
from dawn_env.picture.seen import BOTH, Seen, Struggle
from dawn_env.state import DECISIONS, REASONS, RESULTS, Decision, Result
from dawn_env.tables import FACES, SIDE_NAMES, SIDES, SPACE_ID, SUITS
from dawn_env.view import View

LAYOUTS = {"wide": MAP, "narrow": NARROW}
MAP_ROOT = "map"
"""Class of the map's SVG; ``facts.theme_css`` has the styles."""


def draw_map(seen: Seen, before: Seen | None, layout: str) -> str:
    """The countries as SVG in one of ``LAYOUTS``; changes since ``before`` are marked."""
    return map_svg(seen, before, LAYOUTS[layout], MAP_ROOT)


def describe(seen: Seen) -> dict:
    """All that the viewer sees but for the map: public facts, hands, piles, the struggle, the pending decision."""
    return {
        "turn": seen.turn,
        "round": seen.round,
        "phasing": seen.phasing,
        "vp": seen.vp,
        "ussr": seen.ussr,
        "track": list(seen.track),
        "triedBox": [bool(tried) for tried in seen.tried_box],
        "triedTurn": [bool(tried) for tried in seen.tried_turn],
        "usedAwards": list(seen.used_awards),
        "support": seen.support.tolist(),
        "holders": seen.holders,
        "power": seen.power,
        "scored": seen.times_scored,
        "hands": [_hand(seen, side) for side in range(SIDES)],
        "inPlay": [[card, note] for card, note in bindings(seen)],
        "resolving": seen.resolving,
        "source": seen.source,
        "drawPile": seen.piles[0],
        "discarded": seen.discarded,
        "removed": seen.removed,
        "future": seen.future,
        "struggle": _struggle(seen.struggle) if seen.struggle else None,
        "actor": seen.actor,
        "decision": DECISIONS[seen.decision],
    }


def _hand(seen: Seen, side: int) -> dict:
    return {
        "cards": seen.hand(side),
        "size": seen.hand_size(side),
        "whole": side in seen.sides,
        "shown": seen.shown(side),
        "drawn": seen.drawn(side),
        "aside": seen.set_aside if side == 0 else [],
        "anyAside": side == 0 and seen.any_set_aside,
    }


def _struggle(fight: Struggle) -> dict:
    return {
        "country": fight.country,
        "attacker": fight.attacker,
        "starter": fight.starter,
        "raised": [bool(raised) for raised in fight.raised],
        "staked": fight.staked,
        "blocked": _suit(fight.blocked),
        "suit": _suit(fight.led_suit),
        "rank": fight.led_rank,
        "winner": fight.winner,
        "hands": [None if hand is None else _copies(hand) for hand in fight.hands],
        "sizes": list(fight.sizes),
        "deck": fight.deck,
        "discards": _copies(fight.discarded),
    }


def _copies(faces: np.ndarray) -> dict[str, int]:
    """Copies by face."""
    return {FACES[face]: int(faces[face]) for face in np.flatnonzero(faces)}


def _suit(suit: int) -> str | None:
    return SUITS[suit] if suit >= 0 else None


def outcome(state: np.record) -> dict | None:
    """How the rules ended the game, as JSON values; None while it runs."""
    if state.result == Result.RUNNING:
        return None
    return {"result": RESULTS[state.result], "reason": REASONS[state.reason]}


def seen_openly(state: np.record) -> Seen:
    """What the side sees that is not to decide: with the hands left out, that is open to all."""
    return seen_by(state, 1 - int(state.actor))


def describe_openly(state: np.record) -> dict:
    """As ``describe``, for people who watch and see no hand."""
    told = describe(seen_openly(state))
    hands = [
        hand | dict.fromkeys(("cards", "shown", "drawn", "aside"), []) | {"whole": False} for hand in told["hands"]
    ]
    fight = told["struggle"] and told["struggle"] | {"hands": [None] * SIDES}
    return told | {"hands": hands, "struggle": fight, "bid": _open_bid(state)}


def _open_bid(state: np.record) -> dict | None:
    """The offers once both are made."""
    told = describe_bid(state, 0)
    if told and not all(told["offers"]):
        told["offers"] = [None] * SIDES
    return told and told | {"player": -1}


def describe_bid(state: np.record, side: int) -> dict | None:
    """The bid as a side, or until there are any a player, sees it; None in games without one.

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


def ask(state: np.record) -> dict:
    """The pending decision as its side sees it: the question, the legal actions, what they cost and bring."""
    view = View(state)
    menu, asked = Menu(view), question(view)
    placing, checking = state.decision == Decision.OPS_PLACE, state.decision == Decision.CHECK
    found = assess(state, view.side) if placing or checking else None
    return {
        "question": asked[0].upper() + asked[1:],
        "legal": view.texts,
        "hints": {text: hint for text in menu.others if (hint := menu.hint(text))},
        "costs": _costs(found, menu.places) if placing else {},
        "checks": check_sums(found, menu.places) if checking else {},
    }


def _costs(found: Assessment, names: list[str]) -> dict[str, int]:
    return {name: int(found.costs[SPACE_ID[name]]) for name in names}


def values_in_hand(state: np.record, side: int, cards: list[int]) -> dict[str, list]:
    """By card of a side's hand: its value now, and whether its event can occur."""
    found = assess(state, side)
    return {str(card): [int(found.values[card]), bool(found.occurs[card])] for card in cards}


def seen_by(state: np.record, side: int | None) -> Seen:
    """What a side sees, or what both see together."""
    return Seen(state, BOTH if side is None else SIDE_NAMES[side])
