"""Arguments that mean the same on every command line: a seed, and the options of a game."""

import argparse
from collections.abc import Sequence
from dataclasses import fields

from dawn_agents.external.clock import TimeControl, with_clock
from dawn_env.errors import BadOptions, BadSeed
from dawn_env.options import GameOptions
from dawn_env.support.seeds import checked_seed

_WORDS = {"true": True, "false": False}


def seed(text: str) -> int:
    """An ``argparse`` type: a seed, 0 ... 2**63 - 1."""
    try:
        return checked_seed(int(text) if text.isdecimal() else text)
    except BadSeed as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("seed: ")) from None


def add_clock(parser: argparse._ActionsContainer) -> None:
    """Add ``--clock``, for ``clocked``."""
    parser.add_argument(
        "--clock", type=_clock, metavar="S[+I]",
        help="seconds that programs have for a game, and an increment for each decision, such as 300+2 (none)",
    )  # fmt: skip


def _clock(text: str) -> str:
    try:
        return str(TimeControl.of(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("clock: ")) from None


def clocked(parser: argparse.ArgumentParser, specifications: Sequence[str], clock: str | None) -> list[str]:
    """Specifications of players, those of programs with the clock that was asked for, if one was.

    Ends with a message when there is no program among them that it could be for.
    """
    changed = [with_clock(specification, clock) for specification in specifications]
    if clock and changed == list(specifications):
        parser.error(f"--clock {clock} is for programs (process:..., websocket:...) without a clock; none takes part")
    return changed


class _GameOption(argparse.Action):
    """Changes one option of the game, or ends with a message that names what would be right."""

    def __call__(self, parser, namespace, words, option_string=None):
        values = [int(word) if word.isdecimal() else _WORDS.get(word, word) for word in words]
        name = option_string.removeprefix("--").replace("-", "_")
        try:
            value = True if self.nargs == 0 else values[0] if self.nargs == 1 else tuple(values)
            changed = getattr(namespace, self.dest).changed({name: value})
        except BadOptions as error:
            raise argparse.ArgumentError(self, str(error)) from None
        setattr(namespace, self.dest, changed)


def _words(default: object) -> int:
    """Words behind an argument: none for what is true or false."""
    return len(default) if isinstance(default, tuple) else 0 if isinstance(default, bool) else 1


def add_game_options(parser: argparse._ActionsContainer) -> None:
    """Add an argument for each field of ``GameOptions``, such as ``--extra-support D C``.

    The options of the game are then the attribute ``game_options`` of what is parsed.
    """
    for option in fields(GameOptions):
        parser.add_argument(
            f"--{option.name.replace('_', '-')}", dest="game_options", action=_GameOption, default=GameOptions(),
            nargs=_words(option.default), **option.metadata,
        )  # fmt: skip
