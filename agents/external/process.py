"""A player that is a program of its own, in any language, over lines of JSON: ``docs/protocol.md``."""

import difflib
import json
import shlex
import shutil
import signal
import time
from dataclasses import asdict, dataclass

from agents.external.line_program import LineProgram, LineTooLong
from agents.external.named_view import named_view
from dawn_env.actions import MOST_POINTS, action_id
from dawn_env.bids import Offer
from dawn_env.errors import PlayerFailure
from dawn_env.formats.foreign import parse_json
from dawn_env.options import GameOptions
from dawn_env.players import ViewPlayer
from dawn_env.support.plain_text import plain, quoted
from dawn_env.tables import SIDE_NAMES
from dawn_env.view import View

PROTOCOL = 1
"""Version of the protocol; goes up when a program written for the one before would no longer work."""

GRACE = 0.25
"""Seconds past a limit in which an answer still counts: pipes and a busy machine take their time."""

QUIT_SECONDS = 2.0
"""What a program gets to exit after ``quit``."""

_STDERR_LINES = 5


class ProcessPlayer(ViewPlayer):
    """A program that speaks the protocol of docs/protocol.md on its standard input and output.

    Whatever it does wrong ends it and raises ``PlayerFailure``; the next game starts it again.
    """

    one_game_at_a_time = True
    outside = True

    @dataclass(frozen=True)
    class Options:
        """``seconds`` per decision, ``nodes`` as a further limit, which the program has to keep itself; ``start``:
        seconds for each of the handshake and a new game; ``set``: options of the program, ``name:value;name:value``."""

        command: str
        seconds: float = 10.0
        nodes: int | None = None
        start: float = 10.0
        set: str = ""

        def __post_init__(self):
            for name in ("seconds", "start"):
                if not 0 < getattr(self, name) < float("inf"):
                    raise ValueError(f"{name}: more than 0 expected, not {getattr(self, name)}")
            if self.nodes is not None and self.nodes < 1:
                raise ValueError(f"nodes: at least 1 expected, not {self.nodes}")
            words = shlex.split(self.command)
            if not words or shutil.which(words[0]) is None:
                raise ValueError(f"command: no program {words[0] if words else ''!r} is found")
            program_settings(self.set)

    def __init__(self, name: str, seed: int, options: Options):
        super().__init__(name, seed, asdict(options))
        self._options = options
        self._program: LineProgram | None = None
        self.bot: dict = {}
        """What the program said of itself: its ``name``, ``version`` and ``options``."""

    @property
    def declared(self) -> str:
        """The name the program has declared."""
        return self.bot.get("name", "")

    def another(self) -> "ProcessPlayer":
        """The same program once more, not started yet."""
        return ProcessPlayer(self.name, self.seed, self._options)

    # --- what a player does --------------------------------------------------------------------

    def bid(self, options: GameOptions) -> Offer:
        """The offer that the program makes; raises ``PlayerFailure``."""
        self._ensure()
        answer = self.ask("bid", "offer", self._options.seconds, rules=options.to_json(), seed=self.seed)
        side, points = (answer.get("side"), answer.get("points")) if isinstance(answer, dict) else (None, None)
        if side not in SIDE_NAMES or type(points) is not int or not 0 <= points <= MOST_POINTS:
            self._fail(f"offered {quoted(answer)}, not a side and points 0 ... {MOST_POINTS}")
        return Offer(SIDE_NAMES.index(side), points)

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Start the program unless it runs, and announce the game; raises ``PlayerFailure``."""
        self._ensure()
        game = {"side": SIDE_NAMES[side], "rules": options.to_json(), "seed": self.seed}
        self.ask("new-game", "ready", self._options.start, **game)

    def choose(self, view: View) -> int:
        """The action the program names; raises ``PlayerFailure``."""
        legal = view.texts
        self.tell("position", **position_message(view))
        limits = {"seconds": self._options.seconds, "nodes": self._options.nodes}
        answer = self.ask("go", "action", self._options.seconds, **limits)
        if answer not in legal:
            near = difflib.get_close_matches(str(answer), legal, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"legal: {', '.join(legal)}"
            self._fail(f"answered {quoted(answer)}, which is not legal at decision {view.decision!r}; {hint}")
        return action_id(answer)

    def end_game(self, outcome: dict) -> None:
        """Tell a program that still runs."""
        if self._program is not None:
            self.tell("end-game", **outcome)

    def close(self) -> None:
        """Ask the program to quit and end its input; kill it and all it started if it does not exit."""
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
                self._fail(f"answered {command!r} with {quoted(answer)}, which has no {key!r}")

    def _receive(self, command: str, within: float, deadline: float) -> dict:
        try:
            line = self._program.receive(deadline - time.monotonic())
        except TimeoutError:
            self._fail(f"gave no answer to {command!r} within {within:g} s")
        except EOFError:
            self._fail(f"{_ending(self._program.exit_status())} when asked {command!r}")
        except LineTooLong:
            self._fail(f"answered {command!r} with a line that does not end")
        try:
            answer = parse_json(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self._fail(f"answered {command!r} with {quoted(line)}, which is no JSON object")
        return answer

    # --- starting and failing ------------------------------------------------------------------

    def _ensure(self) -> None:
        if self._program is None or not self._program.running:
            self._start()

    def _start(self) -> None:
        self._kill()
        try:
            self._program = LineProgram(shlex.split(self._options.command))
        except OSError as error:
            raise PlayerFailure(f"{self.name}: cannot be started: {error}") from error
        bot = self.ask("hello", "bot", self._options.start, protocol=PROTOCOL)
        if problem := hello_problem(bot):
            self._fail(f"answered 'hello' with {problem}")
        self.bot, self.version = bot, bot["version"]
        if self._options.set:
            self.tell("options", values=self._settings())

    def _settings(self) -> dict:
        """Values for the options of the program, each of the type of its default."""
        declared, values = self.bot.get("options", {}), {}
        for name, text in program_settings(self._options.set).items():
            if name not in declared:
                self._fail(f"has no option {name!r}; known: {', '.join(sorted(declared)) or 'none'}")
            values[name] = like(declared[name], text)
            if values[name] is None:
                self._fail(f"option {name!r}: a value like {json.dumps(declared[name])} expected, not {text!r}")
        return values

    def _fail(self, what: str) -> None:
        """End the program and raise ``PlayerFailure``."""
        last_words = self._program.stderr.strip().splitlines()[-_STDERR_LINES:]
        self._kill()
        said = f"; stderr: {' | '.join(last_words)}" if last_words else ""
        raise PlayerFailure(plain(f"{self.name}: {what}{said}"))

    def _kill(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.stop()


def position_message(view: View) -> dict:
    """The fields of ``position``, which depend on what the side to act knows only."""
    return {
        "side": SIDE_NAMES[view.side],
        "decision": view.decision,
        "legal": view.texts,
        "view": named_view(view.observation, view.layout),
    }


def program_settings(text: str) -> dict[str, str]:
    """``name:value;name:value`` as a dictionary; raises ``ValueError``."""
    settings = {}
    for pair in filter(None, text.split(";")):
        name, colon, value = pair.partition(":")
        if not colon or not name:
            raise ValueError(f"set: name:value;name:value expected, not {text!r}")
        settings[name] = value
    return settings


def like(default: str | bool | int | float, text: str) -> str | bool | int | float | None:
    """``text`` as a value of the type of ``default``; None when it is not one."""
    if isinstance(default, str):
        return text
    try:
        value = parse_json(text)
    except ValueError:
        return None
    kinds = (int, float) if type(default) is float else (type(default),)
    return value if type(value) in kinds else None


def hello_problem(bot: object) -> str:
    """What is wrong with what a program says of itself; empty when nothing is."""
    if not isinstance(bot, dict):
        return f"a 'bot' that is no object: {quoted(bot)}"
    for field in ("name", "version"):
        if not isinstance(bot.get(field), str) or not bot[field]:
            return f"a 'bot' whose {field!r} is not a text: {quoted(bot.get(field))}"
    if type(bot.get("protocol")) is not int or bot["protocol"] != PROTOCOL:
        return f"protocol {quoted(bot.get('protocol'))}, this is protocol {PROTOCOL}"
    if not isinstance(bot.get("options", {}), dict):
        return f"'options' that are no object: {quoted(bot['options'])}"
    return ""


def _ending(status: int | None) -> str:
    if status is None:
        return "closed its output"
    if status >= 0:
        return f"exited with status {status}"
    return f"was ended by {signal.Signals(-status).name}"
