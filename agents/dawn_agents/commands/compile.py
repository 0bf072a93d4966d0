"""The command ``dawn compile``."""

import argparse

from dawn_agents.command_line import command_parser, entry_point
from dawn_agents.frontends.web.compiling_ahead import compile_all
from dawn_env.support.progress_bars import ProgressBar

_DESCRIPTION = "Compile all that games of people need, once per version, so that the first game starts at once."


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn compile``."""
    return command_parser("compile", _DESCRIPTION, "dawn compile")


def compile_with_bar() -> None:
    """Compile with a progress bar."""
    with ProgressBar("compiling", 100, "%", keep=False) as gauge:
        for share, name in compile_all():
            gauge.update(round(100 * share) - gauge.done)
            gauge.set_postfix(name)


main = entry_point(make_parser, lambda _: compile_with_bar())
