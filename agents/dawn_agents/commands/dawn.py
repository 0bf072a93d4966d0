"""The command ``dawn``, which starts the others."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType

_TITLE = "1989: Dawn of Freedom for players, people and learners. dawn COMMAND --help shows options and examples."
PURPOSES = {
    "Play and study": {
        "play": "a game at the terminal",
        "web": "play, watch, replay and analyse in the browser",
        "mcp": "the game as tools for language models",
        "replay": "print or verify recorded games",
        "analyse": "find the decisions that lost recorded games, and the luck",
        "picture": "a position as SVG or PNG",
    },
    "Learn": {
        "train": "train a policy per side",
        "suite": "measure learners: tasks, budgets, scores, reports",
        "dataset": "decisions of recorded games, for learning without an environment",
        "selfplay": "games in bulk, as records: random, or of two players",
        "exploit": "train a best response to one player",
    },
    "Measure players": {
        "tournament": "any players against each other, with ratings",
        "evaluate": "measure the strength of one player",
        "ladder": "a ladder of your own: players that you have measured, kept",
        "benchmark": "measure the speed of engine and players on this machine",
    },
    "Write bots and programs": {
        "check-bot": "check that a program keeps the protocol",
        "serve-bot": "serve a bot over the network",
        "serve-engine": "the engine for bots in any language",
        "data": "what is printed on map and cards, as JSON",
    },
    "Set up": {
        "compile": "compile the rules now, so that the first game starts at once",
    },
}
"""Commands by purpose, with a line each; a module has the name of its command, with ``_`` for ``-``."""
COMMANDS = {name: line for commands in PURPOSES.values() for name, line in commands.items()}
_UNREAD = 141  # what shells tell of programs that write to nobody


def module(command: str) -> ModuleType:
    """Import the module of a command."""
    return import_module(f"dawn_agents.commands.{command.replace('-', '_')}")


def main(arguments: list[str] | None = None) -> int:
    """Entry point; the exit status of the command, 2 when there is no such command."""
    if not os.environ.get("COLUMNS", "").strip("0"):
        os.environ.pop("COLUMNS", None)  # rich takes 0 for the width
    with suppress(AttributeError):  # None when it is closed, or something in place of a file
        sys.stdout.reconfigure(errors="replace")
    try:
        with _sigterm_as_ctrl_c():
            return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # of imports: commands handle their own
        return 130
    except BrokenPipeError:  # who reads has read enough, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that flushing the rest does not fail again
        return _UNREAD


@contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """Handle SIGTERM in the block as Ctrl-C, also in the first process of a container, which else ignores it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what signals do
        return

    def as_ctrl_c(number: int, frame) -> None:
        handler = signal.getsignal(signal.SIGINT)  # none that can be called where Ctrl-C is ignored, as behind nohup
        (handler if callable(handler) else signal.default_int_handler)(number, frame)

    before = signal.signal(signal.SIGTERM, as_ctrl_c)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(words: list[str]) -> int:
    """Exit status of what the words ask for, with all output written."""
    try:
        if not words or words[0] in ("-h", "--help"):
            print(overview())
            return 0
        if words[0] in ("-V", "--version"):
            from dawn_env import __version__  # takes a moment to import
            from dawn_env.support.compiling import how_it_runs

            print(f"dawn_env {__version__}, engine: {how_it_runs()}")
            return 0
        if words[0] in COMMANDS:
            return module(words[0]).main(words[1:])
        near = get_close_matches(words[0], COMMANDS, 1)
        hint = f"did you mean 'dawn {near[0]}'? " if near else ""
        print(f"dawn: no command is called {words[0]!r}; {hint}known: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def overview() -> str:
    """List of the commands by purpose."""
    lines = [_TITLE]
    for purpose, commands in PURPOSES.items():
        lines += ["", f"{purpose}:", *(f"  dawn {name:<13} {line}" for name, line in commands.items())]
    return "\n".join(lines)
