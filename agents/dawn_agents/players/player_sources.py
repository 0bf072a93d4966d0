"""Files that players of people's own are made from, and digests of them: an edited player is another version.

What a Python file imports is found in its text. Followed are imports of modules in the folder in which Python looks
for it, and of modules beside it; installed packages are not followed, but for the one that it belongs to.
"""

import ast
import hashlib
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import all_suffixes
from pathlib import Path

from dawn_env.players import Player

OURS = frozenset({"dawn_agents", "dawn_env"})
"""Packages whose players declare their versions."""
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def digest_of(files: Iterable[Path]) -> str:
    """Digest of the contents of files, alike in every folder, 12 hexadecimal digits; empty without files."""
    digests = sorted({hashlib.sha256(file.read_bytes()).digest() for file in files})
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12] if digests else ""


def is_outside(module: str) -> bool:
    """Return True if a module is none of this project's."""
    return module.partition(".")[0] not in OURS


def declares_version(player: Player) -> bool:
    """Return True if a class of people's own, from which the player is made, has a ``version``."""
    return any("version" in vars(kind) for kind in type(player).__mro__ if is_outside(kind.__module__))


def files_of_module(name: str) -> set[Path]:
    """File of an imported module and of the modules that it imports; empty for a module without a file."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or not Path(file).is_file():
        return set()
    start, parts = Path(file).absolute(), name.split(".")
    depth = len(parts) + start.stem.startswith("__init__")
    return _with_imports(start, start.parents[depth - 1], parts[0]) if depth <= len(start.parents) else {start}


def files_of_program(command: str) -> set[Path]:
    """Files that a command line names, with what they import if they are Python; without any, the program itself."""
    words = shlex.split(command)
    modules = [after.split(".") for word, after in zip(words, words[1:], strict=False) if word == "-m"]
    named = [*words, *(str(path) for parts in modules for path in _files({Path.cwd()}, (*parts, "__main__")))]
    files = [Path(word).absolute() for word in named if Path(word).is_file()]
    if not files:
        files = [Path(found).absolute() for found in filter(None, [shutil.which(words[0])])]
    roots = {file: Path.cwd() if modules else file.parent for file in files}
    return {found for file, root in roots.items() for found in _with_imports(file, root, file.stem)}


def _with_imports(start: Path, root: Path, package: str) -> set[Path]:
    """A file and the files below ``root`` that it imports, directly or not; ``package``: the one it belongs to."""
    found: set[Path] = set()
    waiting, is_installed = [start], not _INSTALLED.isdisjoint(root.parts)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for parts in _imports(path, root):
            if parts[0] not in OURS and (not is_installed or parts[0] == package):
                waiting += _files({root, path.parent}, parts)
    return found


def _imports(path: Path, root: Path) -> Iterator[tuple[str, ...]]:
    """Dotted names, in parts, that a Python file imports; nothing for other files."""
    if path.suffix not in (".py", ".pyw"):
        return
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    package = path.parent.relative_to(root).parts if path.is_relative_to(root) else ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            origin = (*above, *(node.module.split(".") if node.module else ()))
            yield from ((*origin, alias.name) for alias in node.names)


def _files(folders: Iterable[Path], parts: tuple[str, ...]) -> Iterator[Path]:
    """Files that importing a dotted name runs, from those of its packages on."""
    for folder in folders:
        for count in range(1, len(parts) + 1):
            stem = folder.joinpath(*parts[:count])
            candidates = (base.with_name(base.name + suffix) for base in (stem, stem / "__init__")
                          for suffix in all_suffixes())  # fmt: skip
            yield from (path.absolute() for path in candidates if path.is_file())
