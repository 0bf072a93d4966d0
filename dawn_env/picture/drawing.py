"""The picture of a position: the map, and beside it a column of text with everything else."""

import numpy as np

from dawn_env.picture.board_geometry import MAP, BoardGeometry, Rect
from dawn_env.picture.country_panels import board_pieces
from dawn_env.picture.map_symbols import DEFINITIONS
from dawn_env.picture.svg_elements import Piece, tag
from dawn_env.picture.text_column import column, lines_of
from dawn_env.picture.theme import AUTO, style
from dawn_env.views.viewer_position import FamilyPosition, ViewerPosition, viewer_position

_EDGE = 6.0
_COLUMN = Rect(MAP.width + 4, 0, 298, MAP.board_height)
WIDTH = _COLUMN.x + _COLUMN.width + _EDGE
"""Width of a picture in its own units."""
FRAME = Rect(0, -_EDGE, WIDTH, MAP.board_height + 2 * _EDGE)
"""Rectangle of the whole picture."""


def board_svg(
    state: np.record, viewer: str | int, before: np.record | None = None, width: float = WIDTH, theme: str = AUTO
) -> str:
    """SVG of a position in the view of ``viewer`` (``democrat``, ``communist``, their ids, or ``both``).

    What has changed since ``before``, an earlier position, is marked. ``width`` in pixels is the width at which it
    is to be shown. ``theme``: ``light``, ``dark``, or ``auto``, which follows the page it is in. Spaces carry
    ``data-space="NAME"``. Raises ``ValueError``.
    """
    if width < 1:
        raise ValueError(f"width: at least one pixel expected, not {width}")
    seen = viewer_position(state, viewer)
    mode = "family mode, " if isinstance(seen, FamilyPosition) else ""
    title = f"1989: Dawn of Freedom, {mode}{seen.when}, VP {seen.vp:+d}"
    content = "".join(piece.content for piece in picture_pieces(state, viewer, before))
    return document(title, content, FRAME, width / WIDTH, theme)


def picture_pieces(state: np.record, viewer: str | int, before: np.record | None = None) -> list[Piece]:
    """Pieces of ``board_svg``, the lowest first."""
    seen, then = viewer_position(state, viewer), None if before is None else viewer_position(before, viewer)
    lines_before = None if before is None else lines_of(before, seen.sides)
    return [*board_pieces(seen, then, MAP), *column(lines_of(state, seen.sides), lines_before, _COLUMN)]


def document(title: str, content: str, frame: tuple[float, float, float, float], scale: float, theme: str) -> str:
    """A whole SVG; ``frame`` is what is shown: left, top, width, height, and ``scale`` its pixels per unit."""
    root = f"dawn-{theme}"
    left, top, width, height = frame
    paper = tag("rect", x=left, y=top, width=width, height=height, class_="paper")
    return tag(
        "svg", tag("style", style(theme, root)) + DEFINITIONS + tag("title", title) + paper + content,
        xmlns="http://www.w3.org/2000/svg", viewBox=" ".join(f"{number:.10g}" for number in frame),
        width=round(width * scale), height=round(height * scale), class_=root, role="img",
    )  # fmt: skip


def map_svg(seen: ViewerPosition, layout: BoardGeometry, root: str) -> str:
    """The countries alone, for a page that has the style sheet of ``theme.style`` for elements under class ``root``.

    Neither a title nor a size: the page says what it is and how large.
    """
    content = "".join(piece.content for piece in board_pieces(seen, None, layout))
    return tag(
        "svg", DEFINITIONS + content, xmlns="http://www.w3.org/2000/svg", class_=root,
        viewBox=f"0 -5 {layout.width:g} {layout.board_height + 10:g}",
    )  # fmt: skip
