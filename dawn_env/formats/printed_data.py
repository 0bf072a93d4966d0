"""Printed map and cards as one JSON value, for programs in any language."""

import hashlib
import json
from functools import cache
from typing import Any

from dawn_env.actions import ACTIONS
from dawn_env.cards.card_text import condition_text, effect_text, stay_text
from dawn_env.state import DECISIONS
from dawn_env.tables import (
    ASTERISK,
    BATTLEGROUND,
    CARD_TITLES,
    CONTROL,
    COUNTRIES,
    COUNTRY_OF,
    DOMINATION,
    FACE_COUNT,
    FACE_RANK,
    FACE_SUIT,
    FACES,
    LEADER_SUIT,
    LEADER_TYPE,
    NEIGHBOURS,
    NEUTRAL,
    OWNER,
    PERIOD,
    PERIODS,
    POWER_VALUE,
    PRESENCE,
    PRINTED_OPS,
    SCORES,
    SCORING_CARD,
    SETUP,
    SIDE_NAMES,
    SPACE_TYPES,
    SPACES,
    STABILITY,
    SUITS,
    TIANANMEN_NEED,
    TYPE_OF,
    C,
)

FORMAT = 1
"""Version of the keys and their meanings; goes up when a program that reads the one before would no longer do."""


@cache
def printed_data() -> dict[str, Any]:
    """All of it (do not write to it): ``format``, ``digest`` of the rest, and the tables of the protocol."""
    return printed_name() | _tables()


@cache
def printed_name() -> dict[str, Any]:
    """``format`` and ``digest`` of the printed data, for programs that keep a copy of it."""
    text = json.dumps(_tables(), sort_keys=True)
    return {"format": FORMAT, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


@cache
def _tables() -> dict[str, Any]:
    return {
        "sides": list(SIDE_NAMES),
        "countries": [_country(n) for n in range(len(COUNTRIES))],
        "spaces": [_space(space) for space in range(len(SPACES))],
        "cards": [_card(card) for card in range(1, C)],
        "struggle_cards": [_face(face) for face in range(len(FACES))],
        "tiananmen": dict(zip(SIDE_NAMES, TIANANMEN_NEED[:, 1:].tolist(), strict=True)),
        "decisions": list(DECISIONS[1:]),
        "actions": list(ACTIONS),
    }


def _country(n: int) -> dict[str, Any]:
    tables = (("presence", PRESENCE), ("domination", DOMINATION), ("control", CONTROL), ("power", POWER_VALUE))
    return {"name": COUNTRIES[n], "scoring_card": int(SCORING_CARD[n])} | {key: int(vp[n]) for key, vp in tables}


def _space(space: int) -> dict[str, Any]:
    return {
        "name": SPACES[space],
        "country": COUNTRIES[COUNTRY_OF[space]],
        "type": SPACE_TYPES[TYPE_OF[space]],
        "stability": int(STABILITY[space]),
        "battleground": bool(BATTLEGROUND[space]),
        "neighbours": [SPACES[other] for other in NEIGHBOURS[0, space] if other >= 0],
        "setup": {name: int(SETUP[side, space]) for side, name in enumerate(SIDE_NAMES)},
    }


def _card(card: int) -> dict[str, Any]:
    return {
        "number": card,
        "title": CARD_TITLES[card],
        "side": "both" if OWNER[card] == NEUTRAL else SIDE_NAMES[OWNER[card]],
        "ops": int(PRINTED_OPS[card]),
        "period": PERIODS[PERIOD[card]],
        "removed_after_event": bool(ASTERISK[card]),
        "scores": COUNTRIES[SCORES[card]] if SCORES[card] >= 0 else None,
        "text": effect_text(card),
        "condition": condition_text(card),
        "stays": stay_text(card),
    }


def _face(face: int) -> dict[str, Any]:
    suit = FACE_SUIT[face]
    return {
        "name": FACES[face],
        "kind": "suit" if suit < LEADER_SUIT else "leader" if suit == LEADER_SUIT else "wild",
        "suit": SUITS[suit] if suit < LEADER_SUIT else None,
        "rank": int(FACE_RANK[face]),
        "space_type": SPACE_TYPES[LEADER_TYPE[face]] if LEADER_TYPE[face] >= 0 else None,
        "copies": int(FACE_COUNT[face]),
    }
