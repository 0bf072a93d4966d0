"""Observations as JSON values or lines of text: the parts of a vector under their names, and back."""

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from dawn_env.observation.parts import Axis, EntryKind, ObservationPart
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, ViewLayout
from dawn_env.tables import SIDE_NAMES

_SIDES = {"mine": 1, "theirs": -1}


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
    values = np.zeros(part.size, np.int8)
    if part.axis is Axis.ONE:
        values[0] = named
    elif isinstance(named, Mapping):
        for name, value in named.items():
            values[_index(part.axis)[str(name)]] = value
    else:
        for name in [named] if part.kind is EntryKind.ONE_HOT else named:
            if name is not None:
                values[_index(part.axis)[str(name)]] = 1
    return values


@cache
def _index(axis: Axis) -> dict[str, int]:
    """Places of the names of an axis, as texts, which keys are in JSON."""
    return {str(name): place for place, name in enumerate(axis.value)}


def lines_of(named: Mapping, layout: ViewLayout) -> list[str]:
    """Lines such as ``my_support: Berlin 2, Leipzig 1`` for a ``named_view``, parts that are zero left out."""
    return layout.explain(observation_of(named, layout)).splitlines()


def observation_of_lines(lines: Iterable[str], layout: ViewLayout) -> np.ndarray:
    """Observation int8 [F] of which ``lines`` are the ``lines_of``; raises ``ValueError`` for others."""
    told = dict(line.split(": ", 1) for line in lines)
    told["side"] = "yes" if SIDE_NAMES.index(told["side"]) else ""
    return np.concatenate([_read(part, told.get(part.name, "")) for part in layout.table])


def _read(part: ObservationPart, text: str) -> np.ndarray:
    """Values of a part from its entries: a name, a number behind it, and the title behind the number of a card."""
    values, flags = np.zeros(part.size, np.int8), part.kind in (EntryKind.FLAG, EntryKind.ONE_HOT)
    for entry in text.split(", ") if text else ():
        name, value = ("" if entry == "yes" else entry, "1") if flags else entry.rpartition(" ")[::2]
        name = name.partition(" ")[0] if part.axis is Axis.CARD else name
        values[_index(part.axis)[name]] = _SIDES.get(value) or int(value)
    return values
