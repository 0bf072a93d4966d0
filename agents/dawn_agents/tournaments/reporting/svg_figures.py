"""Plots as SVG text that refers to nothing outside."""

import io
import re
import warnings
from collections.abc import Sequence

from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dawn_agents.tournaments.rating.estimates import Estimate

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


def estimates_plot(rows: Sequence[tuple[str, Sequence[Estimate]]], axis: str) -> Markup:
    """Ratings with their intervals, or an arrow at the bound, by the label of a row, from the top.

    The first estimate of a row is dark, further ones below it are paler. ``axis``: what the numbers are.
    """
    axes = new_axes(0.8 + 0.35 * len(rows))
    for place, (_, estimates) in enumerate(reversed(rows)):
        for number, estimate in enumerate(estimates):
            _draw_estimate(axes, place - 0.25 * number, estimate, "#9a9a9a" if number else "#444444")
    label_rows(axes, [label for label, _ in reversed(rows)])
    axes.set_xlabel(axis, parse_math=False)
    return svg(axes)


def _draw_estimate(axes: Axes, place: float, estimate: Estimate, colour: str) -> None:
    low, high = estimate.bounds
    if estimate.beyond:
        for bound, mark in ((low, ">"), (high, "<")):
            if bound is not None:
                axes.plot(bound, place, mark, color=colour, markersize=6)
        return
    axes.plot([low, high], [place, place], color=colour, linewidth=1.5)
    axes.plot(estimate.value, place, "o", color=colour, markersize=4)


def label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Label rows with shortened player names; ``$`` in a name is not read as a formula."""
    axes.set_yticks(range(len(labels)), [short_name(label) for label in labels], parse_math=False)


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
