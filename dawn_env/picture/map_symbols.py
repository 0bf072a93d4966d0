"""Small shapes that stand for sides and types of spaces."""

from dawn_env.picture.svg_elements import rect, tag, text, text_width
from dawn_env.picture.theme import CORNERS, SIDE_CLASSES
from dawn_env.state import Mode
from dawn_env.tables import COMMUNIST, DEMOCRAT, NEUTRAL, SPACE_TYPES

_ICONS = {  # in a square of 12
    "elite": "M6 .5 7.6 4.2 11.6 4.5 8.5 7.1 9.5 11 6 8.9 2.5 11 3.5 7.1.4 4.5 4.4 4.2Z",
    "bureaucrat": "M4 1.5H8V3.5H11.5V10.5H.5V3.5H4ZM5.2 2.7V3.5H6.8V2.7ZM.5 6.4H5V7.6H7V6.4H11.5V5.6H.5Z",
    "worker": "M1 1H8L10.5 3.5 9 5 7.2 4.2 11.5 9.5 9.5 11.5 4.6 5.8 1 5Z",
    "farmer": "M5.4 12V8.5C3 8.5 1.5 7 1.5 5 3.5 5 5 5.8 5.4 7.3V4.6C4.4 3.6 4.6 1.6 6 0 7.4 1.6 7.6 3.6 6.6 4.6V7.3"
    "C7 5.8 8.5 5 10.5 5 10.5 7 9 8.5 6.6 8.5V12Z",
    "intellectual": "M0 2C2 1.2 4.3 1.4 5.5 2.6V10.8C4.3 9.8 2 9.6 0 10.2ZM12 2C10 1.2 7.7 1.4 6.5 2.6V10.8"
    "C7.7 9.8 10 9.6 12 10.2Z",
    "student": "M6 1 12 4 6 7 0 4ZM2.4 6.1 6 8 9.6 6.1V9C8 10.6 4 10.6 2.4 9ZM10.6 5.2H11.5V9.5H10.6Z",
    "church": "M5 0H7V3H10V5H7V12H5V5H2V3H5Z",
    "minority": "M3 1.2A2 2 0 1 1 3 5.2 2 2 0 1 1 3 1.2ZM9 1.2A2 2 0 1 1 9 5.2 2 2 0 1 1 9 1.2ZM0 11C0 4.5 6 4.5 6 11Z"
    "M6.6 11C6.6 9 6.2 7.6 5.8 6.8 8.5 4.6 12 6.3 12 11Z",
}

DEFINITIONS = tag(
    "defs",
    "".join(
        tag("symbol", tag("path", d=_ICONS[name], fill_rule="evenodd"), id=f"dawn-{name}", viewBox="0 0 12 12")
        for name in SPACE_TYPES
    )
    + tag(
        "pattern",
        tag("path", d="M0 6 6 0", stroke="#fff", stroke_opacity=".15", stroke_width=1.5),
        id="dawn-hatch", width=6, height=6, patternUnits="userSpaceOnUse",
    ),
)  # fmt: skip
"""What the marks refer to, once in a picture."""


def icon(space_type: int, x: float, y: float, size: float) -> str:
    """The sign of a type of spaces, in the colour of what it stands on."""
    name = SPACE_TYPES[space_type]
    return tag("use", href=f"#dawn-{name}", x=x, y=y, width=size, height=size, class_="icon")


def side_mark(side: int, x: float, y: float, size: float) -> str:
    """A square for the Democrat, a disc for the Communist, an empty diamond for cards of both."""
    half = size / 2
    if side == DEMOCRAT:
        return rect(x, y, size, size, "d")
    if side == COMMUNIST:
        return tag("circle", cx=x + half, cy=y + half, r=half + 0.5, class_="c")
    return tag("path", d=f"M{x + half:.1f} {y:.1f}l{half} {half} {-half} {half} {-half} {-half}Z", class_="free")


def points(side: int, number: int, x: float, y: float, inverse: bool) -> str:
    """Support points of a side: a square or a round chip 20 by 15; ``inverse`` on the colour of a side."""
    name = SIDE_CLASSES[side]
    chip = rect(x, y, 20, 15, "on" if inverse else name, 7.5 if side == COMMUNIST else 0)
    return chip + text(x + 10, y + 12, str(number), 11.5, f"{name} bold" if inverse else "on bold", "middle")


def badge(x: float, y: float, words: str, size: float = 9.5, side: int = -1) -> str:
    """A short text, centred at x, on the line y, on the colour of a side or of changes (-1)."""
    width = text_width(words, size, bold=True) + 8
    ground, ink, corner = ("changed", "dark", 3) if side < 0 else (SIDE_CLASSES[side], "on bold", CORNERS[side] / 3)
    box = rect(x - width / 2, y - size, width, size + 4, ground, corner)
    return box + text(x, y + 0.5, words, size, ink, "middle")


def _held(side: int) -> str:
    return rect(0, 2, 24, 15, "dc"[side], CORNERS[side] / 2)


Entry = tuple[str, str]
"""A shape and what it means."""

_STANDARD = (
    (text(12, 13, "· 3", 10, "soft", "middle"), "VP for keeping Power"),
    (side_mark(NEUTRAL, 7, 4, 11), "neutral card"),
)
_FAMILY = ((rect(2, 3, 20, 12, "de moving"), "support moves"),)


def legend_entries(mode: int) -> list[Entry]:
    """The shapes of a picture of a ``Mode`` with their meanings."""
    return [
        (_held(DEMOCRAT), "Democrat controls"),
        (_held(COMMUNIST), "Communist controls"),
        (points(DEMOCRAT, 2, 2, 2, False), "support"),
        (rect(2, 3, 20, 12, "box", 3) + rect(-1, 0, 26, 18, "battleground", 5), "battleground"),
        (rect(1, 1, 22, 16, "change", 5), "last change"),
        *((tag("g", icon(i, 8, 3, 13), class_="n"), name) for i, name in enumerate(SPACE_TYPES)),
        (text(12, 14, "3", 12, "ink bold", "middle"), "stability"),
        (text(12, 13, "2/4/6", 8.5, "soft", "middle"), "VP for Presence, Domination, Control"),
        (text(12, 14, "+3", 11, "dw", "middle"), "VP if it were scored now"),
        *(_FAMILY if mode == Mode.FAMILY else _STANDARD),
        (tag("path", d="M0 10H24", class_="across"), "border crossing"),
    ]
