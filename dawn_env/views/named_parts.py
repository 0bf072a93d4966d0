"""Observations as JSON values: the parts of a vector under their names, and back."""

from collections.abc import Mapping

import numpy as np

from dawn_env.observation.parts import Axis, EntryKind, ObservationPart
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, ViewLayout


def named_view(observation: np.ndarray, layout: ViewLayout = STANDARD_LAYOUT) -> dict:
    """The parts of ``observation`` int8 [F] under the names of a layout.

    A single entry is an integer; a pair ``{"mine": a, "theirs": b}``; a one-hot part the name marked, or
    None; flags the list of names marked; any other part name to value, zeros left out.
    """
    parts = layout.decode(observation)
    return {part.name: _named(part, parts[part.name].tolist()) for part in layout.table}


def _named(part: ObservationPart, values: list[int]):
    names = part.axis.value
    if part.axis is Axis.ONE:
        return values[0]
    if part.axis is Axis.OWNER:
        return dict(zip(names, values, strict=True))
    marked = {name: value for name, value in zip(names, values, strict=True) if value}
    if part.kind is EntryKind.ONE_HOT:
        return next(iter(marked), None)
    return list(marked) if part.kind is EntryKind.FLAG else marked


def observation_of(named: Mapping, layout: ViewLayout) -> np.ndarray:
    """Observation int8 [F] of which ``named`` is the ``named_view``, also after a way through JSON."""
    return np.concatenate([_values(part, named[part.name]) for part in layout.table])


def _values(part: ObservationPart, named) -> np.ndarray:
    if part.axis is Axis.ONE:
        return np.array([named], np.int8)
    if part.kind is EntryKind.ONE_HOT:
        named = [] if named is None else [named]
    marked = named if isinstance(named, Mapping) else dict.fromkeys(named, 1)
    by_text = {str(name): value for name, value in marked.items()}  # JSON has texts for keys
    return np.array([by_text.get(str(name), 0) for name in part.axis.value], np.int8)
