"""Roots of many increasing functions at once."""

from collections.abc import Callable

import numpy as np

_STEPS = 100  # most of either search


def increasing_roots(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray], at_zero: float, step: np.ndarray, close: float
) -> np.ndarray:
    """float [K]: where increasing functions that are ``at_zero`` < 0 at 0 are within ``close`` of 0.

    ``function(x, rows)``: values of the functions ``rows`` at ``x``, each [R]. ``step`` [K]: where each search begins.
    """
    rows = np.arange(len(step))
    low, below, high, above = np.zeros(len(step)), np.full(len(step), at_zero), step.copy(), function(step, rows)
    for _ in range(_STEPS):  # double the upper ends until all roots lie between
        short = rows[above < 0]
        if not len(short):
            break
        low[short], below[short], high[short] = high[short], above[short], 2 * high[short]
        above[short] = function(high[short], short)
    x, value = high.copy(), above.copy()
    for _ in range(_STEPS):  # regula falsi, where an end that stays counts half (Illinois)
        open_rows = rows[np.abs(value) > close]
        if not len(open_rows):
            break
        before = value > 0
        x[open_rows] = ((low * above - high * below) / (above - below))[open_rows]
        value[open_rows] = function(x[open_rows], open_rows)
        upper = value > 0
        below = np.where(upper, np.where(before, below / 2, below), value)
        above = np.where(upper, value, np.where(before, above, above / 2))
        low, high = np.where(upper, low, x), np.where(upper, x, high)
    return x
