"""A side's observation by names: the parts of an observation as JSON values, for programs and people."""

import numpy as np

from dawn_env.layouts import STANDARD_LAYOUT, Layout
from dawn_env.observation import Axis, Kind, Part


def named_view(observation: np.ndarray, layout: Layout = STANDARD_LAYOUT) -> dict:
    """The parts of ``observation`` int8 [F] under the names of a layout.

    A single entry is an integer; a pair ``{"mine": a, "theirs": b}``; a one-hot part the name marked, or
    None; flags the list of names marked; any other part name to value, zeros left out.
    """
    parts = layout.decode(observation)
    return {part.name: _named(part, parts[part.name].tolist()) for part in layout.table}


def _named(part: Part, values: list[int]):
    names = part.axis.value
    if part.axis is Axis.ONE:
        return values[0]
    if part.axis is Axis.OWNER:
        return dict(zip(names, values, strict=True))
    marked = {name: value for name, value in zip(names, values, strict=True) if value}
    if part.kind is Kind.ONE_HOT:
        return next(iter(marked), None)
    return list(marked) if part.kind is Kind.FLAG else marked
