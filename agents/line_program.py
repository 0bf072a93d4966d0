"""A child program one talks to in lines, with time limits that hold whatever the program does.

One thread does everything: while a line is awaited, pending input is written, output read and stderr drained,
each as the program is ready for it. So no full pipe can stop both sides, and no write can block. Needs a POSIX system.
"""

import os
import selectors
import signal
import subprocess
import time
import weakref
from contextlib import suppress

_CHUNK = 1 << 16
_LONGEST_LINE = 1 << 20
_STDERR_KEPT = 1 << 12
_SETTLE_SECONDS = 0.5  # for a program that closed its output to exit, and its last words to arrive


class LineTooLong(Exception):
    """The program wrote more than a megabyte without ending the line."""


class LineProgram:
    """A running program, in a process group of its own.

    The group is killed by ``stop``, and also when the object or the interpreter goes away.
    """

    def __init__(self, command: list[str]):
        """Start it; raises ``OSError`` when that fails."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )
        self._unsent, self._unread, self._stderr = bytearray(), bytearray(), bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ, LineProgram._read_output)
        self._selector.register(self._process.stderr, selectors.EVENT_READ, LineProgram._read_stderr)
        os.set_blocking(self._process.stdin.fileno(), False)
        self._finalizer = weakref.finalize(self, _end, self._process, self._selector)

    @property
    def running(self) -> bool:
        """Whether it has not exited."""
        return self._process.poll() is None

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        return self._stderr.decode(errors="replace")

    def send(self, line: str) -> None:
        """Queue a line; it is written now as far as the program takes it, and the rest while waiting."""
        if not self._unsent:
            self._selector.register(self._process.stdin, selectors.EVENT_WRITE, LineProgram._write_input)
        self._unsent += line.encode() + b"\n"
        self._serve(0)

    def receive(self, seconds: float) -> str:
        """The next line, without its end.

        ``seconds``: how long to wait; if not above 0, only lines that were read along with an earlier one are left.
        Raises ``TimeoutError``, ``EOFError`` when the program has closed its output, and ``LineTooLong``.
        """
        deadline = time.monotonic() + seconds
        left = seconds
        while b"\n" not in self._unread:
            if self._process.stdout.fileno() not in self._selector.get_map():
                raise EOFError
            if len(self._unread) > _LONGEST_LINE:
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
        """What it has written that was not received."""
        self._serve(0)
        return self._unread.decode(errors="replace")

    def end_input(self) -> None:
        """Close its input; nothing can be sent any more."""
        if self._process.stdin.fileno() in self._selector.get_map():
            self._selector.unregister(self._process.stdin)
        self._process.stdin.close()

    def exit_status(self) -> int | None:
        """Its exit status (negative: the signal that ended it), once it has closed its output; None if it lives on."""
        self._serve_until_closed(_SETTLE_SECONDS)
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(_SETTLE_SECONDS)
        return None

    def stop(self, seconds: float = 0) -> int | None:
        """Give it ``seconds`` to exit by itself, then kill its group; its exit status if it did by itself."""
        self._serve_until_closed(seconds)
        status = None
        if seconds:
            with suppress(subprocess.TimeoutExpired):
                status = self._process.wait(_SETTLE_SECONDS)
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
        del self._stderr[:-_STDERR_KEPT]

    def _read(self, pipe) -> bytes:
        data = os.read(pipe.fileno(), _CHUNK)
        if not data:
            self._selector.unregister(pipe)
        return data


def _end(process: subprocess.Popen, selector: selectors.BaseSelector) -> None:
    """Kill the group of a program, take its exit status, close its pipes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    selector.close()
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
