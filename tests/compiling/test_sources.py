"""Which sources the code of an entry point depends on: every function that it can reach stands in one of them."""

import importlib
import os
import pkgutil
import shutil
from types import CodeType, FunctionType, ModuleType

import dawn_agents
import pytest
from paths import ROOT
from processes import python

import dawn_env
from dawn_env.native.exports import EXPORTS
from dawn_env.support import sources
from dawn_env.support.compiling import COMPILED, EntryPoint

PACKAGES = "dawn_env", "dawn_agents"
NEED_NUMBA = ("dawn_agents.training.",)
"""What asks for the extra ``train``, which contains numba."""


def plain(value):
    return getattr(value, "py_func", value)


def names_in(code):
    """Names of globals and attributes that a function uses, those within it included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def reached(function, found):
    """Collect the functions of these packages that a function calls, directly or not."""
    if function in found:
        return
    found.add(function)
    names = set(names_in(function.__code__))
    modules = [value for name in names if isinstance(value := function.__globals__.get(name), ModuleType)]
    used = [function.__globals__.get(name) for name in names]
    used += [getattr(module, name, None) for module in modules for name in names]
    used += [cell.cell_contents for cell in function.__closure__ or ()]
    for value in map(plain, used):
        if isinstance(value, FunctionType) and value.__module__.startswith(PACKAGES):
            reached(value, found)


def entry_points():
    for package in (dawn_env, dawn_agents):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            try:
                imported = importlib.import_module(module.name)
            except (ImportError, SystemExit):
                continue
            yield from (plain(value) for value in vars(imported).values() if isinstance(value, EntryPoint))


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_every_function_that_an_entry_point_reaches_stands_in_its_sources():
    entries = set(entry_points())
    assert len(entries) > 30
    for entry in entries:
        files, functions = sources.source_files(entry.__module__, entry.__code__.co_filename), set()
        reached(entry, functions)
        missing = {function.__code__.co_filename for function in functions} - files
        assert not missing, f"{entry.__module__}.{entry.__qualname__} does not import {missing}"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_the_library_has_every_entry_point_but_those_that_need_numba_anyway():
    names = {f"{entry.__module__}:{entry.__name__}" for entry in entry_points()}
    missing = names - {export.source for export in EXPORTS}
    assert {name for name in missing if not name.startswith(NEED_NUMBA)} == set()


FOLDERS = """
from dawn_agents.heuristic import action_scores as scoring
from dawn_env.rules import flow
from dawn_env.support import sources
for module in (flow, scoring):
    print(sources.source_digest(module.__name__, module.__file__))
print(sources.modules_digest(sources.ENGINE))
"""


@pytest.fixture
def digests(tmp_path):
    """A copy of the packages, and a function that gives the digests of the rules, a player and the engine there."""
    for name, folder in zip(PACKAGES, (ROOT, ROOT / "agents"), strict=True):
        shutil.copytree(folder / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "static", "*.zip"))

    def of_copy():
        variables = {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
        return python("-c", FOLDERS, cwd=tmp_path, variables=variables, check=True).stdout.split()

    return tmp_path, of_copy


def test_a_source_that_is_moved_is_found(digests):
    folder, of_copy = digests
    before = of_copy()
    support = folder / "dawn_env" / "support"
    (support / "hashing.py").rename(folder / "dawn_env" / "mixing.py")
    for path in folder.rglob("*.py"):
        text = path.read_text()
        text = text.replace("dawn_env.support.hashing", "dawn_env.mixing")
        path.write_text(text.replace("from dawn_env.support import hashing", "from dawn_env import mixing as hashing"))
    moved = of_copy()
    with (folder / "dawn_env" / "mixing.py").open("a") as file:
        file.write("\n# changed\n")
    changed = of_copy()
    assert before[0] == moved[0] == changed[0], "the rules do not use it"
    assert len({before[1], moved[1], changed[1]}) == 3
    with (folder / "dawn_agents" / "web" / "server.py").open("a") as file:
        file.write("\n# changed\n")
    assert of_copy() == changed
    with (folder / "dawn_env" / "data" / "cards.csv").open("a") as file:
        file.write("\n")
    assert of_copy()[2] != changed[2]


def test_the_digest_of_the_engine_covers_rules_views_and_printed_data():
    files = {os.path.relpath(file, ROOT / "dawn_env") for file in sources.module_files(sources.ENGINE)}
    assert {"engine.py", "rules/flow.py", "observation/standard_writer.py", "data/cards.csv"} <= files
    assert [file for file in files if not (ROOT / "dawn_env" / file).is_file()] == []
