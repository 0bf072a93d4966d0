"""Words of events, questions and choices, from the table ``words.json``, which the browser reads as well.

A text is a template, a list of texts that follow each other, or a choice between texts, ``{"by": field, "cases":
{value: text}, "else": text}``. In templates ``{field}`` stands for a value and ``{field:form}`` for one of ``FORMS``;
``static/words.js`` has the same ones.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any

from dawn_env.glossary import card_name, counted, face_name
from dawn_env.state import FIELDS
from dawn_env.tables import SIDE_NAMES

TABLE: dict[str, Any] = json.loads((files("dawn_env.events") / "words.json").read_text("utf-8"))
TABLE["event"]["cases"]["marker"] = {
    "by": "marker",
    "cases": {field.key: field.event for field in FIELDS if field.event},
}
_FIELD = re.compile(r"\{(\w*)(?::([\w-]+))?(?::([^}]+))?\}")


def say(text: str, fields: Mapping) -> str:
    """The words of ``TABLE[text]`` for an event, a question or a result, given by its ``fields``."""
    return words(TABLE[text], fields)


def words(text: str | list | dict, fields: Mapping) -> str:
    """A text of the table with its ``fields`` filled in."""
    if isinstance(text, list):
        return "".join(words(part, fields) for part in text)
    if isinstance(text, dict):
        return words(text["cases"].get(str(fields.get(text["by"])), text.get("else", "")), fields)
    return _FIELD.sub(lambda found: _form(found, fields), text)


def outcome_words(ended: Mapping, side: int) -> str:
    """Text of the end of a game for a side, from ``result``, ``reason`` and ``vp``."""
    won = None if ended["result"] == "draw" else ended["result"] == SIDE_NAMES[side]
    return f"{say('own-result', {'won': won})}: {say('event', {'event': 'end', **ended})}"


def _form(found: re.Match, fields: Mapping) -> str:
    name, form, argument = found.groups()
    value = fields[name] if name else fields
    return FORMS[form](value, argument) if form else str(value)


def action_words(text: str | None) -> str:
    """An action for people: spaces and countries by name, cards by number and title."""
    if text is None:
        return TABLE["secret"]
    kind, _, name = text.partition(":")
    if kind == "card":
        return card_name(int(name))
    if kind == "power":
        return face_name(name)
    return name.capitalize() if kind in ("offer", "suit") else name or text.replace("-", " ")


def _other(side: str) -> str:
    return SIDE_NAMES[1 - SIDE_NAMES.index(side)].capitalize()


def _leader(vp: int) -> str:
    return SIDE_NAMES[vp < 0].capitalize()


def _change(event: Mapping) -> str:
    return ", ".join(f"{name.capitalize()} {event[name][0]} → {event[name][1]}" for name in SIDE_NAMES if name in event)


def _capped(roll: Mapping) -> str:
    return f"{roll['sum']}" if roll["sum"] == roll["result"] else f"{roll['sum']}, counts as {roll['result']}"


def _level(side: Mapping) -> str:
    if side["level"] == "none":
        return "0"
    parts = f"{side['level']} {side['for_level']}"
    if count := side["battlegrounds"]:
        return f"{parts} + {counted(count, 'battleground')} = {side['vp']}"
    return parts


def _parts(parts: Iterable) -> str:
    """Words for the modifiers of a die roll."""
    return "".join(f" {'-' if number < 0 else '+'} {abs(number)} ({say('part', {'of': of})})" for of, number in parts)


def _extra(points: Mapping) -> str:
    return ", ".join(f"{number} for the {name.capitalize()}" for name, number in points.items() if number) or "none"


FORMS: dict[str, Callable[[Any, str | None], str]] = {
    "side": lambda value, _: value.capitalize(),
    "other": lambda value, _: _other(value),
    "card": lambda value, _: card_name(value),
    "of-card": lambda value, _: f" by {card_name(value['card'])}" if "card" in value else "",
    "cards": lambda value, _: ", ".join(map(card_name, value)),
    "faces": lambda value, _: ", ".join(map(face_name, value)),
    "action": lambda value, _: action_words(value),
    "words": lambda value, _: value.replace("-", " "),
    "rank": lambda value, _: f" {value}" if value else "",
    "parts": lambda value, _: _parts(value),
    "count": lambda value, noun: counted(value, noun or ""),
    "list": lambda value, _: ", ".join(map(str, value)),
    "vp": lambda value, _: f"{_leader(value)} scores {abs(value)} VP" if value else "0 VP",
    "lead": lambda value, _: f"{_leader(value)} leads by {abs(value)}" if value else "level at 0",
    "final": lambda value, _: f"{_leader(value)} +{abs(value)}" if value else "0",
    "change": lambda value, _: _change(value),
    "capped": lambda value, _: _capped(value),
    "level": lambda value, _: _level(value),
    "extra": lambda value, _: _extra(value),
}
"""Forms of values in templates."""
