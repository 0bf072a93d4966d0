"""The cache of compiled code: its folder, messages at a terminal, damaged files, several processes."""

import importlib
import inspect
import io
import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from dawn_agents.frontends.web import compiling_ahead
from dawn_agents.players.registry import PLAYERS
from paths import ROOT
from processes import python

from dawn_env import engine
from dawn_env.native import library, sources
from dawn_env.support import compile_cache, compiled_code, compiling
from dawn_env.support.cache_folder import is_private, only_we_write
from dawn_env.support.compiling import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def chosen(tmp_path, named: Path | None = None, **more: str) -> tuple[Path, str]:
    """The folder a new process without a home takes, and what it says; ``DAWN_ENV_CACHE_DIR`` is ``named`` or unset.

    ``more``: environment variables.
    """
    code = "from dawn_env.support.cache_folder import *; at = cache_folder(); print(at, at.stat().st_mode & 0o777)"
    environment = os.environ | {"HOME": os.devnull, "TMPDIR": str(tmp_path)}
    for name in ("DAWN_ENV_CACHE_DIR", "XDG_CACHE_HOME"):
        environment.pop(name, None)
    if named:
        environment["DAWN_ENV_CACHE_DIR"] = str(named)
    done = python("-c", code, env=environment | more, check=True)
    folder, mode = done.stdout.split()
    assert int(mode) in (0o700, 0o755)
    return Path(folder), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the folder of caches has another name")
def test_the_folder_is_among_the_caches_of_the_user(tmp_path):
    assert chosen(tmp_path, HOME=str(tmp_path)) == (tmp_path / ".cache" / "dawn_env", "")
    assert chosen(tmp_path, XDG_CACHE_HOME=str(tmp_path / "caches")) == (tmp_path / "caches" / "dawn_env", "")


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


def test_a_folder_that_another_user_owns_or_can_write_is_not_private(tmp_path):
    kept = stat.S_IFDIR | 0o755
    for owner, mode, ours in [
        (os.getuid(), kept, True), (0, kept, True), (os.getuid() + 7, kept, False), (0, kept | 0o020, False),
        (os.getuid(), kept | 0o002, False), (os.getuid(), stat.S_IFREG | 0o644, False),
    ]:  # fmt: skip
        status = os.stat_result((mode, 0, 0, 1, owner, 0, 0, 0, 0, 0))
        assert only_we_write(status) == ours
    (tmp_path / "link").symlink_to(tmp_path)
    assert is_private(tmp_path) and not is_private(tmp_path / "link")


KEPT = """
from dawn_env.support import compiled_code, compiling

def increment(number):
    return number + 1

if __name__ == "__main__":
    compiled = compiling.entry(increment)
    assert compiled(41) == 42
    print(sum(compiled.compiled.stats.cache_hits.values()), compiled_code.keeps_code())
"""


@pytest.fixture
def increments(tmp_path):
    """A function that runs a program with a cache, by a shell command in which ``"$@"`` stands for the program."""
    program, cache = tmp_path / "program.py", tmp_path / "cache"
    program.write_text(KEPT)

    def run(command: str = '"$@"') -> tuple[list[str], str]:
        words = ["sh", "-c", command, "sh", sys.executable, "-B", str(program)]
        environment = os.environ | {"DAWN_ENV_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split(), done.stderr

    return run


OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")


def can_mount() -> bool:
    return bool(shutil.which("unshare")) and subprocess.run([*OWN_MOUNTS, "true"], capture_output=True).returncode == 0


def read_only(folder: str) -> str:
    """Command that runs ``"$@"`` where a folder and all below cannot be written."""
    inside = f'mount --rbind {folder} {folder} && mount -o remount,ro,bind {folder} && exec "$@"'
    return f'exec {shlex.join(OWN_MOUNTS)} sh -c {shlex.quote(inside)} sh "$@"'


@pytest.mark.skipif(not can_mount(), reason="no mounts of one's own here")
def test_a_filled_cache_on_a_read_only_disk_is_used(increments, tmp_path):
    assert increments() == (["0", "True"], "")
    assert increments(read_only(str(tmp_path / "cache"))) == (["1", "False"], "")
    assert increments() == (["1", "True"], "")


@pytest.mark.skipif(not can_mount(), reason="no mounts of one's own here")
def test_on_a_disk_that_is_read_only_altogether_code_is_compiled_and_not_kept(increments):
    counts, said = increments(read_only("/"))
    assert counts == ["0", "False"] and said.count("dawn_env: compiled code cannot be kept (") == 1
    assert "set DAWN_ENV_CACHE_DIR to a folder that can be written" in said


def test_functions_that_are_typed_in_are_compiled_and_not_kept(tmp_path):
    variables = {"DAWN_ENV_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        assert python("-c", KEPT, variables=variables, check=True).stdout.split() == ["0", "True"]


def test_a_cache_that_cannot_be_written_is_done_without(capsys, tmp_path, monkeypatch):
    made = compile_cache.CheckedCache(increment, tmp_path)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compile_cache, "atomic_write", full)
    compiled_code.say_not_kept.cache_clear()
    result = numba.njit(increment).get_compile_result(numba.int64(numba.int64))
    for _ in range(2):
        made.save_overload(result.signature.args, result)
    assert capsys.readouterr().err.count("dawn_env: compiled code cannot be kept (No space left on device)") == 1


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
    monkeypatch.setattr(compiled_code, "CACHE_DIR", tmp_path)
    for _ in range(2):
        compiling.entry(lambda number: number + 1)(1)
    assert terminal.getvalue().count("compiling test_cache.") == 1 and terminal.getvalue().endswith("\r\033[K")


@pytest.mark.skipif(library.loaded() is not None, reason="the rules are in the library")
def test_the_first_compilation_is_announced_until_the_rules_are_in_the_cache(tmp_path, monkeypatch, capsys):
    engine.step()
    capsys.readouterr()
    compiling.announce.__wrapped__()
    assert capsys.readouterr().err == ""
    (tmp_path / "dawn_env.envs.seat_draws.draw_seats-0123456789abcdef.nbc").touch()
    monkeypatch.setattr(compiled_code, "CACHE_DIR", tmp_path)
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
    monkeypatch.setattr(compiled_code, "CACHE_DIR", tmp_path)
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
def test_a_damaged_or_missing_file_is_made_anew(folder, damage):
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)
    (path,) = folder.rglob("*.nbc")
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)


WORKER = """
import sys
from pathlib import Path
from dawn_env.support import compiled_code, compiling

def increment(number):
    return number + 1

compiled_code.CACHE_DIR = Path(sys.argv[1])
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
