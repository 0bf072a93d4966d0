"""Checks of results from elsewhere: whatever follows from the task, the scale and the numbers themselves.

A check proves that a result is possible, not that it was obtained: that takes its players' files, or code and seeds.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from dawn_agents.players.afterstate.value_files import SHIPPED
from dawn_agents.players.registry import LOOKING_AHEAD
from dawn_agents.players.sparse_player import SHIPPED_POLICIES
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.training.dataset.dataset_files import checksum
from dawn_agents.training.environments import TRACKS
from dawn_agents.training.suite.player_scoring import TOLERANCE
from dawn_agents.training.suite.result_files import SEEDS, interval_gap, summarise
from dawn_agents.training.suite.task_declarations import CHECKPOINTS, TASKS, Task
from dawn_agents.training.suite.trained_players import track_refusal
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES

_WAYS = ({"sampled", "greedy"}, {"plain"})
_OF_FILES = ("policy", "sparse", "value", "sb3", "torchscript")  # players whose names hold a path
_MOST_BYTES = 2**30  # of a file that is compared with its checksum


def problems(result: dict[str, Any], folder: Path) -> list[str]:
    """Reasons why a result cannot stand beside others, empty if there are none.

    ``folder``: where the result is; files of its players that were sent along lie below it, and are compared with
    their checksums.
    """
    task, runs = TASKS.get(result["task"]), result["runs"]
    if task is None or task.version != result["task_version"]:
        return [f"task {escape_text(result['task'])} v{result['task_version']}: unknown to this version of dawn_env"]
    found = [] if not result["trial"] else ["a trial: its budget or its games are not those of the task"]
    if result["score"] != task.score:
        found.append(f"score: {task.score} is that of the task, not {result['score']}")
    if task.score == "elo" and not {"date", "engine"} <= result["scale"].keys():
        found.append("scale: date and engine of the standing scale expected")
    if task.trains and result["track"] != "none" and len(runs) < SEEDS:
        found.append(f"training seeds: {len(runs)}; at least {SEEDS} are expected")
    if reason := task.track_refusal(result["track"]):
        found.append(reason)
    if len({run["seed"] for run in runs}) < len(runs):
        found.append("seeds: one occurs twice")
    names = {player.partition(":")[0] for run in runs for player in run["players"].values()}
    if names & LOOKING_AHEAD and not result["looks_ahead"]:
        found.append(f"looks_ahead: {', '.join(sorted(names & LOOKING_AHEAD))} tries actions on copies of the engine")
    if result["model_based"] and result["track"] == "none":
        found.append("model_based: a player that did not learn used no model for it")
    found += (problem for run in runs for problem in _run_problems(task, result["track"], run, folder))
    if not all(run["scores"].keys() == runs[0]["scores"].keys() for run in runs):
        found.append("ways of playing: they differ between seeds")
    elif not any(_interval_problem(score) for run in runs for score in run["scores"].values()):
        found += [] if summarise(result) == result["summary"] else ["summary: not that of the scores of its runs"]
    return list(dict.fromkeys(found))


def _run_problems(task: Task, track: str, run: Mapping[str, Any], folder: Path) -> Iterator[str]:
    where, ways = f"seed {run['seed']}", run["scores"].keys()
    if ways not in _WAYS or run["players"].keys() != ways:
        yield f"{where}: players and scores of sampled and greedy play expected, or of plain play"
    for player in run["players"].values():
        if refusal := track_refusal(player, track):
            yield refusal
        if track == TRACKS[0] and {file["sha256"] for file in run["files"]} & _shipped_checksums():
            yield f"{escape_text(player)} is made from a shipped file, which is knowledge"
        if player.partition(":")[0] in _OF_FILES and not run["files"]:
            yield f"{where}: {escape_text(player)} is made from files, and none is named"
    yield from _training_problems(task, track, run)
    for way, score in run["scores"].items():
        yield from _score_problems(task, score, task.evaluation_games, f"{where}, {escape_text(way)}")
        if task.milliseconds and score["milliseconds"] > TOLERANCE * task.milliseconds:
            yield f"{where}, {way}: {score['milliseconds']:.1f} ms a decision; the budget is {task.milliseconds:g}"
    for file in run["files"]:
        if problem := _file_problem(file, folder):
            yield f"{where}: {problem}"


@cache
def _shipped_checksums() -> frozenset[str]:
    return frozenset(
        checksum(path) for folder in (*SHIPPED_POLICIES.values(), SHIPPED) for path in folder.glob("*.zip")
    )


def _training_problems(task: Task, track: str, run: Mapping[str, Any]) -> Iterator[str]:
    """Problems of the budget and the learning curve of a seed."""
    where, curve, spent = f"seed {run['seed']}", run["curve"], run["decisions"]
    learnt = [bool(curve), spent is not None, run["seconds"] is not None]
    if any(learnt) and not all(learnt):
        yield f"{where}: decisions, seconds and a learning curve expected together"
    if any(learnt) and (track == "none" or not task.trains):
        yield f"{where}: a player that did not learn has no decisions, seconds and learning curve"
    if task.decisions is not None and (spent or 0) > task.decisions:
        yield f"{where}: {spent:,} decisions; the budget is {task.decisions:,}"
    if task.seconds is not None and (run["seconds"] or 0) > TOLERANCE * task.seconds:
        yield f"{where}: {run['seconds']:,.0f} seconds of training; the budget is {task.seconds:,.0f}"
    if not curve:
        return
    if task.has_environment and len(curve) < CHECKPOINTS:
        yield f"{where}: {len(curve)} checkpoints; at least {CHECKPOINTS} are expected"
    for name in ("decisions", "seconds"):
        numbers = [point[name] for point in curve]
        least = 1 if name == "decisions" and task.has_environment else 0
        if numbers != sorted(numbers) or numbers[0] < least:
            yield f"{where}: {name} of the checkpoints do not ascend"
        if numbers[-1] != run[name]:
            yield f"{where}: {name} of the last checkpoint are not those of the training"
    yield from islice(_curve_problems(task, run), 1)  # one stands for all


def _curve_problems(task: Task, run: Mapping[str, Any]) -> Iterator[str]:
    for number, point in enumerate(run["curve"], 1):
        where = f"seed {run['seed']}, checkpoint {number}"
        if point["scores"].keys() != run["scores"].keys():
            yield f"{where}: other ways of playing than at the end"
        for way, score in point["scores"].items():
            yield from _score_problems(task, score, task.curve_games, f"{where}, {escape_text(way)}")


def _score_problems(task: Task, score: Mapping[str, Any], games: int, where: str) -> Iterator[str]:
    """Problems of a score and of the games it comes from."""
    if score["games"] != games:
        yield f"{where}: {score['games']} games; the task has {games}"
    if score["forfeits"]:
        yield f"{where}: {score['forfeits']} games were forfeited"
    if not score["milliseconds"]:
        yield f"{where}: a decision takes time, not 0 milliseconds"
    if task.language and not {"legal", "tokens"} <= score.keys():
        yield f"{where}: legal, the share of legal answers, and tokens expected"
    names = [one["name"] for one in score["opponents"]]
    if unknown := sorted(set(names) - set(task.opponents)):
        yield f"{where}: opponents that are not the task's: {escape_text(', '.join(unknown))}"
    met = [one["games"] for one in score["opponents"]]
    if len(set(names)) < len(names) or min(met, default=0) < 1 or sum(met) != score["games"]:
        yield f"{where}: games against opponents, each named once, that add up to {score['games']} expected"
    elif not unknown:
        for name, one in (("", score), *((f" as {side}", score[side]) for side in SIDE_NAMES if side in score)):
            if problem := _interval_problem(one) or _reach_problem(task, one, names, games):
                yield f"{where}{name}: {problem}"


def _interval_problem(score: Mapping[str, Any]) -> str:
    """Problem of a value and its interval, or its bound; empty for none."""
    if gap := interval_gap(score):
        return gap
    value, low, high = (score[name] for name in ("value", "low", "high"))
    return "" if value is None or low <= value <= high else f"{value:g} is not between {low:g} and {high:g}"


def _reach_problem(task: Task, score: Mapping[str, Any], opponents: Sequence[str], games: int) -> str:
    """Problem of a score that no such games can give; empty for none."""
    numbers = [number for number in (score["value"], score["low"], score["high"]) if number is not None]
    if task.score == "percent":
        least, most = -task.baseline, 100 - task.baseline
    else:
        ratings = [_ratings()[name] for name in opponents]
        reach = 400 * math.log10(4 * games)  # half a point short of all, and its interval
        least, most = min(ratings) - reach, max(ratings) + reach
    if all(least <= number <= most for number in numbers):
        return ""
    return (
        f"{', '.join(f'{number:g}' for number in numbers)}: beyond what {games} games can show, {least:g} to {most:g}"
    )


@cache
def _ratings() -> dict[str, float]:
    """Ratings of the opponents on the standing scale."""
    return {name: rating.both.value for name, rating in read_scale().ratings().items()}


def _file_problem(file: Mapping[str, str], folder: Path) -> str:
    """Problem of a file of a player; empty for none, and for one that was not sent along."""
    told, name = PurePosixPath(file["path"]), escape_text(file["path"][:200])
    if told.is_absolute() or ".." in told.parts or not told.parts or "\0" in file["path"] or len(file["path"]) > 1000:
        return f"{name}: a path below the folder of the result expected"
    path = folder / told
    if not path.is_file():
        return f"{name}: no regular file" if path.exists() else ""
    if not path.resolve().is_relative_to(folder.resolve()):
        return f"{name}: a path below the folder of the result expected"
    if path.stat().st_size > _MOST_BYTES:
        return f"{name}: more than {_MOST_BYTES:,} bytes"
    return "" if checksum(path) == file["sha256"] else f"{name} is not the file that was scored"
