"""Players that are programs of their own, in any language, over lines of JSON: ``docs/reference/protocol.md``."""

import json
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from dawn_agents.players.external.isolation import REFUSAL, can_isolate
from dawn_agents.players.external.line_program import LineProgram, LineTooLong, program_problem
from dawn_agents.players.external.protocol_messages import (
    PROTOCOL,
    BotFacts,
    bot_facts,
    like,
    position_message,
    program_settings,
)
from dawn_env.actions import MOST_POINTS, action_id
from dawn_env.bids import Offer
from dawn_env.errors import PlayerFailure
from dawn_env.formats.determinization import world_text
from dawn_env.formats.printed_data import printed_data, printed_name
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import ViewPlayer
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.untrusted_json import parse_json

GRACE = 0.25
"""Seconds past a limit in which an answer still counts: pipes and a busy machine take their time."""

QUIT_SECONDS = 2.0
"""What a program gets to exit after ``quit``."""

VARIABLES = ("PATH", "HOME", "LANG")
"""Names of the variables of the environment that programs of others get: secrets may be in the rest."""

BYTE_ORDER_MARK = "\ufeff"

_REPORTED_LINES = 15
_CLOCK = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,4}(?:\.\d{1,3})?))?")


def clock_seconds(text: str) -> tuple[float, float]:
    """Seconds for a game and increment for each decision of a clock such as ``300+2``; raises ``ValueError``."""
    found = _CLOCK.fullmatch(text)
    if not found or not float(found[1]):
        raise ValueError(
            f"clock: seconds, such as 300, or with an increment per decision, 300+2, not {short_repr(text)}"
        )
    return float(found[1]), float(found[2] or 0)


@dataclass(frozen=True, kw_only=True)
class MoveLimits:
    """``seconds`` per decision, ``nodes`` as a further limit, which the program has to keep itself; ``start``:
    seconds for each of the handshake and a new game; ``set``: options of the program, ``name:value;name:value``;
    ``clock``: seconds for all decisions of a game and an increment after each, as ``300+2``."""

    seconds: float = 10.0
    nodes: int | None = None
    start: float = 10.0
    set: str = ""
    clock: str = ""

    def __post_init__(self):
        for name in ("seconds", "start"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name}: more than 0 expected, not {getattr(self, name)}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes: at least 1 expected, not {self.nodes}")
        if self.clock:
            clock_seconds(self.clock)
        program_settings(self.set)


class ProcessPlayer(ViewPlayer):
    """A program that speaks the protocol of docs/reference/protocol.md on its standard input and output.

    Whatever it does wrong ends it and raises ``PlayerFailure``; the next game starts it again.
    """

    one_game_at_a_time = True
    is_external = True
    wants_events = True
    variables: tuple[str, ...] | None = VARIABLES
    """Names of the variables of the environment that the program gets; None: of all."""

    @dataclass(frozen=True)
    class Options(MoveLimits):
        """``command`` as a shell would split it; ``isolate``: with processes and files of its own (needs bubblewrap);
        the rest as for all programs."""

        command: str
        isolate: bool = False

        def __post_init__(self):
            super().__post_init__()
            if problem := program_problem(shlex.split(self.command)):
                raise ValueError(f"command: {problem}")
            if self.isolate and not can_isolate():
                raise ValueError(REFUSAL)

    def __init__(self, name: str, seed: int, options: Any):
        super().__init__(name, seed, options)
        self._options = options
        self._program: LineProgram | None = None
        self.time_left: float | None = None
        """Seconds on the clock of the game that is played, if it has one."""
        self._heard: list[Mapping[str, Any]] = []  # since its last decision
        self.blank_lines, self.byte_order_marks = 0, 0
        """What the program wrote that was skipped."""
        self.bot: BotFacts | None = None
        """What the program said of itself, once it has."""

    def _started(self) -> LineProgram:
        """Start the program; raises ``OSError``."""
        return LineProgram(shlex.split(self._options.command), self._options.isolate, variables=self.variables)

    @property
    def declared(self) -> str:
        """The name and the version that the program has declared; empty before it has."""
        return f"{self.bot.name} {self.bot.version}" if self.bot else ""

    def clone(self) -> "ProcessPlayer":
        """Copy of the player for the same program, not started yet."""
        return type(self)(self.name, self.seed, self._options)

    # --- what a player does --------------------------------------------------------------------

    def bid(self, options: GameOptions) -> Offer:
        """The offer that the program makes; raises ``PlayerFailure``."""
        self.start_program()
        self._heard = []
        answer = self.ask("bid", "offer", self._options.seconds, rules=options.to_json(), seed=self.seed)
        side, points = (answer.get("side"), answer.get("points")) if isinstance(answer, dict) else (None, None)
        if side not in SIDE_NAMES or type(points) is bool or points not in range(MOST_POINTS + 1):
            self._fail(f"offered {short_repr(answer)}, not a side and points 0 ... {MOST_POINTS}")
        return Offer(SIDE_NAMES.index(side), int(points))  # JSON does not tell 2.0 from 2

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Start the program unless it runs, and announce the game; raises ``PlayerFailure``."""
        self.start_program()
        self.time_left, self._increment = clock_seconds(self._options.clock) if self._options.clock else (None, 0.0)
        if not options.bid:
            self._heard = []
        data = printed_data() if self._wants("data") else printed_name()
        game = {"side": SIDE_NAMES[side], "rules": options.to_json(), "seed": self.seed}
        self.ask("new-game", "ready", self._options.start, **game, protocol=PROTOCOL, data=data)

    def on_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Keep them for the next ``position``."""
        self._heard += events

    def choose(self, view: View) -> int:
        """The action the program names; raises ``PlayerFailure``."""
        legal = view.texts
        world = {"world": world_text(view)} if self._wants("world") else {}
        self.tell("position", **position_message(view), **self._news(), **world)
        answer = self._go()
        if answer not in legal:
            wrong = f"answered {short_repr(answer)}, which is not legal at decision {view.decision!r}"
            self._fail(f"{wrong}; legal: {', '.join(legal)}")
        return action_id(answer)

    def _go(self) -> Any:
        """The program's answer to ``go``; raises an error if it is late."""
        seconds, clock = self._options.seconds, None
        if self.time_left is not None:
            clock = {"left": round(self.time_left, 3), "increment": self._increment}
            seconds = min(seconds, clock["left"])
        started = time.monotonic()
        answer = self.ask("go", "action", seconds, seconds=seconds, nodes=self._options.nodes, clock=clock)
        if self.time_left is not None:
            self.time_left = max(0.0, self.time_left - (time.monotonic() - started)) + self._increment
        return answer

    def end_game(self, outcome: dict) -> None:
        """Tell a program that still runs."""
        if self._program is not None:
            self.tell("end-game", **outcome, **self._news())

    def close(self) -> None:
        """Ask the program to quit; end it if it does not."""
        if self._program is not None:
            self.tell("quit")
            program, self._program = self._program, None
            program.end_input()
            program.stop(QUIT_SECONDS)

    # --- talking -------------------------------------------------------------------------------

    def tell(self, command: str, **fields) -> None:
        """Send a command."""
        if self._program is None:
            raise PlayerFailure(f"{self.name}: no game has begun, or the program has failed in it")
        self._program.send(json.dumps({"command": command, **fields}, separators=(",", ":")))

    def ask(self, command: str, key: str, within: float, **fields):
        """Send a command and wait for the value its answer has under ``key``; raises ``PlayerFailure``."""
        self.tell(command, **fields)
        deadline = time.monotonic() + within + GRACE
        while True:
            answer = self._receive(command, within, deadline)
            if key in answer:
                return answer[key]
            if "info" not in answer:
                self._fail(f"answered {command!r} with {short_repr(answer)}, which has no {key!r}")

    def _receive(self, command: str, within: float, deadline: float) -> dict:
        try:
            answer = parse_json(line := self._next_line(deadline))
        except TimeoutError:
            silent = command == "hello" and not self._program.stderr_tail
            hint = "; does it flush its output after every line?" if silent else ""
            self._fail(self._late(command, within) + (self._unfinished_line() or hint))
        except EOFError:
            self._fail(f"{self._program.ending()} when asked {command!r}{self._unfinished_line()}")
        except LineTooLong:
            self._fail(f"answered {command!r} with a line longer than 1 MiB")
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self._fail(f"answered {command!r} with {short_repr(line)}, which is no JSON object")
        return answer

    def _next_line(self, deadline: float) -> str:
        """The next line that is not blank, without a byte order mark; raises as ``LineProgram.receive`` does."""
        while True:
            written = self._program.receive(deadline - time.monotonic())
            line = written.removeprefix(BYTE_ORDER_MARK).strip()
            self.byte_order_marks += written.startswith(BYTE_ORDER_MARK)
            if line:
                return line
            self.blank_lines += 1
            if time.monotonic() > deadline:
                raise TimeoutError

    def _late(self, command: str, within: float) -> str:
        if command == "go" and self.time_left is not None and self.time_left < self._options.seconds:
            return f"lost on time: its clock of {self._options.clock} ran out"
        return f"gave no answer to {command!r} within {within:g} s"

    def _unfinished_line(self) -> str:
        written = self._program.unread
        return f"; it wrote {short_repr(written)} without an end of line" if written and "\n" not in written else ""

    def _news(self) -> dict[str, Any]:
        news, self._heard = self._heard, []
        return {"events": news}

    def _wants(self, what: str) -> bool:
        return self.bot is not None and what in self.bot.wants

    # --- starting and failing ------------------------------------------------------------------

    def start_program(self) -> None:
        """Start the program unless it runs, and have it introduce itself; raises ``PlayerFailure``."""
        if self._program is not None and self._program.running:
            return
        self._stop()
        try:
            self._program = self._started()
        except OSError as error:
            raise PlayerFailure(escape_text(f"{self.name}: cannot be started: {error}")) from error
        bot = self.ask("hello", "bot", self._options.start, protocol=PROTOCOL)
        try:
            self.bot = bot_facts(bot)
        except ValueError as error:
            self._fail(f"answered 'hello' with a 'bot' that is none: {error}")
        self.version = self.bot.version
        if self._options.set:
            self.tell("options", values=self._settings())

    def _settings(self) -> dict:
        """Values for the options of the program, each of the type of its default."""
        declared, values = self.bot.options, {}
        for name, text in program_settings(self._options.set).items():
            if name not in declared:
                self._fail(f"has no option {name!r}; known: {', '.join(sorted(declared)) or 'none'}")
            values[name] = like(declared[name], text)
            if values[name] is None:
                self._fail(f"option {name!r}: a value like {json.dumps(declared[name])} expected, not {text!r}")
        return values

    def _fail(self, what: str) -> NoReturn:
        """End the program and raise ``PlayerFailure``."""
        lines = self._program.stderr_tail.strip().splitlines()[-_REPORTED_LINES:]
        self._stop()
        said = f"; stderr: {' | '.join(lines)}" if lines else ""
        raise PlayerFailure(escape_text(f"{self.name}: {what}{said}"))

    def _stop(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.stop()
