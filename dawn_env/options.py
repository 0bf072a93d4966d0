"""Options of a game: what both players agree on before it begins, validated in one place."""

import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from dawn_env.errors import BadOptions
from dawn_env.support.plain_text import quoted
from dawn_env.tables import SIDE_NAMES, SIDES

MOST_EXTRA_SUPPORT = 20
"""Support points a side can be given by a bid; more than any space is worth."""


@dataclass(frozen=True)
class GameOptions:
    """How a game departs from the standard one.

    ``extra_support``: support points that (Democrat, Communist) place after the set-up (rule 13), each
    0 ... 20. Raises ``BadOptions``, a ``ValueError``, for anything else.
    """

    extra_support: tuple[int, int] = (0, 0)

    def __post_init__(self):
        object.__setattr__(self, "extra_support", _points(self.extra_support))

    @classmethod
    def of(cls, value: "GameOptions | Mapping | None") -> "GameOptions":
        """Options from what a caller may give: options, their names and values (as in a record), or nothing."""
        if value is None:
            return cls()
        if isinstance(value, cls):
            return value
        known = [field.name for field in fields(cls)]
        if not isinstance(value, Mapping) or not set(value) <= set(known):
            raise BadOptions(
                f"options: an object with some of the keys {', '.join(known)} expected, not {quoted(value)}"
            )
        return cls(**value)

    def to_json(self) -> dict:
        """All options by name, as JSON values; ``of`` is the inverse."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def _points(value) -> tuple[int, int]:
    try:
        points = tuple(operator.index(number) for number in value)
    except TypeError:
        points = ()
    if len(points) != SIDES or not all(0 <= number <= MOST_EXTRA_SUPPORT for number in points):
        sides = ", ".join(SIDE_NAMES)
        raise BadOptions(f"extra_support: ({sides}), each an integer 0 ... {MOST_EXTRA_SUPPORT}, not {quoted(value)}")
    return points
