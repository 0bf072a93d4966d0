"""The command ``dawn selfplay``."""

import argparse
import errno
import io
import os
from collections import Counter
from contextlib import closing
from operator import attrgetter
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    add_executor_arguments,
    add_game_options,
    check_isolated,
    command_parser,
    entry_point,
    executor_of,
    seed,
)
from dawn_agents.players.registry import files_of
from dawn_agents.tournaments.entrants import enter_one
from dawn_agents.tournaments.match import FORFEIT
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.tournaments.selfplay_pieces import RANDOM, SelfplayRun, kept_games, pieces, play_piece
from dawn_agents.work.executor import Executor
from dawn_env.host.random_play import warm_up
from dawn_env.state import RESULTS, Result
from dawn_env.support.interrupts import defer_sigint
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.support.safe_text import escape_text

_DESCRIPTION = (
    "Play games in bulk, write their records as JSON lines, and print a summary: random ones, or between two players."
)
_BROKEN_OFF = RESULTS[Result.RUNNING]
_RESULTS = {
    "democrat": "democrat wins",
    "communist": "communist wins",
    "draw": "draws",
    _BROKEN_OFF: "broken off, as a player failed",
}


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn selfplay``."""
    parser = command_parser(
        "selfplay",
        _DESCRIPTION,
        "dawn selfplay --games 1000 --out runs/games.jsonl",
        "dawn selfplay --players heuristic greedy --games 20 --out runs/players.jsonl",
        "dawn selfplay --games 5000 --seed 2 --bid --out runs/bids.jsonl",
        check=_check,
    )
    parser.add_argument(
        "--players",
        nargs="+",
        default=["random"],
        metavar="SPEC",
        help="one player against itself, or two, who exchange sides every game (%(default)s plays at random)",
    )
    parser.add_argument("--games", type=COUNT, default=1000, metavar="N", help="games to play (%(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the run; same seed, same games (%(default)s)")
    parser.add_argument(
        "--out", type=Path, default=Path("runs/games.jsonl"), help="file to write (default %(default)s)"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the games that the file has")
    add_executor_arguments(parser)
    add_game_options(parser)
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    check_isolated(parser, options.players, options.out)
    if len(options.players) > 2:
        parser.error(f"--players: one or two, not {len(options.players)}; dawn tournament plays any number")
    if options.resume and not options.out.is_file():
        parser.error(f"--resume: {escape_text(options.out)}: no such file; leave --resume out to begin it")
    if not options.resume and options.out.is_file() and options.out.stat().st_size:
        parser.error(f"{escape_text(options.out)} exists: --resume goes on with it, or choose another --out")


def play_missing(run: SelfplayRun, executor: Executor, file: io.FileIO, counts: Counter) -> str:
    """Play what is missing, add it to file and ``counts``, and show how far it is; decisions a second of a core."""
    decisions, seconds, speed = 0, 0.0, "-"
    recorded = executor.done(
        play_piece, pieces(run, counts["games"]), in_order=True, outside=attrgetter("run.is_external")
    )
    with ProgressBar("games", run.games, "games", done=counts["games"]) as gauge, closing(recorded):
        for lines, more, took in recorded:
            with defer_sigint():  # what is counted is what is written
                _write(file, lines)
                counts.update(more)
            decisions, seconds = decisions + more["decisions"], seconds + took
            speed = f"{decisions / seconds:,.0f}"
            gauge.update(more["games"])
            gauge.set_postfix(f"{speed} decisions/s")
    return speed


def _write(file: io.FileIO, lines: bytes) -> None:
    """Write all ``lines``, or none of them and raise ``OSError``, which names the file."""
    start = file.tell() if file.seekable() else 0
    try:
        if file.write(lines) != len(lines):
            file.truncate(start)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        raise OSError(error.errno, error.strerror, file.name) from error


def summary(run: SelfplayRun, counts: Counter, speed: str) -> Sheet:
    """Results, lengths and speed; the note says why games were broken off."""
    rows, games = [], counts["games"]
    for result, words in _RESULTS.items():
        reasons = {key[1]: count for key, count in counts.items() if key[0] == result}
        won = sum(reasons.values())
        if won or result != _BROKEN_OFF:
            rows.append((words, f"{won} ({won / games:.1%})"))
            rows += [(f"  {reason}", str(count)) for reason, count in sorted(reasons.items()) if reason != result]
    rows.append(("mean decisions", f"{counts['decisions'] / games:.1f}"))
    rows.append(("mean turns", f"{counts['turns'] / games:.2f}"))
    rows.append(("decisions/s of a core (playing)", speed))
    failures = Counter({key[1]: count for key, count in counts.items() if key[0] == FORFEIT}).most_common(3)
    kind = "random games" if run.players == RANDOM else f"games of {' and '.join(dict.fromkeys(run.players))}"
    return Sheet(f"{games} {kind}", ("what", "value"), rows, note="; ".join(failure for failure, _ in failures))


def run(options: argparse.Namespace) -> None:
    """Play, write and report."""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    entered = [enter_one(spec, options=options.game_options) for spec in options.players]
    one, two = entered[0], entered[-1]
    batch, external = one.batch and two.batch, one.is_external or two.is_external
    run = SelfplayRun(options.seed, options.games, options.game_options, (one.name, two.name), batch, external)
    with executor_of(options, files_of(run.players)) as executor:
        counts = kept_games(options.out, run) if options.resume else Counter(games=0)
        with open(options.out, "ab", buffering=0) as file:
            warm_up()
            speed = play_missing(run, executor, file, counts)
    tables = console()
    tables.print(summary(run, counts, speed))
    tables.print(f"records: {options.out}")


main = entry_point(
    make_parser, run, "interrupted: finished games are kept in {out}; with --resume it goes on from there"
)
