"""The command ``dawn replay``."""

import argparse
import sys
from pathlib import Path

from dawn_agents.command_line import COUNT, command_parser, entry_point
from dawn_env.errors import MalformedPosition
from dawn_env.events.narration import narrate
from dawn_env.formats.game_record import read_records, verify
from dawn_env.glossary import counted
from dawn_env.support.progress_bars import with_progress

_DESCRIPTION = "Tell or verify the games of a file of records."


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn replay``."""
    parser = command_parser(
        "replay",
        _DESCRIPTION,
        "dawn selfplay --games 10 --out runs/games.jsonl",
        "dawn replay runs/games.jsonl --show 3",
        "dawn replay runs/games.jsonl --verify",
    )
    parser.add_argument("file", type=Path, help="game records, one JSON object per line")
    parser.add_argument("--verify", action="store_true", help="replay every game from its seed and from its chance")
    parser.add_argument(
        "--show", type=COUNT, metavar="N", help="tell the N-th game, from 1 (default 1 without --verify)"
    )
    return parser


def show(path: Path, number: int) -> int:
    """Print one game; 2 when the file has fewer."""
    for at, record in enumerate(read_records(path), 1):
        if at == number:
            try:
                print(narrate(record))
            except MalformedPosition as error:
                raise MalformedPosition(f"{path}, game {number}: {error}") from error
            return 0
    print(f"{path} has no game {number}", file=sys.stderr)
    return 2


def verify_all(path: Path) -> int:
    """Verify every game; 1 when one differs."""
    number = 0
    for number, record in enumerate(with_progress(read_records(path), "verified", unit="games"), 1):
        try:
            verify(record, f"{path}, game {number}")
        except MalformedPosition as error:
            print(error, file=sys.stderr)
            return 1
    print(f"{counted(number, 'game')} verified")
    return 0


def run(options: argparse.Namespace) -> int:
    """Verify, tell, or both; the exit status."""
    status = verify_all(options.file) if options.verify else 0
    return status or (show(options.file, options.show or 1) if options.show or not options.verify else 0)


main = entry_point(make_parser, run)
