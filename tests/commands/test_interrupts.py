"""Ctrl-C: what is done before it is heeded, what the first of two does, and SIGTERM, which is taken for it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from dawn_agents.command_line import first_interrupt
from dawn_agents.commands import dawn
from paths import ROOT
from processes import DEADLINE, python

from dawn_env.support.compiling import COMPILED
from dawn_env.support.interrupts import defer_sigint, heed_deferred


@pytest.mark.parametrize("error", [None, OSError("disk full")])
def test_what_belongs_together_is_done_before_ctrl_c_is_heeded(error):
    done = []
    with pytest.raises(KeyboardInterrupt), defer_sigint():
        signal.raise_signal(signal.SIGINT)
        done.append("written")
        if error:
            raise error
    assert done == ["written"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_that_waits_is_heeded_where_the_block_allows_it():
    done = []
    with pytest.raises(KeyboardInterrupt), defer_sigint():
        heed_deferred()
        signal.raise_signal(signal.SIGINT)
        done.append("begun")
        heed_deferred()
        done.append("never")
    assert done == ["begun"]
    with pytest.raises(KeyboardInterrupt), defer_sigint():
        with defer_sigint():
            signal.raise_signal(signal.SIGINT)
            heed_deferred()
            done.append("the outer block is not over")
    assert len(done) == 2 and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_ctrl_c_is_heeded_and_the_second_ends_at_once():
    heeded = []
    with pytest.raises(KeyboardInterrupt), first_interrupt(lambda: heeded.append("first")):
        signal.raise_signal(signal.SIGINT)
        heeded.append("goes on")
        signal.raise_signal(signal.SIGINT)
    assert heeded == ["first", "goes on"]
    with first_interrupt(heeded.clear):
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


INTERRUPTED = """
import signal
from dawn_env.support import compiled_code
from dawn_env.support.compiling import entry, jit

def above(called):
    def inner(number):
        return called(number) + 1
    return jit(inner)

def tower():
    called = jit(lambda number: number)
    for _ in range(20):
        called = above(called)
    def outer(number):
        return called(number)
    return entry(outer)

def interrupt(*_):
    global heard
    heard = True
    raise KeyboardInterrupt

signal.signal(signal.SIGINT, interrupt)
signal.signal(signal.SIGALRM, lambda *_: heard or signal.raise_signal(signal.SIGINT))
empty = compiled_code.CACHE_DIR
for tried in range(6):
    compiled_code.CACHE_DIR = empty / str(tried)
    compiled, heard = tower(), False
    signal.setitimer(signal.ITIMER_REAL, 0.04 * (tried + 1), 0.001)
    try:
        compiled(tried)
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        print("ended", end=" ")
    assert compiled(tried) == tried + 20
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_ctrl_c_ends_a_compilation_without_harm(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED)
    done = python(program, variables={"DAWN_ENV_CACHE_DIR": str(tmp_path / "cache")})
    assert (done.returncode, done.stderr, done.stdout.split()) == (0, "", 6 * ["ended"])


# --- SIGTERM -------------------------------------------------------------------------------------------


LONG_COMMAND = """
import signal, time
from dawn_agents.command_line import exit_status
from dawn_agents.commands import dawn

def run():
    print("begun", flush=True)
    time.sleep(600)

signal.signal(signal.SIGINT, signal.HANDLER)
dawn._run = lambda _: exit_status(run, "stopped; all is kept")
raise SystemExit(dawn.main([]))
"""
FIRST_PROCESS = ("unshare", "--user", "--map-root-user", "--pid", "--fork")


def can_be_first() -> bool:
    try:
        return subprocess.run([*FIRST_PROCESS, "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


needs_namespaces = pytest.mark.skipif(not can_be_first(), reason="no namespaces here")


@pytest.mark.parametrize(
    ("handler", "before"),
    [
        ("default_int_handler", ()),
        ("SIG_IGN", ()),  # as behind nohup, or with & in a script
        pytest.param(
            "default_int_handler",
            FIRST_PROCESS,
            marks=pytest.mark.skipif(not can_be_first(), reason="no namespaces here"),
        ),  # as in a container
    ],
)
def test_sigterm_ends_commands_as_ctrl_c_does(handler, before):
    command = [*before, sys.executable, "-c", LONG_COMMAND.replace("HANDLER", handler)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **streams) as program:
        try:
            assert program.stdout.readline() == "begun\n"
            children = Path(f"/proc/{program.pid}/task/{program.pid}/children")
            os.kill(int(children.read_text()) if before else program.pid, signal.SIGTERM)
            assert (program.wait(DEADLINE), program.stderr.read()) == (130, "stopped; all is kept\n")
        finally:
            program.kill()


def test_sigterm_waits_where_ctrl_c_does(monkeypatch):
    done = []

    def command(_):
        with first_interrupt(lambda: done.append("heeded")):
            signal.raise_signal(signal.SIGTERM)
            done.append("goes on")
        with defer_sigint():
            signal.raise_signal(signal.SIGTERM)
            done.append("written")
        done.append("never")

    monkeypatch.setattr(dawn, "_run", command)
    before = signal.getsignal(signal.SIGTERM)
    assert dawn.main([]) == 130 and done == ["heeded", "goes on", "written"]
    assert signal.getsignal(signal.SIGTERM) == before
