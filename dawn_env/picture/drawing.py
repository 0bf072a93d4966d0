"""The whole picture: the parts that the kind of game has, or one of them."""

from typing import Any

import numpy as np

from dawn_env.bids import PLAYER_NAMES
from dawn_env.errors import BadInput
from dawn_env.glossary import card_name, counted
from dawn_env.picture.board_geometry import WIDE, BoardGeometry
from dawn_env.picture.card_panels import ROWS, hand, lasting, piles, struggle
from dawn_env.picture.country_panels import board, countries
from dawn_env.picture.family_picture import family_rows
from dawn_env.picture.map_symbols import DEFINITIONS, legend
from dawn_env.picture.svg_elements import GAP, Block, Piece, in_a_row, moved, placed, tag
from dawn_env.picture.theme import AUTO, style
from dawn_env.picture.track_panels import (
    Doing,
    asked,
    clock,
    decides,
    numbers,
    status,
    tiananmen,
    ussr,
    victory_points,
)
from dawn_env.picture.viewer_position import FamilyPosition, StandardPosition, ViewerPosition, viewer_position
from dawn_env.state import Mode
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import COUNTRIES, ROUNDS, SIDE_NAMES, SIDES

PARTS = ("hand", "struggle")
"""Parts of a picture besides the countries."""
_PART_WIDTH = 390.0


def board_svg(
    state: np.record, viewer: str | int, before: np.record | None = None, width: float = WIDE.width, theme: str = AUTO
) -> str:
    """SVG of a position in the view of ``viewer`` (``democrat``, ``communist``, their ids, or ``both``).

    What has changed since ``before``, an earlier position, is marked. ``width`` in pixels is the width at which it
    is to be shown. ``theme``: ``light``, ``dark``, or ``auto``, which follows the page it is in. Spaces carry
    ``data-space="NAME"``. Raises ``ValueError``.
    """
    if width < 1:
        raise ValueError(f"width: at least one pixel expected, not {width}")
    seen, then = _positions(state, viewer, before)
    content, y = "", GAP
    for row in _rows(seen, then):
        content += moved(WIDE.margin, y, row.content)
        y += row.height + GAP
    mode = "family mode, " if isinstance(seen, FamilyPosition) else ""
    title = f"1989: Dawn of Freedom, {mode}{seen.when}, VP {seen.vp:+d}"
    return document(title, content, (0, 0, WIDE.width, y), width / WIDE.width, theme)


def board_pieces(state: np.record, viewer: str | int) -> tuple[float, list[Piece]]:
    """Height of the picture of a position, and the pieces that it is drawn of, the lowest first."""
    pieces: list[Piece] = []
    y = GAP
    for row in _rows(*_positions(state, viewer, None)):
        pieces += placed(row, WIDE.margin, y)
        y += row.height + GAP
    return y, pieces


def _rows(seen: Any, before: Any) -> list[Block]:
    """All parts, from the uppermost down."""
    return family_rows(seen, before) if isinstance(seen, FamilyPosition) else _standard_rows(seen, before)


def _positions(state: np.record, viewer: str | int, before: np.record | None) -> tuple[Any, Any]:
    """Views of a position and of an earlier one, None without one; both are of one mode of the game."""
    return viewer_position(state, viewer), None if before is None else viewer_position(before, viewer)


def part_svg(state: np.record, viewer: str, part: str, before: np.record | None = None, theme: str = AUTO) -> str:
    """SVG of one part of a position of the standard game: a country by its name, ``hand`` or ``struggle``.

    Parameters as for ``board_svg``; the hand is that of ``viewer``. Raises ``BadInput`` for another part, and for a
    struggle where none is fought.
    """
    seen, then = _positions(state, viewer, before)
    if part in COUNTRIES:
        country = COUNTRIES.index(part)
        place = WIDE.panels[country]
        frame = (place.x - 5, place.y - 5, place.width + 10, place.height + 10)
        return document(part, board(seen, then, WIDE, [country]), frame, 1, theme)
    standard = isinstance(seen, StandardPosition)
    if standard and part == "hand":
        block = hand(seen, seen.sides[0], _PART_WIDTH)
    elif standard and part == "struggle" and seen.struggle >= 0:
        block = struggle(seen, _PART_WIDTH)
    else:
        parts = ", ".join([*COUNTRIES, *PARTS])
        raise BadInput(f"part: one of {parts} expected (struggle while one is fought), not {short_repr(part)}")
    return document(part, block.content, (-4, -4, _PART_WIDTH + 8, block.height + 8), 1, theme)


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
    return tag(
        "svg", DEFINITIONS + board(seen, None, layout), xmlns="http://www.w3.org/2000/svg", class_=root,
        viewBox=f"0 -5 {layout.width:g} {layout.board_height + 10:g}",
    )  # fmt: skip


# --- the standard game -----------------------------------------------------------------------------


def _standard_rows(seen: StandardPosition, before: StandardPosition | None) -> list[Block]:
    """All parts, from the uppermost down."""
    room = WIDE.inner
    time = clock(seen, numbers(max(ROUNDS, seen.round)), seen.round - 1, 340)
    score = victory_points(seen, before, room - 340 - 420 - 2 * GAP)
    square = tiananmen(seen, before, 1000)
    return [
        in_a_row(time, score, ussr(seen, before, 420)),
        in_a_row(square, status(_doings(seen), room - 1000 - GAP, square.height)),
        countries(seen, before),
        _cards(seen, before, room),
        legend(Mode.STANDARD, room),
    ]


def _cards(seen: StandardPosition, before: StandardPosition | None, room: float) -> Block:
    """Hands, lasting events, the struggle in place of half of them, and the piles."""
    hands = [hand(seen, side, 290, ROWS) for side in range(SIDES)]
    stacks = piles(seen, 130, hands[0].height)
    room -= 2 * 290 + 130 + 3 * GAP
    if seen.struggle < 0:
        return in_a_row(*hands, lasting(seen, before, room, columns=2), stacks)
    fight = struggle(seen, 390, hands[0].height)
    return in_a_row(*hands, lasting(seen, before, room - 390 - GAP, columns=1), fight, stacks)


# --- what is being done --------------------------------------------------------------------------


def _doings(seen: StandardPosition) -> list[Doing]:
    """Pending decision and the cards being played."""
    if seen.bidding:
        return _bidding(seen, *seen.bidding)
    lines = decides(seen)
    if seen.actor < 0:
        return lines
    if seen.source:
        lines.append((card_name(seen.source), 10.5, "ink bold"))
    played = [card_name(card) for card in seen.resolving if card != seen.source]
    return lines + ([("Played: " + ", ".join(played), 10, "soft bold")] if played else [])


def _bidding(seen: StandardPosition, actor: int, decision: int) -> list[Doing]:
    """Pending decision about the bid, and the visible offers."""
    lines = [asked(PLAYER_NAMES[actor], decision, "ink bold")]
    for player, offer in enumerate(seen.offers or ()):
        if offer is not None:
            side, points = offer
            words = f"{PLAYER_NAMES[player].capitalize()} offers the {SIDE_NAMES[side].capitalize()}"
            words += "" if points is None else f" with {counted(points, 'point')}"
            lines.append((words, 10.5, "soft bold"))
    return lines
