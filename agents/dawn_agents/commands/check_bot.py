"""The command ``dawn check-bot``."""

import argparse
import shlex
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from dawn_agents.command_line import COUNT, add_game_options, command_parser, entry_point, seed
from dawn_agents.players.external.process_player import BYTE_ORDER_MARK, QUIT_SECONDS, ProcessPlayer
from dawn_agents.players.external.secret_keys import draw_key, secret_seed
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Outcome, Pairing, play_games
from dawn_env.errors import PlayerFailure
from dawn_env.glossary import counted
from dawn_env.host.host import Host
from dawn_env.observation.player_view import View
from dawn_env.support.optional_packages import require_extra
from dawn_env.support.progress_bars import with_progress
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES, SIDES

_DESCRIPTION = """\
Check that a program speaks the protocol of docs/reference/protocol.md: a table of checks, exit status 0 when all
pass.

The program plays against the random player, and is told things a later version of the protocol might say. It learns
nothing of the deals in advance: they and the random player depend on a key that is drawn for each run. Programs that
listen elsewhere are named by their address, ws://HOST:PORT.
"""
_SHORT = 0.2  # seconds per decision in the check of short limits
_CLOCK = "20+0.1"


class Watched(ProcessPlayer):
    """Player of the program that records its slowest answer and refuses unsolicited lines."""

    slowest, told = 0.0, 0
    """Seconds of the slowest answer; events that it was told."""
    unknown = False
    """Whether it is told things that the protocol does not have."""

    def choose(self, view: View) -> int:
        """Choose like ``ProcessPlayer``; records the slowest answer and refuses stray lines."""
        unread = self._program.unread if self._program is not None else ""
        if stray := unread.replace(BYTE_ORDER_MARK, "").strip():
            raise PlayerFailure(f"wrote a line that was not asked for: {stray[:100]!r}")
        started = time.perf_counter()
        action = super().choose(view)
        self.slowest = max(self.slowest, time.perf_counter() - started)
        return action

    def tell(self, command: str, **fields) -> None:
        """Send a command; with ``unknown`` set, also a command and a field that the protocol does not have."""
        self.told += len(fields.get("events", ()))
        if self.unknown:
            super().tell("unknown-command", text="to be ignored")
            fields = {"unknown-field": [1, None, {"text": "to be ignored"}], **fields}
        super().tell(command, **fields)

    @property
    def skipped(self) -> str:
        """Remark on what the program wrote that is skipped; empty if there is nothing."""
        lines, marks = counted(self.blank_lines, "blank line"), counted(self.byte_order_marks, "byte order mark")
        written = [text for text, count in ((lines, self.blank_lines), (marks, self.byte_order_marks)) if count]
        return f"; skipped: {', '.join(written)}" if written else ""

    def end_input(self) -> None:
        """Close the standard input of the program."""
        self._program.end_input()

    def exit_status(self) -> int:
        """Exit status of the program; raises ``PlayerFailure`` if it had to be killed."""
        if (status := self._program.stop(QUIT_SECONDS)) is None:
            raise PlayerFailure(f"was still there {QUIT_SECONDS:g} s later and was cut off")
        return status


class WatchedConnection(Watched):
    """``Watched`` of a program that listens elsewhere: what is started here is ours, and gets the whole environment."""

    variables = None


def _titled(title: str) -> Callable:
    """Decorator of a check: its row in the table."""

    def give(check: Callable) -> Callable:
        check.title = title
        return check

    return give


class Checks:
    """Checks of the program that ``options`` name: methods that return a remark, or raise ``PlayerFailure``."""

    def __init__(self, options: argparse.Namespace):
        self.options, self._numbers = options, count()

    @property
    def listens(self) -> bool:
        """Return True if the name is the address of a running program, not a command that starts one."""
        return self.options.name.startswith(("ws://", "wss://"))

    def secret_seed(self) -> int:
        """Draw another seed, unknown to the program; the same ones in each run with the same key."""
        return secret_seed(self.options.key, next(self._numbers))

    def program(self, **limits) -> Watched:
        """The program, not started yet; raises ``ValueError``."""
        name, seconds = self.options.name, {"seconds": self.options.seconds}
        command = name
        if self.listens:
            require_extra("web")
            from dawn_agents.players.external.websocket_player import bridge_words

            command = shlex.join(bridge_words(name, self.options.token))
        settings = Watched.Options(command, isolate=self.options.isolate, **seconds | limits)
        return (WatchedConnection if self.listens else Watched)(name, self.options.seed, settings)

    @_titled("Check that the program starts, introduces itself, and is ready for a game.")
    def hello(self) -> str:
        """Remark of the check."""
        program = self.program()
        self._begin(program)
        bot = program.bot
        program.close()
        options = ", ".join(f"{name}={value}" for name, value in bot.options.items()) or "none"
        wants = ", ".join(map(str, bot.wants)) or "nothing"
        told = f"{bot.name}, version {bot.version}, protocol {bot.protocol}, options: {options}, wants {wants}"
        return told + program.skipped

    @_titled("Check whole games on both sides: each question gets one line with a legal action in time.")
    def games(self) -> str:
        """Remark of the check."""
        program, outcomes = self._play(self.options.games)
        won = sum(outcome.result == SIDE_NAMES[at % 2] for at, outcome in enumerate(outcomes))
        decisions = sum(outcome.moves[at % 2] for at, outcome in enumerate(outcomes))
        return (
            f"{decisions} decisions in {len(outcomes)} games, {won} won, slowest answer {program.slowest:.3f} s, "
            f"{program.told} events told{program.skipped}"
        )

    @_titled("Check a limit of 0.2 seconds per decision.")
    def short_limit(self) -> str:
        """Remark of the check."""
        return f"slowest answer {self._play(seconds=_SHORT)[0].slowest:.3f} s"

    @_titled("Check a clock of 20 seconds for a game, and 0.1 more for each decision.")
    def clock(self) -> str:
        """Remark of the check."""
        return f"{self._play(clock=_CLOCK)[0].time_left:.1f} s were left"

    @_titled("Check that unknown fields and unknown commands are ignored.")
    def unknown(self) -> str:
        """Remark of the check."""
        self._play(unknown=True)
        return ""

    @_titled("Check that a game can end at any time and another begin.")
    def broken_off(self) -> str:
        """Remark of the check."""
        program = self.program()
        for seat in range(SIDES):
            self._begin(program, seat, decisions=1).forfeit(0, 1 - seat, "broken off")
        program.close()
        return ""

    @_titled("Check exit status 0 after quit.")
    def quit(self) -> str:
        """Remark of the check."""
        program = self.program()
        self._begin(program)
        program.tell("quit")
        if status := program.exit_status():
            raise PlayerFailure(f"exited with status {status}, not 0")
        return "status 0"

    @_titled("Check that the program exits when its standard input is closed.")
    def end_of_input(self) -> str:
        """Remark of the check."""
        program = self.program()
        self._begin(program)
        program.end_input()
        return f"status {program.exit_status()}"

    def _play(self, games: int = 1, unknown: bool = False, **limits) -> tuple[Watched, list[Outcome]]:
        """The program after games against random, as Democrat first and then on alternate sides, and their outcomes.

        ``unknown`` as in ``Watched``. A game that it forfeits raises ``PlayerFailure``.
        """
        program, rival = self.program(**limits), make_player("random", self.secret_seed())
        program.unknown = unknown
        pairs = [(program, rival) if game % 2 == 0 else (rival, program) for game in range(games)]
        pairings = [Pairing(self.secret_seed(), *pair) for pair in pairs]
        outcomes = []
        with closing(program):
            for _, outcome in play_games(pairings, options=self.options.game_options):
                if outcome.failure:
                    raise PlayerFailure(outcome.failure)
                outcomes.append(outcome)
        return program, outcomes

    def _begin(self, program: Watched, seat: int = 0, decisions: int = 0) -> Host:
        """A game of the program at ``seat`` against ``random``, played to its given number of ``decisions``."""
        host = Host(1, self.options.game_options)
        seated = [host.register(program), host.register(make_player("random", self.secret_seed()))]
        host.begin([0], [self.secret_seed()], [seated[:: 1 - 2 * seat]])
        while not host.slots["introduced"][0] or host.slots["decisions"][0, seat] < decisions:
            host.advance()
        return host


CHECKS = (
    Checks.hello, Checks.games, Checks.short_limit, Checks.clock, Checks.unknown, Checks.broken_off, Checks.quit,
    Checks.end_of_input,
)  # fmt: skip


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn check-bot``."""
    parser = command_parser(
        "check-bot",
        _DESCRIPTION,
        "dawn check-bot python3 docs/examples/bot.py",
        "dawn check-bot --games 1 node docs/examples/bot.js",
        check=_check,
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="limit per decision (default %(default)s)")
    parser.add_argument("--games", type=COUNT, default=4, help="games to play, on alternate sides (%(default)s)")
    parser.add_argument("--seed", type=seed, default=1, help="seed that the program is told (%(default)s)")
    parser.add_argument("--key", default=draw_key(), help="what the deals depend on; repeats an earlier run (drawn)")
    parser.add_argument("--token", default="", metavar="FILE", help="holds the secret that a program at ws:// wants")
    parser.add_argument("--isolate", action="store_true", help="start it with processes and files of its own")
    add_game_options(parser)
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, help="the program and its arguments, or its address; last of all"
    )
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Make the ``checks``, or end with a message for options that do not go together; raises ``ValueError``."""
    options.name = options.command[0] if len(options.command) == 1 else shlex.join(options.command)
    options.checks = checks = Checks(options)
    if options.token and not checks.listens:
        parser.error("--token is for programs at an address such as ws://host:1990")
    if checks.listens and options.isolate:
        parser.error("--isolate is for programs that are started here")
    checks.program()


def run_checks(checks: Checks) -> int:
    """Make all checks and print their table; the exit status."""
    name, passed = escape_text(checks.options.name), 0
    table = Table(
        "check", "result", Column("remark", overflow="fold"), title=Text(name, "table.title"), title_justify="left"
    )
    for check in with_progress(CHECKS, "checks", unit="checks", keep=False):
        try:
            result, remark = "[green]pass", check(checks)
            passed += 1
        except PlayerFailure as failure:
            result, remark = "[red]FAIL", str(failure).removeprefix(f"{name}: ")
        table.add_row(check.title, result, Text(escape_text(remark)))
        if not passed:  # without the handshake nothing else can be checked
            break
    Console().print(table)
    print(f"{passed} of {len(CHECKS)} checks passed; the same deals again: --key {escape_text(checks.options.key)}")
    return 0 if passed == len(CHECKS) else 1


main = entry_point(make_parser, lambda options: run_checks(options.checks))
