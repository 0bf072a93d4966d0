"""Options of a game: what both players agree on before it begins, validated in one place.

Another option is a field here, a field of the same name in ``state.FIELDS``, without a start, and what reads it in
``rules``. Everything between carries ``GameOptions`` whole: environments, records, positions, tournaments, training and
command lines.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from dawn_env.actions import ALL_ACTIONS, A
from dawn_env.errors import BadOptions
from dawn_env.state import MODES, MOST_EXTRA_SUPPORT, Mode
from dawn_env.support.argument_checks import integer
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_LETTERS, SIDE_NAMES, SIDES


@dataclass(frozen=True)
class GameOptions:
    """Options of a game; raises ``BadOptions``, a ``ValueError``, for what no game has.

    ``extra_support``: support points that (Democrat, Communist) place after the set-up (rule 13.0), each 0 ... 20.
    ``bid``: the players bid for sides before the set-up, and the points come from that (rule 13.0).
    ``mode``: ``standard``, or ``family`` for the small game without events (rule TR).

    The metadata of a field are those of its argument on command lines, ``metavar`` and ``help``.
    """

    extra_support: tuple[int, int] = field(
        default=(0, 0),
        metadata={
            "metavar": SIDE_LETTERS,
            "help": f"support points each side places after the set-up, 0 ... {MOST_EXTRA_SUPPORT} each (0 0)",
        },
    )

    bid: bool = field(default=False, metadata={"help": "the players bid for sides and support points"})
    mode: str = field(default="standard", metadata={"metavar": "MODE", "help": f"{' or '.join(MODES)} (standard)"})

    def __post_init__(self):
        object.__setattr__(self, "extra_support", _points(self.extra_support))
        if self.mode not in MODES:
            raise BadOptions(f"mode: {' or '.join(MODES)} expected, not {short_repr(self.mode)}")
        if type(self.bid) is not bool:
            raise BadOptions(f"bid: true or false expected, not {short_repr(self.bid)}")
        if self.is_family and self.bid:
            raise BadOptions("bid: false expected in family mode, which has no bid")
        # ruling bid-excludes-extra-support
        if (self.is_family or self.bid) and any(self.extra_support):
            other = "family mode" if self.is_family else "a game with a bid, which gives them"
            raise BadOptions(f"extra_support: (0, 0) expected in {other}, not {self.extra_support}")

    @property
    def is_family(self) -> bool:
        """Return True if this is family mode."""
        return self.mode == MODES[Mode.FAMILY]

    @property
    def actions(self) -> int:
        """Number of actions of these games: ids 0 ... ``actions`` - 1, the width of their masks."""
        return ALL_ACTIONS if self.is_family or self.bid else A

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """All options there are."""
        return tuple(option.name for option in fields(cls))

    # --- from and to what callers and files have ---------------------------------------------------

    @classmethod
    def of(cls, value: "GameOptions | Mapping | None") -> "GameOptions":
        """Options from what a caller may give: options, their names and values (as in a record), or nothing.

        Those that are not named are as in the standard game.
        """
        if isinstance(value, GameOptions):
            return value
        return cls().changed({} if value is None else value)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Schema of fields of input (``validation.checked_input``): options, or some of their names and values."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, cls) else cls().changed(value)
        )

    def changed(self, values: Mapping) -> "GameOptions":
        """Copy of these options with other ``values`` by name; raises ``BadOptions``."""
        if not isinstance(values, Mapping) or not set(values) <= set(self.names()):
            known = ", ".join(self.names())
            raise BadOptions(f"options: an object with some of the keys {known} expected, not {short_repr(values)}")
        return type(self)(**(asdict(self) | dict(values)))

    def at_reset(self, given: Mapping) -> "GameOptions":
        """Copy with the game options among ``given``, the options of an environment's ``reset``; others are ignored.

        Raises ``BadOptions``, also for another mode or bid, with which its observations and actions would be others.
        """
        agreed = self.changed({name: given[name] for name in self.names() if name in given})
        if (agreed.mode, agreed.bid) != (self.mode, self.bid):
            raise BadOptions("mode, bid: cannot be changed by reset, only when the environment is made")
        return agreed

    def to_json(self) -> dict:
        """All options by name, as JSON values; ``of`` is the inverse."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def non_defaults(self) -> dict:
        """Options as JSON values, without those of the standard game."""
        standard = type(self)().to_json()
        return {name: value for name, value in self.to_json().items() if value != standard[name]}

    # --- in the state of a game ----------------------------------------------------------------------

    @classmethod
    def of_state(cls, state: np.record) -> "GameOptions":
        """The options of the game in a ``STATE`` record; raises ``BadOptions`` for a mode that there is not."""
        if not 0 <= state.mode < len(MODES):
            raise BadOptions(f"mode: 0 ... {len(MODES) - 1} expected in a state, not {state.mode}")
        bid = bool(state.bid)
        points = (0, 0) if bid else state.extra_support.tolist()
        return cls(extra_support=points, bid=bid, mode=MODES[state.mode])

    def write(self, states: np.ndarray | np.record) -> None:
        """Write the options to the fields of their names in ``states``, one ``STATE`` record or an array of them."""
        states["extra_support"], states["bid"], states["mode"] = self.extra_support, self.bid, MODES.index(self.mode)


def _points(value) -> tuple[int, int]:
    try:
        points = [integer(number) for number in value]
    except TypeError:
        points = []
    possible = [number for number in points if number is not None and 0 <= number <= MOST_EXTRA_SUPPORT]
    if len(points) != SIDES or points != possible:
        sides = ", ".join(SIDE_NAMES)
        raise BadOptions(
            f"extra_support: ({sides}), each an integer 0 ... {MOST_EXTRA_SUPPORT}, not {short_repr(value)}"
        )
    democrat, communist = possible
    return democrat, communist


STANDARD = GameOptions()
"""The game as it is printed."""
