"""Pictures of positions as pixels, one after another: only what has changed since the last one is drawn anew."""

from collections.abc import Iterable
from functools import cache
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.options import GameOptions
from dawn_env.picture.board_geometry import WIDE
from dawn_env.picture.drawing import board_pieces, document
from dawn_env.picture.raster import to_array
from dawn_env.picture.svg_elements import Piece, tag
from dawn_env.picture.theme import LIGHT
from dawn_env.state import new_states
from dawn_env.tables import SIDE_NAMES


class _Pixels(NamedTuple):
    """A rectangle of pixels; ``right`` and ``bottom`` are no part of it."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: "_Pixels") -> bool:
        """Return True if both have pixels in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def with_both(self, other: "_Pixels") -> "_Pixels":
        """The smallest rectangle around both."""
        return _Pixels(*map(min, self[:2], other[:2]), *map(max, self[2:], other[2:]))


class FramePainter:
    """Paints positions, ``width`` pixels wide and even in height.

    Frames are the picture of ``drawing.board_svg``, but for edges of curves that may be smoothed otherwise.
    """

    def __init__(self, width: int):
        self.width = width
        self._pieces: list[Piece] = []
        self._frame = np.empty((0, 0, 3), np.uint8)

    def twin(self) -> "FramePainter":
        """Another painter, whose first frame is compared with the latest one of this."""
        other = FramePainter(self.width)
        other._pieces, other._frame = self._pieces, self._frame
        return other

    def __reduce__(self) -> tuple:
        """Copies and pickles begin with a whole picture."""
        return FramePainter, (self.width,)

    def paint(self, state: np.record, viewer: str | int) -> np.ndarray:
        """Paint a position in the view of ``viewer``: uint8 [height, width, 3]."""
        height, pieces = board_pieces(state, viewer)
        scale = self.width / WIDE.width
        shape = 2 * ceil(height * scale / 2), self.width, 3
        whole = _Pixels(0, 0, shape[1], shape[0])
        places = {piece: _around(piece, scale, whole) for piece in (*pieces, *self._pieces)}
        if self._frame.shape == shape:
            frame = self._frame.copy()
            changed = _merged(places[piece] for piece in {*pieces} ^ {*self._pieces})
        else:
            frame, changed = np.empty(shape, np.uint8), [whole]
        for part in changed:
            content = "".join(piece.content for piece in pieces if places[piece].meets(part))
            frame[part.top : part.bottom, part.left : part.right] = _painted(content, part, scale)
        self._pieces, self._frame = pieces, frame
        return frame.copy()


@cache
def opening_painter(width: int, mode: str) -> FramePainter:
    """Painter with a new game of a mode as its latest frame, painted once in a process."""
    states, painter = new_states(1), FramePainter(width)
    engine.reset(states, np.zeros(1, np.int64), GameOptions(mode=mode))
    painter.paint(states[0], SIDE_NAMES[0])
    return painter


def _around(piece: Piece, scale: float, whole: _Pixels) -> _Pixels:
    """The pixels that a piece may touch."""
    ends = floor(piece.x * scale) - 1, floor(piece.y * scale) - 1
    others = ceil((piece.x + piece.width) * scale) + 1, ceil((piece.y + piece.height) * scale) + 1
    return _Pixels(*map(max, ends, whole[:2]), *map(min, others, whole[2:]))


def _merged(places: Iterable[_Pixels]) -> list[_Pixels]:
    """Rectangles without common pixels that hold all of ``places``."""
    found: list[_Pixels] = []
    for place in places:
        while meeting := [other for other in found if place.meets(other)]:
            for other in meeting:
                found.remove(other)
                place = place.with_both(other)
        found.append(place)
    return found


def _painted(content: str, part: _Pixels, scale: float) -> np.ndarray:
    """Pixels of a part of the picture."""
    left, top, right, bottom = (number / scale for number in part)
    paper = tag("rect", x=left - 1, y=top - 1, width=right - left + 2, height=bottom - top + 2, class_="paper")
    return to_array(document("", paper + content, (left, top, right - left, bottom - top), scale, LIGHT))
