"""Pictures of positions as pixels, one after another: only what has changed since the last one is drawn anew."""

from collections.abc import Iterable
from functools import cache
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from dawn_env import engine
from dawn_env.options import GameOptions
from dawn_env.picture.drawing import FRAME, document, picture_pieces
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

    Frames are the picture of ``drawing.board_svg``, but for edges that may be smoothed otherwise.
    """

    def __init__(self, width: int):
        self.width, self._scale = width, width / FRAME.width
        self._whole = _Pixels(0, 0, width, 2 * ceil(FRAME.height * self._scale / 2))
        self._pieces: list[Piece] = []
        self._frame: np.ndarray | None = None

    def twin(self) -> "FramePainter":
        """Copy of this painter, which then paints only what differs from this painter's latest frame."""
        other = FramePainter(self.width)
        other._pieces, other._frame = self._pieces, self._frame
        return other

    def __reduce__(self) -> tuple:
        """Copies and pickles begin with a whole picture."""
        return FramePainter, (self.width,)

    def paint(self, state: np.record, viewer: str | int) -> np.ndarray:
        """Paint a position in the view of ``viewer``: uint8 [height, width, 3]."""
        pieces = picture_pieces(state, viewer)
        places = {piece: self._around(piece) for piece in (*pieces, *self._pieces)}
        if self._frame is None:
            frame, changed = np.empty((self._whole.bottom, self.width, 3), np.uint8), [self._whole]
        else:
            frame = self._frame.copy()
            changed = _merged(places[piece] for piece in {*pieces} ^ {*self._pieces})
        for part in changed:
            content = "".join(piece.content for piece in pieces if places[piece].meets(part))
            frame[part.top : part.bottom, part.left : part.right] = self._painted(content, part)
        self._pieces, self._frame = pieces, frame
        return frame.copy()

    def _around(self, piece: Piece) -> _Pixels:
        """The pixels that a piece may touch."""
        left, top = (piece.x - FRAME.x) * self._scale, (piece.y - FRAME.y) * self._scale
        right, bottom = left + piece.width * self._scale, top + piece.height * self._scale
        ends, others = (floor(left) - 1, floor(top) - 1), (ceil(right) + 1, ceil(bottom) + 1)
        return _Pixels(*map(max, ends, self._whole[:2]), *map(min, others, self._whole[2:]))

    def _painted(self, content: str, part: _Pixels) -> np.ndarray:
        """Pixels of a part of the picture."""
        left, top, right, bottom = (number / self._scale for number in part)
        x, y, width, height = left + FRAME.x, top + FRAME.y, right - left, bottom - top
        paper = tag("rect", x=x - 1, y=y - 1, width=width + 2, height=height + 2, class_="paper")
        return to_array(document("", paper + content, (x, y, width, height), self._scale, LIGHT))


@cache
def opening_painter(width: int, mode: str) -> FramePainter:
    """Painter with a new game of a mode as its latest frame, painted once in a process."""
    states, painter = new_states(1), FramePainter(width)
    engine.reset(states, np.zeros(1, np.int64), GameOptions(mode=mode))
    painter.paint(states[0], SIDE_NAMES[0])
    return painter


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
