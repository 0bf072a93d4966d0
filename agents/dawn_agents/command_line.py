"""Shared parts of the commands: argument types, game options, output files, exit status."""

import argparse
import difflib
import logging
import os
import re
import shlex
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from dawn_agents.players.external.isolation import in_view
from dawn_agents.players.external.process_player import ProcessPlayer
from dawn_agents.players.registry import describe_players
from dawn_agents.players.specification import parse_options
from dawn_agents.sqlite_files import is_of_the_machine
from dawn_agents.work.executor import Executor, LocalExecutor, WorkerDied
from dawn_agents.work.process_pool import Processes
from dawn_env.errors import BadOptions, BadSeed, DawnError, IllegalAction, PlayerFailure
from dawn_env.options import GameOptions
from dawn_env.support.optional_packages import require_extra
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.support.seeds import checked_seed
from dawn_env.support.thread_pool import cores

_HOW_MUCH = ("--games", "--pairs", "--decisions", "--budget", "--steps", "--cycles", "--rounds")
"""Options that say how much is played, in one command or another program."""


class _CommandParser(argparse.ArgumentParser):
    """Parser with a function that checks all options together, which suggests options in place of unknown ones.

    ``words`` of what it reads are those of the whole command line.
    """

    def __init__(self, *, check: Callable | None = None, **settings):
        super().__init__(**settings)
        self._check = check

    def parse_args(self, args=None, namespace=None):
        words = sys.argv[1:] if args is None else args
        options = super().parse_args(words, namespace)
        options.words = [*self.prog.split(), *words]
        try:
            if self._check:
                self._check(self, options)
        except ValueError as error:
            self.error(escape_text(error))
        return options

    def error(self, message):
        near: list[str] = []
        if unknown := re.search("unrecognized arguments:.*?(--[a-z-]+)", message):
            near = self._near_options(unknown[1])
        elif wrong := re.search(r"invalid choice: '(.+?)' \(choose from (.*)\)", message):
            near = difflib.get_close_matches(wrong[1], re.findall(r"[^\s',]+", wrong[2]), 1)
        super().error(message + (f"; did you mean {' or '.join(near)}?" if near else ""))

    def _near_options(self, unknown: str) -> list[str]:
        """Options of this command that may be meant by one that it does not have."""
        commands = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        parsers = [self, *(one for action in commands for one in action.choices.values())]
        known = [option for one in parsers for option in one._option_string_actions if option.startswith("--")]
        how_much = [option for option in known if option in _HOW_MUCH and unknown in _HOW_MUCH]
        return how_much or difflib.get_close_matches(unknown, known, 1)


def command_parser(
    name: str, description: str, *examples: str, check: Callable | None = None
) -> argparse.ArgumentParser:
    """Argument parser of ``dawn NAME``; its help ends with ``examples``: command lines that begin with ``dawn``.

    ``check``, called with the parser and all options that were read, may complete them or end with an error message, as
    it does by a ``ValueError``.
    """
    program = _program() or "dawn"
    return _CommandParser(
        prog=f"dawn {name}",
        description=description,
        epilog="\n  ".join(["examples:", *(program + example.removeprefix("dawn") for example in examples)]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        check=check,
    )


def typed_command(*words: str) -> str:
    """Text of a ``dawn`` command for the user, with the program as it was called."""
    program = _program()
    return shlex.join([program, *words] if program else [sys.executable, "-m", "dawn_agents", *words])


def _program() -> str:
    """Name of the running ``dawn`` as a shell in this folder takes it; empty when another program runs."""
    here, program, found = Path.cwd(), Path(sys.argv[0]).resolve(), shutil.which("dawn")
    if program.stem != "dawn" or program.suffix not in ("", ".exe"):
        return ""
    if found and Path(found).resolve() == program:
        return "dawn"
    return str(program.relative_to(here) if program.is_relative_to(here) else program)


def seed(text: str) -> int:
    """An ``argparse`` type: a seed, 0 ... 2**63 - 1."""
    try:
        return checked_seed(int(text) if text.isdecimal() else text)
    except BadSeed as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("seed: ")) from None


def integer(least: int, most: int = 10**9) -> Callable[[str], int]:
    """An ``argparse`` type: an integer ``least`` ... ``most``."""

    def read(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"an integer {least} ... {most} expected, not {short_repr(text)}")
        return int(text)

    return read


COUNT = integer(1)
"""An ``argparse`` type: an integer from 1 on."""
PORT = integer(0, 2**16 - 1)
"""An ``argparse`` type: a port to listen at, 0 for any that is free."""


def add_executor_arguments(parser: argparse._ActionsContainer) -> None:
    """``--workers`` and ``--cluster``; ``executor_of`` takes them."""
    parser.add_argument(
        "--workers", type=COUNT, metavar="N", help=f"processes, where there is no --cluster (all cores: {cores()})"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="do the work on a Ray cluster: local, auto or HOST:PORT (docs/how-to/cluster.md)",
    )


def executor_of(options: argparse.Namespace, files: Iterable[Path] = ()) -> Executor:
    """The executor that a command line asks for: a Ray cluster or so many processes. Says which on stderr.

    ``files`` as for ``RayCluster``. Raises ``ExecutorError``, and ``MissingExtra`` where Ray is not installed.
    """
    if options.cluster is not None:
        from dawn_agents.work.ray_executor import RayCluster  # takes long to import

        return RayCluster(options.cluster, files)
    size = options.workers or cores()
    words = "one process" if size == 1 else f"{size} processes"
    hint = "" if options.workers else ", a core each; --workers N limits them"
    print(f"work is done by {words}{hint}", file=sys.stderr)
    return LocalExecutor() if size == 1 else Processes(size)


class ListPlayers(argparse.Action):
    """List the players with their options, and stop."""

    def __call__(self, parser, *_):
        from dawn_agents.tournaments.reporting.tables import Sheet, console  # takes long to import

        console().print(Sheet("Players", ("player", "options", ""), describe_players(), words=3))
        parser.exit()


def check_isolated(parser: argparse.ArgumentParser, specifications: Iterable[str], secret: Path) -> None:
    """End with a message when a program that is to be isolated could read ``secret``."""
    for specification in specifications:
        name, _, rest = specification.partition(":")
        if name != "process" or "isolate=true" not in rest:
            continue
        program = parse_options(name, ProcessPlayer.Options, rest)
        if program.isolate and in_view(shlex.split(program.command), [secret]):
            shown = escape_text(specification)
            parser.error(f"{shown} could read {escape_text(secret)}: keep the program in a folder without it")


class _GameOption(argparse.Action):
    """Changes one option of the game, or ends with a message that names what would be right."""

    def __call__(self, parser, namespace, words, option_string=None):
        values = [int(word) if word.isdecimal() else word for word in words]
        name = option_string.removeprefix("--").replace("-", "_")
        try:
            value = True if self.nargs == 0 else values[0] if self.nargs == 1 else tuple(values)
            changed = getattr(namespace, self.dest).changed({name: value})
        except BadOptions as error:
            raise argparse.ArgumentError(self, str(error)) from None
        setattr(namespace, self.dest, changed)


def add_game_options(parser: argparse._ActionsContainer, without: Collection[str] = ()) -> None:
    """Add one argument for each field of ``GameOptions`` that is not in ``without``, such as ``--extra-support D C``.

    The options of the game are then the attribute ``game_options`` of what is parsed.
    """
    for option in (option for option in fields(GameOptions) if option.name not in without):
        words = len(option.default) if isinstance(option.default, tuple) else int(not isinstance(option.default, bool))
        parser.add_argument(
            f"--{option.name.replace('_', '-')}", dest="game_options", action=_GameOption, default=GameOptions(),
            nargs=words, metavar=option.metadata.get("metavar"), help=option.metadata["help"],
        )  # fmt: skip


def game_option_words(options: GameOptions) -> list[str]:
    """Command-line arguments, as of ``add_game_options``, that set these ``options``."""
    words = []
    for name, value in options.non_defaults().items():
        values = [] if value is True else value if isinstance(value, list) else [value]
        words += [f"--{name.replace('_', '-')}", *map(str, values)]
    return words


def output_file(text: str) -> Path:
    """An ``argparse`` type: a file that can be written; its folder is made if it is missing."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder, not a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot write {path}: {error.strerror}") from None
    if not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"cannot write {path}: no permission in its folder")
    return path


def add_output_files(parser: argparse._ActionsContainer, **files: str) -> None:
    """Add ``--NAME FILE`` for each name of a file to write, with its help."""
    for name, meaning in files.items():
        parser.add_argument(f"--{name}", type=output_file, metavar="FILE", help=meaning)


def log_warnings() -> None:
    """Write warnings and errors of this program's loggers to stderr, each with its time."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")


def exit_status(run: Callable[[], int | None], stopped: str, *extras: str) -> int:
    """Exit status of ``run``: the one that it returns, or 0; 2 with a message for bad input or a missing file; 1 when a
    player or the machine failed; 130 for Ctrl-C. The message ``stopped`` follows Ctrl-C and the death of a worker.
    ``extras``: those of ``pyproject.toml`` that it needs.
    """
    try:
        for extra in extras:
            require_extra(extra)
        return run() or 0
    except BrokenPipeError:  # as `dawn` does with every command
        raise
    except KeyboardInterrupt:
        print(escape_text(stopped), file=sys.stderr)
        return 130
    except WorkerDied as error:
        print(f"error: {escape_text(error)}\n{escape_text(stopped)}", file=sys.stderr)
        return 1
    except (OSError, sqlite3.Error) as error:
        print(f"error: {escape_text(error)}", file=sys.stderr)
        return 2 if isinstance(error, FileNotFoundError) else 1
    except DawnError as error:
        print(f"error: {escape_text(error)}", file=sys.stderr)
        failed = isinstance(error, IllegalAction | PlayerFailure) or is_of_the_machine(error.__cause__)
        return 1 if failed else 2


def entry_point(
    make_parser: Callable[[], argparse.ArgumentParser],
    run: Callable[[argparse.Namespace], int | None],
    stopped: str = "stopped",
    extra: str | None = None,
) -> Callable[..., int]:
    """The ``main`` of a command: from its arguments to its exit status, as of ``exit_status``.

    ``stopped`` may name options in braces. With ``--html`` a command needs the extra ``reports`` besides.
    """

    def main(arguments: list[str] | None = None) -> int:
        options = make_parser().parse_args(arguments)
        extras = [extra] if extra else []
        if getattr(options, "html", None):
            extras.append("reports")
        return exit_status(lambda: run(options), stopped.format_map(vars(options)), *extras)

    return main


@contextmanager
def first_interrupt(heed: Callable[[], None]) -> Iterator[None]:
    """Call ``heed`` on the first Ctrl-C in the block; a second ends it at once."""

    def once(*_):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        heed()

    before = signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
