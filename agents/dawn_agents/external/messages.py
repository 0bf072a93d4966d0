"""Messages of docs/protocol.md: those sent to programs, and checks of their answers."""

from collections.abc import Mapping
from typing import Any

from dawn_agents.external.named_view import named_view
from dawn_env.formats.foreign import parse_json
from dawn_env.support.plain_text import quoted
from dawn_env.tables import SIDE_NAMES
from dawn_env.view import View

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
