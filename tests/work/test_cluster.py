"""Work on a Ray cluster of three nodes on this machine: the same results, whatever is killed meanwhile.

``make kill-test`` kills nodes and drivers ten times each, the suite once.
"""

import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from dawn_agents.commands import evaluate, selfplay, tournament
from dawn_agents.tournaments.entrants import enter
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.tournament_plan import Plan, play
from dawn_agents.work.environment_fingerprint import difference, fingerprint_function
from dawn_agents.work.executor import ExecutorError, LocalExecutor
from paths import ROOT
from processes import start_script

from dawn_env.support.compiling import COMPILED

pytest.importorskip("ray", reason="Ray is not installed")
if not COMPILED:
    pytest.skip("too slow as plain Python", allow_module_level=True)

from dawn_agents.work import ray_executor  # noqa: E402
from dawn_agents.work.ray_executor import PROGRAMS, RayCluster  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

KILLS = int(os.environ.get("DAWN_ENV_KILLS", "1"))
DEADLINE = 300  # seconds
PLAYERS = ["random", "greedy", "heuristic:level=2", "heuristic"]
PLAN = Plan(enter(PLAYERS), pairs=6, seed=4)
GAMES = 257
"""In three pieces."""


class Nodes:
    """The cluster, and what can be killed in it."""

    def __init__(self):
        self._cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self._others = [self._add() for _ in range(2)]
        self.address = self._cluster.address

    def _add(self, **resources):
        return self._cluster.add_node(num_cpus=1, **resources)

    def add_with_programs(self):
        """Another node, on which programs can play."""
        self._others.append(self._add(resources={PROGRAMS: 2}))

    def kill_node(self, chance: random.Random) -> None:
        """End a node at once."""
        self._cluster.remove_node(self._others.pop(chance.randrange(len(self._others))), allow_graceful=False)

    def refill(self) -> None:
        """Begin nodes in the executor of those that were killed, and wait until the cluster knows of both."""
        while len(self._others) < 2:
            self._others.append(self._add())
        self._cluster.wait_for_nodes(DEADLINE)

    def end(self):
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def nodes():
    begun = Nodes()
    yield begun
    begun.end()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Games of the tournament as they are played here."""
    with ResultDatabase.create(tmp_path_factory.mktemp("here") / "here.db") as store:
        for _ in play(PLAN, store, LocalExecutor()):
            pass
        return contents(store)


def contents(store) -> list:
    """All games of a store without the time they took, which may differ."""
    games = [game._replace(seconds=(0, 0), actions=tuple(game.actions)) for game in store.games()]
    assert max(Counter((game.seed, game.seat) for game in games).values()) == 1, "nothing twice"
    return sorted(games), sorted(map(str, store.records()))


def test_a_tournament_is_the_same(nodes, expected, tmp_path, capsys):
    path = tmp_path / "results.db"
    arguments = ["--pairs", "6", "--seed", "4", "--cluster", nodes.address, "--db", str(path)]
    assert tournament.main(["--players", *PLAYERS, *arguments]) == 0
    with ResultDatabase(path) as store:
        assert contents(store) == expected
    assert f"Ray cluster {nodes.address}: 3 nodes, 3 cores" in capsys.readouterr().err


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """Random games as they are written here."""
    file = tmp_path_factory.mktemp("here") / "here.jsonl"
    assert selfplay.main(["--games", str(GAMES), "--out", str(file), "--workers", "1"]) == 0
    return file.read_bytes()


@pytest.mark.parametrize("number", range(KILLS))
def test_killed_driver(number, nodes, here, tmp_path):
    """The process that writes goes on where it was killed; the file is the one that is written here."""
    chance, path = random.Random(f"driver {number}"), tmp_path / "there.jsonl"
    words = ["--games", str(GAMES), "--out", str(path), "--cluster", nodes.address]
    with open(tmp_path / "told.txt", "wb") as told:
        running = start_script("selfplay.py", *words, stderr=told)
    deadline = time.monotonic() + DEADLINE
    while not (path.exists() and path.stat().st_size) and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert path.exists(), (tmp_path / "told.txt").read_text()
    time.sleep(chance.random())
    running.kill()
    running.wait()
    assert selfplay.main([*words, "--resume"]) == 0
    assert path.read_bytes() == here


# --- what cannot be ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "nobody answers there"),
        ("elsewhere", "local, auto or HOST:PORT expected, not 'elsewhere'"),
        ("host:port", "local, auto or HOST:PORT expected"),
    ],
)
def test_an_address_that_cannot_be_reached(address, message, tmp_path, capsys):
    out = tmp_path / "games.jsonl"
    out.write_text("what was there")
    assert selfplay.main(["--games", "3", "--cluster", address, "--out", str(out), "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: Ray cluster") and message in line and out.read_text() == "what was there"


def test_without_a_cluster_no_database_is_begun(tmp_path):
    path = tmp_path / "results.db"
    for command, arguments in ((tournament, ["--players", "random", "greedy"]), (evaluate, ["greedy"])):
        assert command.main([*arguments, "--cluster", "127.0.0.1:1", "--db", str(path)]) == 2
        assert not path.exists()


def test_a_cluster_that_asks_for_a_token_is_told_from_others(monkeypatch):
    def refuse(*_, **__):
        try:
            raise RuntimeError("RPC error: InvalidAuthToken: Authentication token is missing or incorrect.")
        except RuntimeError:
            raise ConnectionError("Failed to connect to Ray cluster") from None

    monkeypatch.setattr(ray_executor.ray, "init", refuse)
    monkeypatch.setattr(ray_executor.ray, "is_initialized", lambda: False)
    with pytest.raises(ExecutorError, match="^Ray cluster auto: it asks for a token: set RAY_AUTH_MODE=token"):
        RayCluster("auto")


def test_nodes_that_have_something_else_are_named(nodes, monkeypatch):
    here = os.getpid()
    monkeypatch.setattr(ray_executor, "fingerprint_function", lambda: lambda: {"dawn_env": str(os.getpid() == here)})
    with pytest.raises(
        ExecutorError, match=r"^Ray node .* has other versions: dawn_env False \(here True\); install the"
    ):
        RayCluster(nodes.address)


def test_what_differs_is_said():
    mine = fingerprint_function()()
    assert difference(mine, mine) == "" and set(mine) >= {"Python", "dawn_env", "dawn_agents", "numpy", "torch"}
    assert difference(mine, mine | {"dawn_env": "none"}).startswith("has no dawn_env: install it there")
    assert difference({"torch": "2"}, {}) == "has other versions: torch none (here 2); install the same on all machines"


def test_programs_play_where_they_are_installed(nodes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "docs" / "examples" / "bot.py", "bot.py")
    entrants = enter(["random", f"process:{sys.executable} bot.py"])
    plan = Plan(entrants, pairs=2)
    with ResultDatabase.create(tmp_path / "results.db") as store:
        with RayCluster(nodes.address, [Path("bot.py")]) as executor:
            with pytest.raises(ExecutorError, match="programs play only on nodes with the resource 'programs'"):
                list(play(plan, store, executor))
            nodes.add_with_programs()
            list(play(plan, store, executor))
        assert [game.failure for game in store.games()] == [""] * 4


def test_a_node_that_is_lost_while_it_is_asked_plays_no_part(nodes):
    nodes.kill_node(random.Random(1))
    with RayCluster(nodes.address) as executor:
        assert list(executor.done(len, ["alive"])) == [5]
    nodes.refill()


# --- with one connection: these come last, since a process has no more than one --------------------------------


@pytest.fixture(scope="module")
def executor(nodes):
    with RayCluster(nodes.address) as connected:
        yield connected


def test_killed_worker(executor, tmp_path):
    """A task is done again whose process is killed."""
    killed = tmp_path / "killed"

    def die_once(number):
        if number == 5 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    assert sorted(executor.done(die_once, range(12))) == [*range(12)] and killed.exists()


@pytest.mark.parametrize("number", range(KILLS))
def test_killed_node(number, nodes, executor, expected, tmp_path):
    """Nothing is lost, nothing comes twice, when a node that does the work is killed."""
    chance, seen, killing = random.Random(f"node {number}"), 0, None
    after = chance.randrange(1, 36)
    with ResultDatabase.create(tmp_path / "results.db") as store:
        with ThreadPoolExecutor(1) as killer:
            for games in play(PLAN, store, executor):
                seen += len(games)
                if seen >= after and killing is None:
                    killing = killer.submit(nodes.kill_node, chance)
        killing.result()  # fails if there was nothing to kill
        nodes.refill()
        assert contents(store) == expected
