"""Ctrl-C: what is done before it is heeded, and what the first of two does."""

import signal

import pytest
from dawn_agents.interrupts import first_interrupt, undisturbed


def test_what_belongs_together_is_done_before_ctrl_c_is_heeded():
    done = []
    with pytest.raises(KeyboardInterrupt), undisturbed():
        done.append("written")
        signal.raise_signal(signal.SIGINT)
        done.append("counted")
    assert done == ["written", "counted"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with undisturbed():
        pass


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
