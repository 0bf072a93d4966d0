"""What does not change: cards, spaces, tracks, tables of the rules, and the colours; sent to a page once."""

import json
from dataclasses import fields
from functools import cache

from agents.terminal.menu import HINTS
from agents.web.aids import AIDS
from agents.web.position import MAP_ROOT
from dawn_env.cards.text import condition_text, effect_text, stay_text
from dawn_env.errors import BadOptions
from dawn_env.options import GameOptions
from dawn_env.picture.theme import COLOURS, DARK, LIGHT, style
from dawn_env.picture.tracks import AWARDS, STEPS
from dawn_env.tables import (
    ASTERISK,
    BATTLEGROUND,
    CARD_TITLES,
    COUNTRIES,
    COUNTRY_OF,
    FACES,
    OWNER,
    PERIOD,
    PERIODS,
    PRINTED_OPS,
    SCORES,
    SIDES,
    SOURCE_TITLES,
    SPACE_TYPES,
    SPACES,
    STABILITY,
    TIANANMEN_NEED,
    TYPE_OF,
    C,
)


@cache
def facts_json() -> str:
    """All facts as JSON."""
    return json.dumps(
        {
            "spaces": [_space(space) for space in range(len(SPACES))],
            "countries": COUNTRIES,
            "cards": [None] + [_card(card) for card in range(1, C)],
            "sources": SOURCE_TITLES[C:],
            "faces": FACES,
            "awards": AWARDS,
            "awardNeeds": [TIANANMEN_NEED[side, 1:].tolist() for side in range(SIDES)],
            "ussr": STEPS,
            "words": HINTS,
            "aids": AIDS,
        }
    )


OTHER_GAMES = ("bid", "mode")
"""Options that make another game, which the pages do not show."""


def _space(space: int) -> dict:
    return {
        "name": SPACES[space],
        "country": int(COUNTRY_OF[space]),
        "type": SPACE_TYPES[TYPE_OF[space]],
        "stability": int(STABILITY[space]),
        "battleground": bool(BATTLEGROUND[space]),
    }


def _card(card: int) -> dict:
    return {
        "title": CARD_TITLES[card],
        "owner": int(OWNER[card]),
        "ops": int(PRINTED_OPS[card]),
        "period": PERIODS[PERIOD[card]],
        "scores": int(SCORES[card]),
        "once": bool(ASTERISK[card]),
        "effect": effect_text(card),
        "condition": condition_text(card),
        "stays": stay_text(card),
    }


def option_fields() -> list[dict]:
    """The options of the standard game as they declare themselves, for a form."""
    return [
        {
            "name": option.name,
            "default": list(option.default) if isinstance(option.default, tuple) else option.default,
            "kind": type(option.default).__name__,
            "metavar": list(option.metadata.get("metavar") or ()),
            "help": option.metadata.get("help", ""),
            "choices": list(option.metadata.get("choices") or ()),
        }
        for option in fields(GameOptions)
        if option.name not in OTHER_GAMES
    ]


def page_options(value) -> GameOptions:
    """``GameOptions.of``; raises ``BadOptions`` as well for games that the pages do not show."""
    options = GameOptions.of(value)
    if set(options.departures()) & set(OTHER_GAMES):
        raise BadOptions("the pages show the standard game; family mode and bids are played with scripts/play.py")
    return options


@cache
def theme_css() -> str:
    """The colours of the pictures as custom properties, and the styles of the map, light and dark."""
    parts = [":root{color-scheme:light dark}"]
    for shade, theme in enumerate((LIGHT, DARK)):
        colours = ";".join(f"--{name}:{pair[shade]}" for name, pair in COLOURS.items())
        parts.append(f":root[data-theme={theme}]{{color-scheme:{theme};{colours}}}")
        rules = style(theme, MAP_ROOT)
        parts.append(rules.replace(f".{MAP_ROOT} ", f":root[data-theme={theme}] .{MAP_ROOT} "))
    return "\n".join(parts)
