"""What holds for all tests, and what several of them start from."""

import signal

import pytest

from agents.tournament.store import Settings, Store

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would the programs they start and stop.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def db(tmp_path):
    """An empty database of tournament results."""
    with Store.create(tmp_path / "results.db", Settings.now()) as opened:
        yield opened
