"""A child program one talks to in lines, with time limits that hold whatever the program does.

One thread does everything: while a line is awaited, pending input is written, output read and stderr drained,
each as the program is ready for it. So no full pipe can stop both sides, and no write can block. A supervisor between
the two (``supervisor.py``) ends the program and all it has started, even when this process is killed. Needs a POSIX
system.
"""

import errno
import os
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dawn_agents.external.isolation import REFUSAL, can_isolate, own_files, own_processes
from dawn_agents.external.protocol_player import LONGEST_LINE, Connection, LineTooLong, MoveLimits, ProtocolPlayer

_CHUNK = 1 << 16
_STDERR_TAIL = 1 << 14  # bytes kept
_SETTLE_SECONDS = 1.0  # for a program that closed its output to exit, and its last words to arrive
_KILL_SECONDS = 10.0  # for the supervisor to end everything; then it is itself ended
_SUPERVISOR = Path(__file__).with_name("supervisor.py")


class LineProgram(Connection):
    """A running program.

    It is killed with all it has started by ``stop``, and also when the object or this process goes away.
    """

    def __init__(self, command: list[str], isolate: bool = False):
        """Start it, with files of its own if ``isolate``; raises ``OSError`` when that fails."""
        self._process, self._lifeline = _guarded(command, isolate)
        self._unsent, self._unread = bytearray(), bytearray()
        self._stderr = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ, LineProgram._read_output)
        self._selector.register(self._process.stderr, selectors.EVENT_READ, LineProgram._read_stderr)
        os.set_blocking(self._process.stdin.fileno(), False)
        self._finalizer = weakref.finalize(self, _end, self._process, self._lifeline, self._selector)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def stderr_tail(self) -> str:
        return self._stderr.decode(errors="replace")

    def send(self, line: str) -> None:
        """Queue a line; it is written now as far as the program takes it, and the rest while waiting."""
        if not self._unsent:
            self._selector.register(self._process.stdin, selectors.EVENT_WRITE, LineProgram._write_input)
        self._unsent += line.encode() + b"\n"
        self._serve(0)

    def receive(self, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        left = seconds
        while b"\n" not in self._unread:
            if self._process.stdout.fileno() not in self._selector.get_map():
                raise EOFError
            if len(self._unread) > LONGEST_LINE:
                raise LineTooLong
            if left <= 0:
                raise TimeoutError
            self._serve(left)
            if (left := deadline - time.monotonic()) <= 0:
                self._serve(0)  # this process may be late: the line may have been there in time
        line, _, rest = bytes(self._unread).partition(b"\n")
        self._unread[:] = rest
        return line.decode(errors="replace")

    @property
    def unread(self) -> str:
        self._serve(0)
        return self._unread.decode(errors="replace")

    @property
    def unfinished_line(self) -> str:
        return self._unread.rpartition(b"\n")[2].decode(errors="replace")

    def end_input(self) -> None:
        if self._process.stdin.fileno() in self._selector.get_map():
            self._selector.unregister(self._process.stdin)
        self._process.stdin.close()

    def _wait(self) -> int | None:
        """Its exit status (negative: the signal that ended it); None if it lives on."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_SETTLE_SECONDS)
            received = self._lifeline.recv(4)
            return os.waitstatus_to_exitcode(int.from_bytes(received)) if received else status
        return None

    def ending(self) -> str:
        self._serve_until_closed(_SETTLE_SECONDS)
        status = self._wait()
        if status is None:
            return "closed its output"
        if status >= 0:
            return f"exited with status {status}"
        return f"was ended by {signal.Signals(-status).name}"

    def stop(self, seconds: float = 0) -> int | None:
        self._serve_until_closed(seconds)
        status = self._wait() if seconds else None
        self._finalizer()
        return status

    # --- pipes ---------------------------------------------------------------------------------

    def _serve(self, seconds: float) -> None:
        """Wait for the pipes at most this long and do what they are ready for."""
        for key, _ in self._selector.select(seconds):
            key.data(self)

    def _serve_until_closed(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        outputs = {self._process.stdout.fileno(), self._process.stderr.fileno()}
        while outputs & set(self._selector.get_map()) and (left := deadline - time.monotonic()) > 0:
            self._serve(left)
            self._unread.clear()

    def _write_input(self) -> None:
        try:
            written = os.write(self._process.stdin.fileno(), self._unsent[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            written = len(self._unsent)  # it will not read any more; its output tells the rest
        del self._unsent[:written]
        if not self._unsent:
            self._selector.unregister(self._process.stdin)

    def _read_output(self) -> None:
        self._unread += self._read(self._process.stdout)

    def _read_stderr(self) -> None:
        self._stderr += self._read(self._process.stderr)
        del self._stderr[:-_STDERR_TAIL]

    def _read(self, pipe) -> bytes:
        data = os.read(pipe.fileno(), _CHUNK)
        if not data:
            self._selector.unregister(pipe)
        return data


def supervisor_command(lifeline: int, command: Sequence[str], isolate: bool) -> list[str]:
    """The command that runs a program until the socket ``lifeline``, a file descriptor, is closed at its other end.

    ``isolate``: with files of its own; it has processes of its own wherever that is possible.
    """
    namespaces = own_files(command, _SUPERVISOR) if isolate else own_processes()
    supervisor = [sys.executable, "-I", "-S", str(_SUPERVISOR), str(lifeline)]
    return [*supervisor, str(len(namespaces)), *namespaces, *command]


def _guarded(command: list[str], isolate: bool) -> tuple[subprocess.Popen, socket.socket]:
    """The supervisor of a program that runs, and the socket it watches; raises ``OSError`` if it cannot start."""
    ours, theirs = socket.socketpair()
    pipe = subprocess.PIPE
    with theirs:
        process = subprocess.Popen(
            supervisor_command(theirs.fileno(), command, isolate), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0,
            pass_fds=(theirs.fileno(),), start_new_session=True,
        )  # fmt: skip
    answer = ours.recv(4)
    if number := int.from_bytes(answer) if answer else errno.ECHILD:
        _end(process, ours)
        raise OSError(number, os.strerror(number) if answer else "its supervisor has died", command[0])
    return process, ours


def _end(process: subprocess.Popen, lifeline: socket.socket, *others: selectors.BaseSelector) -> None:
    """End a program with all it has started, take its exit status, close its pipes and ``others``."""
    lifeline.close()
    try:
        process.wait(_KILL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for other in (*others, process.stdin, process.stdout, process.stderr):
        other.close()


def program_problem(words: list[str]) -> str:
    """Error message with a remedy if a command cannot be started, else an empty text."""
    if not words:
        return "name the program, such as 'python3 bot.py'"
    program = words[0]
    if shutil.which(program):
        return ""
    if Path(program).is_file():
        remedy = f"name its interpreter too, 'node {program}', or make it executable and name its folder, './bot'"
        return f"{program!r} cannot be started by itself: {remedy}"
    return f"no program {program!r} is found"


class ProcessPlayer(ProtocolPlayer):
    """A program that speaks the protocol of docs/reference/protocol.md on its standard input and output."""

    @dataclass(frozen=True)
    class Options(MoveLimits):
        """``command`` as a shell would split it; ``isolate``: with processes and files of its own (needs bubblewrap);
        the rest as for all programs."""

        command: str
        isolate: bool = False

        def __post_init__(self):
            super().__post_init__()
            words = shlex.split(self.command)
            if problem := program_problem(words):
                raise ValueError(f"command: {problem}")
            if self.isolate and not can_isolate():
                raise ValueError(REFUSAL)

    def _connect(self) -> Connection:
        return LineProgram(shlex.split(self._options.command), self._options.isolate)
