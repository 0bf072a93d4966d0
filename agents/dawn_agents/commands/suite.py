"""The command ``dawn suite``."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    add_executor_arguments,
    add_output_files,
    command_parser,
    entry_point,
    executor_of,
)
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.training.environments import TRACKS
from dawn_agents.training.learner import LEARNERS, RECIPES
from dawn_agents.training.suite.task_declarations import LANGUAGE, TASKS, Task, task_called
from dawn_env.errors import BadInput
from dawn_env.host.random_play import warm_up
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text

_DESCRIPTION = (
    "Measure learners: fixed tasks with budgets, scores against fixed opponents, one report (docs/how-to/suite.md)."
)
_PROTOCOL = (
    "Scores are interquartile means over training seeds with bootstrap intervals of 95%. A player that won or lost "
    "everything has a bound in place of a number."
)


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn suite``."""
    parser = command_parser(
        "suite",
        _DESCRIPTION,
        "dawn suite list",
        "dawn suite score learn-1M heuristic --track none --out runs/suite/heuristic",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, dest="action")
    actions.add_parser("list", help="the tasks")
    run = actions.add_parser("run", help="train an agent and score it; goes on where it was cut off")
    run.add_argument("task", choices=list(TASKS), metavar="TASK")
    known = f"{', '.join(LEARNERS)}, a recipe of docs/examples ({', '.join(RECIPES)}), or MODULE:CLASS"
    run.add_argument("--agent", required=True, metavar="LEARNER", help=f"who learns: {known}")
    run.add_argument("--seeds", type=COUNT, default=3, metavar="N", help="training seeds 1 ... N (%(default)s)")
    run.add_argument("--decisions", type=COUNT, metavar="N", help="a trial with another budget of decisions")
    run.add_argument("--seconds", type=COUNT, metavar="N", help="a trial with another budget of time")
    run.add_argument("--dataset-games", type=COUNT, metavar="N", help="a trial with another number of recorded games")
    _add_scoring(run)
    score = actions.add_parser("score", help="score players that were trained elsewhere, one for each training seed")
    score.add_argument("task", choices=list(TASKS), metavar="TASK")
    score.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="such as sb3:model.zip, torchscript:model.pt; several need --label",
    )
    score.add_argument(
        "--track", choices=(*TRACKS, LANGUAGE, "none"), default="knowledge", help="what training used (%(default)s)"
    )
    score.add_argument("--model-based", action="store_true", help="training used copies of the engine")
    _add_scoring(score)
    report = actions.add_parser("report", help="compare results")
    report.add_argument("results", nargs="+", type=Path, metavar="FILE")
    add_output_files(report, html="write one page with tables and curves", json="write scores and curves for programs")
    check = actions.add_parser("check", help="validate results")
    check.add_argument("results", nargs="+", type=Path, metavar="FILE")
    return parser


def _add_scoring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="keeps everything; result.json at the end"
    )
    parser.add_argument("--label", default="", help="name in reports")
    parser.add_argument("--games", type=_games, metavar="N", help="a trial with another number of games of evaluation")
    parser.add_argument("--curve-games", type=_games, metavar="N", help="the same for checkpoints")
    add_executor_arguments(parser)


def _games(text: str) -> int:
    if COUNT(text) % 2:
        raise argparse.ArgumentTypeError(f"an even number of games expected, as they are paired, not {text}")
    return int(text)


def _task(options: argparse.Namespace) -> Task:
    """The task that is asked for, its budget or games changed for a trial."""
    changed = {
        "decisions": getattr(options, "decisions", None), "seconds": getattr(options, "seconds", None),
        "dataset_games": getattr(options, "dataset_games", None), "evaluation_games": options.games,
        "curve_games": options.curve_games,
    }  # fmt: skip
    task = task_called(options.task)
    if task.dataset_games is None and changed["dataset_games"]:
        raise BadInput(f"--dataset-games: {task.name} has no recorded games")
    return replace(task, **{key: value for key, value in changed.items() if value is not None})


def list_tasks(_: argparse.Namespace) -> None:
    """Print the tasks."""
    rows = [
        (task.label, task.summary, "Elo" if task.score == "elo" else f"% against {task.opponents[0]}",
         str(task.evaluation_games))
        for task in TASKS.values()
    ]  # fmt: skip
    console().print(Sheet("Tasks of the suite", ("task", "what the agent gets", "score", "games"), rows, words=3))


def run(options: argparse.Namespace) -> None:
    """Train and score, or score."""
    from dawn_agents.training.suite.suite_report import markdown
    from dawn_agents.training.suite.suite_run import run_task, score_players

    warm_up()  # so that the rules are compiled once here, not in every process
    with executor_of(options) as executor:
        if options.action == "run":
            seeds = range(1, options.seeds + 1)
            result = run_task(_task(options), options.agent, seeds, options.out, executor, options.label)
        else:
            settings = options.label, options.track, options.model_based
            result = score_players(_task(options), options.players, options.out, executor, *settings)
    print(markdown([result]))
    print(f"result: {escape_text(options.out / 'result.json')}")


def report(options: argparse.Namespace) -> None:
    """Compare results."""
    from dawn_agents.training.suite.result_files import read_result
    from dawn_agents.training.suite.suite_report import markdown, to_json

    results = [read_result(path) for path in options.results]
    if unknown := {one["task"] for one in results} - set(TASKS):
        raise BadInput(f"tasks unknown to this version of dawn_env: {', '.join(map(escape_text, sorted(unknown)))}")
    print(markdown(results))
    if options.json:
        write_json(to_json(results), options.json)
    if options.html:
        from dawn_agents.tournaments.reporting.html_page import write_page
        from dawn_agents.tournaments.reporting.provenance import provenance
        from dawn_agents.training.suite.suite_page import sections

        origin, folders = provenance(options), [path.parent for path in options.results]
        write_page(options.html, "Measuring learners", [_PROTOCOL], sections(results, folders), origin)


def check(options: argparse.Namespace) -> None:
    """Validate results; raises ``BadInput`` if one cannot stand beside others."""
    from dawn_agents.training.suite.result_checks import problems
    from dawn_agents.training.suite.result_files import read_result

    wrong = [
        f"{escape_text(path)}: {text}" for path in options.results for text in problems(read_result(path), path.parent)
    ]
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
        raise BadInput(f"{len(wrong)} problems in {len(options.results)} results")
    print(f"{len(options.results)} results are valid")


_ACTIONS = {"list": list_tasks, "run": run, "score": run, "report": report, "check": check}

main = entry_point(
    make_parser,
    lambda options: _ACTIONS[options.action](options),
    "stopped; the same command goes on from here",
)
