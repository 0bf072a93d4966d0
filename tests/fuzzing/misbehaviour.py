"""Mutants that crash, hang and fail, in a module of their own: the processes that try them import nothing else."""

import os
import signal
import time
from pathlib import Path
from random import Random

from fuzzing.target import BrokenRule, Mutant


def end_by_signal(_):
    os.kill(os.getpid(), signal.SIGSEGV)


def wait_for_ever(_):
    time.sleep(3600)


def break_a_rule(_):
    raise BrokenRule("two and two are five")


def fail(_):
    raise KeyError("no such key")


BEHAVIOUR = (id, end_by_signal, id, wait_for_ever, break_a_rule, fail, fail, id)


def failing(random: Random, folder: Path) -> Mutant:
    return Mutant(str, fail)


def misbehaving(random: Random, folder: Path) -> Mutant:
    """Mutants that do what comes next in ``BEHAVIOUR``; how far they are is kept in a file, which survives them."""
    counter = folder.parent / "shared" / "count"
    done = len(counter.read_text()) if counter.exists() else 0
    counter.write_text("x" * (done + 1))
    return Mutant(str, BEHAVIOUR[done])
