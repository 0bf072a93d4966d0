"""Constant data for a page: cards, spaces, tracks, tables of the rules, colours, the blank map; sent once."""

import json
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import numpy as np

from dawn_agents.frontends.web.new_games import player_names
from dawn_env import tables
from dawn_env.actions import MOST_POINTS
from dawn_env.cards.card_text import condition_text, effect_text, stay_text
from dawn_env.events.wording import TABLE
from dawn_env.glossary import AWARDS, GLOSSARY, USSR_STEPS
from dawn_env.picture.board_geometry import MAP, NARROW
from dawn_env.picture.drawing import map_svg
from dawn_env.picture.map_symbols import legend_entries
from dawn_env.picture.theme import COLOURS, DARK, LIGHT, style
from dawn_env.state import MODES, Mode
from dawn_env.tables import (
    AFTERMATH,
    ASTERISK,
    BATTLEGROUND,
    CARD_TITLES,
    COUNTRIES,
    COUNTRY_OF,
    NEIGHBOURS,
    OWNER,
    PERIOD,
    PERIODS,
    PRINTED_OPS,
    ROUNDS,
    SCORES,
    SETUP,
    SIDES,
    SOURCE_TITLES,
    SPACE_TYPES,
    SPACES,
    STABILITY,
    TIANANMEN_NEED,
    TYPE_OF,
    C,
    N,
)
from dawn_env.views.viewer_position import CountryStatus

LAYOUTS = {"wide": MAP, "narrow": NARROW}
_MAP_ROOT = "map"  # class of the map's SVG


@cache
def facts_json() -> str:
    """All facts as JSON."""
    return json.dumps(
        {
            "spaces": [_space(space) for space in range(len(SPACES))],
            "countries": COUNTRIES,
            "terms": {name: str(term) for name, term in GLOSSARY.items()},
            "legend": {MODES[mode]: legend_entries(mode) for mode in Mode},
            "cards": [None] + [_card(card) for card in range(1, C)],
            "sources": SOURCE_TITLES[C:],
            "awards": AWARDS,
            "awardNeeds": [TIANANMEN_NEED[side, 1:].tolist() for side in range(SIDES)],
            "ussr": USSR_STEPS,
            "players": player_names(),
            "words": TABLE,
            "rounds": ROUNDS,
            "aids": _aids(),
        }
    )


GAMES = (
    {"name": "standard", "title": "Standard game", "note": "", "options": {}},
    {"name": "bid", "title": "Bid for sides", "note": "secret offers of support points give the sides",
     "options": {"bid": True}},
    {"name": "family", "title": "Family mode", "note": "the small game, without events", "options": {"mode": "family"}},
)  # fmt: skip
"""The kinds of game, and the options that make them."""


def _aids() -> list[dict]:
    """The player aids: titles with lines, and the rows of a table (first: headings), empty where there is none."""
    text = (files("dawn_agents.frontends.web") / "data" / "aids.txt").read_text(encoding="utf-8")
    rolls, aftermath = " | ".join(map(str, range(len(AFTERMATH)))), " | ".join(map(str, AFTERMATH.tolist()))
    numbers = vars(tables) | {"MOST_POINTS": MOST_POINTS, "rolls": rolls, "aftermath": aftermath}
    aids = []
    for part in (
        text.format(**numbers, glossary=GLOSSARY, faces=TABLE["face"]["cases"]).removeprefix("# ").split("\n\n# ")
    ):
        title, *lines = part.splitlines()
        rows = [line.removeprefix("| ").split(" | ") for line in lines if line.startswith("|")]
        aids.append({"title": title, "lines": lines[: len(lines) - len(rows)], "table": rows})
    return aids


def _space(space: int) -> dict:
    return {
        "name": SPACES[space],
        "country": int(COUNTRY_OF[space]),
        "type": SPACE_TYPES[TYPE_OF[space]],
        "stability": int(STABILITY[space]),
        "battleground": bool(BATTLEGROUND[space]),
        "neighbours": [int(near) for near in NEIGHBOURS[0, space] if near >= 0],
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


@cache
def theme_css() -> str:
    """The colours of the pictures as custom properties, and the styles of the map, light and dark."""
    parts = [":root{color-scheme:light dark}"]
    for shade, theme in enumerate((LIGHT, DARK)):
        colours = ";".join(f"--{name}:{pair[shade]}" for name, pair in COLOURS.items())
        parts.append(f":root[data-theme={theme}]{{color-scheme:{theme};{colours};{style(theme, _MAP_ROOT)}}}")
    return "\n".join(parts)


class _PrintedMap:
    """The set-up, from the printed data alone, as ``map_svg`` takes a position."""

    support = np.asarray(SETUP, int)
    support_pairs = support.T.tolist()
    _lead = support[0] - support[1]
    control = np.where(_lead >= STABILITY, 0, np.where(-_lead >= STABILITY, 1, -1)).tolist()
    scores = (0,) * N
    marks, move = MappingProxyType({}), None
    status_is_score = True

    def __init__(self, destroyed: int):
        self.destroyed = destroyed

    def standing(self, country: int) -> CountryStatus:
        """Empty status: no country has been scored."""
        return CountryStatus(-1, "", "")


@cache
def blank_map(layout: str, destroyed: int) -> str:
    """SVG of the map in one of ``LAYOUTS``; ``destroyed``: space without connections (Systematization), -1 for none."""
    return map_svg(_PrintedMap(destroyed), LAYOUTS[layout], _MAP_ROOT)
