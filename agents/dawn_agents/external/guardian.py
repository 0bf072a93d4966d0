"""Runs a program for somebody else, and ends it with all it has started: ``guardian.py LIFELINE COMMAND ...``.

That happens when the program exits, and when the socket LIFELINE (a file descriptor) is closed at its other end: on
purpose, or because the process there is gone, however it was killed. The program has the guardian's standard
streams to itself. The guardian says on the socket whether the program runs, as an error number, and then exits as
the program does. On Linux nothing escapes it, sessions of their own included, since orphans become its children;
elsewhere the program and its process group end. It is a script that imports nothing of this package, so that it
starts fast.
"""

import ctypes
import os
import resource
import select
import signal
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress

_STOPPING = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}
_LINUX = sys.platform == "linux"
_DEATH_SIGNAL, _SUBREAPER = 1, 36  # of prctl: PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER


def main() -> None:
    """Guard the program; does not return."""
    lifeline, command = socket.socket(fileno=int(sys.argv[1])), sys.argv[2:]
    if _LINUX:
        _prctl(_SUBREAPER, 1)
    events = _signal_events()
    program = _start(command, lifeline)
    status = _wait(program, lifeline, events)
    _end_all(program)
    _exit_as(status)


def _start(command: list[str], lifeline: socket.socket) -> int:
    """Start the program and leave the standard streams to it; its process id."""
    try:
        program = subprocess.Popen(command, start_new_session=True, preexec_fn=_die_with_parent)
    except OSError as error:
        lifeline.sendall(b"%d\n" % (error.errno or 0))
        sys.exit(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    with suppress(BrokenPipeError):
        lifeline.sendall(b"0\n")
    return program.pid


def _die_with_parent() -> None:
    """Should the guardian itself be killed, then at least the program ends with it."""
    if _LINUX:
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _signal_events() -> int:
    """A file descriptor from which the number of each signal can be read that asks to stop or says a child ended."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    for number in (signal.SIGCHLD, *_STOPPING):
        signal.signal(number, lambda *_: None)
    return reader


def _wait(program: int, lifeline: socket.socket, events: int) -> int:
    """Wait for the end of the program or for a reason to end it; its wait status, in the latter case as if killed."""
    while True:
        ready, _, _ = select.select([lifeline, events], [], [])
        if lifeline in ready or not _STOPPING.isdisjoint(os.read(events, select.PIPE_BUF)):
            return signal.SIGKILL
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == program:
                    return ended[1]


def _end_all(program: int) -> None:
    """Kill all descendants, those that are born meanwhile too, until none is left."""
    while True:
        if _LINUX:
            _kill(os.kill, *_descendants())
        else:
            _kill(os.killpg, program)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill(kill: Callable[[int, int], None], *processes: int) -> None:
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)


def _descendants() -> list[int]:
    """The ids of all descendants of this process."""
    children = defaultdict(list)
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{entry}/stat", "rb") as file:  # unless it has ended meanwhile
            parent = file.read().rpartition(b")")[2].split()[1]
            children[int(parent)].append(int(entry))
    found = [os.getpid()]
    for process in found:
        found += children[process]
    return found[1:]


def _exit_as(status: int) -> None:
    """End as a process with this wait status did, by the same signal but without a core dump."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
