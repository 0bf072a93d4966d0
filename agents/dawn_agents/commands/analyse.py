"""The command ``dawn analyse``."""

import argparse
from dataclasses import asdict, fields
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    add_executor_arguments,
    add_output_files,
    command_parser,
    entry_point,
    executor_of,
    output_file,
    seed,
    typed_command,
)
from dawn_agents.frontends.analysis.judged_games import Judging, JudgingTask, KeptGames, read_tasks
from dawn_agents.frontends.analysis.loss_profiles import Analysis, Row, judge_games, sheets, waiting
from dawn_agents.frontends.analysis.puzzles import write_puzzles
from dawn_agents.players.registry import files_of
from dawn_agents.tournaments.reporting.provenance import provenance
from dawn_agents.tournaments.reporting.tables import console, write_csv
from dawn_env.host.random_play import warm_up
from dawn_env.support.atomic_files import write_json
from dawn_env.support.progress_bars import ProgressBar

_DESCRIPTION = """Analyse recorded games: winning chance lost by each decision, and luck of each side.

A search names the better action at each decision, from what the side knew; the two are compared in other deals of the
hidden cards. Finished games are kept, and the same command goes on where it was cut off. docs/how-to/analysis.md
explains it.
"""


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn analyse``."""
    parser = command_parser(
        "analyse",
        _DESCRIPTION,
        "dawn tournament --players heuristic greedy --pairs 2 --records runs/games.jsonl",
        "dawn analyse runs/games.jsonl --html runs/analysis.html",
        "dawn analyse runs/games.jsonl --games 1-2 --csv runs/analysis.csv",
    )
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORDS", help="game records, one a line")
    parser.add_argument("--games", type=_range, default=(1, None), metavar="A-B", help="these alone, from 1 (all)")
    parser.add_argument(
        "--of", metavar="PLAYER", help="judge the decisions of this player alone, named as in the records"
    )
    parser.add_argument("--player", default="search", metavar="SPEC", help="the search that judges (%(default)s)")
    parser.add_argument("--deals", type=COUNT, default=64, metavar="N", help="that compare two actions (%(default)s)")
    parser.add_argument("--seed", type=seed, default=0, help="of search and deals (%(default)s)")
    add_executor_arguments(parser)
    parser.add_argument(
        "--db", type=output_file, default="runs/analysis.db", metavar="FILE", help="keeps judged games (%(default)s)"
    )
    add_output_files(
        parser,
        json="write all of it, every decision too, as JSON",
        puzzles="write large certain losses as puzzles for dawn web --puzzles",
        csv="write the profiles as CSV",
        html="write one HTML page with plots",
    )
    return parser


def _range(text: str) -> tuple[int, int | None]:
    """``A``, ``A-B`` or ``A-``: numbers of games."""
    first, dash, last = text.partition("-")
    if first.isdecimal() and (last.isdecimal() or not last):
        found = int(first), (int(last) if last else None) if dash else int(first)
        if 1 <= found[0] <= (found[1] or found[0]):
            return found
    raise argparse.ArgumentTypeError(f"A, A-B or A- expected, games being numbered from 1, not {text!r}")


def run(options: argparse.Namespace) -> None:
    """Judge what is not kept yet, and report."""
    judging = Judging.by(options.player, options.deals, options.seed, options.of)
    tasks = read_tasks(options.records, judging, *options.games)
    with KeptGames(options.db) as kept:
        if tasks_left := waiting(tasks, kept):
            with executor_of(options, files_of([options.player])) as executor:
                warm_up()  # so that the rules are compiled once here, not in every process
                with ProgressBar("judged", len(tasks_left), "games") as gauge:
                    for _ in judge_games(tasks_left, kept, executor):
                        gauge.update()
        analysis = Analysis.of(judging, tasks, kept)
    _publish(analysis, tasks, options)


def _publish(analysis: Analysis, tasks: list[JudgingTask], options: argparse.Namespace) -> None:
    for sheet in sheets(analysis):
        console().print(sheet)
    if options.json:
        write_json(analysis.to_json(), options.json)
    if options.puzzles:
        count = write_puzzles(analysis, [task.record for task in tasks], options.puzzles)
        further = f"; next: {typed_command('web', '--puzzles', str(options.puzzles))}" if count else ""
        print(f"puzzles written: {count}{further}")
    if options.csv:
        write_csv(map(asdict, analysis.rows), [field.name for field in fields(Row)], options.csv)
    if options.html:
        from dawn_agents.frontends.analysis.analysis_page import introduction, sections  # plotting takes long to import
        from dawn_agents.tournaments.reporting.html_page import write_page

        write_page(options.html, "Analysis of play", [introduction(analysis)], sections(analysis), provenance(options))


main = entry_point(make_parser, run, "stopped; judged games are kept in {db}, the same command goes on from there")
