"""A position as a page is told it: JSON values and the map, made of what a viewer sees."""

import numpy as np

from agents.terminal.menu import Menu
from agents.terminal.question import question
from agents.web.assess import Assessment, assess, check_sums
from dawn_env.picture.cards import bindings
from dawn_env.picture.drawing import map_svg, see
from dawn_env.picture.layout import MAP, NARROW
from dawn_env.picture.seen import BOTH, Seen
from dawn_env.picture.standard_seen import StandardSeen, Struggle
from dawn_env.state import DECISIONS, REASONS, RESULTS, Decision, Result
from dawn_env.tables import FACES, SIDE_NAMES, SIDES, SPACE_ID, SUITS
from dawn_env.view import View

LAYOUTS = {"wide": MAP, "narrow": NARROW}
MAP_ROOT = "map"
"""Class of the map's SVG; ``facts.theme_css`` has the styles."""


def draw_map(seen: Seen, before: Seen | None, layout: str) -> str:
    """The countries as SVG in one of ``LAYOUTS``; changes since ``before`` are marked."""
    return map_svg(seen, before, LAYOUTS[layout], MAP_ROOT)


def describe(seen: StandardSeen) -> dict:
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


def _hand(seen: StandardSeen, side: int) -> dict:
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


def ask(state: np.record) -> dict:
    """The pending decision as its side sees it: the question, the legal actions, what they cost and bring."""
    view = View(state)
    found, menu = assess(state, view.side), Menu(view)
    asked = question(view)
    return {
        "question": asked[0].upper() + asked[1:],
        "legal": view.texts,
        "hints": {text: hint for text in menu.others if (hint := menu.hint(text))},
        "costs": _costs(found, menu.places) if state.decision == Decision.OPS_PLACE else {},
        "checks": check_sums(found, menu.places) if state.decision == Decision.CHECK else {},
    }


def _costs(found: Assessment, names: list[str]) -> dict[str, int]:
    return {name: int(found.costs[SPACE_ID[name]]) for name in names}


def values_in_hand(state: np.record, side: int, cards: list[int]) -> dict[str, list]:
    """By card of a side's hand: its value now, and whether its event can occur."""
    found = assess(state, side)
    return {str(card): [int(found.values[card]), bool(found.occurs[card])] for card in cards}


def seen_by(state: np.record, side: int | None) -> StandardSeen:
    """What a side sees, or what both see together."""
    return see(state, BOTH if side is None else SIDE_NAMES[side])
