"""Legend of the shapes."""

from collections.abc import Sequence

from dawn_env.picture.block import Block
from dawn_env.picture.marks import icon, points, side_mark
from dawn_env.picture.svg import moved, rect, tag, text, text_width
from dawn_env.picture.theme import CORNERS
from dawn_env.tables import COMMUNIST, DEMOCRAT, NEUTRAL, SPACE_TYPES

_LINE, _SIZE = 22.0, 9


def _held(side: int) -> str:
    return rect(0, 2, 24, 15, "dc"[side], CORNERS[side] / 2)


def _type(space_type: int) -> str:
    return tag("g", icon(space_type, 8, 3, 13), class_="n")


Entry = tuple[str, str]
"""A shape and what it means."""

CARD_OF_BOTH = (side_mark(NEUTRAL, 7, 4, 11), "card of both")
SCORE_NOW = (text(12, 14, "+3", 11, "dw", "middle"), "VP if it were scored now")
MOVE = (rect(2, 3, 20, 12, "de moving"), "support moves")


def _entries(of_this_game: Sequence[Entry], wide: bool) -> list[Entry]:
    entries = [
        (_held(DEMOCRAT), "Democrat controls"),
        (_held(COMMUNIST), "Communist controls"),
        (points(DEMOCRAT, 2, 1, 2, False), "support"),
        (rect(2, 3, 20, 12, "box", 3) + rect(-1, 0, 26, 18, "battleground", 5), "battleground"),
        (rect(1, 1, 22, 16, "change", 5), "last change"),
        *((_type(i), name) for i, name in enumerate(SPACE_TYPES)),
        (text(12, 14, "3", 12, "ink bold", "middle"), "stability"),
        (text(12, 13, "2/4/6", 8.5, "soft", "middle"), "VP for Presence, Domination, Control"),
        *of_this_game,
    ]
    return entries + ([] if not wide else [(tag("path", d="M0 10H24", class_="across"), "border crossing")])


def legend(of_this_game: Sequence[Entry], width: float, wide: bool) -> Block:
    """The key to the picture, in as many lines as the width asks for; ``of_this_game``: what not all games have."""
    content, x, y = "", 2.0, 2.0
    for shape, words in _entries(of_this_game, wide):
        needed = 28 + text_width(words, _SIZE) + 7
        if x + needed > width:
            x, y = 2.0, y + _LINE
        content += moved(x, y, shape + text(29, 13, words, _SIZE, "soft"))
        x += needed
    return Block(y + _LINE, content)
