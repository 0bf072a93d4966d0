"""Play random games in bulk, write their records as JSON lines, and print a summary."""

import argparse
import io
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
from dawn_agents.work.selfplay_pieces import Tally, kept_games, pieces, play_piece, write_whole
from dawn_env.host.random_play import warm_up
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


def play(options: argparse.Namespace, executor: Executor, file: io.FileIO, tally: Tally) -> str:
    """Play what is missing, write and count it, showing how far it is; decisions a second of a core."""
    parts = pieces(options.seed, options.games, options.game_options, tally.games)
    recorded = executor.done(play_piece, parts, in_order=True)
    played, spent, speed = 0, 0.0, "-"
    with ProgressBar("games", options.games, "games", done=tally.games) as gauge, closing(recorded):
        for lines, facts, decisions, seconds in recorded:
            write_whole(file, lines)
            for game in facts:
                tally.add(game)
            played, spent = played + decisions, spent + seconds
            speed = f"{played / spent:,.0f}"
            gauge.update(len(facts))
            gauge.note(f"{speed} decisions/s")
    return speed


def summary(tally: Tally, speed: str) -> Sheet:
    """Results, lengths and speed."""
    rows = []
    for result in ("democrat", "communist", "draw"):
        count = tally.results[result]
        rows.append(("draws" if result == "draw" else f"{result} wins", f"{count} ({count / tally.games:.1%})"))
        for (winner, reason), games in sorted(tally.reasons.items()):
            if winner == result:
                rows.append((f"  {reason}", str(games)))
    rows.append(("mean decisions", f"{tally.decisions / tally.games:.1f}"))
    rows.append(("mean turns", f"{tally.turns / tally.games:.2f}"))
    rows.append(("decisions/s of a core (playing)", speed))
    return Sheet(f"{tally.games} random games", ("what", "value"), rows)


def run(options: argparse.Namespace) -> None:
    """Play, write and report."""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    mode = "r+b" if options.resume else "wb"
    with executor_of(options) as executor, open(options.out, mode, buffering=0) as file:
        tally = kept_games(file, options.seed, options.games, options.game_options) if options.resume else Tally()
        warm_up()
        speed = play(options, executor, file, tally)
    tables = console()
    tables.print(summary(tally, speed))
    tables.print(f"records: {options.out}")


main = entry_point(
    make_parser, run, "interrupted: finished games are kept in {out}; with --resume it goes on from there"
)
