"""The value network: one hidden layer over the inputs, and heads for victory points to come and for the result.

Weights are float32 [ROWS, W] a side: a row for each input, the bias of the hidden layer, a row for each head, and the
biases of the heads. While it learns there are more: the rows that inputs of a group share (``SHARED_ROW``); for play
they are added to those of the inputs (``fold``).
"""

from typing import NamedTuple

import numpy as np

from dawn_agents.players.afterstate.inputs import FACTS, INPUTS, ROW, Inputs, list_changes, list_position, new_inputs
from dawn_agents.players.networks.sparse_weights import input_scale
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.state import SPACE_MARKERS
from dawn_env.support.compiling import jit, spliced
from dawn_env.support.elementary import exp, log

HORIZONS = (0.85, 0.95, 1.0)
"""Discounts per action round of the heads for victory points to come."""
MARGINS = len(HORIZONS)
HEADS = MARGINS + 1
"""Number of heads: a margin for each horizon, and the result."""
RESULT = MARGINS
"""The head of the result: tanh of it is the expected result, -1 ... 1."""
UNITS = np.array([3.0, 5.0, 8.0, 1.0])
"""float64 [HEADS] victory points of a head's 1."""
LINEAR = 16
"""Units of the hidden layer that are not rectified, the first ones."""
LANES = 16
"""Products that are added up side by side; the width is a multiple of it."""

BIAS = INPUTS
HEAD = BIAS + 1
HEAD_BIAS = HEAD + HEADS
ROWS = HEAD_BIAS + 1
"""First row of each part behind the inputs, and number of rows in play."""


def _share_rows() -> tuple[np.ndarray, int]:
    shared, last = np.full(ROWS, -1, np.int64), ROWS
    for fact in FACTS:
        if fact.groups is not None:
            own = getattr(ROW, fact.name) + np.arange(fact.count * fact.values).reshape(fact.count, fact.values)
            shared[own] = last + fact.groups[:, None] * fact.values + np.arange(fact.values)
            last += (int(fact.groups.max()) + 1) * fact.values
    return shared, last


SHARED_ROW, LEARNT_ROWS = _share_rows()
"""int64 [ROWS]: the row that an input shares with those of its group, -1 for none; number of rows while learning."""

_RARE = (
    "my_support", "their_support", "picked", "my_hand", "discard_pile", "removed", "in_play", "future",
    "known_theirs", "known_mine", *(field.name for field in SPACE_MARKERS),
)  # fmt: skip
_USUAL = (
    "turn", "round", "phasing", "vp", "power", "ussr", "track", "their_hand_size", "draw_pile_size", "acting",
    "decision", "activity", "attacking", "left", "value", "executing", "power_hand_size",
)  # fmt: skip
_SPREAD, _HEAD_SPREAD, _FIRST_LINEAR = 0.08, 0.1, 0.2


def row_paces(layout: ViewLayout) -> np.ndarray:
    """float32 [LEARNT_ROWS] step size of each row relative to others.

    What many positions share learns fast; what belongs to one space or card learns slowly, as a correction. Entries of
    the observation are brought to a size of about one by it, too.
    """
    paces = np.ones(LEARNT_ROWS, np.float32)
    paces[: layout.size] = input_scale(layout)
    for name in _RARE:
        paces[layout.slices.get(name, slice(0))] *= 0.3
    for fact in FACTS:
        first = getattr(ROW, fact.name)
        paces[first : first + fact.count * fact.values] = fact.pace
    paces[HEAD:HEAD_BIAS] = 0.1
    return paces


def fresh_weights(rng: np.random.Generator, width: int, layout: ViewLayout) -> np.ndarray:
    """float32 [LEARNT_ROWS, width] weights of one side before it has learnt anything.

    Rows that are often active are random; those of single facts, spaces and cards begin at 0, since they would never
    lose their noise. Linear unit h belongs to head h at first.
    """
    sizes = np.zeros(LEARNT_ROWS)
    for name in _USUAL:
        sizes[layout.slices.get(name, slice(0))] = _SPREAD
    leads = (int(FACTS[0].groups.max()) + 1) * FACTS[0].values  # the shared rows of the first fact
    sizes[ROW.score_by_card : INPUTS], sizes[ROWS : ROWS + leads] = _SPREAD, _SPREAD
    sizes *= row_paces(layout)
    sizes[BIAS], sizes[HEAD:HEAD_BIAS] = _HEAD_SPREAD, _HEAD_SPREAD
    weights = (rng.normal(0, 1, (LEARNT_ROWS, width)) * sizes[:, None]).astype(np.float32)
    weights[:, :LINEAR] = 0
    weights[HEAD + np.arange(HEADS), np.arange(HEADS)] = _FIRST_LINEAR
    return weights


def fold(learnt: np.ndarray) -> np.ndarray:
    """float32 [..., ROWS, W] weights for play from those that learn, [..., LEARNT_ROWS, W]."""
    shares = SHARED_ROW >= 0
    folded = learnt[..., :ROWS, :].copy()
    folded[..., shares, :] += learnt[..., SHARED_ROW[shares], :]
    return folded


# --- in compiled loops -------------------------------------------------------------------------------


class Evaluation(NamedTuple):
    """Work space of one thread: the inputs, sums of the first layer, and values of the heads."""

    inputs: Inputs
    sums: np.ndarray  # float32 [2, W] of the position in place 0, and of the one that follows
    units: np.ndarray  # float32 [W] the hidden layer
    lanes: np.ndarray  # float32 [LANES]
    heads: np.ndarray  # float64 [HEADS]


def new_evaluation(width: int, layout: ViewLayout) -> Evaluation:
    """Work space for networks of a width, in games of a ``layout``."""
    zeros = [np.zeros(shape, np.float32) for shape in ((2, width), width, LANES)]
    return Evaluation(new_inputs(layout), *zeros, np.zeros(HEADS))


@spliced
def _add_rows(weights, inputs, sums):
    for j in range(inputs.listed[0]):
        row, factor = weights[inputs.rows[j]], inputs.factors[j]
        for unit in range(len(sums)):
            sums[unit] += factor * row[unit]


@jit
def sum_position(weights, e):
    """Sums of the first layer for the observation in place 0."""
    list_position(e.inputs)
    for unit in range(len(e.units)):
        e.sums[0, unit] = weights[BIAS, unit]
    _add_rows(weights, e.inputs, e.sums[0])


@jit
def sum_changes(weights, e):
    """Sums of the first layer for the observation in place 1, from those of place 0."""
    list_changes(e.inputs)
    for unit in range(len(e.units)):
        e.sums[1, unit] = e.sums[0, unit]
    _add_rows(weights, e.inputs, e.sums[1])


@jit
def write_heads(weights, sums, e):
    """Write the hidden layer into ``e.units``, and what the heads say into ``e.heads``, in units of ``UNITS``."""
    units, lanes = e.units, e.lanes
    for unit in range(len(units)):
        units[unit] = sums[unit] if unit < LINEAR else max(sums[unit], np.float32(0))
    for head in range(HEADS):
        row = weights[HEAD + head]
        lanes[:] = np.float32(0)
        for first in range(0, len(units), LANES):
            for lane in range(LANES):
                lanes[lane] += row[first + lane] * units[first + lane]
        total = weights[HEAD_BIAS, head]
        for lane in range(LANES):
            total += lanes[lane]
        e.heads[head] = total


@jit
def tanh(x):
    """Hyperbolic tangent, the same on any machine."""
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0)


@jit
def atanh(y):
    """Inverse of ``tanh``; numbers beyond +-0.9999 count as these."""
    y = min(max(y, -0.9999), 0.9999)
    return 0.5 * log((1.0 + y) / (1.0 - y))
