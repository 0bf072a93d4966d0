"""Checks of what callers pass, shared by everything public: each raises one line that names what is expected."""

import math
import operator
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from numbers import Real

import numpy as np

from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_NAMES, SIDES

MOST_GAMES = 2**31 - 1
"""Games that arrays are made for at most; memory ends well before."""
_TRUTH_VALUES = (bool, np.bool_)  # up to numpy 2.2, numpy's can be an index
_ARGUMENTS = ("opponents", "weights", "side", "shaping", "autoreset_mode", "render_mode")  # of environments
_LASTING = ("mode", "bid")  # options that no reset changes
_CLOSE = 0.9  # "opponent" and "opponents" are closer, "model" and "mode" are not


def integer(value) -> int | None:
    """``value`` as an int when it is an integer of any kind, numpy's too; None otherwise, for truth values too."""
    if isinstance(value, _TRUTH_VALUES):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def integers(values, low: int, high: int) -> np.ndarray | None:
    """int64 [K] from a sequence or array of integers ``low ... high``; None when it is anything else."""
    if not isinstance(values, np.ndarray):
        try:
            values = np.array([integer(value) for value in values], object)
        except TypeError:
            return None
        legal = None not in values
    else:
        legal = values.ndim == 1 and (values.dtype.kind in "iu" or len(values) == 0)
    return values.astype(np.int64) if legal and ((values >= low) & (values <= high)).all() else None


def between(value, name: str, low: int, high: int) -> int:
    """``value`` as an int in ``low ... high``; raises ``ValueError`` that begins with ``name``."""
    number = integer(value)
    if number is None or not low <= number <= high:
        raise ValueError(f"{name}: an integer {low} ... {high} expected, not {short_repr(value)}")
    return number


def game_count(value, name: str) -> int:
    """A number of games, at least 1; raises ``ValueError`` that begins with ``name``."""
    return between(value, name, 1, MOST_GAMES)


def side_id(value) -> int:
    """A side as a number; raises ``ValueError``."""
    number = integer(value)
    if number is None or not 0 <= number < SIDES:
        sides = " or ".join(f"{side} ({name})" for side, name in enumerate(SIDE_NAMES))
        raise ValueError(f"side: {sides} expected, not {short_repr(value)}")
    return number


def finite(value, name: str) -> float:
    """A finite number as a float; raises ``ValueError`` that begins with ``name``."""
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"{name}: a finite number expected, not {short_repr(value)}")
    return float(value)


def reset_options(value, known: Sequence[str]) -> Mapping:
    """The options of an environment's ``reset``, empty for None.

    Raises ``ValueError`` for keys that are not ``known`` but close to one, or close to an argument of an environment;
    others are allowed.
    """
    if value is not None and not isinstance(value, Mapping):
        raise ValueError(f"options: a mapping or None expected, not {short_repr(value)}")
    for key in value or ():
        if key not in known and get_close_matches(str(key).lower(), (*known, *_ARGUMENTS), 1, _CLOSE):
            taken = ", ".join(name for name in known if name not in _LASTING)
            raise ValueError(f"options: reset takes {taken} here, not {short_repr(key)}")
    return value or {}
