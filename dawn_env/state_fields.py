"""Classes that declare the fields of a game's record; ``state.FIELDS`` is the list of all fields."""

from enum import Enum
from typing import Any, NamedTuple

import numpy as np


class Lasts(Enum):
    """Lifetime of a field's value: after it, the field is reset to the value of a new game."""

    GAME = "the game"
    TURN = "the turn"
    ROUND = "the action rounds of both sides"
    STRUGGLE = "the power struggle"
    MOVE = "the shift or take-over of family mode"


class Used(Enum):
    """Kinds of game, and parts of them, in which a field can differ from a new game's."""

    ALWAYS = "also during a bid"
    IN_GAMES = "in all games, once the sides are known"
    STANDARD = "in the standard game, once the sides are known"
    FAMILY = "in family mode"


class Marker(NamedTuple):
    """Words for what an event leaves on the table: a flag, or the space, country, side or card that it is about."""

    card: int
    """Card that it comes from."""
    zone: int | None = None
    """Zone the card must lie in, None for any."""
    needs: str = ""
    """Field of a flag that is then set."""
    note: str = ""
    """Beside the card in lists of lasting events, ``{}`` for the value by name; empty: not listed."""
    words: str = ""
    """Of a space that is marked."""
    label: str = ""
    """On the map, at a space that is marked; empty: a cross through the space."""
    sign: str = ""
    """Letter in front of a space that is marked, in positions as text."""


class Field(NamedTuple):
    """A field of the record, and all that other modules derive from."""

    name: str
    kind: Any
    """Dtype of one entry."""
    shape: tuple[int, ...] = ()
    start: Any = 0
    """Value in a new game; None for options of the game, which are written before it begins."""
    low: int | None = None
    """Least value, None where every value of the dtype is one."""
    high: int | None = None
    none: int | None = None
    """Value outside of the bounds that stands for none."""
    lasts: Lasts = Lasts.GAME
    used: Used = Used.STANDARD
    public: bool = False
    """True where both sides always know it."""
    effect: bool = False
    """True where a change is an effect of the event that makes it; an event with no effect says so."""
    key: str = ""
    """Key in position files; empty: none, or one of several fields there."""
    event: str = ""
    """Words of the event ``marker`` that tells of a change, ``{value}`` for what it is now; empty: no such event."""
    names: tuple[str, ...] = ()
    """Names of the values 0, 1, 2 ... in position files and events."""
    marker: Marker | None = None
    """Words of a marker; its key is absent from position files while it is as in a new game."""

    def is_within(self, values: Any) -> bool:
        """Return True if all values are within the bounds."""
        if self.low is None or self.high is None:
            return True
        numbers = np.asarray(values)
        return bool((((numbers >= self.low) & (numbers <= self.high)) | (numbers == self.none)).all())

    @property
    def expected(self) -> str:
        """The bounds in words."""
        none = "" if self.none is None else f"{self.none} or "
        return f"{none}{self.low} ... {self.high}"

    def value(self, number: Any) -> Any:
        """JSON value of a number: its name, None for none; flags as true or false; lists of arrays."""
        if self.shape:
            return np.asarray(number).tolist()
        if number == self.none:
            return None
        if self.names:
            return self.names[number]
        return bool(number) if (self.low, self.high) == (0, 1) else int(number)


def number(name: str, low: int, high: int, shape: tuple[int, ...] = (), kind: str = "i1", **more) -> Field:
    """Numbers within bounds."""
    return Field(name, kind, shape, low=low, high=high, **more)


def flag(name: str, shape: tuple[int, ...] = (), **more) -> Field:
    """Flags, 0 or 1."""
    return number(name, 0, 1, shape, **more)


def one_of(name: str, count: int, first: int = 0, **more) -> Field:
    """Index of one of so many things from ``first`` on, -1 for none."""
    return Field(name, "i1", (), -1, first, first + count - 1, -1, **more)


def named(name: str, names: tuple[str, ...], first: int = 0, count: int | None = None, **more) -> Field:
    """Index of one of ``names``, or of ``count`` of them from ``first`` on; -1 for none."""
    return one_of(name, len(names) if count is None else count, first, names=names, **more)
