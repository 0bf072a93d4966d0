"""Printed map and cards as one JSON value, for programs in any language."""

import hashlib
import json
from functools import cache
from typing import Any

from dawn_env import tables
from dawn_env.actions import ACTIONS
from dawn_env.cards.card_text import condition_text, effect_text, stay_text
from dawn_env.state import DECISIONS

FORMAT = 1
"""Version of the keys and their meanings; goes up when a program that reads the one before would no longer do."""


@cache
def printed_data() -> dict[str, Any]:
    """Printed data (do not write to them): ``format``, ``digest`` of the rest, and the tables of the protocol."""
    return printed_name() | _tables()


@cache
def printed_name() -> dict[str, Any]:
    """``format`` and ``digest`` of the printed data, for programs that keep a copy of it."""
    text = json.dumps(_tables(), sort_keys=True)
    return {"format": FORMAT, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


@cache
def _tables() -> dict[str, Any]:
    return {
        "sides": list(tables.SIDE_NAMES),
        "countries": [_country(n) for n in range(len(tables.COUNTRIES))],
        "spaces": [_space(space) for space in range(len(tables.SPACES))],
        "cards": [_card(card) for card in range(1, tables.C)],
        "struggle_cards": [_face(face) for face in range(len(tables.FACES))],
        "tiananmen": dict(zip(tables.SIDE_NAMES, tables.TIANANMEN_NEED[:, 1:].tolist(), strict=True)),
        "decisions": list(DECISIONS[1:]),
        "actions": list(ACTIONS),
    }


def _country(n: int) -> dict[str, Any]:
    return {
        "name": tables.COUNTRIES[n],
        "scoring_card": int(tables.SCORING_CARD[n]),
        "presence": int(tables.PRESENCE[n]),
        "domination": int(tables.DOMINATION[n]),
        "control": int(tables.CONTROL[n]),
        "power": int(tables.POWER_VALUE[n]),
    }


def _space(space: int) -> dict[str, Any]:
    return {
        "name": tables.SPACES[space],
        "country": tables.COUNTRIES[tables.COUNTRY_OF[space]],
        "type": tables.SPACE_TYPES[tables.TYPE_OF[space]],
        "stability": int(tables.STABILITY[space]),
        "battleground": bool(tables.BATTLEGROUND[space]),
        "neighbours": [tables.SPACES[other] for other in tables.NEIGHBOURS[0, space] if other >= 0],
        "setup": {name: int(tables.SETUP[side, space]) for side, name in enumerate(tables.SIDE_NAMES)},
    }


def _card(card: int) -> dict[str, Any]:
    return {
        "number": card,
        "title": tables.CARD_TITLES[card],
        "side": "both" if tables.OWNER[card] == tables.NEUTRAL else tables.SIDE_NAMES[tables.OWNER[card]],
        "ops": int(tables.PRINTED_OPS[card]),
        "period": tables.PERIODS[tables.PERIOD[card]],
        "removed_after_event": bool(tables.ASTERISK[card]),
        "scores": tables.COUNTRIES[tables.SCORES[card]] if tables.SCORES[card] >= 0 else None,
        "text": effect_text(card),
        "condition": condition_text(card),
        "stays": stay_text(card),
    }


def _face(face: int) -> dict[str, Any]:
    suit = tables.FACE_SUIT[face]
    return {
        "name": tables.FACES[face],
        "kind": "suit" if suit < tables.LEADER_SUIT else "leader" if suit == tables.LEADER_SUIT else "wild",
        "suit": tables.SUITS[suit] if suit < tables.LEADER_SUIT else None,
        "rank": int(tables.FACE_RANK[face]),
        "space_type": tables.SPACE_TYPES[tables.LEADER_TYPE[face]] if tables.LEADER_TYPE[face] >= 0 else None,
        "copies": int(tables.FACE_COUNT[face]),
    }
