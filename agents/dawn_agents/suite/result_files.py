"""Results as files: JSON that fits ``result.schema.json``, and the checks of results from elsewhere."""

import json
import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
from scipy.stats import trim_mean

from dawn_agents.dataset.dataset_files import checksum
from dawn_agents.rating.estimates import Estimate, Z, beyond_of_mean
from dawn_agents.suite.player_scoring import TOLERANCE
from dawn_agents.suite.task_declarations import TASKS, Task
from dawn_agents.suite.training_budget import CHECKPOINTS, track_refusal
from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.validation.untrusted_json import read_format

FORMAT = 1
_LONGEST = 2**22  # bytes of a file
SEEDS = 3
"""Training seeds of a complete result at least."""
_RESAMPLES, _SEED, _TRIM = 2000, 1, 0.25  # of the bootstrap


@cache
def _schema() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "result.schema.json").read_text(encoding="utf-8"))


def summarise(result: dict[str, Any]) -> dict[str, Any]:
    """Scores over all training seeds by way of playing."""
    ways, runs = result["runs"][0]["scores"], result["runs"]
    scores = {way: [Estimate.of_known(run["scores"][way]) for run in runs] for way in ways}
    return {way: interquartile_mean(each).known("value") for way, each in scores.items()}


def interquartile_mean(scores: Sequence[Estimate]) -> Estimate:
    """The mean of the middle half of ``scores``, one a training seed, and its interval of 95 %.

    The bootstrap resamples the seeds and, in each, the score within its own interval; one seed alone has the interval
    of its games. With up to three seeds it is the plain mean. A seed that lost or won everything makes it a bound.
    """
    if len(scores) == 1:
        return scores[0]
    values, errors = np.array([_value_and_error(score) for score in scores]).T
    random = np.random.default_rng(_SEED)
    drawn = random.integers(0, len(scores), (_RESAMPLES, len(scores)))
    resampled = trim_mean(values[drawn] + errors[drawn] * random.standard_normal(drawn.shape), _TRIM, axis=1)
    ends = np.percentile(resampled, (2.5, 97.5)).tolist()
    return Estimate(float(trim_mean(values, _TRIM)), *ends, beyond_of_mean(score.beyond for score in scores))


def _value_and_error(score: Estimate) -> tuple[float, float]:
    """Value and standard error; the bound, which is sure, where there is no value, and nan where there is none."""
    if score.beyond:
        return next((end for end in score.bounds if end is not None), math.nan), 0.0
    return score.value, (score.high - score.low) / (2 * Z)


def write_result(result: dict[str, Any], path: Path) -> None:
    """Check a result against the schema and keep it."""
    jsonschema.validate(result, _schema())
    write_json(result, path)


def read_result(path: Path) -> dict[str, Any]:
    """A result that fits the schema; raises ``BadInput``."""
    told = read_format(path, "result of the suite", FORMAT, most=_LONGEST)
    try:
        jsonschema.validate(told, _schema())
    except jsonschema.ValidationError as error:
        where = "/".join(map(str, error.absolute_path)) or "the whole"
        raise BadInput(
            f"{escape_text(path)}: no result of the suite: {where}: {escape_text(error.message[:200])}"
        ) from None
    return told


def problems(result: dict[str, Any], folder: Path) -> list[str]:
    """Reasons why a result cannot stand beside others, empty if there are none.

    ``folder``: where the files of its players are, as far as they were sent along; those are compared with their
    checksums.
    """
    task = TASKS.get(result["task"])
    if task is None or task.version != result["task_version"]:
        return [f"task {result['task']} v{result['task_version']}: unknown to this version of dawn_env"]
    found = [] if not result["trial"] else ["a trial: its budget or its games are not those of the task"]
    if task.trains and result["track"] != "none" and len(result["runs"]) < SEEDS:
        found.append(f"training seeds: {len(result['runs'])}; at least {SEEDS} are expected")
    if summarise(result) != result["summary"]:
        found.append("summary: not that of the scores of its runs")
    if len({run["seed"] for run in result["runs"]}) < len(result["runs"]):
        found.append("seeds: one occurs twice")
    players = dict.fromkeys(player for run in result["runs"] for player in run["players"].values())
    found += filter(None, (track_refusal(player, result["track"]) for player in players))
    return [*found, *(problem for run in result["runs"] for problem in _run_problems(task, run, folder))]


def _run_problems(task: Task, run: dict[str, Any], folder: Path) -> Iterator[str]:
    seed = f"seed {run['seed']}"
    if task.decisions is not None and (run["decisions"] or 0) > task.decisions:
        yield f"{seed}: {run['decisions']:,} decisions; the budget is {task.decisions:,}"
    if run["curve"] and task.has_environment and len(run["curve"]) < CHECKPOINTS:
        yield f"{seed}: {len(run['curve'])} checkpoints; at least {CHECKPOINTS} are expected"
    for way, score in run["scores"].items():
        if score["games"] != task.evaluation_games:
            yield f"{seed}, {way}: {score['games']} games; the task has {task.evaluation_games}"
        if score["forfeits"]:
            yield f"{seed}, {way}: {score['forfeits']} games were forfeited"
        if task.milliseconds and score["milliseconds"] > TOLERANCE * task.milliseconds:
            yield f"{seed}, {way}: {score['milliseconds']:.1f} ms a decision; the budget is {task.milliseconds:g}"
        if unknown := {one["name"] for one in score["opponents"]} - set(task.opponents):
            yield f"{seed}, {way}: opponents that are not the task's: {escape_text(', '.join(sorted(unknown)))}"
    for file in run["files"]:
        path = folder / file["path"]
        if path.is_file() and checksum(path) != file["sha256"]:
            yield f"{seed}: {escape_text(file['path'])} is not the file that was scored"
