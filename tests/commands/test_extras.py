"""Packages that are not installed are named with the command that installs them."""

import sys
import tomllib

import pytest
from dawn_agents.commands import dawn
from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.policy_file import save_policy
from dawn_agents.networks.policy_metadata import PolicyInfo
from dawn_agents.networks.policy_networks import build_network
from dawn_agents.registry import describe_players, make_player
from dawn_agents.specification import Unavailable
from paths import ROOT
from processes import python

from dawn_env.errors import MissingExtra
from dawn_env.support.optional_packages import EXTRAS, optional_imports


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
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        packages = {requirement.partition(">=")[0].replace("-", "_") for requirement in declared[extra]}
        assert packages - {"pillow"} == set(modules)  # Minari imports it without asking for it


def test_the_environment_for_stable_baselines_names_it(lacking):
    lacking("stable_baselines3", by="dawn_env.envs.sb3")
    with pytest.raises(MissingExtra, match=r"^stable_baselines3 not installed; .*: pip install 'dawn_env\[train\]'$"):
        import dawn_env.envs.sb3  # noqa: F401


def test_players_name_it(lacking, tmp_path):
    path, small = tmp_path / "democrat.zip", NetworkOptions(width=8, depth=0, space_width=4, card_width=4)
    save_policy(path, build_network(small), PolicyInfo("democrat", network=small))
    lacking("torch", by="dawn_agents.players.network_player")
    lacking("stable_baselines3", by="dawn_agents.players.foreign_networks")
    for player in (f"policy:{path}", "sb3:model.zip"):
        with pytest.raises((Unavailable, MissingExtra), match=r"not installed; .*: pip install 'dawn_env\[train\]'$"):
            make_player(player)
    described = {name: line for name, _, line in describe_players()}
    assert "pip install" in described["sb3"] and "pip install" not in described["pretrained"]


@pytest.mark.parametrize(
    "words, modules, extra",
    [
        ("train quick", ["torch"], "train"),
        ("train quick", ["sb3_contrib", "matplotlib"], "train"),
        ("benchmark", ["numba"], "train"),
        ("exploit --target random", ["torch"], "train"),
        ("tournament --players random greedy", ["scipy"], "tournament"),
        ("evaluate random", ["matplotlib", "jinja2"], "tournament"),
        ("analyse games.jsonl", ["jinja2"], "tournament"),
        ("serve-bot cat", ["websockets"], "web"),
        ("web", ["fastapi", "websockets"], "web"),
    ],
)
def test_commands_end_with_one_line(lacking, monkeypatch, capsys, tmp_path, words, modules, extra):
    lacking(*modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["dawn"])
    with pytest.raises(SystemExit) as end:
        dawn.main(words.split())
    line = f"dawn: {', '.join(modules)} not installed; to install: pip install 'dawn_env[{extra}]'\n"
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
