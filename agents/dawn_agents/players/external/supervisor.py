"""Runs a program, and ends it together with all processes it has started.

Arguments: LIFELINE COMMAND ...

The program's standard streams come over the socket LIFELINE (a file descriptor). The program ends when the other end of
that socket is closed: on purpose, or because the process there is gone, however it was killed. The supervisor sends two
numbers of 4 bytes: the error number of the start, 0 if the program runs, and its wait status once it has ended.

A command that makes namespaces (``isolation.py``) may start the supervisor as their first process: the program cannot
signal it, and the kernel ends all that is left when it exits. Such a command would hold open the streams that it
inherits, so they come over the socket.

On Linux without namespaces orphans become children of the supervisor and are killed, but a program that kills or stops
the supervisor leaves its descendants behind. Elsewhere the program and its process group end.

It is a script that imports nothing of this package, so that it starts fast.
"""

import ctypes
import errno
import os
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
_DEATH_SIGNAL, _DROP_CAPABILITY, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 24, 36, 38  # of prctl: PR_SET_PDEATHSIG,
# PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS
_CAPABILITIES = 64  # there may be


def main() -> None:
    """Guard the program."""
    lifeline = socket.socket(fileno=int(sys.argv[1]))
    if _LINUX:
        _prctl(_SUBREAPER, 1)
    events = _signal_events()
    program = _start(sys.argv[2:], lifeline)
    status = _wait(program, lifeline, events)
    _end_all(program)
    _report(lifeline, status)


def _start(command: list[str], lifeline: socket.socket) -> int:
    """Start the program with the standard streams that are sent, and leave them to it; its process id."""
    stdin, stdout, stderr = streams = socket.recv_fds(lifeline, 1, 3)[1]
    try:
        program = subprocess.Popen(
            command, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True, preexec_fn=_before_it_starts
        )
    except OSError as error:
        _report(lifeline, error.errno or errno.EIO)
        sys.exit(1)
    for stream in streams:
        os.close(stream)
    _report(lifeline, 0)
    return program.pid


def _report(lifeline: socket.socket, number: int) -> None:
    with suppress(OSError):  # if the other end is gone
        lifeline.sendall(number.to_bytes(4))


def _before_it_starts() -> None:
    """Make the program end with the supervisor, and in a namespace have no power over that, as to unmount ``/proc``."""
    if not _LINUX:
        return
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() == 1:  # the supervisor is the first process of a namespace
        for capability in range(_CAPABILITIES):
            _prctl(_DROP_CAPABILITY, capability)
        _prctl(_NO_NEW_PRIVILEGES, 1)


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


if __name__ == "__main__":
    main()
