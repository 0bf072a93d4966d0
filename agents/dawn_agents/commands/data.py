"""The command ``dawn data``."""

import argparse
import json

from dawn_agents.command_line import command_parser, entry_point, integer
from dawn_env.formats.printed_data import printed_data

_DESCRIPTION = "Print what is printed on map and cards, and the names of all actions, as one JSON value."


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn data``."""
    parser = command_parser("data", _DESCRIPTION, "dawn data", "dawn data --indent 2")
    parser.add_argument(
        "--indent", type=integer(0, 16), metavar="N", help="spread it over lines, each level N spaces further in"
    )
    return parser


def run(options: argparse.Namespace) -> None:
    """Print the data as JSON."""
    print(json.dumps(printed_data(), indent=options.indent))


main = entry_point(make_parser, run)
