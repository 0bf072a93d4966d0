"""Settings of all tests, and shared fixtures."""

import os
import signal

if "PYTEST_XDIST_WORKER" in os.environ:  # one of several processes
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from dawn_agents.tournaments.result_database import ResultDatabase

from dawn_env.support.compiling import COMPILED
from dawn_env.support.thread_pool import cores

LONG = (
    "native/test_native", "suite/test_suite_page", "native/test_wheel",
    "project/test_site", "work/test_cluster", "web/test_web_browser", "project/test_recipes", "suite/test_suite",
    "fuzzing/test_fuzz", "training/test_training", "tournament/test_tournament", "project/test_page_blocks",
    "web/test_web_pages", "rules/test_conformance", "web/test_web_program",
)  # fmt: skip
"""The second compiles the rules if they are not in the cache; the other first ones do not wait for them."""


@pytest.hookimpl(optionalhook=True)  # tests of the lowest versions run without xdist
def pytest_xdist_auto_num_workers():
    """A process for each core; compiled, two more, since some tests wait for programs, clusters and browsers."""
    return cores() + 2 * COMPILED


def pytest_collection_modifyitems(items):
    """Run long test files first, so that no worker starts one at the end while the others are idle."""

    def place(item):
        name = "/".join(item.path.with_suffix("").parts[-2:])
        return LONG.index(name) if name in LONG else len(LONG)

    items.sort(key=place)


@pytest.fixture(autouse=True)
def heeds_ctrl_c():
    """A shell that runs tests in the background has them ignore it, and so would the programs they start and stop."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def db(tmp_path):
    """An empty database of tournament results."""
    with ResultDatabase.create(tmp_path / "results.db") as opened:
        yield opened
