"""Runs of the suite: train a learner with every seed, score its checkpoints, keep one result, go on after a kill."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dawn_agents.machine_speed import batch_figures, machine
from dawn_agents.players.registry import looks_ahead
from dawn_agents.tournaments.entrants import enter_one
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.training.dataset.dataset_files import differences
from dawn_agents.training.environments import TRACKS, BudgetSpent, Environments
from dawn_agents.training.league import make_learner
from dawn_agents.training.learner import Learner, full_name, learner_class
from dawn_agents.training.suite.player_scoring import score
from dawn_agents.training.suite.result_files import FORMAT, summarise, write_result
from dawn_agents.training.suite.task_declarations import CHECKPOINTS, TASKS, Task, task_called
from dawn_agents.training.suite.trained_players import (
    checksums,
    code_checksum,
    keep_player,
    track_refusal,
    ways_to_play,
)
from dawn_agents.training.training_config import parse_config
from dawn_agents.work.environment_fingerprint import fingerprint_function
from dawn_agents.work.executor import Executor, LocalExecutor
from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import write_json
from dawn_env.support.progress_bars import ProgressBar, print_above_bars
from dawn_env.support.safe_text import escape_text

RESULT = "result.json"
_TRAINING = "training.json"
_DATASET_SEED = 1989  # of the recorded games; another one needs new versions of their tasks
_BATCH_ROWS, _BATCH_SECONDS = 1024, 1.0  # of the measurement of speed
_CORES = 2  # threads of a learner in a task with a time limit

Training = dict[str, Any]
"""``checkpoints`` (``player``, ``decisions``, ``seconds``), ``iteration``, ``track``, ``ended``: why, or empty."""


def run_task(
    task: Task | str,
    agent: str | type,
    seeds: Sequence[int],
    out: Path | str,
    executor: Executor | None = None,
    label: str = "",
) -> dict[str, Any]:
    """Train a learner with each of the ``seeds`` and score it; ``agent``: its specification, or its class.

    ``task``: also by name. Writes ``out/result.json``; what ``out`` holds of the same run is not done again. Raises
    ``BadInput`` for other runs there, and for tasks and learners that cannot be used.
    """
    task, out = task_called(task) if isinstance(task, str) else task, Path(out)
    if not task.trains:
        raise BadInput(f"{task.name} has no training: score players with dawn suite score {task.name} PLAYER...")
    agent = full_name(agent)
    learner_class(agent)  # imports it
    _claim(out, task, {"agent": agent} | code_checksum(agent))
    dataset = _dataset(task, out, executor or LocalExecutor())
    runs = []
    for seed in seeds:
        training = _train(task, agent, seed, out / f"seed-{seed}", dataset)
        runs.append(_scored_run(task, training, seed, out, executor or LocalExecutor()))
    return _finish(task, agent, label or agent, training["track"], training["model_based"], runs, out)


def score_players(
    task: Task,
    players: Sequence[str],
    out: Path,
    executor: Executor | None = None,
    label: str = "",
    track: str = "knowledge",
    model_based: bool = False,
) -> dict[str, Any]:
    """Score players that were trained elsewhere, each as one training seed, and write ``out/result.json``.

    ``model_based``: whether training used copies of the engine. Raises ``BadInput`` for players that the task or the
    track excludes, and for several without a ``label``.
    """
    if len(players) > 1 and not label:
        raise BadInput("--label: needed for several players, which are scored as the training seeds of one agent")
    ways = [_ways(task, player, track) for player in players]
    if len({tuple(each) for each in ways}) > 1:
        raise BadInput("players: all with a choice between sampled and greedy play expected, or all without")
    _claim(out, task, {"players": list(players)})
    runs = []
    for seed, each in enumerate(ways, 1):
        scores = _scores(task, each, f"seed {seed} final", task.evaluation_games, out, executor or LocalExecutor())
        files = checksums(players[seed - 1], out)
        runs.append(_run(seed, {"decisions": None, "seconds": None}, each, files, scores, []))
    return _finish(task, " ".join(players), label or players[0], track, model_based, runs, out)


# --- folders --------------------------------------------------------------------------------------


def _claim(out: Path, task: Task, run: dict[str, Any]) -> None:
    """Write down what a folder is for; raises ``BadInput`` where it is for something else."""
    path = out / "run.json"
    run = json.loads(json.dumps(asdict(task) | run))
    if not path.is_file():
        write_json(run, path)
    elif different := differences(json.loads(path.read_text(encoding="utf-8")), run):
        raise BadInput(f"{escape_text(out)} holds another run of the suite ({different}); choose another --out")


def _dataset(task: Task, out: Path, executor: Executor) -> Path | None:
    """The recorded games of a task, made on first use; the folder is shared by the runs beside ``out``."""
    if task.dataset_games is None:
        return None
    from dawn_agents.training.dataset.dataset_making import DatasetPlan, make_dataset

    folder = out.parent / f"dataset-{task.name}-v{task.version}-{task.dataset_games}"
    make_dataset(DatasetPlan(("pretrained",), task.dataset_games, _DATASET_SEED), folder, executor)
    return folder


def _ways(task: Task, player: str, track: str) -> dict[str, str]:
    """Specifications of ``ways_to_play``; raises ``BadInput`` for a player that the task or the track excludes."""
    ways = ways_to_play(player)
    if reason := task.track_refusal(track) or track_refusal(player, track):
        raise BadInput(reason)
    enter_one(player, options=task.options)
    return ways


# --- training --------------------------------------------------------------------------------------


def _make(task: Task, agent: str, seed: int, environments: Environments) -> Learner:
    """The learner with its own settings, but for seed and game; raises ``BadSpec``, ``BadInput``, ``ConfigError``."""
    tables: dict[str, Any] = dict(learner_class(agent).settings)
    threads = 1 if task.seconds is None else _CORES
    tables["run"] = {"threads": threads, **tables.get("run", {}), "learner": agent, "seed": seed}
    tables["games"] = tables.get("games", {}) | {"options": task.options.to_json()}
    learner = make_learner(agent, environments, parse_config(tables))
    if learner.track not in TRACKS:
        raise BadInput(f"{agent}: track: {' or '.join(map(repr, TRACKS))} expected, not {learner.track!r}")
    return learner


def _train(task: Task, agent: str, seed: int, folder: Path, dataset: Path | None) -> Training:
    """Train with one seed, or go on from the latest checkpoint. A training that has ended is read from its file."""
    from dawn_agents.training import checkpoint as saving  # needs torch

    path = folder / _TRAINING
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    allowed = task.opponents if task.score == "percent" else ()
    environments = Environments(task.options, task.decisions, task.seconds, dataset, folder, allowed, task.label)
    saving.seed_generators(seed)
    learner = _make(task, agent, seed, environments)
    environments.track = learner.track
    training: Training = {"checkpoints": [], "iteration": 0, "track": learner.track, "ended": ""}
    training["model_based"] = learner.model_based
    with ProgressBar(f"{task.name} seed {seed}", task.decisions, "decisions") as gauge:
        learner.begin(seed)
        if (folder / saving.FILE).exists():
            state = saving.load_checkpoint(folder, {})
            training, last = state["training"], state["training"]["checkpoints"][-1]
            learner.restore(state["learner"])
            saving.restore_random_state(state["random"])
            environments.go_on(last["decisions"], last["seconds"])
            gauge.update(environments.spent)
        environments.on_decisions = gauge.update
        try:
            _learn(task, learner, training, folder)
            training["ended"] = "the learner has finished"
        except BudgetSpent as refused:
            print_above_bars(f"{task.name} seed {seed}: {refused}; the player so far is scored")
            training["ended"] = str(refused)
        finally:
            learner.close()
    if not training["checkpoints"]:
        raise BadInput(f"seed {seed}: the learner has made no player within its budget")
    write_json(training, path)
    return training


def _learn(task: Task, learner: Learner, training: Training, folder: Path) -> None:
    """Iterate until another iteration does not fit the budget; keep a player at every tenth of it and at the end.

    Raises ``BudgetSpent`` for an iteration that does not fit.
    """
    environments, ends = learner.environments, False
    while not ends:
        before, number = (environments.spent, environments.elapsed), training["iteration"] + 1
        learner.iterate(number, 1 - environments.share)
        training["iteration"] = number
        after = environments.spent, environments.elapsed
        next_ones = [2 * end - start for start, end in zip(before, after, strict=True)]
        limits = zip(next_ones, (task.decisions, task.seconds), strict=True)
        ends = learner.done or any(limit is not None and used > limit for used, limit in limits)
        due = environments.share * CHECKPOINTS >= len(training["checkpoints"]) + 1
        if ends or due or not task.has_environment:
            _keep(task, learner, training, folder)


def _keep(task: Task, learner: Learner, training: Training, folder: Path) -> None:
    """Keep the player and the state of the moment."""
    from dawn_agents.training.checkpoint import random_state, save_checkpoint  # needs torch

    environments = learner.environments
    player = keep_player(learner, folder / f"checkpoint-{len(training['checkpoints']) + 1}")
    _ways(task, player, environments.track)
    checkpoint = {"player": player, "decisions": environments.spent, "seconds": environments.elapsed}
    training["checkpoints"].append(checkpoint)
    save_checkpoint(folder, {}, {"learner": learner.state(), "random": random_state(), "training": training})


# --- scoring ---------------------------------------------------------------------------------------


def _scored_run(task: Task, training: Training, seed: int, out: Path, executor: Executor) -> dict[str, Any]:
    """Score the last checkpoint with all games of the task, and all of them with those of the curve."""
    curve = []
    for number, checkpoint in enumerate(training["checkpoints"], 1):
        ways = ways_to_play(checkpoint["player"])
        scores = _scores(task, ways, f"seed {seed} checkpoint {number}", task.curve_games, out, executor)
        curve.append({"decisions": checkpoint["decisions"], "seconds": checkpoint["seconds"], "scores": scores})
    final = _scores(task, ways, f"seed {seed} final", task.evaluation_games, out, executor)
    return _run(seed, checkpoint, ways, checksums(checkpoint["player"], out), final, curve)


def _scores(task: Task, ways: dict[str, str], label: str, games: int, out: Path, executor: Executor) -> dict[str, Any]:
    return {way: score(task, player, f"{label} {way}", games, out / "games", executor) for way, player in ways.items()}


def _run(seed: int, training: Training, ways: dict, files: list, scores: dict, curve: list) -> dict[str, Any]:
    spent = {key: training[key] for key in ("decisions", "seconds")}
    return {"seed": seed, **spent, "players": ways, "files": files, "scores": scores, "curve": curve}


def _finish(task: Task, agent: str, label: str, track: str, model_based: bool, runs: list, out: Path) -> dict[str, Any]:
    """Put a result together and keep it."""
    origin = read_scale().origin
    speed = {} if task.seconds is None else batch_figures(_BATCH_ROWS, _BATCH_SECONDS)
    result = {
        "format": FORMAT, "task": task.name, "task_version": task.version, "score": task.score,
        "agent": agent, "label": label, "track": track, "model_based": model_based,
        "looks_ahead": any(looks_ahead(player) for run in runs for player in run["players"].values()),
        "trial": task != TASKS[task.name],
        "summary": {}, "runs": runs, "scale": {key: origin[key] for key in ("date", "engine") if key in origin},
        "versions": fingerprint_function()(), "machine": machine() | speed,
    }  # fmt: skip
    result["summary"] = summarise(result)
    write_result(result, out / RESULT)
    return result
