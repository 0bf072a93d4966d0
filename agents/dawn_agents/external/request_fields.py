"""Checks of request fields; each raises ``BadRequest`` in one line that says what would be right."""

from typing import Any

import numpy as np

from dawn_env.support.safe_text import quoted
from dawn_env.tables import SIDE_NAMES

MOST_SEED = 2**63 - 1


class BadRequest(ValueError):
    """A request that cannot be carried out; nothing has changed."""


def numbers(request: dict[str, Any], key: str, most: int) -> np.ndarray:
    """int64 [K], one or more integers 0 ... ``most``."""
    value = request.get(key)
    right = isinstance(value, list) and value and all(type(item) is int and 0 <= item <= most for item in value)
    if not right:
        raise BadRequest(f"{key}: a list of one or more integers 0 ... {most} expected, not {quoted(value)}")
    return np.array(value, np.int64)


def side(request: dict[str, Any]) -> int:
    """0 Democrat, 1 Communist."""
    name = request.get("side")
    if name not in SIDE_NAMES:
        raise BadRequest(f"side: {' or '.join(SIDE_NAMES)} expected, not {quoted(name)}")
    return SIDE_NAMES.index(name)


def one_of(request: dict[str, Any], key: str, known: tuple[str, ...]) -> str:
    """One of the texts ``known``, the first of them if there is none."""
    value = request.get(key, known[0])
    if value not in known:
        raise BadRequest(f"{key}: {', '.join(known)} expected, not {quoted(value)}")
    return value


def check_keys(request: dict[str, Any], known: tuple[str, ...]) -> None:
    """A key that nothing is done with would be a mistake."""
    if unknown := sorted(set(request) - {"id", "command", *known}):
        raise BadRequest(
            f"{request['command']} has no key {', '.join(map(quoted, unknown))}; known: {', '.join(known) or 'none'}"
        )
