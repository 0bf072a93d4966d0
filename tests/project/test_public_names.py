"""Public names stand at the top of the package, load on first use, and are known to type checkers and to the page."""

import ast

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
    (block,) = (
        node for node in ast.parse((ROOT / "dawn_env/__init__.py").read_text()).body if isinstance(node, ast.If)
    )
    typed = {
        alias.name: node.module.removeprefix("dawn_env.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert typed == dawn_env._HOMES


def test_the_page_lists_all_of_them():
    page = (ROOT / "docs/reference/files.md").read_text()
    assert [name for name in dawn_env.__all__ if f"`{name}`" not in page] == []


def test_importing_the_package_loads_no_engine():
    assert python("-c", LOADED).stdout == "[]\n"


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'Gane'"):
        dawn_env.Gane  # noqa: B018
