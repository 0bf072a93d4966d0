"""Long runs: bars at a terminal, a line a minute elsewhere, told by a clock that the tests set."""

import io
import sys

import pytest

from dawn_env.support import progress_bars
from dawn_env.support.progress_bars import ProgressBar, print_above_bars, with_progress


@pytest.fixture
def minutes(monkeypatch):
    """Minutes that have passed, a list of one number."""
    passed = [0]
    monkeypatch.setattr(progress_bars, "_clock", lambda: 60.0 * passed[0])
    return passed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_a_minute_where_there_is_no_terminal(minutes, capsys):
    with ProgressBar("games", 1000, "games", done=40) as gauge:
        gauge.update(3)
        assert capsys.readouterr().err == ""
        minutes[0] = 1
        gauge.update(2)
        gauge.update(1000)
        gauge.set_postfix("7 decisions/s")
        minutes[0] = 3
        gauge.update(1)
    assert capsys.readouterr().err.splitlines() == [
        "games: 45 of 1,000 games, 1 min",
        "games: 1,046 of 1,000 games, 3 min, 7 decisions/s",
    ]


def test_a_bar_at_a_terminal(monkeypatch):
    file = Terminal()
    monkeypatch.setattr(sys, "stderr", file)
    with ProgressBar("games", 4, "game") as gauge:
        gauge.update(3)
        gauge.set_postfix("fast")
    assert "3/4" in file.getvalue() and "fast" in file.getvalue()


def test_nothing_is_printed_within_the_first_minute(capsys):
    assert list(with_progress(range(5), "steps")) == list(range(5))
    assert capsys.readouterr() == ("", "")


def test_a_line_in_between_is_not_kept_back(capsys):
    with ProgressBar("training", 10):
        print_above_bars("worse than before")
    assert capsys.readouterr().out == "worse than before\n"
