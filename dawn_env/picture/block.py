"""Blocks: parts of a picture of a given width that are stacked or put side by side."""

from typing import NamedTuple

from dawn_env.picture.svg import moved, rect, text

PAD = 8.0
TITLE = 20.0
"""Height of a block's heading."""


class Block(NamedTuple):
    """A part of a picture: its height and its content, with the origin in its upper left corner."""

    height: float
    content: str


def framed(title: str, width: float, height: float, content: str, style: str = "soft bold") -> Block:
    """A block with a frame and a heading; ``height`` is that of all of it."""
    frame = rect(0.5, 0.5, width - 1, height - 1, "panel", 5)
    return Block(height, frame + text(PAD, 15, title, 10.5, style) + content)


def stacked(blocks: list[Block], x: float, y: float, gap: float) -> Block:
    """Blocks below each other; the height counts from 0 and ends with a gap."""
    content = ""
    for block in blocks:
        content += moved(x, y, block.content)
        y += block.height + gap
    return Block(y, content)


def in_a_row(blocks: list[Block], widths: list[float], gap: float) -> Block:
    """Blocks beside each other."""
    content, x = "", 0.0
    for block, width in zip(blocks, widths, strict=True):
        content += moved(x, 0, block.content)
        x += width + gap
    return Block(max(block.height for block in blocks), content)
