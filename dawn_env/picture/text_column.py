"""Column of text beside the map (hand, tracks, question), in the words of ``View.text``."""

from typing import NamedTuple

import numpy as np

from dawn_env.observation.player_view import View
from dawn_env.picture.board_geometry import Rect
from dawn_env.picture.svg_elements import Piece, rect, text, wrapped
from dawn_env.views.view_facts import view_facts
from dawn_env.views.view_text import question_lines, table_lines

_PAD = 10.0
_LARGEST, _STEP = 11.0, 0.95
"""Size of letters, and the factor by which they get smaller until all lines fit."""
_PITCH, _SPACE, _INDENT = 1.28, 0.5, 0.8
"""Distance of lines, space above a heading, indent of what a line goes on with; in sizes of letters."""


class Line(NamedTuple):
    """Words, and whether they are a heading or belong to the question."""

    words: str
    heading: bool
    asked: bool


class _Row(NamedTuple):
    """Part of a line that fits the width; the ``first`` is not indented."""

    line: Line
    words: str
    first: bool


def lines_of(state: np.record, sides: tuple[int, ...]) -> list[Line]:
    """Lines of the views of ``sides``, the side to act first; the second adds what the first has not said."""
    facts = [view_facts(View(state, side)) for side in sorted(sides, key=lambda side: side != state.actor)]
    shown: list[str] = []
    lines = []
    for view in facts:
        for number, words in enumerate(table_lines(view)):
            heading = number == 0 or words.endswith(":")
            if heading or words not in shown:
                lines.append(Line(words, heading, False))
        shown += [line.words for line in lines]
    return lines + [Line(words, words.endswith(":"), True) for words in question_lines(facts[0])]


def column(lines: list[Line], before: list[Line] | None, place: Rect) -> list[Piece]:
    """Lines below each other in a frame; what is not among the lines ``before`` is marked, the question apart."""
    frame = rect(place.x + 0.5, place.y + 0.5, place.width - 1, place.height - 1, "panel", 5)
    pieces = [Piece(*place, frame)]
    rows, size = _rows(lines, place)
    y = place.y + _PAD
    for line, words, first in rows:
        y += _height(line, first) * size
        x = place.x + _PAD + (0 if first else _INDENT * size)
        content = text(x, y - 0.3 * size, words, size, "ink bold" if line.heading else "ink")
        if before is not None and not line.asked and line not in before:
            content += rect(place.x + 3, y - 1.15 * size, 3, 1.1 * size, "changed")
        pieces.append(Piece(place.x, y - _PITCH * size, place.width, _PITCH * size, content))
    return pieces


def _rows(lines: list[Line], place: Rect) -> tuple[list[_Row], float]:
    """Rows in the largest letters in which all fit, and their size."""
    size = _LARGEST
    while True:
        width = place.width - 2 * _PAD - _INDENT * size
        rows = [
            _Row(line, words, number == 0)
            for line in lines
            for number, words in enumerate(wrapped(line.words, size, width, line.heading))
        ]
        if size * sum(_height(row.line, row.first) for row in rows) <= place.height - 2 * _PAD:
            return rows, size
        size *= _STEP


def _height(line: Line, first: bool) -> float:
    return _PITCH + (_SPACE if line.heading and first else 0)
