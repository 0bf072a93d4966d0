"""The whole picture: the parts that the kind of game has, or one of them."""

import numpy as np

from dawn_env.picture import family_picture, standard_picture
from dawn_env.picture.board_geometry import WIDE, BoardGeometry
from dawn_env.picture.card_panels import hand, struggle
from dawn_env.picture.country_panels import board
from dawn_env.picture.family_view import FamilyPosition
from dawn_env.picture.map_symbols import DEFINITIONS
from dawn_env.picture.standard_view import StandardPosition
from dawn_env.picture.svg_elements import GAP, moved, tag
from dawn_env.picture.theme import AUTO, style
from dawn_env.picture.viewer_position import ViewerPosition
from dawn_env.state import Mode
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import COUNTRIES

PARTS = ("hand", "struggle")
"""Parts of a picture besides the countries."""
_PART_WIDTH = 390.0


def viewer_position(state: np.record, viewer: str) -> StandardPosition | FamilyPosition:
    """View of a position of any kind of game for ``viewer``; raises ``ValueError`` for an unknown viewer."""
    return FamilyPosition(state, viewer) if state.mode == Mode.FAMILY else StandardPosition(state, viewer)


def board_svg(
    state: np.record, viewer: str, before: np.record | None = None, width: float = WIDE.width, theme: str = AUTO
) -> str:
    """SVG of a position in the view of ``viewer`` (``democrat``, ``communist`` or ``both``).

    What has changed since ``before``, an earlier position, is marked. ``width`` in pixels is the width at which it
    is to be shown. ``theme``: ``light``, ``dark``, or ``auto``, which follows the page it is in. Spaces carry
    ``data-space="NAME"``. Raises ``ValueError``.
    """
    if width < 1:
        raise ValueError(f"width: at least one pixel expected, not {width}")
    seen = viewer_position(state, viewer)
    then = None if before is None else viewer_position(before, viewer)
    kind = family_picture if isinstance(seen, FamilyPosition) else standard_picture
    content, y = "", GAP
    for row in kind.rows(seen, then):
        content += moved(WIDE.margin, y, row.content)
        y += row.height + GAP
    title = f"1989: Dawn of Freedom, {kind.GAME}{seen.when}, VP {seen.vp:+d}"
    return _document(title, content, (0, 0, WIDE.width, y), width / WIDE.width, theme)


def part_svg(state: np.record, viewer: str, part: str, before: np.record | None = None, theme: str = AUTO) -> str:
    """SVG of one part of a position of the standard game: a country by its name, ``hand`` or ``struggle``.

    Parameters as for ``board_svg``; the hand is that of ``viewer``. Raises ``ValueError`` for another part, and for a
    struggle where none is fought.
    """
    seen = viewer_position(state, viewer)
    then = None if before is None else viewer_position(before, viewer)
    if part in COUNTRIES:
        country = COUNTRIES.index(part)
        place = WIDE.panels[country]
        frame = (place.x - 5, place.y - 5, place.width + 10, place.height + 10)
        return _document(part, board(seen, then, WIDE, [country]), frame, 1, theme)
    standard = seen if isinstance(seen, StandardPosition) else None
    if standard and part == "hand":
        block = hand(standard, standard.sides[0], _PART_WIDTH)
    elif standard and part == "struggle" and standard.struggle:
        block = struggle(standard.struggle, _PART_WIDTH)
    else:
        parts = ", ".join([*COUNTRIES, *PARTS])
        raise ValueError(f"part: one of {parts} expected (struggle while one is fought), not {short_repr(part)}")
    return _document(part, block.content, (-4, -4, _PART_WIDTH + 8, block.height + 8), 1, theme)


def _document(title: str, content: str, frame: tuple[float, float, float, float], scale: float, theme: str) -> str:
    """A whole SVG; ``frame`` is what is shown: left, top, width, height."""
    root = f"dawn-{theme}"
    left, top, width, height = frame
    paper = tag("rect", x=left, y=top, width=width, height=height, class_="paper")
    return tag(
        "svg", tag("style", style(theme, root)) + DEFINITIONS + tag("title", title) + paper + content,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"{left:g} {top:g} {width:g} {height:g}",
        width=round(width * scale), height=round(height * scale), class_=root, role="img",
    )  # fmt: skip


def map_svg(seen: ViewerPosition, layout: BoardGeometry, root: str) -> str:
    """The countries alone, for a page that has the style sheet of ``theme.style`` for elements under class ``root``.

    Neither a title nor a size: the page says what it is and how large.
    """
    return tag(
        "svg", DEFINITIONS + board(seen, None, layout), xmlns="http://www.w3.org/2000/svg", class_=root,
        viewBox=f"0 -5 {layout.width:g} {layout.board_height + 10:g}",
    )  # fmt: skip
