"""The whole picture: header, countries, cards and key, side by side on wide screens and in a column on narrow ones."""

import numpy as np

from dawn_env.picture.block import Block, in_a_row, stacked
from dawn_env.picture.board import board
from dawn_env.picture.cards import hand, lasting, piles
from dawn_env.picture.layout import NARROW, WIDE, Layout
from dawn_env.picture.legend import legend
from dawn_env.picture.marks import DEFINITIONS
from dawn_env.picture.seen import Seen
from dawn_env.picture.struggle import struggle
from dawn_env.picture.svg import tag
from dawn_env.picture.theme import AUTO, style
from dawn_env.picture.tracks import clock, status, tiananmen, ussr, victory_points
from dawn_env.tables import SIDES

NARROW_UP_TO = 700
"""Widths up to this many pixels get the narrow layout."""

_HAND_ROWS = 12
_GAP = 6.0


def board_svg(
    state: np.record, viewer: str, before: np.record | None = None, width: int = WIDE.width, theme: str = AUTO
) -> str:
    """A position as SVG, as ``viewer`` (``democrat``, ``communist`` or ``both``) sees it.

    What has changed since ``before``, an earlier position, is marked. ``width`` in pixels is the width at which it
    is to be shown: a narrow layout up to ``NARROW_UP_TO``. ``theme``: ``light``, ``dark``, or ``auto``, which follows
    the page it is in. Spaces carry ``data-space="NAME"``. Raises ``ValueError``.
    """
    if width < 1:
        raise ValueError(f"width: at least one pixel expected, not {width}")
    seen = Seen(state, viewer)
    then = None if before is None else Seen(before, viewer)
    layout = WIDE if width > NARROW_UP_TO else NARROW
    picture = _wide(seen, then, layout) if layout.wide else _narrow(seen, then, layout)
    root = f"dawn-{theme}"
    height = picture.height
    content = tag("style", style(theme, root)) + DEFINITIONS
    content += tag("title", f"1989: Dawn of Freedom, turn {seen.turn}, round {seen.round}, VP {seen.vp:+d}")
    content += tag("rect", width=layout.width, height=height, class_="paper") + picture.content
    return tag(
        "svg", content, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {layout.width:g} {height:g}",
        width=width, height=round(height * width / layout.width), class_=root, role="img",
    )  # fmt: skip


def map_svg(seen: Seen, before: Seen | None, layout: Layout, root: str) -> str:
    """The countries alone, for a page that has the style sheet of ``theme.style`` for elements under class ``root``.

    Neither a title nor a size: the page says what it is and how large.
    """
    content = DEFINITIONS + board(seen, before, layout)
    return tag(
        "svg", content, xmlns="http://www.w3.org/2000/svg", class_=root,
        viewBox=f"0 -5 {layout.width:g} {layout.board_height + 10:g}",
    )  # fmt: skip


def _wide(seen: Seen, before: Seen | None, layout: Layout) -> Block:
    room = layout.inner
    first = [340.0, 0.0, 420.0]
    first[1] = room - sum(first) - 2 * _GAP
    header = in_a_row(
        [clock(seen, first[0]), victory_points(seen, before, first[1]), ussr(seen, before, first[2])], first, _GAP
    )
    second = [1000.0, room - 1000 - _GAP]
    square = tiananmen(seen, before, second[0], rows=1)
    header_2 = in_a_row([square, status(seen, second[1], square.height)], second, _GAP)
    countries = Block(
        layout.board_height, tag("g", board(seen, before, layout), transform=f"translate({-layout.margin:g} 0)")
    )
    blocks = [header, header_2, countries, _wide_cards(seen, before, room), legend(room, wide=True)]
    return stacked(blocks, layout.margin, _GAP, _GAP)


def _wide_cards(seen: Seen, before: Seen | None, room: float) -> Block:
    """Hands, lasting events, the struggle in place of half of them, and the piles."""
    hand_width, pile_width = 290.0, 130.0
    rest = room - SIDES * hand_width - pile_width - (SIDES + 1) * _GAP
    hands = [hand(seen, side, hand_width, _HAND_ROWS) for side in range(SIDES)]
    height = hands[0].height
    stacks = piles(seen, pile_width, height)
    if seen.struggle is None:
        events = lasting(seen, before, rest, columns=2, rows=_HAND_ROWS)
        return in_a_row([*hands, events, stacks], [hand_width, hand_width, rest, pile_width], _GAP)
    fight_width = 390.0
    few = rest - fight_width - _GAP
    events = lasting(seen, before, few, columns=1, rows=_HAND_ROWS)
    fight = struggle(seen, fight_width, height)
    widths = [hand_width, hand_width, few, fight_width, pile_width]
    return in_a_row([*hands, events, fight, stacks], widths, _GAP)


def _narrow(seen: Seen, before: Seen | None, layout: Layout) -> Block:
    room = layout.inner
    own = [hand(seen, side, room) for side in sorted(range(SIDES), key=lambda side: side not in seen.sides)]
    countries = Block(
        layout.board_height, tag("g", board(seen, before, layout), transform=f"translate({-layout.margin:g} 0)")
    )
    blocks = [
        clock(seen, room),
        victory_points(seen, before, room),
        status(seen, room, 72),
        struggle(seen, room),
        countries,
        *own,
        lasting(seen, before, room, columns=1),
        tiananmen(seen, before, room, rows=2),
        ussr(seen, before, room),
        piles(seen, room, 72),
        legend(room, wide=False),
    ]
    return stacked([block for block in blocks if block.height], layout.margin, _GAP, _GAP)
