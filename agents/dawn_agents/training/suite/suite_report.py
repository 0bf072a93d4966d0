"""Comparison of results: a Markdown table, and scores with curves as JSON."""

from collections.abc import Sequence
from typing import Any

from dawn_agents.tournaments.rating.estimates import Estimate, percent
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.training.suite.result_files import SEEDS, interquartile_mean
from dawn_agents.training.suite.task_declarations import TASKS, Task
from dawn_env.support.safe_text import escape_text

HEADINGS = ("agent", "track", "seeds", "decisions", "sampled", "greedy", "of the way to pretrained")

IN_WORDS = ("player", "seeds", "Elo", "legal answers", "tokens a decision", "seconds a decision", HEADINGS[-1])
"""Headings of tasks for players that read and write."""
_COUNTED = ("legal", "tokens", "milliseconds")
AHEAD = "These players look ahead: they try actions on copies of the engine."

Result = dict[str, Any]


def by_task(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Results by label of the task in the order of the tasks, players that look ahead apart, the best first."""
    order = list(TASKS)

    def place(one: Result) -> tuple:
        return order.index(one["task"]), one["looks_ahead"], -best_score(one), one["label"]

    found: dict[str, list[Result]] = {}
    for result in sorted(results, key=place):
        apart = ", looking ahead" if result["looks_ahead"] else ""
        found.setdefault(f"{result['task']} v{result['task_version']}{apart}", []).append(result)
    return found


def best_score(result: Result) -> float:
    """The score a result is placed by: the better way of playing, or its bound."""
    return max(
        next(number for number in (one["value"], one["low"], one["high"], 0.0) if number is not None)
        for one in result["summary"].values()
    )


def headings(results: Sequence[Result]) -> tuple[str, ...]:
    """Headings of the table of a task with these results."""
    return IN_WORDS if TASKS[results[0]["task"]].language else HEADINGS


def cells(result: Result) -> list[str]:
    """A row of the table, as ``headings``."""
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
    if TASKS[result["task"]].language:
        return [escape_text(label), few, plain_play, *_words_cells(result), _way(result)]
    ways = [texts.get(way, plain_play) for way in ("sampled", "greedy")]
    track = result["track"] + (", model-based" if result["model_based"] else "")
    return [escape_text(label), track, few, decisions, *ways, _way(result)]


def _words_cells(result: Result) -> list[str]:
    """Share of legal answers, tokens and seconds a decision, in the mean of the seeds."""
    scores = [score for run in result["runs"] for score in run["scores"].values()]
    legal, tokens, thought = (_known_mean([score.get(key) for score in scores]) for key in _COUNTED)
    return [percent(legal), "-" if tokens is None else f"{tokens:,.0f}", f"{thought / 1000:.2g}"]


def _known_mean(numbers: Sequence[float | None]) -> float | None:
    """Mean of the numbers that are known, None without any."""
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None


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
    """A table for each task; what players think in words has its time, nothing else depends on the machine."""
    lines = []
    for label, those in by_task(results).items():
        task, ahead = TASKS[those[0]["task"]], f" {AHEAD}" if those[0]["looks_ahead"] else ""
        stop = "" if task.summary.endswith("?") else "."
        lines += [f"## {label}", "", f"{task.summary.capitalize()}{stop} Scores: {unit(task)}.{ahead}", ""]
        lines += [f"| {' | '.join(headings(those))} |", "|" + " --- |" * len(headings(those))]
        lines += [f"| {' | '.join(cell.replace('|', '/') for cell in cells(one))} |" for one in those]
        lines.append("")
    return "\n".join(lines)


def unit(task: Task) -> str:
    """Unit of the scores of a task, in words."""
    if task.score == "elo":
        return "Elo on the standing scale"
    return "percentage of the points won" + (f" minus {task.baseline:g}" if task.baseline else "")


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


_KEPT = (
    "agent", "label", "track", "looks_ahead", "model_based", "trial", "score", "summary", "versions", "machine",
)  # fmt: skip


def to_json(results: Sequence[Result]) -> dict[str, Any]:
    """Summaries and curves by task, for programs."""
    return {
        task: [
            {key: one[key] for key in _KEPT}
            | {"seeds": len(one["runs"]), "curves": {way: curve(one, way) for way in one["summary"]}}
            for one in those
        ]
        for task, those in by_task(results).items()
    }
