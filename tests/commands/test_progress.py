"""Long runs: bars at a terminal, a line a minute elsewhere, told by a clock that the tests set."""

import io
import sys
import threading

import pytest

from dawn_env.support import progress_bars
from dawn_env.support.progress_bars import SECONDS_BETWEEN, ProgressBar, print_above_bars, with_progress


class Minutes:
    """A clock and a wait in which minutes pass when the test says so."""

    def __init__(self):
        self.now = 0.0
        self.waits: list[float] = []
        self._turn, self._told = threading.Semaphore(0), threading.Semaphore(0)

    def wait(self, stopped: threading.Event, seconds: float) -> bool:
        self.waits.append(seconds)
        self._told.release()
        self._turn.acquire()
        return stopped.is_set()

    def pass_one(self) -> None:
        """A minute passes; returns when all it brought has been printed."""
        self._told.acquire()
        self.now += 60
        self._turn.release()
        self._told.acquire()
        self._told.release()

    def end(self) -> None:
        self._turn.release()


@pytest.fixture
def minutes(monkeypatch):
    clock = Minutes()
    monkeypatch.setattr(progress_bars, "_reporter", progress_bars._Reporter())  # without bars of other tests
    monkeypatch.setattr(progress_bars, "_clock", lambda: clock.now)
    monkeypatch.setattr(progress_bars, "_wait", clock.wait)
    yield clock
    clock.end()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_a_minute_where_there_is_no_terminal(minutes, capsys):
    with ProgressBar("games", 1000, "games") as gauge:
        gauge.update(3)
        assert capsys.readouterr().err == ""
        minutes.pass_one()
        gauge.update(1000)
        gauge.note("7 decisions/s")
        minutes.pass_one()
        minutes.pass_one()
    assert capsys.readouterr().err.splitlines() == [
        "games: 3 of 1,000 games, 1 min",
        "games: 1,003 of 1,000 games, 2 min, 7 decisions/s",
        "games: 1,003 of 1,000 games, 3 min, 7 decisions/s",
    ]
    assert set(minutes.waits) == {SECONDS_BETWEEN} == {60}


def test_things_within_things_share_a_line(minutes, capsys):
    with ProgressBar("training", 100, "decisions", done=40):
        with ProgressBar("imitation", 7, "games"):
            minutes.pass_one()
        minutes.pass_one()
    assert capsys.readouterr().err.splitlines() == [
        "training: 40 of 100 decisions, 1 min; imitation: 0 of 7 games, 1 min",
        "training: 40 of 100 decisions, 2 min",
    ]


def test_a_bar_at_a_terminal_and_no_thread(monkeypatch):
    file = Terminal()
    monkeypatch.setattr(sys, "stderr", file)
    monkeypatch.setattr(progress_bars, "_reporter", None)  # a terminal needs no lines
    with ProgressBar("games", 4, "game") as gauge:
        gauge.update(3)
        gauge.note("fast")
    assert "3/4" in file.getvalue() and "fast" in file.getvalue()


def test_nothing_is_printed_within_the_first_minute(capsys):
    assert list(with_progress(range(5), "steps")) == list(range(5))
    assert capsys.readouterr() == ("", "")


def test_a_line_in_between_is_not_kept_back(capsys):
    with ProgressBar("training", 10):
        print_above_bars("worse than before")
    assert capsys.readouterr().out == "worse than before\n"
