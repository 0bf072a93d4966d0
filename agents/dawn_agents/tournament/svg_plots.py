"""Plots of a report as SVG text for a page."""

import io
import re
from collections.abc import Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from dawn_agents.tournament.tournament_report import Report, Standing
from dawn_env.tables import SIDE_NAMES

COLOURS = {"democrat": "#2f6db3", "communist": "#b5332e", "draw": "#8a8a8a"}
_STYLE = {"svg.fonttype": "none", "svg.hashsalt": "dawn_env", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def svg(axes: Axes) -> str:
    """The figure as an ``svg`` element that refers to nothing outside."""
    buffer = io.StringIO()
    with rc_context(_STYLE):
        axes.figure.savefig(buffer, format="svg", bbox_inches="tight", metadata=_NO_METADATA)
    return re.sub(r"^.*?(?=<svg)", "", buffer.getvalue(), flags=re.DOTALL)


def new_axes(height: float) -> Axes:
    """Axes of a new figure as wide as the page, so many inches high."""
    with rc_context(_STYLE):
        return Figure(figsize=(7.5, height)).subplots()


def _name_rows(axes: Axes, rows: Sequence[Standing]) -> None:
    """Labels on the left, as they are: a ``$`` in one begins no formula."""
    axes.set_yticks(range(len(rows)), [row.label for row in rows], parse_math=False)


def ratings_plot(report: Report) -> str:
    """Ratings with their intervals, or an arrow at the bound; below them, paler, without luck."""
    rows = report.standings[::-1]
    axes = new_axes(0.8 + 0.35 * len(rows))
    for place, row in enumerate(rows):
        if row.beyond:
            bound, marker = (row.low, ">") if row.beyond == "above" else (row.high, "<")
            axes.plot(bound, place, marker, color="#444444", markersize=6)
        else:
            _interval(axes, place, row.rating, row.low, row.high, "#444444")
        if report.adjusted:
            _interval(axes, place - 0.25, row.rating_adjusted, row.low_adjusted, row.high_adjusted, "#9a9a9a")
    _name_rows(axes, rows)
    axes.set_xlabel(f"Elo above {report.labels[report.ratings.anchor]}, 95% intervals", parse_math=False)
    return svg(axes)


def _interval(axes: Axes, place: float, value: float, low: float, high: float, colour: str) -> None:
    axes.plot([low, high], [place, place], color=colour, linewidth=1.5)
    axes.plot(value, place, "o", color=colour, markersize=4)


def matrix_plot(report: Report) -> str:
    """Log odds of the row against the column, in Elo: what ratings cannot say is seen as what is out of order."""
    names, count = [row.name for row in report.standings], len(report.standings)
    order = [report.structure.names.index(name) for name in names]
    elo = report.structure.elo[np.ix_(order, order)]
    axes = new_axes(1.2 + 0.42 * count)
    reach = max(1.0, np.nanmax(np.abs(elo)))
    axes.pcolormesh(np.arange(count + 1) - 0.5, np.arange(count + 1) - 0.5, elo, cmap="RdBu", vmin=-reach, vmax=reach)
    axes.invert_yaxis()
    for row, column in np.argwhere(~np.isnan(elo)):
        if row != column:
            strong = abs(elo[row, column]) > 0.6 * reach
            axes.text(
                column, row, f"{elo[row, column]:+.0f}", ha="center", va="center", color="white" if strong else "black"
            )
    axes.set_yticks(range(count), [f"{n} {row.label}" for n, row in enumerate(report.standings, 1)], parse_math=False)
    axes.set_xticks(range(count), range(1, count + 1))
    axes.grid(False)
    axes.set_xlabel("log odds of the row against the column, in Elo")
    return svg(axes)


def sides_plot(report: Report) -> str:
    """Score of every player with each side."""
    rows = report.standings[::-1]
    axes = new_axes(0.8 + 0.45 * len(rows))
    for side, shift in zip(SIDE_NAMES, (0.2, -0.2), strict=True):
        shares = [getattr(row, f"score_{side}") or 0.0 for row in rows]
        axes.barh([place + shift for place in range(len(rows))], shares, 0.36, color=COLOURS[side], label=f"as {side}")
    _name_rows(axes, rows)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the points")
    axes.legend(loc="lower right")
    return svg(axes)


def distribution_plot(report: Report, numbers: Sequence[int], label: str, width: int) -> str:
    """Histogram of a number per game, stacked by result."""
    axes = new_axes(2.6)
    low = min(numbers) // width * width
    bins = range(low, max(numbers) + width + 1, width)
    groups = {
        result: [number for number, game in zip(numbers, report.games, strict=True) if game.result == result]
        for result in COLOURS
    }
    axes.hist(list(groups.values()), bins, stacked=True, color=list(COLOURS.values()), label=list(groups))
    axes.set_xlabel(label)
    axes.set_ylabel("games")
    axes.legend()
    return svg(axes)
