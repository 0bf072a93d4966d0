"""Colours and strokes. Every fact shown by a colour is shown by a shape or a word too.

Blue and orange-red stay apart for all kinds of colour blindness; the Democrat is square, the Communist round.
"""

from dawn_env.support.safe_text import short_repr

LIGHT, DARK, AUTO = "light", "dark", "auto"
THEMES = (LIGHT, DARK, AUTO)

SIDE_CLASSES = ("d", "c")
"""Style class of each side."""
CORNERS = (0.0, 14.0)
"""Radius of the corners of what each side holds."""
NEUTRAL_CORNER = 4.0

COLOURS = {
    "paper": ("#f6f4ef", "#15181d"),
    "ink": ("#1b1e23", "#eceae4"),
    "soft": ("#5b616b", "#a9afba"),
    "line": ("#8a909a", "#727986"),
    "east": ("#e9e6dc", "#22262d"),
    "balkans": ("#e0e8e0", "#20302b"),
    "box": ("#ffffff", "#343a44"),
    "democrat": ("#1c63a8", "#2a73bd"),
    "communist": ("#b8430f", "#c04a17"),
    "democrat-word": ("#1c63a8", "#7db8f0"),
    "communist-word": ("#a83a08", "#ff9d6b"),
    "change": ("#d99a00", "#ffd24a"),
}
"""Colours by use: on light, on dark."""

_RULES = {
    "paper": "fill:{paper}",
    "halo": "fill:{paper}",
    "ink": "fill:{ink};color:{ink}",
    "soft": "fill:{soft}",
    "on": "fill:#fff;color:#fff",
    "n": "color:{ink}",
    "d": "fill:{democrat};color:#fff",
    "c": "fill:{communist};color:#fff",
    "dw": "fill:{democrat-word};font-weight:bold",
    "cw": "fill:{communist-word};font-weight:bold",
    "de": "stroke:{democrat-word};stroke-width:2.5",
    "ce": "stroke:{communist-word};stroke-width:2.5",
    "ne": "stroke:{line};stroke-width:2.5",
    "moving": "fill:none;stroke-width:5",
    "east": "fill:{east}",
    "balkans": "fill:{balkans}",
    "panel": "fill:{box};stroke:{line};stroke-width:1",
    "box": "fill:{box};stroke:{line};stroke-width:1",
    "battleground": "fill:none;stroke:{ink};stroke-width:2",
    "line": "stroke:{line};stroke-width:2;fill:none",
    "across": "stroke:{line};stroke-width:2.5;stroke-dasharray:7 4;fill:none",
    "gone": "stroke:{ink};stroke-width:1.5;fill:none",
    "free": "fill:none;stroke:{soft};stroke-width:1.5",
    "change": "fill:none;stroke:{change};stroke-width:3.5",
    "changed": "fill:{change}",
    "dark": "fill:#1b1e23;font-weight:bold",
    "icon": "fill:currentColor",
    "bold": "font-weight:bold",
}
"""Declarations by class; a ``w`` behind the class of a side is a word in its colour, an ``e`` an edge."""


def style(theme: str, root: str) -> str:
    """The style sheet for the elements under class ``root``; ``auto`` follows the page. Raises ``ValueError``."""
    if theme not in THEMES:
        raise ValueError(f"theme: one of {', '.join(THEMES)} expected, not {short_repr(theme)}")
    font = f".{root}{{font-family:'DejaVu Sans',Verdana,sans-serif}}"
    if theme != AUTO:
        return font + _rules(THEMES.index(theme), root)
    return f"{font}{_rules(0, root)}@media (prefers-color-scheme:dark){{{_rules(1, root)}}}"


def _rules(shade: int, root: str) -> str:
    colours = {name: pair[shade] for name, pair in COLOURS.items()}
    return "".join(f".{root} .{name}{{{rule.format(**colours)}}}" for name, rule in _RULES.items())
