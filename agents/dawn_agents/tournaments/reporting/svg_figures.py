"""Plots as SVG text that refers to nothing outside."""

import io
import re
import warnings

from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = {"democrat": "#2f6db3", "communist": "#b5332e", "draw": "#8a8a8a"}
"""Colours of results."""
_STYLE = {"svg.fonttype": "none", "svg.hashsalt": "dawn_env", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_WIDTH = 7.5  # inches
_LONGEST = 40  # characters of a name


def new_axes(height: float) -> Axes:
    """Axes of a new figure as wide as a page, so many inches high."""
    with rc_context(_STYLE):
        return Figure(figsize=(_WIDTH, height)).subplots()


def short_name(name: str) -> str:
    """``name``, with its middle replaced by dots if it is longer than ``_LONGEST``."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}...{name[3 - _LONGEST // 2 :]}"


def svg(axes: Axes) -> Markup:
    """The figure as an ``svg`` element, its legend with shortened names, in which ``$`` starts no formula."""
    if axes.get_legend():
        for text in axes.get_legend().get_texts():
            text.set_text(short_name(text.get_text()))
            text.set_parse_math(False)
    buffer = io.StringIO()
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # the browser chooses the font
        axes.figure.savefig(buffer, format="svg", bbox_inches="tight", metadata=_NO_METADATA)
    return Markup(re.sub(r"^.*?(?=<svg)", "", buffer.getvalue(), flags=re.DOTALL))
