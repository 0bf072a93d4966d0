"""Specifications of players: grammar, types, canonical names, errors, lazy import."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from dawn_agents.players import registry
from dawn_agents.players.registry import describe_players, make_player
from dawn_agents.players.specification import BadSpec, Unavailable
from dawn_agents.tournaments.result_database import ResultDatabase
from paths import ROOT
from processes import python
from tables import table

from dawn_env import players
from dawn_env.players import Player


class Sample(Player):
    """A player with an option of each type.

    Not part of the one line.
    """

    @dataclass(frozen=True)
    class Options:
        depth: int = 2
        seconds: float = 1.0
        fast: bool = False
        nodes: int | None = None
        style: Literal["bold", "calm"] = "calm"
        label: str = ""

        def __post_init__(self):
            if self.depth < 1:
                raise ValueError(f"depth: at least 1 expected, not {self.depth}")

    def __init__(self, name, seed, options):
        super().__init__(name, seed, vars(options))


class SampleProgram(Sample):
    """A player with a positional option."""

    @dataclass(frozen=True)
    class Options:
        command: str
        seconds: float = 10.0


@pytest.fixture(autouse=True)
def _samples(monkeypatch):
    monkeypatch.setitem(registry.PLAYERS, "sample", (__name__, "Sample"))
    monkeypatch.setitem(registry.PLAYERS, "program", (__name__, "SampleProgram"))


def test_values_have_the_types_of_their_options():
    player = make_player("sample:depth=3,seconds=2,fast=true,nodes=40,style=bold,label=a b:c", seed=5)
    wanted = {"depth": 3, "seconds": 2.0, "fast": True, "nodes": 40, "style": "bold", "label": "a b:c"}
    assert player.options == wanted and player.seed == 5
    assert type(player.options["seconds"]) is float
    assert make_player("sample:nodes=none").options["nodes"] is None


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("sample", "sample"),
        ("sample:", "sample"),
        ("sample:depth=2,seconds=1", "sample"),
        ("sample:fast=true,depth=3", "sample:depth=3,fast=true"),
        ("sample:seconds=2.50", "sample:seconds=2.5"),
        ("program:seconds=10,run it", "program:run it"),
        ("program:seconds=5,bot --seconds=7,seconds=8", "program:seconds=5,bot --seconds=7,seconds=8"),
        ("program:X=1 bot", "program:X=1 bot"),
    ],
)
def test_the_name_is_the_canonical_specification(spec, name):
    assert make_player(spec).name == name
    assert make_player(name).name == name


OURS = """
import sys
from dataclasses import dataclass
from dawn_env.players import BatchPlayer, ViewPlayer

class Fancy(BatchPlayer):
    @dataclass(frozen=True)
    class Options:
        nth: int = 1

    def choose(self, observations, masks):
        return masks.argmax(1)

class Unfinished(ViewPlayer):
    pass

class Other(Fancy):
    def __init__(self, depth):
        pass

def first(view):
    return view.legal[0]

def odd(one, two, three):
    return 0
"""


@pytest.fixture
def ours(tmp_path, monkeypatch):
    (tmp_path / "bots_of_ours").mkdir()
    (tmp_path / "bots_of_ours" / "fancy.py").write_text(OURS)
    (tmp_path / "bots_of_ours" / "broken.py").write_text("1 / 0")
    (tmp_path / "bots_of_ours" / "needy.py").write_text("import no_such_package")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("bots_of_ours")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("spec", "name", "options"),
    [
        ("bots_of_ours.fancy:Fancy", "bots_of_ours.fancy:Fancy", {"nth": 1}),
        ("bots_of_ours.fancy:Fancy:", "bots_of_ours.fancy:Fancy", {"nth": 1}),
        ("bots_of_ours.fancy:Fancy:nth=1", "bots_of_ours.fancy:Fancy", {"nth": 1}),
        ("bots_of_ours.fancy:Fancy:nth=3", "bots_of_ours.fancy:Fancy:nth=3", {"nth": 3}),
        ("bots_of_ours.fancy:first", "bots_of_ours.fancy:first", {}),
    ],
)
def test_classes_and_functions_of_modules(ours, spec, name, options):
    player = make_player(spec, seed=4)
    assert (player.name, player.options) == (name, options)
    assert isinstance(player, Player) and make_player(name).name == name


@pytest.mark.parametrize(("spec", "words"), table(Path(__file__).with_name("bad_specifications.txt")))
def test_what_is_no_player_is_named(ours, spec, words):
    if spec.startswith("websocket"):
        pytest.importorskip("websockets")
    with pytest.raises(BadSpec) as caught:
        make_player(spec)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_tournament_finds_them_in_the_working_directory_of_its_processes(ours):
    players = ["random", "bots_of_ours.fancy:Fancy", "bots_of_ours.fancy:first"]
    arguments = ["--players", *players, "--pairs", "1", "--workers", "2", "--no-luck", "--db", "results.db"]
    done = python(ROOT / "scripts" / "tournament.py", *arguments, cwd=ours)
    assert done.returncode == 0, done.stderr
    with ResultDatabase(ours / "results.db") as store:
        games = store.games()
    assert len(games) == 6 and {name for game in games for name in game.players} == set(players)
    assert not any(game.failure for game in games)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(registry.PLAYERS, "odd", ("no_such_package.player", "Odd"))
    with pytest.raises(Unavailable, match="cannot be loaded: No module named 'no_such_package'"):
        make_player("odd")
    assert ("odd", "") in [row[:2] for row in describe_players()]


def test_players_are_described_in_one_line():
    described = {name: rest for name, *rest in describe_players()}
    options = "depth=2,seconds=1,fast=false,nodes=none,style=calm,label="
    assert described["sample"][0] == options
    assert registry.DESCRIPTIONS.keys() == registry.PLAYERS.keys() - {"sample", "program"}
    assert described["program"][0] == "seconds=10,COMMAND"
    assert described["random"] == ["", "Uniform over the legal actions."]


def test_only_the_module_asked_for_is_imported():
    others = {module for name, (module, _) in registry.PLAYERS.items() if name != "random"} - {__name__}
    code = f"""import sys; from dawn_agents.players.registry import make_player; make_player('random')
assert not {others | {"torch"}!r} & set(sys.modules)"""
    python("-c", code, check=True)


def test_names_need_the_package_that_registers_players(monkeypatch):
    monkeypatch.setattr(players, "entry_points", lambda **_: ())
    players._registry.cache_clear()
    with pytest.raises(ValueError, match="pip install"):
        players.make_player("heuristic")
    players._registry.cache_clear()
