"""Layouts of observations by kind of game: parts, writer, number of actions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dawn_env.actions import ALL_ACTIONS, A
from dawn_env.observation.bid_observation import BID_TABLE, write_bid_view
from dawn_env.observation.family_observation import FAMILY_OBSERVATION_VERSION, FAMILY_TABLE, write_family_view
from dawn_env.observation.parts import OBSERVATION_VERSION, TABLE, Axis, EntryKind, ObservationPart, places
from dawn_env.observation.standard_writer import write_mask, write_observation
from dawn_env.options import GameOptions
from dawn_env.state import STATE, FrameKind, Mode
from dawn_env.support.compiling import BYTES, INT64, announce, call_pointer, entry, function_pointer
from dawn_env.tables import CARD_TITLES, SIDE_NAMES

VIEW_TYPES = STATE, INT64, BYTES, BYTES
call_view = call_pointer(*VIEW_TYPES)
"""``call_view(layout.view, record, side, observation, mask)`` in compiled loops."""


@dataclass(frozen=True, eq=False)
class ViewLayout:
    """The vector and the mask of one kind of game."""

    name: str
    version: int
    table: tuple[ObservationPart, ...]
    actions: int
    _write: Callable

    def __reduce__(self) -> str:
        """Copies and pickles are the layout itself: name of the constant below."""
        return f"{self.name.upper()}_LAYOUT"

    @cached_property
    def parts(self) -> dict[str, ObservationPart]:
        """Parts of the vector by name."""
        return {part.name: part for part in self.table}

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Name of each part to its place in the vector."""
        return places(self.table)

    @cached_property
    def size(self) -> int:
        """Length of the vector."""
        return sum(part.size for part in self.table)

    @cached_property
    def view(self):
        """The address of what writes one view, for ``call_view``."""
        announce()
        return function_pointer(self._write, *VIEW_TYPES)

    def rows(self, states: np.ndarray, sides: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> None:
        """Write views of many games in place: game i seen by ``sides[i]``.

        ``states`` STATE [B], ``sides`` integers [B], ``observations`` int8 [B, size], ``masks`` int8 [B, actions].
        """
        _write_rows(self.view, states, np.ascontiguousarray(sides, np.int8), observations, masks)

    def blank(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Zeroed views int8 [count, size] and masks int8 [count, actions]."""
        return np.zeros((count, self.size), np.int8), np.zeros((count, self.actions), np.int8)

    def views(self, states: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Views and masks of many games in new arrays; arguments as of ``rows``."""
        seen, masks = self.blank(len(states))
        self.rows(states, sides, seen, masks)
        return seen, masks

    def low(self) -> np.ndarray:
        """int8 [size], least value of each entry."""
        return np.concatenate([np.full(part.size, part.low, np.int8) for part in self.table])

    def high(self) -> np.ndarray:
        """int8 [size], greatest value of each entry."""
        return np.concatenate([np.full(part.size, part.high, np.int8) for part in self.table])

    def decode(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The parts of an observation by name, int8, an entry per name of the part's axis."""
        return {name: observation[place] for name, place in self.slices.items()}

    def explain(self, observation: np.ndarray) -> str:
        """An observation int8 [size] as text, a line for each part that is not zero."""
        lines = [f"side: {SIDE_NAMES[observation[0]]}"]
        for part in self.table[1:]:
            if (values := observation[self.slices[part.name]]).any():
                lines.append(f"{part.name}: {_told(part, values.tolist())}")
        return "\n".join(lines)

    def one(self, state: np.record, side: int) -> np.ndarray:
        """Observation of ``side``, int8 [size]; raises ``TypeError`` for anything but a ``STATE`` record."""
        states = np.asarray(state)
        if states.dtype.names is None:
            raise TypeError(f"state: a record such as game.state expected, not {type(state).__name__}")
        return self.views(states.reshape(1), np.array([side], np.int8))[0][0]


_OWNERS = {1: "mine", -1: "theirs"}


def _told(part: ObservationPart, values: list[int]) -> str:
    entries = [(name, value) for name, value in zip(part.axis.value, values, strict=True) if value]
    return ", ".join(_entry(part, name, value) for name, value in entries)


def _entry(part: ObservationPart, name, value: int) -> str:
    """A name, unless the part has only one entry, and what its number says."""
    name = f"{name} {CARD_TITLES[name]}" if part.axis is Axis.CARD else name
    if part.kind in (EntryKind.FLAG, EntryKind.ONE_HOT):
        return name or "yes"
    return f"{name} {_OWNERS[value] if part.kind is EntryKind.SIDE else value}".strip()


@entry
def _write_rows(view, states, sides, observations, masks):
    for i in range(len(states)):
        call_view(view, states[i], sides[i], observations[i], masks[i])


@entry
def write_standard_view(s, side, out, mask):
    """Write the view of a side in the standard game, int8 [F], and the legal actions, int8 [A]."""
    write_observation(s, side, out)
    write_mask(s, side, mask)


STANDARD_LAYOUT = ViewLayout("standard", OBSERVATION_VERSION, TABLE, A, write_standard_view)
BID_LAYOUT = ViewLayout("bid", OBSERVATION_VERSION, BID_TABLE, ALL_ACTIONS, write_bid_view)
FAMILY_LAYOUT = ViewLayout("family", FAMILY_OBSERVATION_VERSION, FAMILY_TABLE, ALL_ACTIONS, write_family_view)

LAYOUTS = STANDARD_LAYOUT, BID_LAYOUT, FAMILY_LAYOUT
"""All layouts."""


def layout_of(options: GameOptions) -> ViewLayout:
    """Layout of games with these options."""
    if options.is_family:
        return FAMILY_LAYOUT
    return BID_LAYOUT if options.bid else STANDARD_LAYOUT


def layout_of_sides(options: GameOptions) -> ViewLayout:
    """Layout of games with these options once sides are known: that of games without a bid."""
    return FAMILY_LAYOUT if options.is_family else STANDARD_LAYOUT


def layout_for_players(state: np.record) -> ViewLayout:
    """Layout of a ``STATE`` record: once sides are known, that of games without a bid."""
    if state.mode == Mode.FAMILY:
        return FAMILY_LAYOUT
    return BID_LAYOUT if state.frames[0].kind == FrameKind.BID else STANDARD_LAYOUT


def check_views(observations: np.ndarray, masks: np.ndarray) -> None:
    """Raise ``ValueError`` unless they are int8 [K, F] and int8 [K, A] of one kind of game: compiled code would read
    beyond others."""
    for layout in LAYOUTS:
        right = observations.shape[1:] == (layout.size,) and masks.shape[1:] == (layout.actions,)
        if right and len(observations) == len(masks) and observations.dtype == masks.dtype == np.int8:
            return
    kinds = " or ".join(f"[K, {layout.size}] and [K, {layout.actions}]" for layout in LAYOUTS)
    given = " and ".join(f"{array.dtype} {list(array.shape)}" for array in (observations, masks))
    raise ValueError(f"observations and masks: int8 {kinds} expected, not {given}")
