"""Watching programs that tests start and kill, without their process ids and without waiting for a time."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paths import ROOT

DEADLINE = 60.0  # seconds until a test fails; it goes on as soon as what it waits for has happened

HOLDER = """
import os, signal, time
_pipe, (_ready, _begun) = os.open({pipe!r}, os.O_WRONLY), os.pipe()
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.write(_begun, b"+")
    time.sleep(3600)
os.wait()
os.write(_pipe, os.read(_ready, 1))
"""
"""Lines for a program: it holds the pipe open, and so does an orphan in a session of its own, which heeds no signal."""


def python(*words: object, variables: dict[str, str] | None = None, **settings) -> subprocess.CompletedProcess:
    """Run Python with these arguments in the root folder of the project and wait for it.

    ``variables``: added to the environment; ``settings``: of ``subprocess.run``.
    """
    settings = {"cwd": ROOT, "capture_output": True, "text": True, "timeout": 900} | settings
    return subprocess.run([sys.executable, *map(str, words)], **{"env": os.environ | (variables or {})} | settings)


def node(script: str, *words: object):
    program = shutil.which("node") or pytest.skip("needs node")
    command = [program, ROOT / "tests" / "native" / script, *map(str, words)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def start_script(name: str, *words: object, **settings) -> subprocess.Popen:
    """Start a script of the project, in a session of its own; ``settings`` of ``subprocess.Popen``."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents")))}
    settings = {"cwd": ROOT, "env": environment, "stderr": subprocess.PIPE, "start_new_session": True} | settings
    return subprocess.Popen([sys.executable, ROOT / "scripts" / name, *map(str, words)], text=True, **settings)


class Tether:
    """A named pipe that programs hold open for as long as they live."""

    def __init__(self, path: Path):
        os.mkfifo(path)
        self._reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.holder = HOLDER.format(pipe=str(path))

    def wait_for(self, programs: int) -> None:
        """Wait until so many have begun."""
        seen = 0
        for _ in _tries():
            try:
                seen += len(os.read(self._reader, programs - seen))
            except BlockingIOError:
                pass
            if seen == programs:
                return
        raise AssertionError(f"{seen} of {programs} programs have begun")

    def all_gone(self) -> bool:
        """Whether nobody holds the pipe any more, now or before the deadline."""
        for _ in _tries():
            try:
                if not os.read(self._reader, 1):
                    return True
            except BlockingIOError:
                pass
        return False


def wait_until(condition, *arguments):
    """Wait until ``condition`` holds for these arguments, long enough for rules to be compiled."""
    assert any(condition(*arguments) for _ in _tries(5 * DEADLINE)), "waited in vain"


def _tries(seconds=DEADLINE):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        yield
        time.sleep(0.02)
