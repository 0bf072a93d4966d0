"""The compiled forward pass of networks of kind ``sparse``: logits of the legal actions and value of one position.

The weights are one array, in the order of ``sparse_weights.compiled_weights``. The first layer adds up the rows of the
inputs that are not 0, a tenth of all; the last one only looks at legal actions. Inputs are an observation ``o`` int8
[F] and ``advice`` int8 [ADVICE], [0] for networks without; ``shape`` is a record of ``sparse_weights.SHAPE``.
"""

import math

import numpy as np

from dawn_agents.players.heuristic.play_levels import OPINION_UNITS
from dawn_agents.players.networks.sparse_weights import LANES, LEAST_OPINION
from dawn_env.support.compiling import jit, spliced

WORD = 8
"""Entries of an observation that are looked at together."""
OPINION_RANGE = int(-LEAST_OPINION * OPINION_UNITS)
"""Added to the advice on an action; what is then not above 0 is no input."""
_FRACTIONS = np.float32(2**22)
"""Kept sums are integers in units of 1 / 2**22, so a sum must stay below 512 in magnitude."""


@spliced
def add_row(weights, start, factor, sums):
    """Add ``factor`` times the row of ``weights`` at ``start`` to ``sums`` float32 [width]."""
    row = weights[start : start + len(sums)]
    for unit in range(len(sums)):
        sums[unit] += factor * row[unit]


@jit
def _add_observation(o, weights, sums):
    """Add the rows of the nonzero entries of ``o``."""
    count, width = len(o) // WORD, len(sums)
    words = o[: count * WORD].view(np.int64)
    for word in range(count):
        if words[word]:
            for place in range(word * WORD, (word + 1) * WORD):
                if o[place]:
                    add_row(weights, place * width, np.float32(o[place]), sums)
    for place in range(count * WORD, len(o)):
        if o[place]:
            add_row(weights, place * width, np.float32(o[place]), sums)


@jit
def _add_advice(advice, weights, shape, sums):
    """Add the rows of the advice: of actions that are nearly the best, and of the countries' worths."""
    width = len(sums)
    for action in range(shape.actions):
        feature = OPINION_RANGE + int(advice[action])
        if feature > 0:
            add_row(weights, (shape.size + action) * width, np.float32(feature), sums)
    for place in range(shape.actions, len(advice)):
        if advice[place]:
            add_row(weights, (shape.size + place) * width, np.float32(advice[place]), sums)


@jit
def write_units(o, advice, weights, shape, units):
    """Write the hidden units into ``units`` float32 [width]."""
    row = weights[shape.bias : shape.bias + len(units)]
    for unit in range(len(units)):
        units[unit] = row[unit]
    _add_observation(o, weights, units)
    if len(advice):
        _add_advice(advice, weights, shape, units)
    for unit in range(len(units)):
        units[unit] = max(units[unit], np.float32(0))


@jit
def _update_input(place, value, weights, previous_inputs, sums):
    """Set input ``place`` to ``value`` and add (change of the input) times (its row of weights) to ``sums``."""
    change = np.int32(value) - np.int32(previous_inputs[place])
    if change:
        row = weights[place * len(sums) : (place + 1) * len(sums)]
        for unit in range(len(sums)):
            sums[unit] += change * np.int32(row[unit] * _FRACTIONS)
        previous_inputs[place] = value


@jit
def update_units(o, advice, weights, shape, kept, previous_inputs, sums, units):
    """Same as ``write_units``, updated from the side's previous position: only rows of changed inputs are added.

    ``sums`` int32 [width], in units of 1 / ``_FRACTIONS``, belong to the inputs ``previous_inputs`` int8 [inputs] if
    ``kept`` is set; otherwise they are computed from zero inputs. Both are updated to this position. Integer sums do
    not depend on the order of additions.
    """
    if not kept:
        previous_inputs[:] = 0
        for unit in range(len(sums)):
            sums[unit] = np.int32(weights[shape.bias + unit] * _FRACTIONS)
    count = len(o) // WORD
    words, previous_words = o[: count * WORD].view(np.int64), previous_inputs[: count * WORD].view(np.int64)
    for word in range(count):
        if words[word] != previous_words[word]:
            for place in range(word * WORD, (word + 1) * WORD):
                _update_input(place, o[place], weights, previous_inputs, sums)
    for place in range(count * WORD, len(o)):
        _update_input(place, o[place], weights, previous_inputs, sums)
    for place in range(len(advice)):
        value = max(0, OPINION_RANGE + int(advice[place])) if place < shape.actions else int(advice[place])
        _update_input(shape.size + place, value, weights, previous_inputs, sums)
    for unit in range(len(units)):
        units[unit] = np.float32(max(sums[unit], 0)) / _FRACTIONS


@jit
def _product(weights, start, units, lanes):
    """Scalar product of ``units`` [width] with the weights at ``start``, added up in ``lanes`` float32 [LANES]."""
    lanes[:] = np.float32(0)
    for first in range(0, len(units), LANES):
        row, part = weights[start + first : start + first + LANES], units[first : first + LANES]
        for lane in range(LANES):
            lanes[lane] += row[lane] * part[lane]
    total = np.float32(0)
    for lane in range(LANES):
        total += lanes[lane]
    return total


@jit
def direct_row(o, first, count, start, actions):
    """Return the index of the row of logits that a one-hot part of the observation selects, -1 if the part is all 0.

    The part is ``o[first : first + count]``; its table of ``count`` rows begins at ``start`` in the weights.
    """
    for place in range(count):
        if o[first + place]:
            return start + place * actions
    return -1


@jit
def write_logits(o, mask, advice, weights, shape, units, lanes, logits):
    """Write logits of the legal actions into ``logits`` float32 [A]; the others are left alone.

    ``mask`` int8 [A]; ``units`` of ``write_units``; ``lanes``: work space, float32 [LANES].
    """
    actions = shape.actions
    decision = direct_row(o, shape.decision, shape.decisions, shape.direct, actions)
    source = direct_row(o, shape.source, shape.sources, shape.direct + shape.decisions * actions, actions)
    for action in range(actions):
        if mask[action]:
            logit = weights[shape.head_bias + action] + _product(
                weights, shape.head + action * len(units), units, lanes
            )
            if len(advice):
                logit += weights[shape.trust] * advice[action]
            if decision >= 0:
                logit += weights[decision + action]
            if source >= 0:
                logit += weights[source + action]
            logits[action] = logit


@jit
def value_of(weights, shape, units, lanes):
    """Value of the position, -1 ... 1, from ``units`` of ``write_units``."""
    return math.tanh(weights[shape.value_bias] + _product(weights, shape.value, units, lanes))
