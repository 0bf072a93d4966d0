"""Print what lets a shell complete commands and their arguments.

bash: dawn completion bash > ~/.local/share/bash-completion/completions/dawn
zsh: dawn completion zsh > a file _dawn in a folder of $fpath
"""

import argparse
from pathlib import Path

import shtab

from dawn_agents.command_line import command_parser
from dawn_agents.commands import dawn

_FOLDERS = ("DIR", "FOLDER")


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn completion``."""
    parser = command_parser("completion", __doc__, "dawn completion bash", "dawn completion zsh")
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS, help="for which shell")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0."""
    options = make_parser().parse_args(arguments)
    parser = dawn.make_parser(whole=True)
    _complete_paths(parser)
    print(shtab.complete(parser, options.shell))
    return 0


def _complete_paths(parser: argparse.ArgumentParser) -> None:
    """Let every argument that is a path be completed from the file system."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _complete_paths(command)
        elif action.type is Path:
            action.complete = shtab.DIRECTORY if action.metavar in _FOLDERS else shtab.FILE
