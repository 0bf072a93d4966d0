"""Plots of a report as SVG text for a page."""

import io
import re
from collections.abc import Sequence

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agents.tournament.report import Report, Standing
from dawn_env.tables import SIDE_NAMES

_COLOURS = {"democrat": "#2f6db3", "communist": "#b5332e", "draw": "#8a8a8a"}
_STYLE = {"svg.fonttype": "none", "svg.hashsalt": "dawn_env", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def svg(axes: Axes) -> str:
    """The figure as an ``svg`` element that refers to nothing outside."""
    buffer = io.StringIO()
    with rc_context(_STYLE):
        axes.figure.savefig(buffer, format="svg", bbox_inches="tight", metadata=_NO_METADATA)
    return re.sub(r"^.*?(?=<svg)", "", buffer.getvalue(), flags=re.DOTALL)


def _axes(height: float) -> Axes:
    with rc_context(_STYLE):
        return Figure(figsize=(7.5, height)).subplots()


def _name_rows(axes: Axes, rows: Sequence[Standing]) -> None:
    """Labels on the left, as they are: a ``$`` in one begins no formula."""
    axes.set_yticks(range(len(rows)), [row.label for row in rows], parse_math=False)


def ratings_plot(report: Report) -> str:
    """Ratings with their intervals."""
    rows = report.standings[::-1]
    axes = _axes(0.8 + 0.35 * len(rows))
    for place, row in enumerate(rows):
        axes.plot([row.low, row.high], [place, place], color="#444444", linewidth=1.5)
        axes.plot(row.rating, place, "o", color="#444444")
    _name_rows(axes, rows)
    axes.set_xlabel(f"Elo above {report.labels[report.ratings.anchor]}, 95% intervals", parse_math=False)
    return svg(axes)


def sides_plot(report: Report) -> str:
    """Score of every player with each side."""
    rows = report.standings[::-1]
    axes = _axes(0.8 + 0.45 * len(rows))
    for side, shift in zip(SIDE_NAMES, (0.2, -0.2), strict=True):
        shares = [getattr(row, f"score_{side}") or 0.0 for row in rows]
        axes.barh([place + shift for place in range(len(rows))], shares, 0.36, color=_COLOURS[side], label=f"as {side}")
    _name_rows(axes, rows)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points")
    axes.legend(loc="lower right")
    return svg(axes)


def distribution_plot(report: Report, numbers: Sequence[int], label: str, width: int) -> str:
    """Histogram of a number per game, stacked by result."""
    axes = _axes(2.6)
    low = min(numbers) // width * width
    bins = range(low, max(numbers) + width + 1, width)
    groups = {
        result: [number for number, game in zip(numbers, report.games, strict=True) if game.result == result]
        for result in _COLOURS
    }
    axes.hist(list(groups.values()), bins, stacked=True, color=list(_COLOURS.values()), label=list(groups))
    axes.set_xlabel(label)
    axes.set_ylabel("games")
    axes.legend()
    return svg(axes)
