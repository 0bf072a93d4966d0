"""The wheel with the library, installed where numba is not: everything plays, and nothing is compiled."""

import os
import platform
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import make_wheels
import pytest
from paths import ROOT
from web_server import DEADLINE, act, next_state, program

import dawn_env
from dawn_env.native import library

pytest.importorskip("build", reason="build not installed")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="builds wheels of Linux only")
_HIDDEN = ("numba", "llvmlite", "dawn_env")
TRY = "from dawn_env.game import Game; game = Game(1); game.step(game.legal[0])"
OWN = """
from dawn_env.support.compiling import entry
@entry
def double(number):
    return 2 * number
double(1)
"""


class Installation:
    """A virtual environment with the wheel and the packages of this environment except numba; a folder ``work``."""

    def __init__(self, folder: Path, wheel: Path):
        self.work, self.wheel, venv = folder / "work", wheel, folder / "venv"
        self.python, self.dawn = venv / "bin" / "python", venv / "bin" / "dawn"
        self.work.mkdir()
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "DAWN_ENV_LIBRARY")}
        self.environment = kept | {"DAWN_ENV_CACHE_DIR": str(folder / "cache")}
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True, timeout=120)
        (packages,) = venv.glob("lib/*/site-packages")
        for entry in (entry for path in sys.path if path.endswith("site-packages") for entry in Path(path).iterdir()):
            if not entry.name.startswith(_HIDDEN) and entry.suffix != ".pth" and not (packages / entry.name).exists():
                (packages / entry.name).symlink_to(entry)
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "--no-index", "--no-deps", "--quiet"]
        subprocess.run([*pip, wheel], check=True, timeout=120, env=self.environment)

    def run(self, *words: object, **variables: str) -> subprocess.CompletedProcess:
        """A program, ``python`` or ``dawn``, with these words, ended."""
        settings = {"cwd": self.work, "env": self.environment | variables, "capture_output": True, "text": True}
        return subprocess.run(list(map(str, words)), timeout=300, **settings)

    def says(self, *words: object, **variables: str) -> str:
        """What ``dawn`` says with these words; it must end well."""
        done = self.run(self.dawn, *words, **variables)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """Environment with the wheel installed, which contains only the library for this processor."""
    folder, tag = tmp_path_factory.mktemp("wheel"), f"manylinux2014_{platform.machine()}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(make_wheels.PLATFORMS, tag, (library.fitting(),))
        assert make_wheels.main(["--platform", tag, "--out", str(folder / "dist")]) == 0
    (wheel,) = (folder / "dist").glob("*.whl")
    assert wheel.stat().st_size < 20 << 20
    yield Installation(folder, wheel)
    assert not list(folder.rglob("*.nbc")), "something was compiled"


def test_it_is_the_installed_one_that_runs(installed):
    version = f"dawn_env {dawn_env.__version__}, engine: compiled ahead for {library.fitting()}\n"
    assert installed.says("--version") == version
    program = "import dawn_agents, dawn_env; print(dawn_agents.__file__, dawn_env.__file__)"
    paths = installed.run(installed.python, "-c", program)
    assert paths.stdout.count(str(installed.dawn.parents[1])) == 2, paths


def test_the_wheel_tells_that_it_has_compiled_code(installed):
    program = "from importlib.metadata import distribution; print(distribution('dawn_env').read_text('WHEEL'))"
    told = installed.run(installed.python, "-c", program).stdout
    assert f"Root-Is-Purelib: false\nTag: py3-none-manylinux2014_{platform.machine()}\n" in told


def test_a_folder_named_agents_is_the_users_own(installed):
    """Users often have a package ``agents`` beside their scripts; this project must not hide it."""
    folder = installed.work / "agents"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "mine.py").write_text("from dawn_env.players import RandomPlayer as Mine\n")
    program = """if True:
        import gymnasium, dawn_env.envs
        from dawn_env.envs.vector import DawnVectorEnv
        gymnasium.make("dawn_env/DawnSeat-v0", opponents="heuristic").reset(seed=1)
        DawnVectorEnv(2, "democrat", opponents=["heuristic", "agents.mine:Mine"]).reset(seed=1)
        """
    done = installed.run(installed.python, "-c", program)
    assert done.returncode == 0, done.stderr


def test_games_records_and_pictures(installed):
    installed.says("selfplay", "--games", 1, "--out", "games.jsonl")
    assert "1 game verified" in installed.says("replay", "games.jsonl", "--verify")
    installed.says("picture", "games.jsonl", "--decision", 9, "--out", "board.svg")
    assert (installed.work / "board.svg").read_text().startswith("<svg")


def test_players_and_programs(installed):
    shutil.copy(ROOT / "docs" / "examples" / "bot.py", installed.work)
    said = installed.says("check-bot", "--mode", "family", "--games", 1, sys.executable, "bot.py")
    assert "8 of 8 checks passed" in said
    players = ["random", f"process:{sys.executable} bot.py"]
    few = ["--pairs", 1, "--workers", 1, "--no-luck", "--db", "family.db"]
    said = installed.says("tournament", "--mode", "family", "--players", *players, *few, "--html", "report.html")
    assert "example" in said and "<html" in (installed.work / "report.html").read_text()


def test_it_plays_matches_and_searches(installed):
    players = ["heuristic", "pretrained", "search:sims=4"]
    said = installed.says("tournament", "--players", *players, "--pairs", 1)
    assert all(name in said for name in players)


def test_nothing_is_left_to_compile(installed):
    program = "from dawn_agents.frontends.web.compiling_ahead import is_compiled; print(is_compiled())"
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
    said = f"dawn: numba not installed; to install: pip install '{installed.wheel}[train]'\n"
    assert done.returncode == 2 and done.stderr == said
    done = installed.run(installed.python, "-c", OWN)
    assert "MissingExtra" in done.stderr and "[numba]'" in done.stderr.splitlines()[-1]


def test_without_library_it_plays_as_plain_python_and_says_so(installed):
    done = installed.run(installed.python, "-c", TRY, DAWN_ENV_LIBRARY="off")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 0 and "plain Python" in line and "[numba]'" in line
    assert "plain Python; numba not installed" in installed.says("--version", DAWN_ENV_LIBRARY="off")
