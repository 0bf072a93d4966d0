"""Values of operations on the board as it was read, memoized by side and country (``country_memo``).

It is asked for before anything is tried. Beside board and weights of the country it depends on the ``_conditions``.
"""

import numpy as np

from dawn_agents.heuristic_values.board_value import judge_opened
from dawn_agents.heuristic_values.country_memo import memoized
from dawn_agents.heuristic_values.operation_values import (
    check_gain,
    may_check,
    most_placed,
    placing_gain,
    prepare_check,
    rank_rate,
    series_gain,
    write_rates,
    write_shifts,
)
from dawn_agents.heuristic_values.position_record import COUNTRIES_IN, EVERYWHERE, MAX_POINTS, ROWS
from dawn_env.cards.event_tables import EFFECTS, FIRST_EFFECT
from dawn_env.cards.lasting_effects import EffectKind
from dawn_env.rules.board import controls, map_variant
from dawn_env.rules.cards_in_play import applies
from dawn_env.rules.operations.operations import CHECKS_PER_OPERATION
from dawn_env.rules.operations.ops_values import card_value
from dawn_env.rules.operations.placement import within_reach
from dawn_env.support.compiling import jit
from dawn_env.tables import ABROAD, FIRST_SPACE, N

_PLACING, _CHECKS = 1, 2  # what is known
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
    """Begin a decision about operations as the rules have them, of usual size."""
    p.unbound, p.most, p.weighing = False, ROWS - 1, 0
    p.now += 1


@jit
def prepare(p, points, unbound):
    """The decision is about up to so many points; unbound: the set-up, or checks that the rules do not allow."""
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
    """The same for one country: who is present and in control next to it."""
    bits = general
    for space in ABROAD[country]:
        if space < 0:
            break
        held = int(controls(p, side, space)) << 1 | int(controls(p, 1 - side, space))
        bits = (bits << 1 | int(p.support[side, space] > 0)) << 2 | held
    return bits


@jit
def _operation_values(p, side, country, general):
    return memoized(p.operation_values, p, country, side, _conditions(p, side, country, general))


# --- placing ---------------------------------------------------------------------------------------


@jit
def _list_reach(p, side, country):
    """List the spaces of a country in which a side may place, anywhere in the set-up."""
    count, variant = 0, map_variant(p)
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        p.listed[count], p.far[space] = space, most_placed(space)
        count += p.unbound or within_reach(p, side, space, variant)
    p.listed[count] = -1


@jit
def _write_placing(p, side, country, r):
    r.known |= _PLACING
    _list_reach(p, side, country)
    judge_opened(p, side)
    r.first[:], r.second[:] = 0, 0
    for space in p.listed:
        if space < 0:
            break
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
def _list_targets(p, side, country):
    """List the spaces of a country that a side may check, with as many points as there can be."""
    count = 0
    for space in range(FIRST_SPACE[country], FIRST_SPACE[country + 1]):
        if p.unbound or may_check(p, side, space):
            prepare_check(p, side, space, p.most)
            p.listed[count] = space
            count += 1
    p.listed[count] = -1


@jit
def _write_checks(p, side, country, r):
    r.known |= _CHECKS
    _list_targets(p, side, country)
    judge_opened(p, side)
    r.check[:] = 0
    for space in p.listed:
        if space < 0:
            break
        write_shifts(p, side, space)
        for row in range(ROWS):
            worth = check_gain(p, side, space, points_of(p, row))
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
def _rank(p, side, country, general, checks):
    """Keep the best two rates of placing and, if asked for, the best check of all countries."""
    r = placing_in(p, side, country, general)
    if checks and not r.known & _CHECKS:
        _write_checks(p, side, country, r)
    for row in range(ROWS):
        rank_rate(p, row, r.first[row])
        rank_rate(p, row, r.second[row])
        if checks:
            p.check[row] = max(p.check[row], r.check[row])


@jit
def weigh_operations(p, side, bound):
    """Fill ``p.operations`` by row of points: placing anywhere, two checks in the countries of the bits ``bound``."""
    general = general_conditions(p, side)
    p.first[:], p.second[:], p.check[:] = 0, 0, 0
    for country in range(N):
        _rank(p, side, country, general, bound >> country & 1)
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
