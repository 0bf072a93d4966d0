"""Check that a program speaks the protocol of docs/reference/protocol.md: a table of checks, exit status 0 when all
pass.

The program plays against the random player, and is told things a later version of the protocol might say. It learns
nothing of the deals in advance: they and the random player depend on a key that is drawn for each run. Programs that
listen elsewhere are named by their address, ws://HOST:PORT.
"""

import argparse
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from dawn_agents.command_line import COUNT, add_game_options, command_parser, exit_status, seed
from dawn_agents.external.process_player import QUIT_SECONDS, ProcessPlayer
from dawn_agents.external.secret_keys import draw_key, secret_seed
from dawn_agents.match import Outcome, Pairing, play_games
from dawn_agents.registry import make_player
from dawn_env.errors import PlayerFailure
from dawn_env.host.host import Host
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.support.optional_packages import require_extra
from dawn_env.support.progress_bars import with_progress
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES, SIDES

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
        if self._program is not None and (stray := self._program.unread):
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

    def exit_after_quit(self) -> int | None:
        """Its exit status after ``quit``; None when it had to be killed."""
        self.tell("quit")
        return self._program.stop(QUIT_SECONDS)

    def exit_after_end_of_input(self) -> int | None:
        """Its exit status after its input was closed; None when it had to be killed."""
        self._program.end_input()
        return self._program.stop(QUIT_SECONDS)


@dataclass
class CheckSettings:
    """Settings of the checks.

    ``name``: a command, started with ``isolate``, or the address at which a program listens, with the file of its
    ``token``.
    """

    name: str
    token: str
    isolate: bool
    seconds: float
    games: int
    seed: int
    key: str
    options: GameOptions
    numbers: Iterator[int] = field(default_factory=count)

    @property
    def listens(self) -> bool:
        """Return True if ``name`` is the address of a running program, not a command that starts one."""
        return self.name.startswith(("ws://", "wss://"))

    def secret_seed(self) -> int:
        """Draw another seed, unknown to the program; the same ones in each run with the same key."""
        return secret_seed(self.key, next(self.numbers))

    def program(self, **limits) -> Watched:
        """The program, not started yet; raises ``ValueError``."""
        command = self.name
        if self.listens:
            require_extra("web")
            from dawn_agents.external.websocket_player import bridge_words

            command = shlex.join(bridge_words(self.name, self.token))
        options = Watched.Options(command, isolate=self.isolate, **{"seconds": self.seconds, **limits})
        return Watched(self.name, self.seed, options)


# --- the checks: each returns a remark, or raises PlayerFailure --------------------------------------


def check_hello(settings: CheckSettings) -> str:
    """Check that the program starts, introduces itself, and is ready for a game."""
    program = settings.program()
    _begin(program, settings)
    bot = program.bot
    program.close()
    options = ", ".join(f"{name}={value}" for name, value in bot.options.items()) or "none"
    wants = ", ".join(map(str, bot.wants)) or "nothing"
    return f"{bot.name}, version {bot.version}, protocol {bot.protocol}, options: {options}, wants {wants}"


def check_games(settings: CheckSettings) -> str:
    """Check whole games on both sides: legal answers, in time, one line for each question."""
    program, outcomes = _play(settings, settings.games)
    won = sum(outcome.result == SIDE_NAMES[at % 2] for at, outcome in enumerate(outcomes))
    decisions = sum(outcome.moves[at % 2] for at, outcome in enumerate(outcomes))
    return (
        f"{decisions} decisions in {len(outcomes)} games, {won} won, slowest answer {program.slowest:.3f} s, "
        f"{program.told} events told"
    )


def check_short_limit(settings: CheckSettings) -> str:
    """Check a limit of 0.2 seconds per decision."""
    return f"slowest answer {_play(settings, seconds=_SHORT)[0].slowest:.3f} s"


def check_clock(settings: CheckSettings) -> str:
    """Check a clock of 20 seconds for a game, and 0.1 more for each decision."""
    return f"{_play(settings, clock=_CLOCK)[0].time_left:.1f} s were left"


def check_unknown(settings: CheckSettings) -> str:
    """Check that unknown fields and unknown commands are ignored."""
    _play(settings, unknown=True)
    return ""


def check_broken_off(settings: CheckSettings) -> str:
    """Check that a game can end at any time and another begin."""
    program = settings.program()
    for seat in range(SIDES):
        _begin(program, settings, seat, decisions=1).forfeit(0, 1 - seat, "broken off")
    program.close()
    return ""


def check_quit(settings: CheckSettings) -> str:
    """Check exit status 0 after quit."""
    program = settings.program()
    _begin(program, settings)
    return _exited(program.exit_after_quit(), settings)


def check_end_of_input(settings: CheckSettings) -> str:
    """Check that the program exits when its input ends, as it does when the games are killed."""
    program = settings.program()
    _begin(program, settings)
    return _exited(program.exit_after_end_of_input(), settings, any_status=True)


def checks_of(settings: CheckSettings) -> tuple[Callable[[CheckSettings], str], ...]:
    """Checks after ``check_hello``."""
    end = () if settings.listens else (check_end_of_input,)  # there only the connection can be seen
    return check_games, check_short_limit, check_clock, check_unknown, check_broken_off, check_quit, *end


def _play(settings: CheckSettings, games: int = 1, unknown: bool = False, **limits) -> tuple[Watched, list[Outcome]]:
    """The program after games against random, as Democrat first and then on alternate sides, and their outcomes.

    ``unknown`` as in ``Watched``. A game that it forfeits raises ``PlayerFailure``.
    """
    program, rival = settings.program(**limits), make_player("random", settings.secret_seed())
    program.unknown = unknown
    pairs = [(program, rival) if game % 2 == 0 else (rival, program) for game in range(games)]
    pairings = [Pairing(settings.secret_seed(), *pair) for pair in pairs]
    outcomes = []
    try:
        for _, outcome in play_games(pairings, options=settings.options):
            if outcome.failure:
                raise PlayerFailure(outcome.failure)
            outcomes.append(outcome)
    finally:
        program.close()
    return program, outcomes


def _begin(program: Watched, settings: CheckSettings, seat: int = 0, decisions: int = 0) -> Host:
    """A game of the program at ``seat`` against ``random``, begun and played to its given number of ``decisions``."""
    host = Host(1, settings.options)
    seated = [host.register(program), host.register(make_player("random", settings.secret_seed()))]
    host.begin([0], [settings.secret_seed()], [seated[:: 1 - 2 * seat]])
    while not host.slots["introduced"][0] or host.slots["decisions"][0, seat] < decisions:
        host.advance()
    return host


def _exited(status: int | None, settings: CheckSettings, any_status: bool = False) -> str:
    if status is None:
        raise PlayerFailure(f"was still there {QUIT_SECONDS:g} s later and was cut off")
    if status and not any_status:
        raise PlayerFailure(f"exited with status {status}, not 0")
    return "closed the connection" if settings.listens else f"status {status}"


# --- running them ------------------------------------------------------------------------------------


def run_check(check: Callable[[CheckSettings], str], settings: CheckSettings) -> tuple[bool, str]:
    """Result of a check: passed or not, and a remark."""
    try:
        return True, check(settings)
    except PlayerFailure as failure:
        return False, str(failure).removeprefix(f"{escape_text(settings.name)}: ")


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn check-bot``."""
    parser = command_parser(
        "check-bot",
        __doc__,
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
    """Make the ``settings``, or end with a message for options that do not go together."""
    name = options.command[0] if len(options.command) == 1 else shlex.join(options.command)
    options.settings = settings = CheckSettings(
        name, options.token, options.isolate, options.seconds, options.games, options.seed, options.key,
        options.game_options,
    )  # fmt: skip
    if settings.token and not settings.listens:
        parser.error("--token is for programs at an address such as ws://host:1990")
    if settings.listens and settings.isolate:
        parser.error("--isolate is for programs that are started here")
    try:
        settings.program()
    except ValueError as error:
        parser.error(escape_text(error))


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all checks pass, 1 when one fails, 2 for a bad command line, 130 for Ctrl-C."""
    settings = make_parser().parse_args(arguments).settings
    return exit_status(lambda: run_checks(settings), "stopped")


def run_checks(settings: CheckSettings) -> int:
    """Make all checks and print their table; the exit status."""
    title = Text(escape_text(settings.name), "table.title")
    table = Table("check", "result", Column("remark", overflow="fold"), title=title, title_justify="left")
    results, checks = [], (check_hello, *checks_of(settings))
    for check in with_progress(checks, "checks", unit="checks", keep=False):
        passed, remark = run_check(check, settings)
        table.add_row(check.__doc__, "[green]pass" if passed else "[red]FAIL", Text(escape_text(remark)))
        results.append(passed)
        if not results[0]:  # without the handshake nothing else can be checked
            break
    Console().print(table)
    print(f"{sum(results)} of {len(checks)} checks passed; the same deals again: --key {escape_text(settings.key)}")
    return 0 if sum(results) == len(checks) else 1
