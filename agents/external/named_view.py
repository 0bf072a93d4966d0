"""What a side sees, by names: the parts of an observation as JSON values, for programs and people."""

import numpy as np

from dawn_env.layouts import STANDARD_LAYOUT, Layout
from dawn_env.observe import CARDS, Slice
from dawn_env.observe_family import SEEN_DECISIONS
from dawn_env.state import DECISIONS, STANDARD_DECISIONS, STANDARD_FRAME_KINDS
from dawn_env.tables import COUNTRIES, FACES, SOURCE_TITLES, SPACES, SUITS, N, P, S

_ENTRIES = {
    2: ("mine", "theirs"),
    len(SUITS): SUITS,
    N: COUNTRIES,
    len(STANDARD_FRAME_KINDS): STANDARD_FRAME_KINDS,
    P: FACES,
    len(STANDARD_DECISIONS): STANDARD_DECISIONS,
    S: SPACES,
    CARDS: tuple(range(1, CARDS + 1)),
    len(SOURCE_TITLES): SOURCE_TITLES,
    len(SEEN_DECISIONS): tuple(DECISIONS[decision] for decision in SEEN_DECISIONS),
}
"""Size of a part to the names of its entries; cards go by number."""


def named_view(observation: np.ndarray, layout: Layout = STANDARD_LAYOUT) -> dict:
    """The parts of ``observation`` int8 [F] under the names of a layout.

    A single entry is an integer; a pair ``{"mine": a, "theirs": b}``; a one-hot part the name marked, or
    None; a part of zeros and ones the list of names marked; any other part name to value, zeros left out.
    """
    parts = layout.decode(observation)
    return {part.name: _named(part, parts[part.name].tolist()) for part in layout.table}


def _named(part: Slice, values: list[int]):
    if len(values) == 1:
        return values[0]
    names = _ENTRIES[len(values)]
    if len(values) == 2:
        return dict(zip(names, values, strict=True))
    marked = {name: value for name, value in zip(names, values, strict=True) if value}
    if part.meaning.startswith("one-hot"):
        return next(iter(marked), None)
    return list(marked) if (part.low, part.high) == (0, 1) else marked
