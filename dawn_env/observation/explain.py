"""An observation as text, for people: a line for each part that is not zero."""

from collections.abc import Sequence

import numpy as np

from dawn_env.observation.parts import TABLE, Axis, EntryKind, ObservationPart, places
from dawn_env.tables import CARD_TITLES, SIDE_NAMES

_OWNERS = {1: "mine", -1: "theirs"}


def explain(observation: np.ndarray, table: Sequence[ObservationPart] = TABLE) -> str:
    """An observation int8 [F] with the parts of ``table`` as text; all that it does not name is zero."""
    lines = [f"side: {SIDE_NAMES[observation[0]]}"]
    for part, place in zip(table, places(tuple(table)).values(), strict=True):
        if part.name != "side" and observation[place].any():
            lines.append(f"{part.name}: {_text(part, observation[place].tolist())}")
    return "\n".join(lines)


def _text(part: ObservationPart, values: list[int]) -> str:
    entries = [(name, value) for name, value in zip(part.axis.value, values, strict=True) if value]
    return ", ".join(_entry(part, _name(part.axis, name), value) for name, value in entries)


def _name(axis: Axis, name) -> str:
    return f"{name} {CARD_TITLES[name]}" if axis is Axis.CARD else str(name)


def _entry(part: ObservationPart, name: str, value: int) -> str:
    """A name, unless the part has only one entry, and what its number says."""
    if part.kind in (EntryKind.FLAG, EntryKind.ONE_HOT):
        return name or "yes"
    return f"{name} {_OWNERS[value] if part.kind is EntryKind.SIDE else value}".strip()
