"""Values in positions from outside, checked one by one.

Each function raises ``MalformedPosition`` that begins with the ``name`` it is given.
"""

from collections import Counter
from collections.abc import Collection

import numpy as np

from dawn_env.errors import MalformedPosition
from dawn_env.tables import SIDES, SPACE_ID, SPACES, C


def mapping(value, name: str) -> None:
    """An object expected."""
    if not isinstance(value, dict):
        raise MalformedPosition(f"{name}: an object expected, not {value!r}")


def keys(value, name: str, required: Collection[str], optional: Collection[str] = ()) -> None:
    """An object with the required keys and no others but the optional ones."""
    mapping(value, name)
    if missing := sorted(set(required) - set(value)):
        raise MalformedPosition(f"{name}: missing {', '.join(missing)}")
    if unknown := sorted(set(value) - set(required) - set(optional)):
        known = ", ".join(sorted({*required, *optional}))
        raise MalformedPosition(f"{name}: unknown {', '.join(unknown)}; known: {known}")


def whole(value, name: str, low: int, high: int) -> int:
    """An integer ``low ... high``."""
    if type(value) is not int or not low <= value <= high:
        raise MalformedPosition(f"{name}: an integer {low} ... {high} expected, not {value!r}")
    return value


def truth(value, name: str) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise MalformedPosition(f"{name}: true or false expected, not {value!r}")
    return value


def one_of(value, name: str, names: tuple[str, ...]) -> int:
    """The place of a name among ``names``."""
    if value not in names:
        raise MalformedPosition(f"{name}: one of {', '.join(names)} expected, not {value!r}")
    return names.index(value)


def space_id(value, name: str) -> int:
    """The number of a space given by name."""
    if not isinstance(value, str) or value not in SPACE_ID:
        raise MalformedPosition(f"{name}: no space is called {value!r}; known: {', '.join(SPACES)}")
    return SPACE_ID[value]


def card_list(value, name: str) -> list[int]:
    """Numbers of cards, each once, ascending."""
    if not isinstance(value, list):
        raise MalformedPosition(f"{name}: a list of card numbers expected, not {value!r}")
    cards = [whole(card, name, 1, C - 1) for card in value]
    if twice := [card for card, count in Counter(cards).items() if count > 1]:
        raise MalformedPosition(f"{name}: cards {twice} are listed more than once")
    return sorted(cards)


def support_points(value, name: str, most: int) -> dict[int, list[int]]:
    """[Democrat, Communist] support points by space."""
    mapping(value, name)
    read = {}
    for space, points in value.items():
        number = space_id(space, name)
        if not isinstance(points, list) or len(points) != SIDES:
            raise MalformedPosition(f"{name}.{space}: [democrat, communist] expected, not {points!r}")
        read[number] = [whole(p, f"{name}.{space}", 0, most) for p in points]
    return read


def support_json(state: np.record) -> dict[str, list[int]]:
    """Inverse of ``support_points``, by name of the space: those of a ``STATE`` record."""
    return {name: points for name, points in zip(SPACES, state.support.T.tolist(), strict=True) if any(points)}
