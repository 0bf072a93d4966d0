"""Comparison of results as one HTML page: tables and learning curves."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from dawn_agents.tournaments.reporting.html_page import Passage
from dawn_agents.tournaments.reporting.svg_figures import new_axes, short_name, svg
from dawn_agents.tournaments.reporting.tables import Sheet
from dawn_agents.training.suite.result_checks import problems
from dawn_agents.training.suite.suite_report import AHEAD, Result, best_score, by_task, cells, curve, headings, unit
from dawn_agents.training.suite.task_declarations import TASKS

_COLOURS = ("#2f6db3", "#b5332e", "#3a8f4d", "#8a5fb0", "#c98a1b", "#4aa3a3", "#8a8a8a", "#333333")
_LINES = "Solid lines: as the agent samples; dashed: greedy; dotted: players that did not learn. Bands: 95%."


def sections(results: Sequence[Result], folders: Sequence[Path]) -> list[Sheet | Passage]:
    """Tables and learning curves of each task, and how the results were made, for a page; ``folders`` of the results,
    below which files of their players are looked for."""
    found_in = {id(result): folder for result, folder in zip(results, folders, strict=True)}
    found: list[Sheet | Passage] = []
    for task, those in by_task(results).items():
        summary = TASKS[those[0]["task"]].summary.capitalize()
        summary += f". {AHEAD}" if those[0]["looks_ahead"] else ""
        found.append(Sheet(task, headings(those), [cells(one) for one in those], 2, summary))
        if plot := curves_plot(those):
            found.append(Passage(f"Learning curves of {task}", Markup("<p>{}</p>").format(_LINES) + plot))
        rows = [
            [one["label"], one["agent"], "; ".join(problems(one, found_in[id(one)])) or "none", _where(one)]
            for one in those
        ]
        columns = ("agent", "made by", "not comparable", "machine and versions")
        found.append(Sheet(f"How the results of {task} were made", columns, rows, 4))
    return found


def _where(result: Result) -> str:
    """Machine and versions of a result, and its cost."""
    facts = {**result["machine"], **result["versions"]}
    seconds = [run["seconds"] for run in result["runs"] if run["seconds"] is not None]
    trained = [f"training {sum(seconds) / len(seconds):,.0f} s a seed"] if seconds else []
    thought = max(score["milliseconds"] for run in result["runs"] for score in run["scores"].values())
    return "; ".join([*trained, f"{thought:.3f} ms a decision", *(f"{key} {value}" for key, value in facts.items())])


def curves_plot(results: Sequence[Result]) -> Markup:
    """Learning curves of the results of a task with their bands as an ``svg`` element; empty if there are none.

    Solid lines: sampled play; dashed: greedy play; dotted: results without a curve.
    """
    learned = [one for one in results if one["runs"][0]["curve"]]
    if not learned:
        return Markup()
    by_time = not any(run["decisions"] for one in learned for run in one["runs"])
    axes = new_axes(4.0)
    for number, result in enumerate(learned):
        for way in result["summary"]:
            _draw_curve(axes, result, way, by_time, _COLOURS[number % len(_COLOURS)])
    for other in (one for one in results if one not in learned):
        _draw_level(axes, other)
    axes.set_xlabel("seconds of training" if by_time else "decisions")
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_ylabel(unit(TASKS[results[0]["task"]]))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, fontsize=8, frameon=False)
    return svg(axes)


def _draw_level(axes: Axes, result: Result) -> None:
    """Draw the score of a result without a curve as a line with its label."""
    level = best_score(result)
    axes.axhline(level, ls=":", color="#555555")
    place = {"xy": (1.01, level), "xycoords": axes.get_yaxis_transform(), "va": "center"}
    axes.annotate(short_name(result["label"]), **place, fontsize=8, parse_math=False)


def _draw_curve(axes: Axes, result: Result, way: str, by_time: bool, colour: str) -> None:
    """Draw the curve of a way of playing; points beyond the scale are left out."""
    points = [point for point in curve(result, way) if not point["beyond"]]
    greedy = way == "greedy"
    x = [point["seconds" if by_time else "decisions"] for point in points]
    values, low, high = ([point[key] for point in points] for key in ("value", "low", "high"))
    label = None if greedy else result["label"]
    axes.plot(x, values, "--" if greedy else "-", color=colour, lw=1 if greedy else 1.8, label=label)
    axes.fill_between(x, low, high, color=colour, alpha=0.06 if greedy else 0.15, lw=0)
