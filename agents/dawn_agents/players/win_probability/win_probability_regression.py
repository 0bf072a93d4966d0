"""The Democrat's chance of winning by which luck is priced: a logistic regression, fitted by ``fit_regression``.

It reads the whole record, hidden cards and struggle hands too, and knows every card and every space by itself. The
correction of luck has mean zero with any such function; a better one takes out more. Another one has the form of
``win_probability`` and ``tables``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from dawn_agents.players.win_probability.position_features import J, K, write_features, write_struggle
from dawn_env.rules.board import is_control
from dawn_env.state import Result, Zone
from dawn_env.support.compiling import entry, jit
from dawn_env.support.elementary import exp
from dawn_env.tables import COMMUNIST, DEMOCRAT, C, S

PLACES = ("elsewhere", "draw pile", "discard pile", "in play", "democrat's hand", "communist's hand")
"""Where a card can be, as far as the regression cares."""
_PLACE_OF = np.zeros(Zone.HAND + 2, np.int64)
for _zone, _name in (
    (Zone.DRAW_PILE, "draw pile"), (Zone.DRAWN, "draw pile"), (Zone.DISCARD_PILE, "discard pile"),
    (Zone.RESOLVING, "discard pile"), (Zone.IN_PLAY, "in play"), (Zone.HAND + DEMOCRAT, "democrat's hand"),
    (Zone.SET_ASIDE, "democrat's hand"), (Zone.HAND + COMMUNIST, "communist's hand"),
):  # fmt: skip
    _PLACE_OF[_zone] = PLACES.index(_name)
HOLDERS = ("nobody", "democrat", "communist")
"""Who can control a space."""
NUMBERS = K + J + 1
"""Numbers of a position besides: those of ``position_features``, of a power struggle, and a 1."""

FILE = Path(__file__).with_name("regression.json")
"""Where the weights are."""


class RegressionWeights(NamedTuple):
    """Weights in each turn: of the numbers, of cards by place, of spaces by holder."""

    numbers: Annotated[np.ndarray, np.float64, "11 NUMBERS"]
    cards: Annotated[np.ndarray, np.float64, "11 PLACES C"]
    spaces: Annotated[np.ndarray, np.float64, "11 HOLDERS S"]


class RegressionBuffers(NamedTuple):
    """Work space for the features of one position."""

    numbers: Annotated[np.ndarray, np.float64, "NUMBERS"]
    places: Annotated[np.ndarray, np.int64, "C"]
    holders: Annotated[np.ndarray, np.int64, "S"]


def new_work() -> RegressionBuffers:
    """Work space, for one thread."""
    return RegressionBuffers(np.zeros(NUMBERS), np.zeros(C, np.int64), np.zeros(S, np.int64))


@jit
def holder_of(s, space):
    """Index into ``HOLDERS``."""
    lead = s.support[DEMOCRAT, space] - s.support[COMMUNIST, space]
    if is_control(lead, space):
        return 1
    return 2 if is_control(-lead, space) else 0


@jit
def place_of(s, card):
    """Index into ``PLACES``."""
    return _PLACE_OF[s.where[card]]


@jit
def write_numbers(s, x):
    """Fill ``x`` float [NUMBERS]."""
    write_features(s, x[:K])
    write_struggle(s, x[K : K + J])
    x[K + J] = 1.0


@jit
def log_odds(s, tables, work):
    """Log odds of the Democrat in a running game."""
    write_numbers(s, work.numbers)
    for card in range(C):
        work.places[card] = place_of(s, card)
    for space in range(S):
        work.holders[space] = holder_of(s, space)
    return log_odds_of_features(tables, s.turn, work.numbers, work.places, work.holders)


@jit
def log_odds_of_features(tables, turn, numbers, places, holders):
    """Log odds of the Democrat in a turn, by numbers [NUMBERS], places [C] of cards, holders [S] of spaces."""
    total = 0.0
    for i in range(NUMBERS):
        total += tables.numbers[turn, i] * numbers[i]
    for card in range(C):
        total += tables.cards[turn, places[card], card]
    for space in range(S):
        total += tables.spaces[turn, holders[space], space]
    return total


@jit
def win_probability(s, tables, work):
    """The chance of the Democrat, 0 ... 1, in a record; once the game is over its result.

    ``work``: from ``new_work``.
    """
    if s.result != Result.RUNNING:
        return 1.0 if s.result == Result.DEMOCRAT else (0.5 if s.result == Result.DRAW else 0.0)
    return 1 / (1 + exp(-log_odds(s, tables, work)))


@cache
def tables() -> RegressionWeights:
    """The weights that ``fit_regression`` has written."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return RegressionWeights(*(np.ascontiguousarray(kept[name], np.float64) for name in RegressionWeights._fields))


@entry
def _fill(states, tables, work, probabilities):
    for row in range(len(states)):
        probabilities[row] = win_probability(states[row], tables, work)


def win_probabilities(states: np.ndarray) -> np.ndarray:
    """float64 [B], 0 ... 1: the Democrat's chance in each of ``states`` STATE [B]."""
    found = np.zeros(len(states))
    _fill(states, tables(), new_work(), found)
    return found
