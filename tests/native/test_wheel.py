"""The wheel with the library, installed where numba is not: everything plays, and nothing is compiled."""

import platform
import subprocess
import sys
import urllib.request

import pytest
from installation import Installation
from paths import ROOT
from web_server import DEADLINE, act, next_state, program

from dawn_env.native import library

pytest.importorskip("build", reason="build not installed")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="builds wheels of Linux only")
TRY = "from dawn_env.game import Game; game = Game(1); game.step(game.legal[0])"
OWN = """
from dawn_env.support.compiling import entry
@entry
def double(number):
    return 2 * number
double(1)
"""


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    wanted = ["--platform", f"manylinux2014_{platform.machine()}", "--out", folder / "dist"]
    subprocess.run([sys.executable, ROOT / "scripts" / "make_wheels.py", *wanted], check=True, capture_output=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    assert wheel.stat().st_size < 20 << 20
    yield Installation(folder, wheel, ("numba", "llvmlite"), DAWN_ENV_CACHE_DIR=str(folder / "cache"))
    assert not list(folder.rglob("*.nbc")), "something was compiled"


def test_it_plays_matches_and_searches(installed):
    assert f"compiled ahead for {library.fitting()}\n" in installed.says("--version")
    players = ["heuristic", "tuned", "pretrained", "search:sims=4"]
    said = installed.says("tournament", "--players", *players, "--pairs", 1)
    assert all(name in said for name in players)


def test_nothing_is_left_to_compile(installed):
    program = "from dawn_agents.compiling_ahead import is_compiled; print(is_compiled())"
    told = installed.run(installed.python, "-c", program)
    assert told.stdout == "True\n", told.stderr
    assert installed.says("compile") == ""


def test_the_browser_shows_the_first_question(installed, tmp_path):
    settings = {"python": installed.python, "env": installed.environment, "cwd": tmp_path}
    with program(tmp_path / "games.sqlite", "--game", "democrat,heuristic,7", **settings) as (server, _, path):
        for page, part in (("/", b"<html"), ("/static/start.js", b"import ")):
            with urllib.request.urlopen(server.address + page, timeout=DEADLINE) as answer:
                assert part in answer.read()
        with server.live(path) as live:
            state = next_state(live)
            act(live, state, state["ask"]["legal"][0])
            assert next_state(live)["at"] > state["at"]


def test_what_needs_numba_says_how_to_install_it(installed):
    done = installed.run(installed.dawn, "train", "quick")
    said = "dawn: numba not installed; to install: pip install 'dawn_env[train]'\n"
    assert done.returncode == 2 and done.stderr == said
    done = installed.run(installed.python, "-c", OWN)
    assert "MissingExtra" in done.stderr and "pip install 'dawn_env[numba]'" in done.stderr.splitlines()[-1]


def test_without_library_it_plays_as_plain_python_and_says_so(installed):
    done = installed.run(installed.python, "-c", TRY, DAWN_ENV_LIBRARY="off")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 0 and "plain Python" in line and "pip install 'dawn_env[numba]'" in line
    assert "plain Python; numba not installed" in installed.says("--version", DAWN_ENV_LIBRARY="off")
