"""Digests of the source files that a module is built from, found by following its imports.

In files of ``dawn_env`` and ``dawn_agents`` imports of these two are followed that are absolute and begin a line: what
compiled functions call has been imported so. In files of others all imports are followed, wherever they stand, that
lead into these two, the file's own package or its own folder. ``__init__.py`` files of the packages on the way belong
to it.
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
_ANY_IMPORT = re.compile(  # indented, behind : or ;, over several lines
    r"[\n;:][ \t]*"
    r"(?:from[\s\\]+([\w.]+)[\s\\]+import\s*(\([^)]*\)|(?:\\\n|.)*)|import\s+((?:\\\n|.)+))"
)
_NAME = re.compile(r"[\w.]+")
_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Parts of the paths of packages that were installed: there, what lies beside a package is not of its author."""


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
    ours = tuple(os.path.join(_root(package), "") for package in sorted(_OURS) if _root(package))
    found: set[str] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            is_ours = os.path.abspath(path).startswith(ours)
            waiting += _imported(path) if is_ours else _imported_by_others(path, module.partition(".")[0])
    return found


@cache
def _read(path: str) -> tuple[bytes, str]:
    """Digest of a file, and its text after the end of a line."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:  # of a function typed in, or run from an archive
        content = b""
    return hashlib.sha256(content).digest(), "\n" + content.decode(errors="replace")


def _digest_of(files: set[str]) -> str:
    """Digest of the contents alone, so that an installation in another folder has the same."""
    return hashlib.sha256(b"".join(sorted(_read(path)[0] for path in files))).hexdigest()[:16]


@cache
def _imported(path: str) -> set[str]:
    """Files that a file of these packages imports."""
    names = set()
    for origin, parts, modules in _IMPORT.findall(_read(path)[1]):
        names.update(_NAME.findall(modules) or [origin])
        if origin.partition(".")[0] in _OURS and _module(origin)[0]:  # a package, whose parts may be modules
            names.update(f"{origin}.{part}" for part in _NAME.findall(parts))
    return {file for name in names if name.partition(".")[0] in _OURS for file in _module(name)[1]}


@cache
def _imported_by_others(path: str, package: str) -> set[str]:
    """Files that a file outside these packages imports: of ``package``, its own folder, and these packages."""
    here = os.path.dirname(os.path.abspath(path))
    folders = {here, os.path.dirname(_root(package)) or here}
    folders.update(folder for folder in map(os.path.abspath, sys.path) if here.startswith(os.path.join(folder, "")))
    found: set[str] = set()
    for name in _names(_read(path)[1]):
        top, within = name.partition(".")[0], name.lstrip(".")
        if top in _OURS:
            found.update(_module(name)[1])
        elif within != name:
            parent = os.path.normpath(os.path.join(here, *[os.pardir] * (len(name) - len(within) - 1)))
            found.update(_found(parent, within)[1])
        else:
            beside = [folder for folder in folders if top == package or _INSTALLED.isdisjoint(folder.split(os.sep))]
            found.update(file for folder in beside for file in _found(folder, name)[1])
    return found


def _names(text: str) -> set[str]:
    """Dotted names of modules, or of what is in them, that a source text imports; relative ones keep their dots."""
    names = set()
    for origin, parts, modules in _ANY_IMPORT.findall(text):
        names.update(_NAME.findall(modules))
        if origin:
            names.update([origin, *(f"{origin.removesuffix('.')}.{part}" for part in _NAME.findall(parts))])
    return names


def _root(package: str) -> str:
    """Folder of a package, imported or not; empty if there is none."""
    if package in sys.modules:
        return next(iter(getattr(sys.modules[package], "__path__", [])), "")
    spec = find_spec(package)
    return next(iter(spec.submodule_search_locations or [""]), "") if spec else ""


def _module(name: str) -> tuple[str, tuple[str, ...]]:
    """Folder of a dotted name, if it is a package, and the files that importing it runs."""
    return _found(os.path.dirname(_root(name.partition(".")[0])), name)


@cache
def _found(top: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Folder of a dotted name below the folder ``top``, if it is a package, and the files that importing it runs."""
    package, _, last = name.rpartition(".")
    parent, files = _found(top, package) if package else (top, ())
    if not parent:
        return "", files
    folder = os.path.join(parent, last)
    for file in (os.path.join(folder, "__init__.py"), f"{folder}.py"):
        if os.path.isfile(file):
            return folder if file.startswith(os.path.join(folder, "")) else "", (*files, file)
    return folder if os.path.isdir(folder) else "", files
