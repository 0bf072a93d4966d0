"""Weights of networks that were trained on version 1 of the observation, moved to where version 2 has the same things.

Only first layers see the observation, so theirs are the weights that move. What version 1 said with internal numbers
(steps, regions, marks) is gone, and what is new begins without influence.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

from dawn_agents.networks.network import NetworkOptions, others_of, planes
from dawn_env.layouts import STANDARD_LAYOUT
from dawn_env.observation import SLICES, TABLE, Axis
from dawn_env.state import STANDARD_DECISIONS, STANDARD_FRAME_KINDS
from dawn_env.tables import SOURCES, N, S

_SAID_BY = {
    "activity": "frame_kind", "source": "frame_source", "executing": "frame_mine", "left": "frame_left",
    "value": "frame_value", "roll_bonus": "frame_bonus", "bound_points": "frame_bonus", "setup_batch": "frame_value",
    "country_named": "frame_country",
}  # fmt: skip
"""Part of version 2 to the part of version 1 that said it."""

SPACE_PLANES = planes(STANDARD_LAYOUT, Axis.SPACE)
_CARD_PLANES, _OTHERS = planes(STANDARD_LAYOUT, Axis.CARD), others_of(STANDARD_LAYOUT)
_SPACES_1 = (*(name for name in SPACE_PLANES if name != "scope"), "check_target")
_RESOLVED_1 = {
    "acting": 1, "decision": len(STANDARD_DECISIONS), "frame_kind": len(STANDARD_FRAME_KINDS), "frame_source": SOURCES,
    "frame_mine": 1, "frame_step": 1, "frame_left": 1, "frame_value": 1, "frame_region": 1, "frame_country": N,
    "frame_bonus": 1, "frame_flags": 1, "check_target": S, "play_step": 1, "play_first": 1, "play_second": 1,
    "play_flags": 1,
}  # fmt: skip
"""The end of version 1, from the pending decision on, in order: size of each part."""

_SIZES = {part.name: part.size for part in TABLE}
_BEFORE = [name for name in SLICES if SLICES[name].start < SLICES["acting"].start]
_PARTS_1 = {name: _SIZES[name] for name in _BEFORE if name != "scope"} | _RESOLVED_1
_OTHERS_1 = [name for name in _PARTS_1 if name not in (*_CARD_PLANES, *_SPACES_1)]

SIZE_1 = sum(_PARTS_1.values())
"""Length of version 1."""

Column = tuple[str, int]


def _columns(names: Iterable[str], sizes: dict[str, int]) -> list[Column]:
    return [(name, i) for name in names for i in range(sizes[name])]


def _moved(weights: Tensor, before: list[Column], after: list[Column]) -> Tensor:
    """``weights`` [W, columns before] as [W, columns after]."""
    place = {column: i for i, column in enumerate(before)}
    found = [place.get((_SAID_BY.get(name, name), i), -1) for name, i in after]
    moved = weights[:, found]
    moved[:, torch.tensor(found) < 0] = 0
    return moved


def translate(state: dict[str, Tensor], options: NetworkOptions) -> dict[str, Tensor]:
    """The state dict of a network for version 2 that plays nearly as one for version 1 did."""
    rest = [("", i) for i in range(state["trunk.first.weight"].shape[1])]  # what is no observation stays in its order
    if options.kind == "map":
        opinion = ("opinion",) if options.advice else ()
        spaces_1, spaces_2 = (
            [(where + name, 0) for where in ("", "near ") for name in (*names, *opinion)]
            for names in (_SPACES_1, SPACE_PLANES)
        )
        state = state | {"spaces.seen.weight": _moved(state["spaces.seen.weight"], spaces_1, spaces_2)}
        seen_1 = _columns((*_CARD_PLANES, *_OTHERS_1), _PARTS_1)
        seen_2 = _columns((*_CARD_PLANES, *_OTHERS), _SIZES)
    else:
        seen_1, seen_2 = _columns(_PARTS_1, _PARTS_1), _columns(SLICES, _SIZES)
    more = rest[: len(rest) - len(seen_1)]
    return state | {"trunk.first.weight": _moved(state["trunk.first.weight"], seen_1 + more, seen_2 + more)}
