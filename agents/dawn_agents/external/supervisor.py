"""Runs a program, and ends it together with all processes it has started.

Arguments: LIFELINE N NAMESPACES ... COMMAND ..., where N is the number of words of NAMESPACES.

The program ends when the socket LIFELINE (a file descriptor) is closed at its other end: on purpose, or because the
process there is gone, however it was killed. It has the supervisor's standard streams to itself. The supervisor sends
two numbers of 4 bytes: the error number of the start, 0 if the program runs, and its wait status once it has ended.

NAMESPACES is a command that makes namespaces (``isolation.py``). If there is one, a second supervisor does all this as
their first process: the program cannot signal it, and the kernel ends all that is left when it exits. It is sent the
standard streams over a socket, since the command would hold open those that it inherits.

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
_RECEIVED = "received"  # in place of N: streams and lifeline come over the socket LIFELINE
_DEATH_SIGNAL, _SUBREAPER = 1, 36  # of prctl: PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER


def main() -> None:
    """Guard the program."""
    descriptor, count = int(sys.argv[1]), sys.argv[2]
    if count not in ("0", _RECEIVED):
        _guard_inside(descriptor, sys.argv[3 : 3 + int(count)], sys.argv[3 + int(count) :])
        return
    lifeline, command = socket.socket(fileno=_received(descriptor) if count == _RECEIVED else descriptor), sys.argv[3:]
    if _LINUX:
        _prctl(_SUBREAPER, 1)
    events = _signal_events()
    program = _start(command, lifeline)
    status = _wait(program, lifeline, events)
    _end_all(program)
    _report(lifeline, status)


def _guard_inside(lifeline: int, namespaces: list[str], command: list[str]) -> None:
    """Start a second supervisor in namespaces, leave streams and lifeline to it, and wait until it has exited."""
    ours, theirs = socket.socketpair()
    script = [sys.executable, "-I", "-S", __file__, str(theirs.fileno()), _RECEIVED]
    nothing = subprocess.DEVNULL
    with theirs:
        inside = subprocess.Popen(
            [*namespaces, *script, *command], pass_fds=[theirs.fileno()], stdin=nothing, stdout=nothing, stderr=nothing
        )
    with ours:
        socket.send_fds(ours, [b"+"], [*range(3), lifeline])
    _close_streams()
    os.close(lifeline)
    inside.wait()


def _received(connection: int) -> int:
    """Take over the standard streams that another supervisor sends, and return the lifeline."""
    with socket.socket(fileno=connection) as sender:
        *streams, lifeline = socket.recv_fds(sender, 1, 4)[1]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    return lifeline


def _close_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


def _start(command: list[str], lifeline: socket.socket) -> int:
    """Start the program and leave the standard streams to it; its process id."""
    try:
        program = subprocess.Popen(command, start_new_session=True, preexec_fn=_die_with_parent)
    except OSError as error:
        _report(lifeline, error.errno or errno.EIO)
        sys.exit(1)
    _close_streams()
    _report(lifeline, 0)
    return program.pid


def _report(lifeline: socket.socket, number: int) -> None:
    with suppress(OSError):  # if the other end is gone
        lifeline.sendall(number.to_bytes(4))


def _die_with_parent() -> None:
    """Should the supervisor itself be killed, then at least the program ends with it."""
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


if __name__ == "__main__":
    main()
