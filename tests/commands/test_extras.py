"""Packages that are not installed are named with the command that installs them."""

import ast
import sys
import tomllib

import pytest
from dawn_agents.commands import dawn
from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.networks.policy_file import save_policy
from dawn_agents.players.networks.policy_metadata import PolicyInfo
from dawn_agents.players.networks.policy_networks import build_network
from dawn_agents.players.registry import describe_players, make_player
from dawn_agents.players.specification import Unavailable
from paths import ROOT
from processes import python

from dawn_env.errors import MissingExtra
from dawn_env.support.optional_packages import EXTRAS, install_hint, optional_imports

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MODULES = {"pillow": "PIL"}
"""Modules by package, where the names differ."""


def modules_of(requirements):
    packages = {requirement.partition(">=")[0].replace("-", "_") for requirement in requirements}
    return {MODULES.get(package, package) for package in packages}


def imports(source):
    """The packages that a module imports, at its top or later."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        yield from (name.partition(".")[0] for name in names)


@pytest.fixture
def lacking(monkeypatch):
    """Make packages impossible to import, and forget the module of ours that may have imported them."""

    def hide(*packages, by=None):
        for name in [name for name in sys.modules if name == by or name.startswith(tuple(f"{p}." for p in packages))]:
            monkeypatch.delitem(sys.modules, name)
        for package in packages:
            monkeypatch.setitem(sys.modules, package, None)

    return hide


def test_extras_are_those_of_the_project():
    declared = PROJECT["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        # Minari imports PIL without asking for it
        assert modules_of(declared[extra]) - ({"PIL"} if extra == "minari" else set()) == set(modules)


def test_every_package_that_is_imported_is_declared():
    """A package that comes along with another one today may be gone tomorrow."""
    paths = [path for folder in ("dawn_env", "agents/dawn_agents") for path in (ROOT / folder).rglob("*.py")]
    imported = set().union(*(imports(path.read_text(encoding="utf-8")) for path in paths))
    declared = modules_of(PROJECT["dependencies"]).union(*EXTRAS.values(), ["pyspiel"])  # of open_spiel
    assert imported - declared - sys.stdlib_module_names == {"dawn_agents", "dawn_env"}
    assert modules_of(PROJECT["dependencies"]) <= imported, "not needed"


HIDDEN = {"scipy", "jsonschema"}.union(*EXTRAS.values()) - {"numba", "llvmlite"}
BASE = f"""
import contextlib, io, sys
sys.modules.update(dict.fromkeys({sorted(HIDDEN)}))
from dawn_agents.commands.dawn import main
few = ["--pairs", "1", "--workers", "1", "--db", "games.db"]
for words in (
    ["tournament", "--players", "random", "heuristic", *few],
    ["evaluate", "heuristic", "--games", "2", "--workers", "1"],
    ["suite", "list"],
    ["selfplay", "--games", "1", "--out", "games.jsonl"],
    ["replay", "games.jsonl"],
    ["suite", "report", sys.argv[1]],
    ["suite", "check", sys.argv[1]],
):
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        status = main(words)
    assert status == 0 and shown.getvalue(), words
"""


def test_the_base_install_plays_measures_and_compares(tmp_path):
    result = ROOT / "docs" / "suite" / "results" / "learn-1M-random.json"
    done = python("-c", BASE, result, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_environment_for_stable_baselines_names_it(lacking):
    lacking("stable_baselines3", by="dawn_env.envs.sb3")
    with pytest.raises(MissingExtra, match=r"^stable_baselines3 not installed; .*: pip install .*\[train\]'$"):
        import dawn_env.envs.sb3  # noqa: F401


def test_players_name_it(lacking, tmp_path):
    path, small = tmp_path / "democrat.zip", NetworkOptions(width=8, depth=0, space_width=4, card_width=4)
    save_policy(path, build_network(small), PolicyInfo("democrat", network=small))
    lacking("torch", by="dawn_agents.players.network_player")
    lacking("stable_baselines3", by="dawn_agents.players.foreign_networks")
    for player in (f"policy:{path}", "sb3:model.zip"):
        with pytest.raises((Unavailable, MissingExtra), match=r"not installed; .*: pip install .*\[train\]'$"):
            make_player(player)
    lacking("openai", by="dawn_agents.players.language.chat_endpoint")
    lacking(by="dawn_agents.players.language.llm_player")
    with pytest.raises(Unavailable, match=r"openai not installed; .*: pip install .*\[llm\]'$"):
        make_player("llm:model=m,url=http://127.0.0.1:1/v1")
    described = {name: line for name, _, line in describe_players()}
    assert "pip install" in described["sb3"] and "pip install" not in described["pretrained"]


@pytest.mark.parametrize(
    "words, modules, extra",
    [
        ("train quick", ["torch"], "train"),
        ("train quick", ["sb3_contrib", "matplotlib"], "train"),
        ("benchmark", ["numba"], "train"),
        ("exploit --target random", ["torch"], "train"),
        ("tournament --players random greedy --html report.html", ["matplotlib"], "reports"),
        ("analyse games.jsonl --html report.html", ["matplotlib", "jinja2"], "reports"),
        ("suite report result.json --html report.html", ["markupsafe"], "reports"),
        ("serve-bot cat", ["websockets"], "web"),
        ("web", ["fastapi", "websockets"], "web"),
        ("mcp", ["mcp"], "mcp"),
    ],
)
def test_commands_end_with_one_line(lacking, monkeypatch, capsys, tmp_path, words, modules, extra):
    lacking(*modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["dawn"])
    with pytest.raises(SystemExit) as end:
        dawn.main(words.split())
    line = f"dawn: {install_hint(modules, extra)}\n"
    assert end.value.code == 2 and capsys.readouterr() == ("", line)


HELP = f"""
import contextlib, io, sys
sys.modules.update(dict.fromkeys({[module for modules in EXTRAS.values() for module in modules]}))
from dawn_agents.commands.dawn import COMMANDS, main
for command in COMMANDS:
    shown = io.StringIO()
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(shown):
        main([command, "--help"])
    assert shown.getvalue().startswith(f"usage: dawn {{command}}"), command
"""


def test_help_works_without_extras():
    python("-c", HELP, check=True)


def test_other_missing_modules_are_not_explained_away():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), optional_imports():
        import no_such_module  # noqa: F401
