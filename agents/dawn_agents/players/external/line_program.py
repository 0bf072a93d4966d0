"""A child program one talks to in lines, with time limits that hold whatever the program does.

Threads write its input and read its stderr, so no full pipe can stop both sides, and sending never blocks. A supervisor
between the two (``supervisor.py``) ends the program and all it has started, even when this process is killed. Needs a
POSIX system.
"""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from dawn_agents.players.external.isolation import own_files, own_processes

LONGEST_LINE = 1 << 20
"""Maximum length in bytes of a line from a program."""

_CHUNK = 1 << 16
_STDERR_TAIL = 1 << 14  # bytes kept
_SETTLE_SECONDS = 1.0  # for a program that closed its output to exit, and its last words to arrive
_KILL_SECONDS = 10.0  # for the supervisor to end everything; then it is itself ended
_SUPERVISOR = Path(__file__).with_name("supervisor.py")


class LineTooLong(Exception):
    """The program wrote a line longer than ``LONGEST_LINE``."""


class LineProgram:
    """A running program.

    It is killed with all it has started by ``stop``, and also when the object or this process goes away.
    """

    def __init__(
        self,
        command: Sequence[str],
        isolate: bool = False,
        stderr: int | None = None,
        variables: Iterable[str] | None = None,
    ):
        """Start it, with files of its own if ``isolate``; raises ``OSError`` when that fails.

        It has processes of its own wherever that is possible. ``stderr``: a file descriptor that it shall have as
        standard error; without one the end of that is kept. ``variables``: names of those of the environment that it
        gets; all by default.
        """
        (stdin, writer), (reader, stdout) = os.pipe(), os.pipe()
        errors, stderr = os.pipe() if stderr is None else (None, os.dup(stderr))
        environment = {name: os.environ[name] for name in variables or os.environ if name in os.environ}
        self._process, self._lifeline = _supervised(command, isolate, (stdin, stdout, stderr), environment)
        self._unsent: SimpleQueue[bytes | None] = SimpleQueue()
        self._stdout, self._unread = open(reader, "rb", buffering=0), bytearray()
        self._stderr = bytearray()
        threading.Thread(target=_write, args=(writer, self._unsent), daemon=True).start()
        if errors is not None:
            self._listener = threading.Thread(target=_listen, args=(errors, self._stderr), daemon=True)
            self._listener.start()
        self._finalizer = weakref.finalize(self, _end, self._process, self._lifeline, self._unsent, self._stdout)
        if number := int.from_bytes(self._lifeline.recv(4) or errno.ECHILD.to_bytes(4)):
            self._finalizer()
            raise OSError(number, os.strerror(number), command[0])

    @property
    def running(self) -> bool:
        """Return True unless the program has ended."""
        return self._process.poll() is None

    @property
    def stderr_tail(self) -> str:
        """The end of what it has written to standard error."""
        return self._stderr.decode(errors="replace")

    def send(self, line: str) -> None:
        """Send a line; does not wait for a program that does not read."""
        self._unsent.put(line.encode() + b"\n")

    def end_input(self) -> None:
        """Close the standard input of the program, after all that was sent."""
        self._unsent.put(None)

    def receive(self, seconds: float | None = None) -> str:
        """The next line, without its end; waits at most so long, and not at all for 0 or less.

        Raises ``TimeoutError``, ``EOFError`` when the program has closed its output, and ``LineTooLong``.
        """
        deadline, left = time.monotonic() + (seconds or 0), seconds
        while b"\n" not in self._unread:
            if len(self._unread) > LONGEST_LINE:
                raise LineTooLong
            if left is not None and left <= 0 or not wait([self._stdout], left):
                raise TimeoutError
            if not (data := self._stdout.read(_CHUNK)):
                raise EOFError
            self._unread += data
            left = None if seconds is None else deadline - time.monotonic()
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    @property
    def unread(self) -> str:
        """Output that was not received; after ``TimeoutError`` or ``EOFError`` a line without its end."""
        if wait([self._stdout], 0):
            self._unread += self._stdout.read(_CHUNK)
        return self._unread.decode(errors="replace")

    def ending(self) -> str:
        """Describe how the program has ended, after ``EOFError``."""
        status = self._exit_status(_SETTLE_SECONDS)
        if status is None:
            return "closed its output"
        self._listener.join(_SETTLE_SECONDS)
        return f"was ended by {signal.Signals(-status).name}" if status < 0 else f"exited with status {status}"

    def stop(self, seconds: float = 0) -> int | None:
        """Kill the program unless it exits within ``seconds``; its exit status, or None if it was killed."""
        status = self._exit_status(seconds) if seconds else None
        self._finalizer()
        return status

    def _exit_status(self, seconds: float) -> int | None:
        """Exit status of the program (negative: the signal that ended it); None if it still runs after ``seconds``."""
        self._lifeline.settimeout(seconds)
        with suppress(TimeoutError):
            if status := self._lifeline.recv(4):
                return os.waitstatus_to_exitcode(int.from_bytes(status))
        return None


def _supervised(
    command: Sequence[str], isolate: bool, streams: Sequence[int], environment: Mapping[str, str]
) -> tuple[subprocess.Popen, socket.socket]:
    """The supervisor of a program, which has been sent its standard ``streams``, and the socket it watches."""
    ours, theirs = socket.socketpair()
    namespaces = own_files(command, _SUPERVISOR) if isolate else own_processes()
    supervisor = [*namespaces, sys.executable, "-I", "-S", str(_SUPERVISOR), str(theirs.fileno())]
    nothing = subprocess.DEVNULL
    with theirs:
        process = subprocess.Popen(
            [*supervisor, *command], stdin=nothing, stdout=nothing, stderr=nothing, pass_fds=(theirs.fileno(),),
            start_new_session=True, env=environment,
        )  # fmt: skip
        socket.send_fds(ours, [b"+"], streams)
    for stream in streams:
        os.close(stream)
    return process, ours


def _write(pipe: int, lines: SimpleQueue) -> None:
    """Write the lines of a queue until it yields None."""
    with suppress(BrokenPipeError), open(pipe, "wb") as file:  # its output tells the rest
        for line in iter(lines.get, None):
            file.write(line)
            file.flush()


def _listen(pipe: int, tail: bytearray) -> None:
    """Read a pipe to its end, and keep the last bytes in ``tail``."""
    with open(pipe, "rb", buffering=0) as file:
        while data := file.read(_CHUNK):
            tail += data
            del tail[:-_STDERR_TAIL]


def _end(process: subprocess.Popen, lifeline: socket.socket, lines: SimpleQueue, stdout: BinaryIO) -> None:
    """End a program with all it has started, and close its pipes."""
    lifeline.close()
    try:
        process.wait(_KILL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    lines.put(None)
    stdout.close()


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
