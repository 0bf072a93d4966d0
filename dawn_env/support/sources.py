"""Digests of the source files that a module is built from, found by following its imports.

Followed are absolute imports that begin a line, of ``dawn_env``, ``dawn_agents`` and the module's own package: what
compiled functions call has been imported so. ``__init__.py`` files of the packages on the way belong to it.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from glob import glob
from importlib.util import find_spec

_OURS = frozenset({"dawn_env", "dawn_agents"})
ENGINE = "dawn_env.engine", "dawn_env.observation.view_layouts"
"""Modules which, with all that they import, are the rules and the observations."""
_IMPORT = re.compile(r"\n(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.+))")  # quicker than with ^
_NAME = re.compile(r"[\w.]+")


@cache
def source_digest(module: str, file: str) -> str:
    """Digest of ``module``, loaded from ``file``, and of everything it imports, 16 hexadecimal digits."""
    return _digest_of(source_files(module, file))


def modules_digest(names: Iterable[str]) -> str:
    """Digest of ``module_files``, 16 hexadecimal digits."""
    return _digest_of(module_files(names))


def module_files(names: Iterable[str]) -> set[str]:
    """Files of modules, of what they import, and of the printed data."""
    found = {file for name in names for start in _module(name)[1] for file in source_files(name, start)}
    return found.union(glob(os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "*.csv")))


def source_files(module: str, file: str) -> set[str]:
    """``file``, in which ``module`` stands, and the files of all that it imports."""
    followed = _OURS | {module.partition(".")[0]}
    found: set[str] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path, followed)
    return found


@cache
def _read(path: str) -> tuple[bytes, list[tuple[str, str, str]]]:
    """Digest of a file, and what its imports say."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:  # of a function typed in, or run from an archive
        content = b""
    return hashlib.sha256(content).digest(), _IMPORT.findall("\n" + content.decode(errors="replace"))


def _digest_of(files: set[str]) -> str:
    """Digest of the contents alone, so that an installation in another folder has the same."""
    return hashlib.sha256(b"".join(sorted(_read(path)[0] for path in files))).hexdigest()[:16]


@cache
def _imported(path: str, followed: frozenset[str]) -> set[str]:
    names = set()
    for origin, parts, modules in _read(path)[1]:
        names.update(_NAME.findall(modules) or [origin])
        if origin.partition(".")[0] in followed and _module(origin)[0]:  # a package, whose parts may be modules
            names.update(f"{origin}.{part}" for part in _NAME.findall(parts))
    return {file for name in names if name.partition(".")[0] in followed for file in _module(name)[1]}


def _root(package: str) -> str:
    """Folder of a package, imported or not; empty if there is none."""
    if package in sys.modules:
        return next(iter(getattr(sys.modules[package], "__path__", [])), "")
    spec = find_spec(package)
    return next(iter(spec.submodule_search_locations or [""]), "") if spec else ""


@cache
def _module(name: str) -> tuple[str, tuple[str, ...]]:
    """Folder of a dotted name, if it is a package, and the files that importing it runs."""
    package, _, last = name.rpartition(".")
    if package:
        parent, files = _module(package)
        folder, file = os.path.join(parent, last), os.path.join(parent, f"{last}.py")
    else:
        parent, files = _root(name), ()
        folder, file = parent, ""
    start = os.path.join(folder, "__init__.py")
    if not parent:
        return "", files
    if os.path.isfile(start):
        return folder, (*files, start)
    return "", (*files, file) if os.path.isfile(file) else files
