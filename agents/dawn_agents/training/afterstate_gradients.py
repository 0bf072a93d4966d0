"""Gradients of the value network and the steps of Adam, compiled; the sides learn apart from each other."""

from typing import NamedTuple

import numpy as np

from dawn_agents.players.afterstate.network import (
    BIAS,
    HEAD,
    HEAD_BIAS,
    HEADS,
    LINEAR,
    RESULT,
    ROWS,
    SHARED_ROW,
    fold,
    fresh_weights,
    row_paces,
    sum_position,
    tanh,
    write_heads,
)
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import SIDES

_BETA1, _BETA2, _EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-6)
_SETTLES_AFTER = 400.0  # steps of a row after which its pace has fallen by a factor of sqrt(2)


class Optimiser(NamedTuple):
    """Weights of both sides as they learn, and the state of Adam."""

    learnt: np.ndarray  # float32 [SIDES, LEARNT_ROWS, W]
    folded: np.ndarray  # float32 [SIDES, ROWS, W] the same for play (``network.fold``)
    gradients: np.ndarray  # float32 [SIDES, LEARNT_ROWS, W], 0 between two steps
    moments: np.ndarray  # float32 [SIDES, LEARNT_ROWS, W]
    squares: np.ndarray  # float32 [SIDES, LEARNT_ROWS, W]
    touched: np.ndarray  # bool [SIDES, LEARNT_ROWS] rows with a gradient
    steps: np.ndarray  # int64 [SIDES, LEARNT_ROWS] how often a row has moved
    paces: np.ndarray  # float32 [LEARNT_ROWS]


def new_optimiser(rng: np.random.Generator, width: int, layout: ViewLayout) -> Optimiser:
    """Fresh networks for games of a ``layout``."""
    learnt = np.stack([fresh_weights(rng, width, layout) for _ in range(SIDES)])
    zeros, rows = [np.zeros_like(learnt) for _ in range(3)], learnt.shape[:2]
    counts = np.zeros(rows, np.bool_), np.zeros(rows, np.int64)
    return Optimiser(learnt, fold(learnt), *zeros, *counts, row_paces(layout))


@jit
def _add_gradient(target, weights, gradient, touched, losses, e):
    """Add the gradient of half the squared errors for the observation in place 0."""
    sum_position(weights, e)
    write_heads(weights, e.sums[0], e)
    deltas = e.sums[1]
    deltas[:] = np.float32(0)
    for head in range(HEADS):
        value = tanh(e.heads[head]) if head == RESULT else e.heads[head]
        wrong = value - target[head]
        losses[head] += wrong * wrong
        slope, row, grown = np.float32(wrong), weights[HEAD + head], gradient[HEAD + head]
        for unit in range(len(deltas)):
            deltas[unit] += slope * row[unit]
            grown[unit] += slope * e.units[unit]
        gradient[HEAD_BIAS, head] += slope
        touched[HEAD + head] = True
    bias = gradient[BIAS]
    for unit in range(len(deltas)):
        if unit >= LINEAR and e.units[unit] <= 0:
            deltas[unit] = np.float32(0)
        bias[unit] += deltas[unit]
    touched[BIAS], touched[HEAD_BIAS] = True, True
    inputs = e.inputs
    for j in range(inputs.listed[0]):
        listed, factor = inputs.rows[j], inputs.factors[j]
        touched[listed] = True
        place = gradient[listed]
        for unit in range(len(deltas)):
            place[unit] += factor * deltas[unit]


@jit
def _share_gradients(gradient, touched):
    """Add the gradients of inputs to those of the rows that they share."""
    for row in range(ROWS):
        shared = SHARED_ROW[row]
        if touched[row] and shared >= 0:
            touched[shared] = True
            for unit in range(gradient.shape[1]):
                gradient[shared, unit] += gradient[row, unit]


@entry
def add_gradients(first, last, number, rows, observations, targets, o, works, losses):
    """Add the gradients of ``rows`` int64 [SIDES, n], -1 for none, for sides ``first`` ... ``last`` - 1.

    ``observations`` int8 [m, F]; ``targets`` float32 [m, HEADS]; ``o``: an ``Optimiser``; ``losses`` float64 [SIDES,
    HEADS]: sums of squared errors are added.
    """
    e = works[number].evaluation
    for side in range(first, last):
        gradient, touched = o.gradients[side], o.touched[side]
        for i in range(rows.shape[1]):
            row = rows[side, i]
            if row >= 0:
                for at in range(observations.shape[1]):
                    e.inputs.x[0, at] = observations[row, at]
                _add_gradient(targets[row], o.folded[side], gradient, touched, losses[side], e)
        _share_gradients(gradient, touched)
    return 0


@entry
def take_step(first, last, number, rate, share, o):
    """A step of Adam for rows ``first`` ... ``last`` - 1 that have a gradient; ``share``: 1 / number of positions.

    The more steps a row has taken, the smaller they are: weights that wander are the worst noise there is.
    """
    for side in range(SIDES):
        for row in range(first, last):
            if not o.touched[side, row]:
                continue
            o.touched[side, row] = False
            o.steps[side, row] += 1
            taken, pace = float(o.steps[side, row]), float(o.paces[row])
            size = np.float32(rate * pace / (1 - 0.9 ** min(taken, 1e4)) / np.sqrt(1 + taken / _SETTLES_AFTER))
            growth = np.float32(1 / np.sqrt(1 - 0.999 ** min(taken, 1e5)))
            factor = np.float32(share * pace)
            w, g, m, v = o.learnt[side, row], o.gradients[side, row], o.moments[side, row], o.squares[side, row]
            for unit in range(len(w)):
                slope = g[unit] * factor
                m[unit] = _BETA1 * m[unit] + (np.float32(1) - _BETA1) * slope
                v[unit] = _BETA2 * v[unit] + (np.float32(1) - _BETA2) * slope * slope
                w[unit] -= size * m[unit] / (np.sqrt(v[unit]) * growth + _EPSILON)
                g[unit] = np.float32(0)
    return 0


@entry
def fold_rows(first, last, number, o):
    """Sum up rows ``first`` ... ``last`` - 1 for play."""
    for side in range(SIDES):
        learnt = o.learnt[side]
        for row in range(first, last):
            shared, folded = SHARED_ROW[row], o.folded[side, row]
            for unit in range(len(folded)):
                folded[unit] = learnt[row, unit] + (learnt[shared, unit] if shared >= 0 else np.float32(0))
    return 0
