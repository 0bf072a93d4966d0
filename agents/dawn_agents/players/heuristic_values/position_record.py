"""The game as the rule-based player works on it: one record, on which the functions of ``dawn_env.rules`` run."""

from dataclasses import dataclass, fields, replace

import numpy as np

from dawn_env.cards.event_tables import REGIONS
from dawn_env.state import FIELDS, STATE
from dawn_env.state_fields import Used
from dawn_env.tables import COUNTRY_OF, SIDES, N, S

EVERYWHERE = 0
"""The region that is everything."""


def _space_lists() -> np.ndarray:
    lists = np.full((len(REGIONS), S + 1), -1, np.int64)
    for region, mask in enumerate(REGIONS):
        spaces = np.flatnonzero(mask)
        lists[region, : len(spaces)] = spaces
    lists.setflags(write=False)
    return lists


SPACES_IN = _space_lists()
"""[R, S + 1] spaces of each region of ``cards.events``, ascending, ended by -1; the country that an event names is left
out of account."""
COUNTRIES_IN = np.array(
    [sum(1 << country for country in range(N) if mask[COUNTRY_OF == country].any()) for mask in REGIONS]
)
"""[R] bits of the countries in which each region has spaces."""


@dataclass(frozen=True)
class StyleWeights:
    """Weights of a style, in victory points."""

    progress: float = 0.6  # share of a controlled space's worth that support short of control has
    cushion: float = 0.08  # worth of each of two points beyond control, as a share of the space
    foothold: float = 0.08  # a space with own support, from which one can go on
    scoring: float = 1.3  # points of countries when they are scored
    struggle: float = 0.35  # victory points and losses of power struggles
    topple: float = 0.3  # chance that a struggle won by the Democrat topples, times its value
    event: float = 1.3  # own events against operations
    fear: float = 1.2  # the opponent's events on cards one plays
    track: float = 1.0  # boxes of the Tiananmen Square track
    patience: float = 0.3  # holding back a scoring card, per round that is left


WEIGHTS = np.dtype((np.record, [(field.name, "f8") for field in fields(StyleWeights)]))
"""Dtype of style weights as a record."""

_BALANCED = StyleWeights()
STYLES = {
    "balanced": _BALANCED,
    "board": replace(_BALANCED, event=0.8, track=0.5),
    "events": replace(_BALANCED, event=1.8, fear=1.5),
    "struggle": replace(_BALANCED, struggle=1.0, topple=0.6),
    "track": replace(_BALANCED, track=2.0),
}
"""The styles by name; ``balanced`` is the strongest."""


MAX_POINTS = 16
"""Operations values and the points of a check are below this."""
ROWS = 8
"""Number of rows in tables that have a row for each number of points. Rows 0 ... ROWS - 2 are for that many points, the
last row is for ``most`` points: ROWS - 1, or more where a decision has more. Values of cards are below ROWS."""
MAX_TRIED = 4 * S
EVEN = 7
"""Index of no lead."""
LEADS = 2 * EVEN + 1
"""Leads of the Democrat in a space that are told apart: -7 to 7, with control and what guards it."""

_IN_PART = "where", "power_cards", "decision"
_NOT_READ = "victory_waits", "result", "reason", "stasi_card", "picked", "reach", "swapped"
SHARED = tuple(
    field.name
    for field in FIELDS
    if field.name in _IN_PART
    or (field.public and field.used is not Used.FAMILY and field.start is not None and field.name not in _NOT_READ)
)
"""Fields of STATE that a POSITION has too, with the same meaning, as far as the viewer can tell.

``where``: NOWHERE for cards the viewer does not see; a card known to be set aside may be shown in the opponent's hand.
``power_cards``: no deck, and an opposing hand only under Securitate (70).
"""

MOST_SPACES = int(np.bincount(COUNTRY_OF).max())
"""Spaces of the largest country."""
_VALUES = np.dtype((np.record, [
    # What values of operations in a country depend on; which of them are known, 0 for none.
    ("board", "i1", (SIDES, MOST_SPACES)), ("known", "i4"), ("weights", "f8", (2,)), ("conditions", "i8"),
    # By row of points: the best two rates of placing, and the best check.
    ("first", "f8", (ROWS,)), ("second", "f8", (ROWS,)), ("check", "f8", (ROWS,)),
    # By row of points and space of the country: rates of placing, gains of checks, as precise as scores are.
    ("rates", "f4", (ROWS, MOST_SPACES)), ("checks", "f4", (ROWS, MOST_SPACES)),
]))  # fmt: skip
SETS, WAYS = 2048, 4
"""Values of operations that are kept: a country has its place in one of the sets, which takes so many."""
_MEMORY = np.dtype((np.record, [
    # By set and way: values, the rest of their hashes, the decision in which each was last asked for.
    ("kept", _VALUES, (SETS, WAYS)), ("rests", "i4", (SETS, WAYS)), ("used", "i8", (SETS, WAYS)),
]))  # fmt: skip

_FIELDS = [
    *((name, STATE[name]) for name in SHARED),
    # What stopped the rules, as in STATE: a decision or a verb that nobody knows.
    ("error", STATE["error"]),
    # The side whose view this is; power struggle cards held by side.
    ("viewer", "i1"), ("power_hands", "i1", (SIDES,)),
    # What the decision is about: kind of frame, the side that carries it out, card or award it comes from (0: none);
    # points or picks left, base of the ops value, bonus; bits of the countries that operations (OPS) are bound to.
    ("kind", "i1"), ("executor", "i1"), ("source", "i2"),
    ("left", "i1"), ("value", "i1"), ("bonus", "i1"), ("bound", "i8"),
    # Weights of the style; by space and lead, how far it goes towards the Democrat's control.
    ("w", WEIGHTS), ("shares", "f8", (S, LEADS)),
    # How much the scoring of each country, and its power struggle, count from now on.
    ("weights", "f8", (N, 2)),
    # Per country and side: how many spaces and battlegrounds it holds, progress towards control counted in part; the
    # space types it controls, and those it controls more than once, as bit masks.
    ("spaces", "f8", (N, SIDES)), ("grounds", "f8", (N, SIDES)),
    ("types", "i8", (N, SIDES)), ("types_again", "i8", (N, SIDES)),
    # Footholds and points beyond control, per space and per country; what each country is worth (Democrat positive).
    ("extras", "f8", (S,)), ("small", "f8", (N,)), ("worth", "f8", (N,)),
    # Bits of the countries whose sums stand, and of those whose worth does; where each was changed last.
    ("summed", "i8"), ("weighed", "i8"), ("changed", "i8", (N,)),
    # Of a space's country with each lead in the space: points, and what its struggle is worth; a bit for each known.
    ("points", "f8", (S, LEADS)), ("fights", "f8", (S, LEADS)), ("known", "i8", (S,)),
    # Per side and ops value: worth of placing and of two checks anywhere; bits of the sides for whom it is known.
    ("operations", "f8", (SIDES, ROWS, 2)), ("weighing", "i8"),
    # Work space of ``operation_values``, by points: rates of one space, worth of moves by a check in one space; the
    # best two rates and the best check.
    ("rates", "f8", (MAX_POINTS,)), ("shifts", "f8", (2 * MAX_POINTS,)),
    ("first", "f8", (MAX_POINTS,)), ("second", "f8", (MAX_POINTS,)), ("check", "f8", (MAX_POINTS,)),
    # Work space of ``event_values``: picks that each space has received; the best pick in each country and its worth.
    ("picked", "i1", (S,)), ("pick", "i8", (N,)), ("merit", "f8", (N,)),
    # Support points as they were read, by country and its spaces; whether the decision allows what operations do not.
    ("board", "i1", (N, SIDES, MOST_SPACES)), ("unbound", "i1"),
    # The most points that the decision is about; the number of the decision; what is remembered of operations in a
    # country (``memoized_operations``).
    ("most", "i8"), ("now", "i8"), ("operation_values", _MEMORY),
    # Changes tried and not yet taken back: space, points of the Democrat and of the Communist before.
    ("tried", "i2", (MAX_TRIED, 3)), ("tries", "i8"),
]  # fmt: skip

POSITION = np.dtype((np.record, _FIELDS))


def new_position() -> np.ndarray:
    """``[1]`` POSITION records, blank."""
    return np.zeros(1, POSITION)
