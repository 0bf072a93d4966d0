"""Imports run in one direction: no circle of modules or packages, and packages know nothing of those above them."""

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from paths import ROOT

FOLDERS = {"dawn_env": ROOT, "dawn_agents": ROOT / "agents", "dawn_native": ROOT / "packages" / "native"}
"""Packages, each of which may import those before it, and the folders in which they lie."""


def modules() -> dict[str, Path]:
    """Files by the names of their modules; a package stands for its ``__init__``."""
    found = {}
    for package, folder in FOLDERS.items():
        for path in (folder / package).rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def nodes(tree: ast.AST):
    """What runs: everything but what is for type checkers only."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            yield from nodes(node)


def imported(name: str) -> set[str]:
    """Modules that a module imports, in functions or by a text too."""
    found = set()
    for node in nodes(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(part if part in MODULES else node.module for part in parts)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found.update(part.value for part in node.args if isinstance(part, ast.Constant))
    return {module for module in found if module in MODULES and module != name}


GRAPH = {name: imported(name) for name in MODULES}


def siblings(package: str) -> dict[str, set[str]]:
    """What the parts of a package, modules and packages with all that is in them, import of one another."""
    graph, depth = defaultdict(set), package.count(".") + 1
    for name, others in GRAPH.items():
        for other in others:
            parts = [module.split(".") for module in (name, other)]
            if all(part[:depth] == package.split(".") and len(part) > depth for part in parts):
                first, second = (part[depth] for part in parts)
                if first != second:
                    graph[first].add(second)
    return graph


@pytest.mark.parametrize("package", [name for name, path in MODULES.items() if path.name == "__init__.py"])
def test_parts_of_a_package_import_one_another_in_one_direction(package):
    TopologicalSorter(siblings(package)).prepare()


def test_modules_import_one_another_in_one_direction():
    TopologicalSorter({name: others - set(FOLDERS) for name, others in GRAPH.items()}).prepare()


def test_a_circle_would_be_found(monkeypatch):
    monkeypatch.setitem(GRAPH, "dawn_env.tables", {"dawn_env.game"})
    with pytest.raises(CycleError):
        test_modules_import_one_another_in_one_direction()
    with pytest.raises(CycleError):
        test_parts_of_a_package_import_one_another_in_one_direction("dawn_env")


def test_packages_import_only_those_before_them():
    order = list(FOLDERS)
    allowed = {package: set(order[: at + 1]) for at, package in enumerate(order)}
    wrong = [
        f"{name}: {other}"
        for name, others in GRAPH.items()
        for other in others
        if other.partition(".")[0] not in allowed[name.partition(".")[0]]
    ]
    assert wrong == []
