"""Messages of pages, and their checks."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import Ge

from dawn_agents.serving.request_limits import MOST_MESSAGE
from dawn_env.errors import DawnError
from dawn_env.validation import checked_input
from dawn_env.validation.checked_input import Checked, keyed
from dawn_env.validation.untrusted_json import parse_json

Kind = TypeVar("Kind")
Count = Annotated[int, Ge(0)]
DATED = ("act", "undo", "hint")
"""Types of messages that are about a state, whose number is ``at``."""


class BadRequest(DawnError, ValueError):
    """Something that a page cannot mean; the message says what was expected."""


class NotFound(BadRequest):
    """An address under which there is no seat, game or file."""


class TooSlow(BadRequest):
    """A request that does not come to its end in time."""


class TooMany(BadRequest):
    """A request while an earlier one is being answered."""


@dataclass(frozen=True)
class SeatMessage(Checked):
    """Message of a page at a seat. ``at``: decisions of the side in the state it is about."""

    type: Literal["act", "undo", "resign", "practice", "hint", "hurry"]
    at: Count | None = None
    action: str = ""

    def __post_init__(self):
        if self.type in DATED and self.at is None:
            raise ValueError("at: the number of the state expected")


@dataclass(frozen=True)
class StudyMessage(Checked):
    """Message of a page that shows a replay. ``at``: position to be analysed; ``side``: whose losses come first."""

    type: Literal["analyse", "losses", "stop"]
    at: Count = 0
    side: Literal["democrat", "communist"] = "democrat"


Origin = keyed({"replay": str, "at": Count})
"""Position of a replay in which a new game begins."""
NewGame = keyed(
    {"players": dict[str, str]}, {"seed": int | str | None, "options": Any, "from": Origin, "practice": bool}
)
"""Request for a new game. ``players`` by seat; ``seed``: drawn where there is none; ``practice``: every decision of the
person can be taken back."""

SavedGame = keyed({"opponent": str})
"""Request to go on with a saved game."""


def read(kind: type[Kind], contents: str | bytes) -> Kind:
    """JSON of a page as a ``kind``; raises ``BadRequest``."""
    if len(contents) > MOST_MESSAGE:
        raise BadRequest(f"a message of at most {MOST_MESSAGE} bytes expected, not {len(contents)}")
    try:
        value = parse_json(contents)
    except ValueError as error:
        raise BadRequest(f"not JSON: {error}") from None
    try:
        return checked_input.read(kind, value)
    except ValueError as error:
        raise BadRequest(str(error)) from None


def replay_index(at: int, length: int) -> int:
    """``at``, a position of a game of ``length`` decisions; raises ``BadRequest`` beyond them."""
    if not 0 <= at <= length:
        raise BadRequest(f"at: a number of decisions 0 ... {length} expected")
    return at
