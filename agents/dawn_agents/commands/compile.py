"""Compile all that games of people need, once per version, so that the first game starts at once."""

import argparse

from dawn_agents.command_line import command_parser
from dawn_agents.compiling_ahead import compile_all
from dawn_env.support.progress_bars import ProgressBar


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn compile``."""
    parser = command_parser("compile", __doc__, "dawn compile")
    parser.add_argument("--lines", action="store_true", help="print a line before each stage, for programs")
    return parser


def compile_with_bar() -> None:
    """Compile with a progress bar."""
    with ProgressBar("compiling", 100, "%", keep=False) as gauge:
        for share, name in compile_all():
            gauge.update(round(100 * share) - gauge.done)
            gauge.note(name)


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0."""
    if not make_parser().parse_args(arguments).lines:
        compile_with_bar()
        return 0
    for share, name in compile_all():
        print(f"{share:.2f} {name}", flush=True)
    return 0
