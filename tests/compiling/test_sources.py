"""Which sources the code of an entry point depends on: every function that it can reach stands in one of them."""

import importlib
import os
import pkgutil
import shutil
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import dawn_agents
import pytest
from dawn_native.exports import EXPORTS
from paths import ROOT
from processes import python

import dawn_env
from dawn_env.native import sources
from dawn_env.support.compiling import COMPILED, EntryPoint

PACKAGES = "dawn_env", "dawn_agents"
NEED_NUMBA = ("dawn_agents.training.", "dawn_agents.players.afterstate.")
"""What asks for the extra ``train``, which contains numba, or for ``numba``."""


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
from dawn_agents.players.heuristic import action_scores as scoring
from dawn_env.rules import flow
from dawn_env.native import sources
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
    (support / "elementary.py").rename(folder / "dawn_env" / "apart.py")
    for path in folder.rglob("*.py"):
        text = path.read_text()
        text = text.replace("dawn_env.support.elementary", "dawn_env.apart")
        path.write_text(
            text.replace("from dawn_env.support import elementary", "from dawn_env import apart as elementary")
        )
    moved = of_copy()
    with (folder / "dawn_env" / "apart.py").open("a") as file:
        file.write("\n# changed\n")
    changed = of_copy()
    assert before[0] == moved[0] == changed[0], "the rules do not use it"
    assert len({before[1], moved[1], changed[1]}) == 3
    with (folder / "dawn_agents" / "frontends" / "web" / "server.py").open("a") as file:
        file.write("\n# changed\n")
    assert of_copy() == changed
    with (folder / "dawn_env" / "data" / "cards.csv").open("a") as file:
        file.write("\n")
    assert of_copy()[2] != changed[2]


def test_the_digest_of_the_engine_covers_rules_views_and_printed_data():
    files = {os.path.relpath(file, ROOT / "dawn_env") for file in sources.module_files(sources.ENGINE)}
    assert {"engine.py", "rules/flow.py", "observation/standard_writer.py", "data/cards.csv"} <= files
    assert [file for file in files if not (ROOT / "dawn_env" / file).is_file()] == []


# --- modules of other people ---------------------------------------------------------------------------


IMPORTS = (
    "import beside", "from beside import double", "import numpy, beside as b", "from beside import (\n    double,\n)",
    "from folder import beside", "from folder.beside import double", "import folder.beside", "import beside as b",
    "from \\\n    beside import double", "import numpy, \\\n    beside", "if True:\n    from beside import double",
    "try: import beside\nexcept ImportError: pass", "x = 1; import beside", "from between import double",
    "from loose import beside",
)  # fmt: skip
"""Ways in which a module that is not in a package imports a file called beside.py."""


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize("line", IMPORTS)
def test_a_module_in_no_package_follows_the_modules_of_its_folder(tmp_path, line):
    folders = {"folder/__init__.py": "", "folder/beside.py": "", "loose/beside.py": ""}
    between = {"between.py": "from beside import double\n", "beside.py": ""}
    written(tmp_path, folders | between | {"mine.py": f"import sys\n{line}\n"})
    found = sources.source_files("mine", str(tmp_path / "mine.py"))
    assert "beside.py" in {Path(file).name for file in found}


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("bots.mine", "from . import beside"),
        ("bots.mine", "from .beside import double"),
        ("bots.mine", "from bots.beside import double"),
        ("bots.mine", "from bots import beside"),
        ("bots.mine", "import beside"),
        ("bots.deep.mine", "from .. import beside"),
        ("bots.deep.mine", "from ..beside import double"),
        ("bots.deep", "from ..beside import double"),
        ("__main__", "from bots.beside import double"),
    ],
)
def test_a_module_of_a_package_follows_its_package_and_its_folder(tmp_path, monkeypatch, module, line):
    names = {"bots.deep": "bots/deep/__init__.py", "__main__": "bots/mine.py"}
    path = tmp_path / names.get(module, module.replace(".", "/") + ".py")
    written(tmp_path, {"bots/__init__.py": "", "bots/deep/__init__.py": "", "bots/beside.py": ""})
    written(tmp_path, {str(path): f"{line}\n"})
    monkeypatch.syspath_prepend(tmp_path)
    assert str(tmp_path / "bots" / "beside.py") in sources.source_files(module, str(path))


def test_what_lies_beside_an_installed_package_is_not_followed(tmp_path):
    folder = written(tmp_path / "site-packages", {"mine.py": "import other\nimport mine_too\n", "other.py": ""})
    written(folder, {"bots/__init__.py": "", "bots/mine.py": "import other\nfrom . import near\n", "bots/near.py": ""})
    assert sources.source_files("mine", str(folder / "mine.py")) == {str(folder / "mine.py")}
    found = sources.source_files("bots.mine", str(folder / "bots" / "mine.py"))
    assert {Path(file).name for file in found} == {"mine.py", "near.py", "__init__.py"}


STALE = """
from dawn_env.support.compiling import entry
from beside import add

@entry
def added(number):
    return add(number)

print(added(40))
"""
BESIDE = """
from dawn_env.support.compiling import jit

@jit
def add(number):
    return number + 2
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_change_beside_a_module_is_a_change_of_its_code(tmp_path):
    variables = {"DAWN_ENV_CACHE_DIR": str(tmp_path / "cache")}
    told = []
    for beside in (BESIDE, BESIDE.replace("2", "3")):
        written(tmp_path, {"mine.py": STALE, "beside.py": beside})
        told.append(python(tmp_path / "mine.py", variables=variables, check=True).stdout)
    assert told == ["42\n", "43\n"]
