"""Comparison of results: a Markdown table, one HTML page with learning curves, and the same as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from dawn_agents.rating.estimates import Estimate
from dawn_agents.reporting.html_page import Passage
from dawn_agents.reporting.svg_figures import new_axes, short_name, svg
from dawn_agents.reporting.tables import Sheet
from dawn_agents.strength.rating_scale import read_scale
from dawn_agents.suite.result_checks import problems
from dawn_agents.suite.result_files import SEEDS, interquartile_mean
from dawn_agents.suite.task_declarations import TASKS
from dawn_env.support.safe_text import escape_text

HEADINGS = ("agent", "track", "seeds", "decisions", "sampled", "greedy", "of the way to pretrained")
_COLOURS = ("#2f6db3", "#b5332e", "#3a8f4d", "#8a5fb0", "#c98a1b", "#4aa3a3", "#8a8a8a", "#333333")
_LINES = "Solid lines: as the agent samples; dashed: greedy; dotted: players that did not learn. Bands: 95%."

Result = dict[str, Any]


def by_task(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Results by label of the task in the order of the tasks, the best first."""
    order = list(TASKS)
    ordered = sorted(results, key=lambda one: (order.index(one["task"]), -_best(one), one["label"]))
    found: dict[str, list[Result]] = {}
    for result in ordered:
        found.setdefault(f"{result['task']} v{result['task_version']}", []).append(result)
    return found


def _best(result: Result) -> float:
    """The score a result is placed by: the better way of playing, or its bound."""
    return max(
        next(number for number in (one["value"], one["low"], one["high"], 0.0) if number is not None)
        for one in result["summary"].values()
    )


def cells(result: Result) -> list[str]:
    """A row of the table, as ``HEADINGS``."""
    summary, unit = result["summary"], " %" if result["score"] == "percent" else ""
    texts = {way: Estimate.of_known(score).text(unit) for way, score in summary.items()}
    plain_play = texts.get("plain", "-")
    seeds, spent = len(result["runs"]), [run["decisions"] for run in result["runs"]]
    decisions = "-" if None in spent else f"{max(spent):,}"
    label = result["label"] + (" (a trial)" if result["trial"] else "")
    if forfeits := sum(score["forfeits"] for run in result["runs"] for score in run["scores"].values()):
        label += f" (forfeits: {forfeits})"
    needed = SEEDS if TASKS[result["task"]].trains and result["track"] != "none" else 1
    few = f"{seeds} (fewer than {needed})" if seeds < needed else str(seeds)
    ways = [texts.get(way, plain_play) for way in ("sampled", "greedy")]
    return [escape_text(label), result["track"], few, decisions, *ways, _way(result)]


def _way(result: Result) -> str:
    """Elo of the better way of playing as a percentage of that of ``pretrained``; ``random`` has 0."""
    if result["score"] != "elo":
        return "-"
    best = max(result["summary"].values(), key=lambda one: one["value"] if one["value"] is not None else -1e9)
    if best["beyond"]:
        return "-"
    top = read_scale().ratings()["pretrained"].both.value
    value, low, high = (100 * best[key] / top for key in ("value", "low", "high"))
    return f"{value:z.0f} % ({low:z.0f} to {high:z.0f})"


def markdown(results: Sequence[Result]) -> str:
    """A table for each task; nothing in it depends on the machine or the time that anything took."""
    lines = []
    for task, those in by_task(results).items():
        unit = "Elo on the standing scale" if those[0]["score"] == "elo" else "percentage of the points"
        lines += [f"## {task}", "", f"{TASKS[those[0]['task']].summary.capitalize()}. Scores: {unit}.", ""]
        lines += [f"| {' | '.join(HEADINGS)} |", "|" + " --- |" * len(HEADINGS)]
        lines += [f"| {' | '.join(cell.replace('|', '/') for cell in cells(one))} |" for one in those]
        lines.append("")
    return "\n".join(lines)


def curve(result: Result, way: str) -> list[dict[str, Any]]:
    """Learning curve of a way of playing: decisions in the mean, and the score over the seeds, by checkpoint."""
    runs = [run["curve"] for run in result["runs"]]
    points = []
    for column in zip(*runs, strict=False):
        decisions = sum(point["decisions"] for point in column) / len(column)
        seconds = sum(point["seconds"] for point in column) / len(column)
        score = interquartile_mean([Estimate.of_known(point["scores"][way]) for point in column])
        points.append({"decisions": decisions, "seconds": seconds, **score.known("value")})
    return points


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
    axes.set_ylabel("Elo" if results[0]["score"] == "elo" else "% of the points")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, fontsize=8, frameon=False)
    return svg(axes)


def _draw_level(axes: Axes, result: Result) -> None:
    """Draw the score of a result without a curve as a line with its label."""
    level = _best(result)
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


def to_json(results: Sequence[Result]) -> dict[str, Any]:
    """Summaries and curves by task, for programs."""
    return {
        task: [
            {key: one[key] for key in ("agent", "label", "track", "trial", "score", "summary", "versions", "machine")}
            | {"seeds": len(one["runs"]), "curves": {way: curve(one, way) for way in one["summary"]}}
            for one in those
        ]
        for task, those in by_task(results).items()
    }


def sections(results: Sequence[Result], folders: Sequence[Path]) -> list[Sheet | Passage]:
    """Tables and learning curves of each task, and how the results were made, for a page; ``folders`` of the results,
    below which files of their players are looked for."""
    found_in = {id(result): folder for result, folder in zip(results, folders, strict=True)}
    found: list[Sheet | Passage] = []
    for task, those in by_task(results).items():
        summary = TASKS[those[0]["task"]].summary.capitalize()
        found.append(Sheet(task, HEADINGS, [cells(one) for one in those], 2, summary))
        if plot := curves_plot(those):
            found.append(Passage(f"Learning curves of {task}", Markup("<p>{}</p>").format(_LINES) + plot))
        rows = [
            [one["label"], one["agent"], "; ".join(problems(one, found_in[id(one)])) or "none", _where(one)]
            for one in those
        ]
        headings = ("agent", "made by", "not comparable", "machine and versions")
        found.append(Sheet(f"How the results of {task} were made", headings, rows, 4))
    return found


def _where(result: Result) -> str:
    """Machine and versions of a result, and its cost."""
    facts = {**result["machine"], **result["versions"]}
    seconds = [run["seconds"] for run in result["runs"] if run["seconds"] is not None]
    trained = [f"training {sum(seconds) / len(seconds):,.0f} s a seed"] if seconds else []
    thought = max(score["milliseconds"] for run in result["runs"] for score in run["scores"].values())
    return "; ".join([*trained, f"{thought:.3f} ms a decision", *(f"{key} {value}" for key, value in facts.items())])
