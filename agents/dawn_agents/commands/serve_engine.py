"""The command ``dawn serve-engine``."""

import argparse
import sys

from dawn_agents.command_line import command_parser, entry_point, integer
from dawn_agents.players.external.engine_service import EngineService, serve

_DESCRIPTION = "Answer requests about games, a line of JSON each, for bots that look ahead in any language."
GAMES = 16_384
_MOST = 1 << 20


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn serve-engine``."""
    parser = command_parser("serve-engine", _DESCRIPTION, "dawn serve-engine", "dawn serve-engine --games 1000")
    parser.add_argument(
        "--games", type=integer(1, _MOST), default=GAMES, metavar="N", help="games at a time, 2 kB each (%(default)s)"
    )
    return parser


def run(options: argparse.Namespace) -> int:
    """Answer until the input ends; 1 when the output is closed."""
    sink, sys.stdout = sys.stdout.buffer, sys.stderr  # so that nothing else gets among the answers
    try:
        serve(sys.stdin.buffer, sink, EngineService(options.games))
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return 0


main = entry_point(make_parser, run)
