"""Play random games in bulk, write their records as JSON lines, and print a summary."""

import argparse
import errno
import io
import os
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agents.arguments import add_game_options, seed
from dawn_env.formats.record import to_line
from dawn_env.selfplay import Tally, random_games, random_record, warm_up
from dawn_env.support.progress import Gauge


class OrderedWriter:
    """Writes records in the order of their games, whatever order the games end in; only whole lines stay."""

    def __init__(self, file: io.RawIOBase, tally: Tally):
        self.file, self.tally = file, tally
        self._size = 0  # bytes of whole lines written
        self._waiting: dict[int, dict] = {}
        self._next = 0

    def add(self, index: int, record: dict) -> None:
        """Take the record of a game; write all whose turn has come."""
        self._waiting[index] = record
        while self._next in self._waiting:
            self._write(self._waiting.pop(self._next))
            self._next += 1

    def flush(self) -> None:
        """Write the records that still wait for earlier games."""
        for index in sorted(self._waiting):
            self._write(self._waiting.pop(index))

    def _write(self, record: dict) -> None:
        line = (to_line(record) + "\n").encode()
        if self.file.write(line) != len(line):
            self.file.truncate(self._size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._size += len(line)
        self.tally.add(record)


def make_parser() -> argparse.ArgumentParser:
    """What may stand behind ``dawn selfplay``."""
    parser = argparse.ArgumentParser(prog="dawn selfplay", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games to play (default %(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the run; same seed, same games (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("games.jsonl"), help="file to write (default %(default)s)")
    parser.add_argument("--batch", type=int, default=256, help="games at a time; does not change them (%(default)s)")
    add_game_options(parser)
    return parser


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.games < 1 or options.batch < 1:
        parser.error("--games and --batch must be at least 1")
    return options


def run(options: argparse.Namespace, writer: OrderedWriter) -> tuple[int, float]:
    """Play, showing how far it is; returns decisions and seconds spent in the engine."""
    decisions, playing = 0, 0.0
    steps = random_games(options.seed, options.games, options.batch, options.game_options)
    with Gauge("games", options.games, "games") as gauge:
        started = time.perf_counter()
        for step in steps:
            playing += time.perf_counter() - started
            decisions += step.decisions
            for index, game_seed, actions in step.finished:
                writer.add(index, random_record(game_seed, actions, options.game_options))
            if step.finished:
                gauge.update(len(step.finished))
                gauge.note(f"{decisions / playing:,.0f} decisions/s")
            started = time.perf_counter()
    return decisions, playing


def summary(tally: Tally, decisions: int, seconds: float) -> Table:
    """Results, lengths, speed and the distribution of VP."""
    table = Table(title=f"{tally.games} random games", show_header=True)
    table.add_column("what")
    table.add_column("value", justify="right")
    for result in ("democrat", "communist", "draw"):
        count = tally.results[result]
        table.add_row("draws" if result == "draw" else f"{result} wins", f"{count} ({count / tally.games:.1%})")
        for (winner, reason), games in sorted(tally.reasons.items()):
            if winner == result:
                table.add_row(f"  {reason}", str(games))
    table.add_row("mean decisions", f"{tally.decisions / tally.games:.1f}")
    table.add_row("mean turns", f"{tally.turns / tally.games:.2f}")
    table.add_row("decisions/s (playing)", f"{decisions / seconds:,.0f}")
    table.add_section()
    bins = tally.histogram()
    most = max(games for _, _, games in bins)
    for first, last, games in bins:
        table.add_row(f"VP {first:+d} to {last:+d}", f"{'#' * round(30 * games / most)} {games}")
    return table


def play(options: argparse.Namespace, file: io.RawIOBase) -> int:
    """Play, write and report; the exit status."""
    console, tally = Console(), Tally()
    writer = OrderedWriter(file, tally)
    warm_up()
    decisions, seconds = 0, 1.0
    status = 0
    try:
        decisions, seconds = run(options, writer)
    except KeyboardInterrupt:
        writer.flush()
        print(f"interrupted: kept {tally.games} finished games in {options.out}", file=sys.stderr)
        status = 130
    if tally.games and not status:
        console.print(summary(tally, decisions, seconds))
        console.print(f"records: {options.out}")
    return status


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all games were written, 1 when the file could not be, 130 after Ctrl-C."""
    options = parse(arguments)
    try:
        with open(options.out, "wb", buffering=0) as file:
            return play(options, file)
    except OSError as error:
        print(f"cannot write {options.out}: {error.strerror or error}", file=sys.stderr)
        return 1
