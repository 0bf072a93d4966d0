"""Messages of docs/reference/protocol.md: those sent to programs, and checks of their answers."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dawn_env.observation import Axis, Kind, Part
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, Layout
from dawn_env.support.safe_text import quoted
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.untrusted_json import parse_json


def named_view(observation: np.ndarray, layout: Layout = STANDARD_LAYOUT) -> dict:
    """The parts of ``observation`` int8 [F] under the names of a layout.

    A single entry is an integer; a pair ``{"mine": a, "theirs": b}``; a one-hot part the name marked, or
    None; flags the list of names marked; any other part name to value, zeros left out.
    """
    parts = layout.decode(observation)
    return {part.name: _named(part, parts[part.name].tolist()) for part in layout.table}


def _named(part: Part, values: list[int]):
    names = part.axis.value
    if part.axis is Axis.ONE:
        return values[0]
    if part.axis is Axis.OWNER:
        return dict(zip(names, values, strict=True))
    marked = {name: value for name, value in zip(names, values, strict=True) if value}
    if part.kind is Kind.ONE_HOT:
        return next(iter(marked), None)
    return list(marked) if part.kind is Kind.FLAG else marked


PROTOCOLS = (1, 2)
"""Versions that are spoken. Programs answer the first with the one they want; those who name none want the first."""

WANTS = ("data", "world")
"""What a program may ask for besides, in protocol 2."""


def position_message(view: View) -> dict[str, Any]:
    """Fields of ``position``, which depend only on the view of the side to act."""
    return {
        "side": SIDE_NAMES[view.side],
        "decision": view.decision,
        "legal": view.texts,
        "view": named_view(view.observation, view.layout),
    }


def hello_problem(bot: object) -> str:
    """Problem of a program's ``hello``; empty if there is none."""
    if not isinstance(bot, dict):
        return f"a 'bot' that is no object: {quoted(bot)}"
    for field in ("name", "version"):
        if not isinstance(bot.get(field), str) or not bot[field]:
            return f"a 'bot' whose {field!r} is not a text: {quoted(bot.get(field))}"
    if type(protocol_of(bot)) is not int or protocol_of(bot) not in PROTOCOLS:
        spoken = " and ".join(map(str, PROTOCOLS))
        return f"protocol {quoted(bot['protocol'])}, this is protocol {spoken}"
    if not isinstance(bot.get("options", {}), dict):
        return f"'options' that are no object: {quoted(bot['options'])}"
    if not isinstance(bot.get("wants", []), list):
        return f"'wants' that are no list: {quoted(bot['wants'])}; known: {', '.join(WANTS)}"
    return ""


def protocol_of(bot: Mapping[str, Any]) -> Any:
    """Protocol version that a program requests."""
    return bot.get("protocol", PROTOCOLS[0])


def program_settings(text: str) -> dict[str, str]:
    """``name:value;name:value`` as a dictionary; raises ``ValueError``."""
    settings = {}
    for pair in filter(None, text.split(";")):
        name, colon, value = pair.partition(":")
        if not colon or not name:
            raise ValueError(f"set: name:value;name:value expected, not {text!r}")
        settings[name] = value
    return settings


def like(default: str | bool | int | float, text: str) -> str | bool | int | float | None:
    """``text`` as a value of the type of ``default``; None when it is not one."""
    if isinstance(default, str):
        return text
    try:
        value = parse_json(text)
    except ValueError:
        return None
    kinds = (int, float) if type(default) is float else (type(default),)
    return value if type(value) in kinds else None
