"""Values of operations on the board as it was read, before anything is tried, memoized by side and country.

Most decisions meet countries that have been judged before: nothing has been placed there since, or the same was in
another game. They are kept with all that they depend on: board and weights of the country, and the ``_conditions``.
"""

import numpy as np

from dawn_agents.players.heuristic_values.operation_values import (
    added_to_roll,
    check_gain,
    may_check,
    placing_gain,
    rank_rate,
    series_gain,
    write_rates,
    write_shifts,
)
from dawn_agents.players.heuristic_values.position_record import (
    COUNTRIES_IN,
    EVERYWHERE,
    MAX_POINTS,
    MOST_SPACES,
    ROWS,
    SETS,
    WAYS,
)
from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import controls, map_variant
from dawn_env.rules.cards_in_play import applies
from dawn_env.rules.operations.operations import CHECKS_PER_OPERATION
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.operations.placement import within_reach
from dawn_env.support.compiling import jit
from dawn_env.tables import ABROAD, FIRST_SPACE, SIDES, N

_PLACING, _CHECKS = 1, 2  # what is known
_SPREAD = np.random.default_rng(1).integers(2**50, size=(N, SIDES, MOST_SPACES))  # what boards are told apart by
_SIDE = 0x9E3779  # and sides
_REST = 2**31 - 1
_LASTING = np.array([
    row
    for kind in (
        EffectKind.DOUBLE_COST, EffectKind.CHECK_ROLLS, EffectKind.NEIGHBOURS, EffectKind.BAN, EffectKind.PAYMENT,
    )  # fmt: skip
    for row in range(FIRST_EFFECT[kind], FIRST_EFFECT[kind + 1])
])  # fmt: skip
"""Rows of EFFECTS that change the price of points, or checks."""


@jit
def begin(p):
    """Start a decision: normal limits, new timestamp for the cache."""
    p.unbound, p.most, p.weighing = False, ROWS - 1, 0
    p.now += 1


@jit
def prepare(p, points, unbound):
    """Set the most points of a decision; ``unbound``: the set-up, or checks that the rules do not allow."""
    p.unbound, p.most = unbound, min(max(points, ROWS - 1), MAX_POINTS - 1)


@jit
def row_of(points):
    """The row of values for so many points."""
    return min(max(points, 0), ROWS - 1)


@jit
def points_of(p, row):
    """The points that a row of values is about."""
    return row if row < ROWS - 1 else p.most


# --- what values depend on ------------------------------------------------------------------------------


@jit
def general_conditions(p, side):
    """Inputs of a side's operation values in every country: cards in play, what was destroyed, the decision."""
    bits = int(side)
    for row in _LASTING:
        bits = bits << 1 | int(applies(p, EFFECTS[row], side))
    bits = bits << 3 | int(p.debt_burden) + 1
    bits = bits << 2 | int(p.stand_fast) + 1
    bits = (bits << 7 | int(p.destroyed) + 1) << 1 | int(p.unbound)
    return bits << 4 | p.most


@jit
def _conditions(p, side, country, general):
    """Inputs of a side's operation values in one country: who is present and in control next to it."""
    bits = general
    for space in ABROAD[country]:
        if space < 0:
            break
        held = int(controls(p, side, space)) << 1 | int(controls(p, 1 - side, space))
        bits = (bits << 1 | int(p.support[side, space] > 0)) << 2 | held
    return bits


# --- the memory -----------------------------------------------------------------------------------------


@jit
def _hash(p, country, side):
    """Cache key: hash of a country's support points and the side."""
    total, democrat, communist = int(side) * _SIDE, _SPREAD[country, 0], _SPREAD[country, 1]
    for i in range(MOST_SPACES):
        total += democrat[i] * p.board[country, 0, i] + communist[i] * p.board[country, 1, i]
    return total


@jit
def _answers(kept, p, country, conditions):
    """Return True if something kept is about a country as it is."""
    if kept.conditions != conditions:
        return False
    different = kept.weights[0] != p.weights[country, 0] or kept.weights[1] != p.weights[country, 1]
    for side in range(SIDES):
        for i in range(MOST_SPACES):
            different |= kept.board[side, i] != p.board[country, side, i]
    return not different


@jit
def _replace(kept, p, country, conditions):
    kept.known, kept.conditions = 0, conditions
    kept.weights[0], kept.weights[1] = p.weights[country, 0], p.weights[country, 1]
    for side in range(SIDES):
        for i in range(MOST_SPACES):
            kept.board[side, i] = p.board[country, side, i]


@jit
def _operation_values(p, side, country, general):
    """Kept values of a side in a country; where there are none, a place for them: that of what was asked for longest
    ago among a few."""
    memory, conditions, total = p.operation_values, _conditions(p, side, country, general), _hash(p, country, side)
    at, rest, oldest = total >> 20 & (SETS - 1), total >> 32 & _REST, 0
    for way in range(WAYS):
        if memory.rests[at, way] == rest and memory.used[at, way] > 0:
            if _answers(memory.kept[at, way], p, country, conditions):
                memory.used[at, way] = p.now
                return memory.kept[at, way]
        if memory.used[at, way] < memory.used[at, oldest]:
            oldest = way
    memory.rests[at, oldest], memory.used[at, oldest] = rest, p.now
    _replace(memory.kept[at, oldest], p, country, conditions)
    return memory.kept[at, oldest]


# --- placing ---------------------------------------------------------------------------------------


@jit
def _write_placing(p, side, country, r):
    r.known |= _PLACING
    r.first[:], r.second[:] = 0, 0
    variant = map_variant(p)
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if p.unbound or within_reach(p, side, space, variant):
            write_rates(p, side, space, p.most)
            p.rates[ROWS - 1] = p.rates[p.most]
            for row in range(ROWS):
                rank_rate(r, row, p.rates[row])
                r.rates[row, space - FIRST_SPACE[country]] = p.rates[row]


@jit
def placing_in(p, side, country, general):
    """Prospects of a side in a country, placing known."""
    r = _operation_values(p, side, country, general)
    if not r.known & _PLACING:
        _write_placing(p, side, country, r)
    return r


# --- checks ----------------------------------------------------------------------------------------


@jit
def _write_checks(p, side, country, r):
    r.known |= _CHECKS
    r.check[:] = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if p.unbound or may_check(p, side, space):
            added = added_to_roll(p, side, space)
            write_shifts(p, side, space, 6 + p.most + added)
            for row in range(ROWS):
                worth = check_gain(p, side, space, points_of(p, row) + added)
                r.check[row] = max(r.check[row], worth)
                r.checks[row, space - FIRST_SPACE[country]] = worth


@jit
def checks_in(p, side, country, general):
    """Prospects of a side in a country, checks known."""
    r = _operation_values(p, side, country, general)
    if not r.known & _CHECKS:
        _write_checks(p, side, country, r)
    return r


# --- operations ------------------------------------------------------------------------------------


@jit
def weigh_operations(p, side, bound):
    """Fill ``p.operations`` by row of points: placing anywhere, two checks in the countries of the bits ``bound``."""
    general = general_conditions(p, side)
    p.first[:], p.second[:], p.check[:] = 0, 0, 0
    for country in range(N):
        r, checks = placing_in(p, side, country, general), bound >> country & 1
        if checks and not r.known & _CHECKS:
            _write_checks(p, side, country, r)
        for row in range(ROWS):
            rank_rate(p, row, r.first[row])
            rank_rate(p, row, r.second[row])
            if checks:
                p.check[row] = max(p.check[row], r.check[row])
    for row in range(ROWS):
        p.operations[side, row, 0] = placing_gain(p.first[row], p.second[row], points_of(p, row))
        p.operations[side, row, 1] = series_gain(p.check[row], CHECKS_PER_OPERATION)


@jit
def value_gain(p, side, points):
    """Worth of placing and of two checks with an ops value that has been weighed."""
    row = row_of(points)
    return p.operations[side, row, 0], p.operations[side, row, 1]


@jit
def card_operation_gain(p, side, card):
    """Worth of placing and of two checks with a card, anywhere."""
    if not p.weighing >> side & 1:
        p.weighing |= 1 << side
        weigh_operations(p, side, COUNTRIES_IN[EVERYWHERE])
    return value_gain(p, side, card_value(p, side, card))
