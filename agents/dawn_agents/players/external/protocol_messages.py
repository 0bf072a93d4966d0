"""Messages of docs/reference/protocol.md: those sent to programs, and checks of their answers."""

from dataclasses import dataclass, field, fields
from typing import Annotated, Any

from annotated_types import MinLen

from dawn_env.observation.player_view import View
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.checked_input import Checked, read
from dawn_env.validation.untrusted_json import check_format, parse_json
from dawn_env.views.named_parts import named_view

PROTOCOL = 2
"""Version of the messages; goes up when a program written for the one before could no longer play."""


def position_message(view: View) -> dict[str, Any]:
    """Fields of ``position``, which depend only on the view of the side to act."""
    return {
        "side": SIDE_NAMES[view.side],
        "decision": view.decision,
        "legal": view.texts,
        "view": named_view(view.observation, view.layout),
    }


@dataclass(frozen=True)
class BotFacts(Checked):
    """Description of a program, from its answer to ``hello``; other keys are ignored."""

    name: Annotated[str, MinLen(1)]
    version: Annotated[str, MinLen(1)]
    protocol: int
    options: dict[str, Any] = field(default_factory=dict)
    """Names of its options with their defaults."""
    wants: list[Any] = field(default_factory=list)
    """``data``, ``world`` or both, to be sent besides; other entries are ignored."""


def bot_facts(facts: object) -> BotFacts:
    """The value of ``bot`` in an answer to ``hello``; raises ``ValueError``."""
    if isinstance(facts, dict):
        check_format(facts, PROTOCOL, "protocol")
        facts = {one.name: facts[one.name] for one in fields(BotFacts) if one.name in facts}
    return read(BotFacts, facts)


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
