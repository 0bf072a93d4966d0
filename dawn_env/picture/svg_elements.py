"""Pieces of SVG as text: tags, and text measured so that it fits its place on every machine."""

import re
from html import escape
from typing import NamedTuple

# Advance widths of DejaVu Sans in thousandths of the font size, characters 32-126: wider than the fonts that
# browsers take instead, so that what fits here fits there.
_WIDTHS = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
)  # fmt: skip
_OTHER = 838
_BOLD = 1.12
_BREAKS = re.compile(r"(?<= )|(?<=/)|(?<=[a-z]-)")  # places where a line may end


def tag(name: str, content: str = "", **attributes) -> str:
    """An element; ``class_`` and ``data_space`` become ``class`` and ``data-space``, None leaves an attribute out."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{words}>{content}</{name}>" if content else f"<{name}{words}/>"


def _value(value) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def moved(x: float, y: float, content: str, **attributes) -> str:
    """Group with its origin at x, y."""
    return tag("g", content, transform=f"translate({_value(x)} {_value(y)})", **attributes)


def rect(x: float, y: float, width: float, height: float, class_: str, rx: float | None = None) -> str:
    """A rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, class_=class_, rx=rx)


def text(x: float, y: float, words: str, size: float, class_: str | None = "ink", anchor: str | None = None) -> str:
    """One line of text on the base line ``y``; class ``bold`` among ``class_`` makes it bold."""
    return tag("text", escape(words), x=x, y=y, font_size=size, class_=class_, text_anchor=anchor)


def text_width(words: str, size: float, bold: bool = False) -> float:
    """Width of a line, not less than any usual font makes it."""
    thousandths = sum(_WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else _OTHER for c in words)
    return thousandths * size / 1000 * (_BOLD if bold else 1)


def clipped(words: str, size: float, width: float, bold: bool = False) -> str:
    """``words``, ended by an ellipsis if they are wider than ``width``."""
    if text_width(words, size, bold) <= width:
        return words
    while words and text_width(words + "…", size, bold) > width:
        words = words[:-1]
    return words.rstrip() + "…"


def wrapped(words: str, size: float, width: float, bold: bool = False) -> list[str]:
    """Lines no wider than ``width``, but for single words that are; also broken behind slashes and inner hyphens."""
    lines: list[str] = []
    for piece in filter(None, _BREAKS.split(words)):
        joined = f"{lines[-1]}{piece}" if lines else piece
        if lines and text_width(joined.rstrip(), size, bold) <= width:
            lines[-1] = joined
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines]


class Piece(NamedTuple):
    """SVG of a part of a picture, and a rectangle beyond which it draws nothing."""

    x: float
    y: float
    width: float
    height: float
    content: str
