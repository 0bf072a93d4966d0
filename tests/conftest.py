"""What holds for all tests, and what several of them start from."""

import os
import signal

if "PYTEST_XDIST_WORKER" in os.environ:  # one of several processes, which have a core each
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from dawn_agents.tournament.result_database import DatabaseSettings, ResultDatabase


@pytest.fixture(autouse=True)
def heeds_ctrl_c():
    """A shell that runs tests in the background has them ignore it, and so would the programs they start and stop."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def db(tmp_path):
    """An empty database of tournament results."""
    with ResultDatabase.create(tmp_path / "results.db", DatabaseSettings.now()) as opened:
        yield opened
