"""Linux namespaces for programs: processes of their own wherever possible, files of their own on request."""

import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

_OWN_PROCESSES = ("unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--")
_MOST_WRITTEN = str(256 * 2**20)  # bytes in each folder of memory that an isolated program can write
_OWN_FILES = (
    "bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--as-pid-1", "--cap-drop", "ALL",
    "--proc", "/proc", "--dev", "/dev", "--size", _MOST_WRITTEN, "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
    "--size", _MOST_WRITTEN, "--tmpfs", "/tmp",
)  # fmt: skip
_NOTHING_ELSE = ("--remount-ro", "/", "--")  # after all that is mounted
_SYSTEM = tuple(map(Path, ("/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/sbin", "/usr")))
REFUSAL = "isolate: impossible here: bubblewrap (bwrap) is missing or may not make namespaces"
_SECONDS = 10.0  # for a trial


@cache
def _works(command: tuple[str, ...]) -> bool:
    try:
        tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def own_processes() -> list[str]:
    """Words before a command that give it a process namespace; none where that is impossible."""
    return list(_OWN_PROCESSES) if _works((*_OWN_PROCESSES, "true")) else []


def can_isolate() -> bool:
    """Return True if ``own_files`` works here."""
    return _works((*_OWN_FILES, *_read_only(_SYSTEM), *_NOTHING_ELSE, "true"))


def own_files(command: Sequence[str], *more: Path) -> list[str]:
    """Words before a command that give it processes and files of its own.

    It sees, read-only, the system's folders, ``visible_folders`` and ``more``, and an empty ``/tmp`` of limited size.
    """
    python = (Path(sys.prefix), Path(sys.base_prefix))
    return [*_OWN_FILES, *_read_only((*_SYSTEM, *python, *visible_folders(command), *more)), *_NOTHING_ELSE]


def _read_only(paths: Iterable[Path]) -> list[str]:
    """Options of bubblewrap; outer folders come first, so that they do not cover inner ones."""
    return [word for path in sorted(set(paths)) for word in ("--ro-bind-try", str(path), str(path))]


def visible_folders(command: Sequence[str]) -> list[Path]:
    """Folders visible to an isolated command beside the system's: of its program and of the files it names."""
    program = shutil.which(command[0])
    files = [path for path in map(Path, command[1:]) if path.is_file()]
    folders = {_installation(path) for path in _with_target(Path(program))} if program else set()
    folders |= {path.parent for file in files for path in _with_target(file)}
    return sorted(folder for folder in folders if not any(folder.is_relative_to(system) for system in _SYSTEM))


def _with_target(path: Path) -> tuple[Path, Path]:
    """The absolute path, and the path of the file it links to."""
    return path.absolute(), path.resolve()


def _installation(program: Path) -> Path:
    """The folder with ``bin`` and ``lib`` that a program was installed to, else the program's own folder."""
    folder = program.parent
    return folder.parent if folder.name == "bin" and (folder.parent / "lib").is_dir() else folder


def in_view(command: Sequence[str], paths: Iterable[Path]) -> list[Path]:
    """The paths that an isolated command could read."""
    folders = visible_folders(command)
    return [path for path in paths if any(_with_target(path)[1].is_relative_to(folder.resolve()) for folder in folders)]
