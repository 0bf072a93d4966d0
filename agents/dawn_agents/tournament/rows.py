"""Checks of rows of the table of games."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from dawn_agents.match import FORFEIT
from dawn_env.actions import ALL_ACTIONS
from dawn_env.state import REASONS, RESULTS, Reason, Result
from dawn_env.tables import SIDE_NAMES

COLUMNS = (
    "seed", "democrat", "communist", "result", "reason", "vp", "turn", "decisions", "seconds_democrat",
    "seconds_communist", "moves_democrat", "moves_communist", "failure", "actions",
)  # fmt: skip
"""Of the table of games, in order."""
FIRST = "first"
"""A further column of games with a bid: the first player."""


class _Kind(NamedTuple):
    """Admissible values of a column."""

    words: str
    holds: Callable[[object], bool]


def _integer(low: int, high: int) -> _Kind:
    return _Kind(f"an integer {low} ... {high}", lambda value: type(value) is int and low <= value <= high)


def _choice(names: Collection[str]) -> _Kind:
    return _Kind(f"one of {', '.join(names)}", lambda value: value in names)


_COUNT = _integer(0, 2**31 - 1)
_SECONDS = _Kind("a number from 0 on", lambda value: type(value) is float and 0 <= value < math.inf)
_TEXT = _Kind("a text", lambda value: isinstance(value, str))
_ACTIONS = _Kind(
    f"bytes below {ALL_ACTIONS}", lambda value: isinstance(value, bytes) and max(value, default=0) < ALL_ACTIONS
)
_RESULTS = [name for name in RESULTS if name != RESULTS[Result.RUNNING]]
_REASONS = [name for name in REASONS if name != REASONS[Reason.RUNNING]] + [FORFEIT]
_KINDS = (
    _integer(0, 2**63 - 1), _TEXT, _TEXT, _choice(_RESULTS), _choice(_REASONS), _integer(-1000, 1000), _integer(0, 10),
    _COUNT, _SECONDS, _SECONDS, _COUNT, _COUNT, _TEXT, _ACTIONS,
)  # fmt: skip


def row_problem(row: Sequence, players: Collection[str]) -> tuple[str, object] | None:
    """Problems of a row, which holds ``COLUMNS`` and perhaps ``FIRST``, of a game between two of ``players``:
    words, and the value."""
    *row, first = row if len(row) > len(COLUMNS) else (*row, None)
    for name, kind, value in zip(COLUMNS, _KINDS, row, strict=True):
        if not kind.holds(value):
            return f"{name}: {kind.words} expected", value
    cells = dict(zip(COLUMNS, row, strict=True))
    if first is not None and first not in (cells["democrat"], cells["communist"]):
        return "first: one of the two players expected", first
    for name in SIDE_NAMES:
        if cells[name] not in players:
            return f"{name}: one of the players expected", cells[name]
    if cells["democrat"] == cells["communist"]:
        return "communist: another player than the Democrat expected", cells["communist"]
    if cells["reason"] == FORFEIT and cells["result"] not in SIDE_NAMES:
        return "result: a winner expected, as the game was forfeited", cells["result"]
    if len(cells["actions"]) != cells["decisions"]:
        return f"actions: {cells['decisions']} expected, one for each decision", len(cells["actions"])
    return None
