"""Ctrl-C: what is done before it is heeded, and what the first of two does."""

import signal

import pytest
from dawn_agents.command_line import first_interrupt
from processes import python

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
from dawn_env.support import compiling
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
empty = compiling.CACHE_DIR
for tried in range(6):
    compiling.CACHE_DIR = empty / str(tried)
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
