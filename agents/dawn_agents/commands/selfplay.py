"""Play random games in bulk, write their records as JSON lines, and print a summary."""

import argparse
import errno
import io
import os
from collections import Counter
from contextlib import closing
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    add_executor_arguments,
    add_game_options,
    command_parser,
    entry_point,
    executor_of,
    seed,
)
from dawn_agents.reporting.tables import Sheet, console
from dawn_agents.work.executor import Executor
from dawn_agents.work.selfplay_pieces import kept_games, pieces, play_piece
from dawn_env.host.random_play import warm_up
from dawn_env.support.interrupts import defer_sigint
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.support.safe_text import escape_text


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn selfplay``."""
    parser = command_parser(
        "selfplay",
        __doc__,
        "dawn selfplay --games 1000 --out runs/games.jsonl",
        "dawn selfplay --games 5000 --seed 2 --bid --out runs/bids.jsonl",
        check=_check,
    )
    parser.add_argument("--games", type=COUNT, default=1000, help="games to play (default %(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the run; same seed, same games (%(default)s)")
    parser.add_argument(
        "--out", type=Path, default=Path("runs/games.jsonl"), help="file to write (default %(default)s)"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the games that the file has")
    add_executor_arguments(parser)
    add_game_options(parser)
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.resume and not options.out.is_file():
        parser.error(f"--resume: {escape_text(options.out)}: no such file; leave --resume out to begin it")
    if not options.resume and options.out.is_file() and options.out.stat().st_size:
        parser.error(f"{escape_text(options.out)} exists: --resume goes on with it, or choose another --out")


def play_missing(options: argparse.Namespace, executor: Executor, file: io.FileIO, counts: Counter) -> str:
    """Play what is missing, add it to file and ``counts``, and show how far it is; decisions a second of a core."""
    decisions, seconds, speed = 0, 0.0, "-"
    parts = pieces(options.seed, options.games, options.game_options, counts["games"])
    recorded = executor.done(play_piece, parts, in_order=True)
    with ProgressBar("games", options.games, "games", done=counts["games"]) as gauge, closing(recorded):
        for lines, more, took in recorded:
            with defer_sigint():  # what is counted is what is written
                _write(file, lines)
                counts.update(more)
            decisions, seconds = decisions + more["decisions"], seconds + took
            speed = f"{decisions / seconds:,.0f}"
            gauge.update(more["games"])
            gauge.note(f"{speed} decisions/s")
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


def summary(counts: Counter, speed: str) -> Sheet:
    """Results, lengths and speed."""
    rows, games = [], counts["games"]
    for result in ("democrat", "communist", "draw"):
        reasons = {key[1]: count for key, count in counts.items() if key[0] == result}
        won = sum(reasons.values())
        rows.append(("draws" if result == "draw" else f"{result} wins", f"{won} ({won / games:.1%})"))
        rows += [(f"  {reason}", str(count)) for reason, count in sorted(reasons.items())]
    rows.append(("mean decisions", f"{counts['decisions'] / games:.1f}"))
    rows.append(("mean turns", f"{counts['turns'] / games:.2f}"))
    rows.append(("decisions/s of a core (playing)", speed))
    return Sheet(f"{games} random games", ("what", "value"), rows)


def run(options: argparse.Namespace) -> None:
    """Play, write and report."""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with executor_of(options) as executor:
        kept = (options.out, options.seed, options.games, options.game_options)
        counts = kept_games(*kept) if options.resume else Counter(games=0)
        with open(options.out, "ab", buffering=0) as file:
            warm_up()
            speed = play_missing(options, executor, file, counts)
    tables = console()
    tables.print(summary(counts, speed))
    tables.print(f"records: {options.out}")


main = entry_point(
    make_parser, run, "interrupted: finished games are kept in {out}; with --resume it goes on from there"
)
