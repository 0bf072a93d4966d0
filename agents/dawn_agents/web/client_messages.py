"""Messages of a page at a seat, and their checks."""

from typing import NamedTuple

from dawn_agents.web.position_messages import LAYOUTS
from dawn_agents.web.request_limits import MOST_MESSAGE
from dawn_env.errors import DawnError
from dawn_env.support.safe_text import short_repr
from dawn_env.validation.untrusted_json import parse_json

ACT, UNDO, RESIGN, HINT, HURRY, LAYOUT = KINDS = ("act", "undo", "resign", "hint", "hurry", "layout")
DATED = (ACT, UNDO, HINT)
"""Those that are about a state, which they name by ``at``."""


class BadRequest(DawnError, ValueError):
    """Something that a page cannot mean; the message says what was expected."""


class TooSlow(BadRequest):
    """A request that does not come to its end in time."""


class ClientMessage(NamedTuple):
    """``kind`` of ``KINDS``; ``at``: decisions of the side in the state it is about; ``text``: action or layout."""

    kind: str
    at: int = -1
    text: str = ""


def read(message: str | bytes) -> ClientMessage:
    """A wish from a message; raises ``BadRequest``."""
    if len(message) > MOST_MESSAGE:
        raise BadRequest(f"a message of at most {MOST_MESSAGE} bytes expected, not {len(message)}")
    fields = json_of(message)
    if not isinstance(fields, dict) or fields.get("type") not in KINDS:
        raise BadRequest(f"an object with a type of {', '.join(KINDS)} expected, not {short_repr(fields)}")
    kind, at = fields["type"], fields.get("at", -1)
    if kind in DATED and (type(at) is not int or at < 0):
        raise BadRequest(f"{kind}: at: the number of the state expected, not {short_repr(at)}")
    text = fields.get({ACT: "action", LAYOUT: "layout"}.get(kind, ""), "")
    if kind == ACT and not isinstance(text, str):
        raise BadRequest(f"act: action: a text expected, not {short_repr(text)}")
    return ClientMessage(kind, at, layout(text) if kind == LAYOUT else text)


def layout(name: object) -> str:
    """The name of a layout; raises ``BadRequest``."""
    if not isinstance(name, str) or name not in LAYOUTS:
        raise BadRequest(f"layout: {' or '.join(LAYOUTS)} expected, not {short_repr(name)}")
    return name


def json_of(contents: str | bytes) -> object:
    """JSON; raises ``BadRequest``."""
    try:
        return parse_json(contents)
    except ValueError as error:
        raise BadRequest(f"not JSON: {error}") from None


def count(text: str) -> int:
    """A whole number as part of an address; raises ``BadRequest``."""
    if not text.isdecimal() or len(text) > 19:
        raise BadRequest("a whole number expected")
    return int(text)


def replay_index(at: object, length: int) -> int:
    """A position of a game of ``length`` decisions, given as a number or a text; raises ``BadRequest``."""
    number = int(at) if isinstance(at, str) and at.isdecimal() and len(at) < 10 else at
    if type(number) is not int or not 0 <= number <= length:
        raise BadRequest(f"at: a number of decisions 0 ... {length} expected")
    return number
