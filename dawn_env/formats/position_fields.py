"""Fields of positions as JSON, of the standard game and of family mode."""

from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any, Literal

from annotated_types import Interval, Len

from dawn_env.actions import MOST_POINTS
from dawn_env.errors import MalformedPosition
from dawn_env.state import FIELDS
from dawn_env.state_fields import Field
from dawn_env.tables import (
    COUNTRIES,
    EXTRA_ROUND,
    FACES,
    FAMILY_ROUNDS,
    LAST_TURN,
    SIDE_LETTERS,
    SIDES,
    SPACES,
    TIANANMEN_BOXES,
    C,
)
from dawn_env.validation.checked_input import Checked, Kind, keyed, read

PLAYERS = ("first", "second")
_MAX_VP, _MAX_SCORED = 19, 10

Side = Literal[SIDE_LETTERS]
Points = Annotated[int, Interval(ge=-_MAX_VP, le=_MAX_VP)]
Card = Annotated[int, Interval(ge=1, le=C - 1)]
Hands = keyed(dict.fromkeys(SIDE_LETTERS, list[Card]))


def support_of(most: int) -> Any:
    """Type of support points by space, [Democrat, Communist], each at most ``most``."""
    return dict[Literal[SPACES], Annotated[list[Annotated[int, Interval(ge=0, le=most)]], Len(SIDES, SIDES)]]


@dataclass(frozen=True)
class Track(Checked):
    """A side on the Tiananmen Square Track."""

    box: Annotated[int, Interval(ge=0, le=TIANANMEN_BOXES)]
    tried_box: bool
    tried_turn: bool


@dataclass(frozen=True)
class Power(Checked):
    """Power in a country: its holder, and how often the Communist's has been scored."""

    holder: Side
    scored: Annotated[int, Interval(ge=0, le=_MAX_SCORED)] | None

    def __post_init__(self):
        if (self.scored is None) != (self.holder == "D"):
            expected = "null" if self.holder == "D" else f"an integer 0 ... {_MAX_SCORED}"
            raise ValueError(f"scored: {expected} expected where the holder is {self.holder}, not {self.scored}")


@dataclass(frozen=True)
class OfferFields(Checked):
    """Offer of a player in the bid."""

    side: Side
    points: Annotated[int, Interval(ge=0, le=MOST_POINTS)]


def _kind(field: Field) -> Any:
    """Type of the value of a field's key."""
    low, high = field.low or 0, field.high or 0
    if field.names:
        kind: Any = Literal[field.names[low : high + 1]]
    else:
        kind = bool if (low, high) == (0, 1) else Annotated[int, Interval(ge=low, le=high)]
    return keyed(dict.fromkeys(SIDE_LETTERS, kind)) if field.shape else kind


_KEYED: Any = make_dataclass(
    "_KEYED",
    [
        (field.key, _kind(field) | None, None) if field.marker else (field.key, _kind(field))
        for field in FIELDS
        if field.key
    ],
    bases=(Checked,),
    frozen=True,
    kw_only=True,
)
"""Keys of single fields of a state."""


@dataclass(frozen=True, kw_only=True)
class Position(_KEYED):
    """A position of the standard game, but for the options of the game."""

    vp: Points
    tiananmen: keyed(dict.fromkeys(SIDE_LETTERS, Track))
    support: support_of(99)
    power: keyed(dict.fromkeys(COUNTRIES, Power))
    hands: Hands
    draw_pile: list[Card]
    discard: list[Card]
    removed: list[Card]
    in_play: list[Card]
    samizdat: Card | None = None
    events_enabled: list[Card] | None = None
    offers: keyed(dict.fromkeys(PLAYERS, OfferFields)) | None = None
    first_plays: Side | None = None

    def __post_init__(self):
        if (self.turn == 0) != (self.round == 0):
            rounds = f"1 ... {EXTRA_ROUND}" if self.turn else "0"
            raise ValueError(f"round: {rounds} expected in turn {self.turn}, not {self.round}")


@dataclass(frozen=True)
class FamilyPosition(Checked):
    """A position of family mode."""

    mode: Literal["family"]
    turn: Annotated[int, Interval(ge=1, le=LAST_TURN)]
    round: Annotated[int, Interval(ge=0, le=FAMILY_ROUNDS)]
    phasing: Side
    vp: Points
    support: support_of(150)
    hands: Hands
    discard: list[Card]
    power_hands: keyed(dict.fromkeys(SIDE_LETTERS, list[Literal[FACES]]))
    power_discard: list[Literal[FACES]]


def read_fields(kind: type[Kind], position: Any) -> Kind:
    """Fields of a position, of which each is as it should be; raises ``MalformedPosition``."""
    try:
        return read(kind, position)
    except ValueError as error:
        raise MalformedPosition(f"position: {error}") from None
