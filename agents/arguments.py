"""Arguments that mean the same on every command line: a seed, and the options of a game."""

import argparse

from dawn_env.errors import BadOptions, BadSeed
from dawn_env.options import MOST_EXTRA_SUPPORT, GameOptions
from dawn_env.support.seeds import checked_seed


def seed(text: str) -> int:
    """An ``argparse`` type: a seed, 0 ... 2**63 - 1."""
    try:
        return checked_seed(int(text) if text.isdecimal() else text)
    except BadSeed as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("seed: ")) from None


class _ExtraSupport(argparse.Action):
    """Keeps two numbers as points of a game, or ends with a message that names what would be right."""

    def __call__(self, parser, namespace, values, option_string=None):
        try:
            points = tuple(int(text) if text.isdecimal() else text for text in values)
            setattr(namespace, self.dest, GameOptions(points).extra_support)
        except BadOptions as error:
            raise argparse.ArgumentError(self, str(error)) from None


def add_game_options(parser: argparse._ActionsContainer) -> None:
    """Add the options of a game, validated by ``GameOptions``: ``--extra-support D C``."""
    parser.add_argument(
        "--extra-support", nargs=2, default=GameOptions().extra_support, metavar=("D", "C"),
        action=_ExtraSupport,
        help=f"support points each side places after the set-up, 0 ... {MOST_EXTRA_SUPPORT} each (0 0)",
    )  # fmt: skip
