"""Facts of a position that are visible to one side, as JSON values; the only declaration of what a view holds.

Text, schema, prompts, structs and tools render what is declared here and add no facts of their own. The facts depend on
the observation, the legal actions and the events of a side only (``docs/reference/view.md``).
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dawn_env.bids import PLAYER_NAMES
from dawn_env.cards.card_text import condition_text, effect_text, stay_text
from dawn_env.errors import MalformedPosition
from dawn_env.events.narration import event_lines
from dawn_env.events.wording import action_words, say
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, LAYOUTS
from dawn_env.rules.board import map_variant
from dawn_env.state import REASONS, RESULTS, SPACE_MARKERS, Decision
from dawn_env.tables import (
    ASTERISK,
    BATTLEGROUND,
    CARD_TITLES,
    CONTROL,
    COUNTRIES,
    COUNTRY_OF,
    DOMINATION,
    FACES,
    NEIGHBOURS,
    NEUTRAL,
    OWNER,
    PERIOD,
    PERIODS,
    POWER_VALUE,
    PRESENCE,
    PRINTED_OPS,
    SCORES,
    SIDE_NAMES,
    SIDES,
    SPACE_ID,
    SPACE_TYPES,
    SPACES,
    STABILITY,
    SUITS,
    TIANANMEN_BOXES,
    TIANANMEN_NEED,
    TYPE_OF,
    C,
)
from dawn_env.views.choice_costs import ChoiceCosts, aftermath_table, assess, check_sum, winning_faces
from dawn_env.views.named_parts import named_view, observation_of
from dawn_env.views.questions import choice_hint, question
from dawn_env.views.viewer_position import FamilyPosition, StandardPosition, bindings, viewer_position

FORMAT, VIEW_VERSION = "dawn-view", 1
"""The version goes up with every change of meaning or name; further keys may be added without."""

_OWNERS = (*SIDE_NAMES, "both")
_DIE = 6


def view_facts(view: View, events: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Facts of a view (``view_schema``); ``events``: those that its side has seen since its latest decision."""
    state, told = view._dealt[0], [dict(event) for event in events]
    seen = viewer_position(state, SIDE_NAMES[view.side])
    bidding = isinstance(seen, StandardPosition) and seen.bidding is not None
    costs = None if isinstance(seen, FamilyPosition) else assess(state, view.side)
    return {
        "format": FORMAT,
        "version": VIEW_VERSION,
        "game": view.layout.name,
        "side": None if bidding else SIDE_NAMES[view.side],
        "player": PLAYER_NAMES[view.side] if bidding else None,
        "acts": view.acts,
        "result": RESULTS[seen.result],
        "reason": REASONS[seen.reason],
        "when": seen.when,
        "turn": seen.turn,
        "round": seen.round,
        "phasing": _side(seen.phasing),
        "vp": seen.vp,
        "countries": {name: _country(seen, country) for country, name in enumerate(COUNTRIES)},
        "spaces": {name: _space(seen, space) for space, name in enumerate(SPACES)},
        "hand": [own_card(card, seen, view.side, costs) for card in seen.hand(view.side)],
        "opponent": {"hand_size": seen.hand_size(1 - view.side), "known": seen.hand(1 - view.side)},
        "piles": _piles(seen, view.side),
        **_tracks_and_table(seen, view.side, costs),
        "struggle": _struggle(seen, view.side),
        "move": _move(seen),
        "bid": _bid(seen),
        "events": told,
        "happened": event_lines(told),
        "decision": view.decision,
        "question": question(view) if view.acts else None,
        "legal": _legal(view, costs),
        "observation": {"version": view.layout.version, "parts": named_view(view.observation, view.layout)},
    }


def _side(side: int) -> str | None:
    return SIDE_NAMES[side] if 0 <= side < SIDES else None


def _pair(values) -> dict[str, Any]:
    return dict(zip(SIDE_NAMES, values, strict=True))


def _marked(names, index: int) -> str | None:
    return names[index] if index >= 0 else None


# --- the board -----------------------------------------------------------------------------------------


def _country(seen, country: int) -> dict[str, Any]:
    standard = isinstance(seen, StandardPosition)
    return {
        "presence": int(PRESENCE[country]),
        "domination": int(DOMINATION[country]),
        "control": int(CONTROL[country]),
        "power_value": int(POWER_VALUE[country]) if standard else 0,
        "power": _side(seen.power[country]) if standard else None,
        "times_scored": int(seen.times_scored[country]) if standard else 0,
        "score_now": seen.scores[country],
    }


def _space(seen, space: int) -> dict[str, Any]:
    around = NEIGHBOURS[map_variant(seen), space]
    return {
        "country": COUNTRIES[COUNTRY_OF[space]],
        "type": SPACE_TYPES[TYPE_OF[space]],
        "stability": int(STABILITY[space]),
        "battleground": bool(BATTLEGROUND[space]),
        "democrat": int(seen.support[0, space]),
        "communist": int(seen.support[1, space]),
        "control": _side(seen.control[space]),
        **{field.name: field.marker in seen.marks.get(space, ()) for field in SPACE_MARKERS},
        "neighbours": [SPACES[near] for near in around if near >= 0],
    }


# --- cards -----------------------------------------------------------------------------------------------


def card_facts(card: int) -> dict[str, Any]:
    """Printed facts of a strategy card 1 ... 110, and the text of its event."""
    return {
        "card": card,
        "title": CARD_TITLES[card],
        "owner": _OWNERS[OWNER[card]],
        "ops": int(PRINTED_OPS[card]),
        "scores": _marked(COUNTRIES, int(SCORES[card])),
        "period": PERIODS[PERIOD[card]],
        "removed_after_event": bool(ASTERISK[card]),
        "condition": condition_text(card) or None,
        "stays": stay_text(card) or None,
        "event": effect_text(card),
    }


def own_card(card: int, seen, side: int, costs: ChoiceCosts | None) -> dict[str, Any]:
    """A card that a side holds: its ``value`` now, whether its event ``can_occur``, whether the opponent knows it."""
    return card_facts(card) | {
        "value": int(costs.values[card]) if costs else int(PRINTED_OPS[card]),
        "can_occur": bool(costs.occurs[card]) if costs else False,
        "known_to_opponent": card in seen.shown(side) if isinstance(seen, StandardPosition) else False,
    }


def _piles(seen, side: int) -> dict[str, Any]:
    """Piles of cards; ``unseen``: in a hidden hand or to be drawn, in family mode also the card being played."""
    if isinstance(seen, FamilyPosition):
        dealt = {*seen.hand(side), *seen.hand(1 - side), *seen.discard_pile}
        draw: Any = _pair(seen.deck_size)
        removed: list[int] = []
        future: list[int] = []
        unseen = [card for card in range(1, C) if OWNER[card] != NEUTRAL and PRINTED_OPS[card] and card not in dealt]
    else:
        draw, removed, future = seen.draw_pile_size, seen.removed, seen.future
        hands = seen.hand(side), seen.hand(1 - side), seen.drawn(side), seen.set_aside
        dealt = {*removed, *future}.union(seen.discard_pile, seen.in_play, seen.resolving, *hands)
        unseen = [card for card in range(1, C) if card not in dealt]
    return {"draw": draw, "discarded": seen.discard_pile, "removed": removed, "future": future, "unseen": unseen}


def _tracks_and_table(seen, side: int, costs: ChoiceCosts | None) -> dict[str, Any]:
    """Tracks and cards on the table of the standard game; nothing of it in family mode."""
    if isinstance(seen, FamilyPosition):
        empty: dict[str, Any] = {name: [] for name in ("in_play", "resolving", "drawn", "set_aside")}
        return {"ussr": 0, "tiananmen": None, **empty, "any_set_aside": False}
    boxes = [
        {
            "box": seen.track[of],
            "next_needs": int(TIANANMEN_NEED[of, seen.track[of] + 1]) if seen.track[of] < TIANANMEN_BOXES else None,
            "failed_next": bool(seen.tried_box[of]),
            "tried_this_turn": bool(seen.tried_turn[of]),
        }
        for of in range(SIDES)
    ]
    return {
        "ussr": seen.ussr,
        "tiananmen": {**_pair(boxes), "used_awards": list(seen.used_awards)},
        "in_play": [
            {"card": card, "title": CARD_TITLES[card], "note": note, "event": effect_text(card)}
            for card, note in bindings(seen)
        ],
        "resolving": list(seen.resolving),
        "drawn": [own_card(card, seen, side, costs) for card in seen.drawn(side)],
        "set_aside": list(seen.set_aside),
        "any_set_aside": bool(seen.any_set_aside),
    }


# --- what is fought, moved and bid --------------------------------------------------------------------------


def _faces(copies) -> dict[str, int]:
    return {FACES[face]: int(copies[face]) for face in np.flatnonzero(copies)}


def _struggle(seen, side: int) -> dict[str, Any] | None:
    """A power struggle in progress; in family mode the power struggle cards, which are always held."""
    hand, theirs = seen.power_hand(side), seen.power_hand(1 - side)
    cards = {
        "hand": _faces(hand),
        "opponent_known": _faces(theirs) if theirs is not None else {},
        "hand_sizes": _pair(seen.power_hand_size),
        "deck": seen.power_deck_size,
        "discarded": _faces(seen.power_discard),
    }
    if isinstance(seen, FamilyPosition):
        none = {"country": None, "starter": None, "attacker": None, "raised": _pair((False, False)), "staked": 0}
        return none | {"led_suit": None, "led_rank": 0, "blocked": None, "winner": None, "winning_suit": None} | cards
    if seen.struggle < 0:
        return None
    return {
        "country": COUNTRIES[seen.struggle],
        "starter": _side(seen.starter),
        "attacker": _side(seen.attacker),
        "raised": _pair(map(bool, seen.raised)),
        "staked": seen.staked,
        "led_suit": _marked(SUITS, seen.led_suit),
        "led_rank": seen.led_rank,
        "blocked": _marked(SUITS, seen.blocked),
        "winner": _side(seen.struggle_won),
        "winning_suit": _marked(SUITS, seen.winning_suit),
        **cards,
    }


def _move(seen) -> dict[str, Any] | None:
    """The shift or take-over of family mode in progress."""
    if seen.move is None:
        return None
    side, origin, destination, points = seen.move
    fight = {"attack": seen.attack, "defence": seen.defence, "attack_card": _marked(FACES, seen.attack_face)}
    places = {"origin": _marked(SPACES, origin), "destination": _marked(SPACES, destination)}
    return {"side": _side(side), **places, "points": points, **fight}


def _bid(seen) -> dict[str, Any] | None:
    """Offers of a bid, by player, as far as the side has seen them: the side that is given away, and points with it."""
    offers = seen.offers if isinstance(seen, StandardPosition) else None
    if offers is None:
        return None
    named = [offer and {"side": SIDE_NAMES[offer[0]], "points": offer[1]} for offer in offers]
    return dict(zip(PLAYER_NAMES, named, strict=True))


# --- the answers ----------------------------------------------------------------------------------------


def _legal(view: View, costs: ChoiceCosts | None) -> list[dict[str, Any]]:
    """The legal answers: ``id``, ``action`` (its text), ``words``, ``hint``, and what the rules say about each.

    ``cost``: support points that one point costs. ``faces``: faces of the die, 0 ... 6, with which it succeeds; of a
    support check those that move a point at least. ``check``: what the die gets, what it must exceed, points moved on
    average, VP that the check itself pays. ``if_conceded``: support points lost, and VP, for each face of two dice.
    """
    if not view.acts:
        return []
    state, odds = view._dealt[0], {}
    table = None
    if costs is not None:
        odds, table = winning_faces(state, view.texts), aftermath_table(state)
    answers = []
    for action, text in zip(view.legal.tolist(), view.texts, strict=True):
        kind, _, name = text.partition(":")
        answer = {"id": action, "action": text, "words": action_words(text)}
        if kind not in ("card", "space") and (hint := choice_hint(view, text)):
            answer["hint"] = hint
        if kind == "space" and costs is not None and state.decision == Decision.OPS_PLACE:
            answer["cost"] = int(costs.costs[SPACE_ID[name]])
        if kind == "space" and costs is not None and state.decision == Decision.CHECK:
            answer |= _check(costs, SPACE_ID[name])
        if text in odds:
            answer["faces"] = odds[text]
        if text == "concede" and table:
            answer["if_conceded"] = table
        answers.append(answer)
    return answers


def success_probabilities(view: View) -> dict[str, float]:
    """Probability that each legal answer succeeds, of those that roll a die; by the text of the action.

    A support check succeeds when it moves a point at least.
    """
    state = view._dealt[0]
    if view.layout is FAMILY_LAYOUT:
        return {}
    if state.decision != Decision.CHECK:
        return {text: faces / _DIE for text, faces in winning_faces(state, view.texts).items()}
    costs = assess(state, view.side)
    spaces = {text: SPACE_ID[text.partition(":")[2]] for text in view.texts if text.startswith("space:")}
    return {text: _check(costs, space)["faces"] / _DIE for text, space in spaces.items()}


def _check(costs: ChoiceCosts, space: int) -> dict[str, Any]:
    """Odds of a support check in a space."""
    found = check_sum(costs, space)
    added = sum(number for _, number in found["parts"])
    moved = [max(0, die + added - 2 * int(STABILITY[space])) for die in range(1, _DIE + 1)]
    parts = {say("part", {"of": of}): number for of, number in found["parts"]}
    average = round(sum(moved) / _DIE, 2)
    check = {"added": added, "parts": parts, "exceed": 2 * int(STABILITY[space]), "average": average, "vp": found["vp"]}
    return {"faces": sum(map(bool, moved)), "check": check}


# --- reading -------------------------------------------------------------------------------------------------


def observation_and_mask(facts: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Observation int8 [F] and mask int8 [A] of the view that ``facts`` were made from, also after a way through JSON.

    Raises ``MalformedPosition`` for anything but the facts of a view of this version.
    """
    try:
        if (facts["format"], facts["version"]) != (FORMAT, VIEW_VERSION):
            raise MalformedPosition(f"a view of version {VIEW_VERSION} expected, not {facts['version']!r}")
        layout = next(layout for layout in LAYOUTS if layout.name == facts["game"])
        mask = np.zeros(layout.actions, np.int8)
        mask[[answer["id"] for answer in facts["legal"]]] = 1
        return observation_of(facts["observation"]["parts"], layout), mask
    except MalformedPosition:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError, StopIteration) as error:
        raise MalformedPosition(f"a view: the facts of docs/reference/view.md expected ({error!r})") from None
