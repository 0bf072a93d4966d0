"""Public names load on first use and are known to type checkers and to the page; versions are the same everywhere."""

import ast
import re
import sys
import tomllib
from importlib import import_module

import pytest
from paths import ROOT
from processes import python

import dawn_env

LOADED = """
import sys, dawn_env
from dawn_env import BadSeed
print([name for name in sys.modules if name in ("numba", "dawn_env.state")])
"""


def test_names_are_defined_where_the_list_says():
    for name in dawn_env.__all__:
        found = getattr(dawn_env, name)
        assert getattr(found, "__name__", name) == name
    assert set(dawn_env.__all__) <= set(dir(dawn_env))


def test_type_checkers_see_the_same_names_in_the_same_modules():
    (block,) = (node for node in ast.parse(text("dawn_env/__init__.py")).body if isinstance(node, ast.If))
    typed = {
        alias.name: node.module.removeprefix("dawn_env.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert typed == dawn_env._HOMES


def test_the_page_lists_all_of_them():
    page = text("docs/reference/files.md")
    assert [name for name in dawn_env.__all__ if f"`{name}`" not in page] == []


def test_importing_the_package_loads_no_engine():
    assert python("-c", LOADED).stdout == "[]\n"


def test_the_environment_of_stable_baselines_is_there_too_where_it_is_installed(monkeypatch):
    from dawn_env.envs.sb3 import DawnVecEnv

    assert dawn_env.DawnVecEnv is DawnVecEnv and "DawnVecEnv" not in dawn_env.__all__
    monkeypatch.delattr(dawn_env, "DawnVecEnv")
    monkeypatch.delitem(sys.modules, "dawn_env.envs.sb3")
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    with pytest.raises(ImportError, match="train"):
        from dawn_env import DawnVecEnv  # noqa: F401


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'Gane'"):
        dawn_env.Gane  # noqa: B018


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_what_is_promised_is_what_there_is():
    rows = dict(re.findall(r"^\| .*?`([\w./-]+)` \| ([\d.]+) \|", text("docs/reference/files.md"), re.MULTILINE))
    assert rows.pop("dawn_env/DawnSeat-v0") == "0" and len(rows) > 15
    for name, version in rows.items():
        module, _, constant = name.rpartition(".")
        assert version == str(getattr(import_module(module), constant)), name


def test_the_release_is_named_alike():
    assert re.fullmatch(r"\d+\.\d+\.\d+", dawn_env.__version__)
    assert re.search(rf"^## {re.escape(dawn_env.__version__)}$", text("CHANGELOG.md"), re.MULTILINE)
    assert f"\nversion: {dawn_env.__version__}\n" in text("CITATION.cff")


def test_the_pythons_are_named_alike():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert project["requires-python"] == ">=3.11,<3.15" and classified == ["3.11", "3.12", "3.13", "3.14"]
    for page in ("README.md", "CONTRIBUTING.md", "docs/index.md", "docs/reference/files.md"):
        assert "Python 3.11 to 3.14" in text(page), page


def test_imports_of_the_agents_point_downwards():
    """Packages and modules of ``dawn_agents`` are in the order of the first table of the page on architecture."""
    _, _, table = text("docs/explanation/architecture.md").partition("| `dawn_agents` | contents |\n| --- | --- |\n")
    rows = [re.findall(r"`(\w+)", line.split(" | ")[0]) for line in table.partition("\n\n")[0].splitlines()]
    place = {name: number for number, row in enumerate(rows) for name in row}
    pattern = r"^\s*(?:from|import) dawn_agents(?:\.| import )(\w+)"
    folder, upwards = ROOT / "agents" / "dawn_agents", []
    for path in folder.rglob("*.py"):
        importer = path.relative_to(folder).with_suffix("").parts[0]
        imported = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
        upwards += [f"{path}: {name}" for name in imported if place[name] < place[importer]]
    assert upwards == []
