"""The compiled forward pass of networks of kind ``sparse``: logits of the legal actions of one position.

The weights are one array, in the order of ``sparse_weights.compiled_weights``. The first layer adds up the rows of the
inputs that are not 0, a tenth of all; the last one only looks at legal actions.
"""

import numpy as np

from dawn_agents.networks.sparse_weights import DIRECT_PARTS, LANES, LEAST_OPINION, OPINION_UNITS
from dawn_env.actions import A
from dawn_env.observation import SLICES, F
from dawn_env.support.compiling import jit, spliced

_WORD = 8  # entries of an observation that are looked at together
_WORDS = F // _WORD
_FELT = int(-LEAST_OPINION * OPINION_UNITS)
(_DECISION0, _DECISION1), (_SOURCE0, _SOURCE1) = ((SLICES[name].start, SLICES[name].stop) for name in DIRECT_PARTS)
_DIRECT_ROWS = _DECISION1 - _DECISION0 + _SOURCE1 - _SOURCE0


@spliced
def _add_row(weights, start, factor, sums):
    """Add ``factor`` times the row of ``weights`` at ``start`` to ``sums`` float32 [width]."""
    row = weights[start : start + len(sums)]
    for unit in range(len(sums)):
        sums[unit] += factor * row[unit]


@spliced
def _set_row(weights, start, sums):
    row = weights[start : start + len(sums)]
    for unit in range(len(sums)):
        sums[unit] = row[unit]


@jit
def _add_observation(o, weights, sums):
    """Add the rows of the nonzero entries of ``o`` int8 [F]."""
    words, width = o[: _WORDS * _WORD].view(np.int64), len(sums)
    for word in range(_WORDS):
        if words[word]:
            for place in range(word * _WORD, (word + 1) * _WORD):
                if o[place]:
                    _add_row(weights, place * width, np.float32(o[place]), sums)
    for place in range(_WORDS * _WORD, F):
        if o[place]:
            _add_row(weights, place * width, np.float32(o[place]), sums)


@jit
def _add_advice(advice, weights, sums):
    """Add the rows of ``advice`` int8 [ADVICE]: of actions that are nearly the best, and of the countries' worths."""
    width = len(sums)
    for action in range(A):
        felt = _FELT + int(advice[action])
        if felt > 0:
            _add_row(weights, (F + action) * width, np.float32(felt), sums)
    for place in range(A, len(advice)):
        if advice[place]:
            _add_row(weights, (F + place) * width, np.float32(advice[place]), sums)


@spliced
def _rectify(units):
    for unit in range(len(units)):
        units[unit] = max(units[unit], np.float32(0))


@jit
def _pass_on(weights, start, units, sums):
    """Residual layer whose weights begin at ``start``: change ``units`` [width] by themselves; ``sums``: work space."""
    width = len(units)
    _set_row(weights, start + width * width, sums)
    for unit in range(width):
        if units[unit] > 0:
            _add_row(weights, start + unit * width, units[unit], sums)
    _rectify(sums)
    for unit in range(width):
        units[unit] += sums[unit]


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
def _add_direct(o, first, last, weights, start, mask, logits):
    """Add the row of the table at ``start`` that belongs to the only nonzero entry of ``o[first:last]``, if any."""
    for place in range(first, last):
        if o[place]:
            row = weights[start + (place - first) * A : start + (place - first + 1) * A]
            for action in range(A):
                if mask[action]:
                    logits[action] += row[action]
            break


@jit
def write_logits(o, mask, advice, weights, depth, work, logits):
    """Write logits of the legal actions into ``logits`` float32 [A]; the others are left alone.

    ``o`` int8 [F]; ``mask`` int8 [A]; ``advice`` int8 [ADVICE], or [0] for networks without; ``weights`` float32 [n]
    and ``depth`` of the network; ``work``: work space, float32 [width], [width] and [LANES].
    """
    units, sums, lanes = work
    width, at = len(units), (F + len(advice)) * len(units)
    _set_row(weights, at, units)
    at += width
    _add_observation(o, weights, units)
    if len(advice):
        _add_advice(advice, weights, units)
    _rectify(units)
    for _ in range(depth):
        _pass_on(weights, at, units, sums)
        at += width * (width + 1)
    head = at + _DIRECT_ROWS * A
    bias = head + A * width
    for action in range(A):
        if mask[action]:
            logits[action] = weights[bias + action] + _product(weights, head + action * width, units, lanes)
            if len(advice):
                logits[action] += weights[bias + A] * advice[action]
    _add_direct(o, _DECISION0, _DECISION1, weights, at, mask, logits)
    _add_direct(o, _SOURCE0, _SOURCE1, weights, at + (_DECISION1 - _DECISION0) * A, mask, logits)
