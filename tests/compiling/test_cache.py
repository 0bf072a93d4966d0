"""The cache of compiled code: its folder, messages at a terminal, damaged files, several processes."""

import importlib
import inspect
import io
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest
from dawn_agents import compiling_ahead
from dawn_agents.registry import PLAYERS
from numba.core import config
from processes import python

from dawn_env import engine
from dawn_env.errors import DawnError
from dawn_env.native import library
from dawn_env.support import compile_cache, compiling, sources
from dawn_env.support.cache_folder import cache_folder, is_private
from dawn_env.support.compiling import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def chosen(tmp_path, named: Path | None = None) -> tuple[Path, str]:
    """The folder a new process without a home takes, and what it says; ``DAWN_ENV_CACHE_DIR`` is ``named`` or unset."""
    code = "from dawn_env.support.cache_folder import *; at = cache_folder(); print(at, at.stat().st_mode & 0o777)"
    environment = os.environ | {"HOME": os.devnull, "TMPDIR": str(tmp_path)}
    environment.pop("DAWN_ENV_CACHE_DIR", None)
    if named:
        environment["DAWN_ENV_CACHE_DIR"] = str(named)
    done = python("-c", code, env=environment, check=True)
    folder, mode = done.stdout.split()
    assert int(mode) == 0o700
    return Path(folder), done.stderr


def test_the_folder_among_temporary_files_is_this_users_alone(tmp_path):
    mine = tmp_path / f"dawn_env-{os.getuid()}"
    assert chosen(tmp_path) == (mine, "") == chosen(tmp_path)


@pytest.mark.parametrize("kind", ["open to others", "link", "file"])
def test_a_folder_that_others_could_have_written_is_not_used(tmp_path, kind):
    theirs = tmp_path / f"dawn_env-{os.getuid()}"
    if kind == "file":
        theirs.touch()
    elif kind == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        theirs.symlink_to(tmp_path / "elsewhere")
    else:
        theirs.mkdir()
        theirs.chmod(0o777)
    folder, said = chosen(tmp_path)
    assert folder.parent == tmp_path and folder != theirs and not folder.exists(), "it is gone with the process"
    assert "is not a folder that only this user can write" in said and "set DAWN_ENV_CACHE_DIR" in said


@pytest.mark.parametrize("link", [False, True])
def test_a_named_folder_that_others_could_have_written_is_not_used(tmp_path, link):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    theirs.chmod(0o777)
    named = tmp_path / "link" if link else theirs
    if link:
        named.symlink_to(theirs)
    folder, said = chosen(tmp_path, named)
    assert folder.parent == tmp_path and folder != theirs and f"{theirs} is not a folder that only this user" in said
    theirs.chmod(0o700)
    assert chosen(tmp_path, named) == (theirs, "")


def test_a_named_folder_is_made_for_this_user_alone(tmp_path):
    assert chosen(tmp_path, tmp_path / "new") == (tmp_path / "new", "")


def test_a_named_folder_that_cannot_be_used_is_told_about(tmp_path):
    (tmp_path / "file").touch()
    folder, said = chosen(tmp_path, tmp_path / "file")
    assert folder == tmp_path / f"dawn_env-{os.getuid()}"
    (line,) = said.splitlines()
    assert line.startswith(f"dawn_env: DAWN_ENV_CACHE_DIR cannot be used, compiled code is kept in {folder}: ")


def test_without_any_folder_compiling_names_the_setting(monkeypatch):
    def fail(error):
        raise error

    monkeypatch.delenv("DAWN_ENV_CACHE_DIR", raising=False)
    monkeypatch.setattr(Path, "home", lambda: fail(RuntimeError("Could not determine home directory.")))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: fail(FileNotFoundError("No usable temporary directory found")))
    monkeypatch.setattr(compiling, "CACHE_DIR", cache_folder() / "hash")
    compiling.announce.__wrapped__()
    with pytest.raises(DawnError, match="set DAWN_ENV_CACHE_DIR"):
        compiling.entry(increment)(41)


def test_a_folder_of_another_user_is_not_private(tmp_path, monkeypatch):
    assert is_private(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert not is_private(tmp_path)


def test_a_cache_that_cannot_be_written_is_done_without(capsys, tmp_path, monkeypatch):
    made = compile_cache.CheckedCache(test_a_folder_of_another_user_is_not_private, tmp_path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compile_cache.FunctionCache, "save_overload", full)
    made.save_overload(None, None)
    assert capsys.readouterr().err == "dawn_env: compiled code cannot be kept: [Errno 28] No space left on device\n"


def test_threads_that_compile_at_once_keep_code_in_its_own_folder(tmp_path):
    """numba's cache folder is a global setting, so only one thread may change it at a time."""
    folders = [tmp_path / str(number) for number in range(8)]

    def made(folder):
        found = [compile_cache.CheckedCache(test_a_folder_of_another_user_is_not_private, folder) for _ in range(50)]
        return {Path(one.cache_path).parent for one in found}

    with ThreadPoolExecutor(len(folders)) as threads:
        assert list(threads.map(made, folders)) == [{folder} for folder in folders]
    assert config.CACHE_DIR == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_told_what_is_being_compiled(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in ("outer", "inner"):
        compile_cache.begin_notice(name)
    for name in ("inner", "outer", "outer"):
        compile_cache.end_notice(name)
    shown = terminal.getvalue().replace("\033[K", "").split("\r")[1:]
    assert shown == [f"dawn_env: compiling {name} ..." for name in ("outer", "inner", "outer")] + [""]


def test_the_line_is_there_while_a_function_is_compiled_for_the_first_time(tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(compiling, "CACHE_DIR", tmp_path)
    for _ in range(2):
        compiling.entry(lambda number: number + 1)(1)
    assert terminal.getvalue().count("compiling test_cache.") == 1 and terminal.getvalue().endswith("\r\033[K")


@pytest.mark.skipif(library.loaded() is not None, reason="the rules are in the library")
def test_the_first_compilation_is_announced_until_the_rules_are_in_the_cache(tmp_path, monkeypatch, capsys):
    engine.step()
    capsys.readouterr()
    compiling.announce.__wrapped__()
    assert capsys.readouterr().err == ""
    (tmp_path / "seat_draws.draw_seats-16.py311.1.nbc").touch()
    monkeypatch.setattr(compiling, "CACHE_DIR", tmp_path)
    compiling.announce.__wrapped__()
    assert "compiling the rules" in capsys.readouterr().err


def test_what_is_compiled_ahead_is_compiled_anew_when_the_code_of_its_players_has_changed():
    read = sources.module_files(compiling_ahead.MODULES)
    for name in ("heuristic", "pretrained"):
        assert inspect.getfile(importlib.import_module(PLAYERS[name][0])) in read


def increment(number):
    return number + 1


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "CACHE_DIR", tmp_path)
    return tmp_path


def hits_and_misses():
    """Numbers of cache hits and misses when the function is compiled or loaded, and called."""
    compiled = compiling.entry(increment)
    assert compiled(41) == 42
    return sum(compiled.compiled.stats.cache_hits.values()), sum(compiled.compiled.stats.cache_misses.values())


DAMAGES = {
    "missing": None,
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "garbage": lambda data: bytes(range(256)) * 20,
    "another pickle": lambda data: b"\x80\x04N.",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_or_missing_file_is_made_anew(folder, kind, damage):
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)
    (path,) = folder.rglob(f"*.{kind}")
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)


WORKER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from dawn_env.support import compiling

def increment(number):
    return number + 1

compiling.CACHE_DIR = Path(sys.argv[1])
compiled = compiling.entry(increment)
if "hold" in sys.argv:
    compiled.compiled._cache._take_turn()
print("ready", flush=True)
sys.stdin.readline()
compiled(41)
print(sum(compiled.compiled.stats.cache_hits.values()), sum(compiled.compiled.stats.cache_misses.values()))
"""


def start_worker(folder, *arguments):
    """Start a process that compiles a function of ``folder`` into the cache once it is told to."""
    folder.mkdir()
    (folder / "worker.py").write_text(WORKER)
    command = [sys.executable, str(folder / "worker.py"), str(folder.parent / "cache"), *arguments]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "ready\n"
    return worker


def test_processes_that_start_at_once_share_the_work_wherever_the_same_sources_lie(tmp_path):
    workers = [start_worker(tmp_path / name) for name in ("first", "second", "third")]
    for worker in workers:
        worker.stdin.write("\n")
        worker.stdin.flush()
    told = sorted(worker.communicate(timeout=60)[0].split() for worker in workers)
    assert told == [["0", "1"], ["1", "0"], ["1", "0"]]


def test_a_function_that_cannot_be_compiled_holds_up_nobody(folder):
    fcntl = pytest.importorskip("fcntl")
    compiled = compiling.entry(increment)
    with pytest.raises(numba.TypingError):
        compiled("41")
    (lock,) = folder.rglob("*.lock")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert compiled(41) == 42


def test_a_process_that_is_killed_while_it_compiles_holds_up_nobody(tmp_path):
    held, waiting = start_worker(tmp_path / "held", "hold"), start_worker(tmp_path / "waiting")
    waiting.stdin.write("\n")
    waiting.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(timeout=0.5)
    held.kill()
    held.communicate()
    assert waiting.communicate(timeout=60)[0].split() == ["0", "1"]
