"""Compiled code on disk: a damaged file leads to a new compilation, never to a traceback or a crash."""

import subprocess
import sys

import numba
import pytest

from dawn_env.support import compiling

if not compiling.COMPILED:
    pytest.skip("nothing is compiled", allow_module_level=True)


def increment(number):
    return number + 1


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "CACHE_DIR", tmp_path)
    return tmp_path


def hits_and_misses():
    """Compile or load the function, call it, and tell which of the two it was."""
    compiled = compiling.entry(increment)
    assert compiled(41) == 42
    return sum(compiled.compiled.stats.cache_hits.values()), sum(compiled.compiled.stats.cache_misses.values())


DAMAGES = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "garbage": lambda data: bytes(range(256)) * 20,
    "another pickle": lambda data: b"\x80\x04N.",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_file_is_compiled_anew(folder, kind, damage):
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)
    (path,) = folder.rglob(f"*.{kind}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)


def test_code_that_is_missing_is_compiled_anew(folder):
    hits_and_misses()
    for path in folder.rglob("*.nbc"):
        path.unlink()
    assert hits_and_misses() == (0, 1)


WORKER = """
import sys
from pathlib import Path
from dawn_env.support import compiling

def increment(number):
    return number + 1

compiling.CACHE_DIR = Path(sys.argv[1])
compiled = compiling.entry(increment)
if "hold" in sys.argv:
    compiled.compiled._cache._turn.take()
print("ready", flush=True)
sys.stdin.readline()
compiled(41)
print(sum(compiled.compiled.stats.cache_hits.values()), sum(compiled.compiled.stats.cache_misses.values()))
"""


def start_worker(path, *arguments):
    """A process that is about to compile a function into ``path / "cache"``."""
    (path / "worker.py").write_text(WORKER)
    command = [sys.executable, str(path / "worker.py"), str(path / "cache"), *arguments]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "ready\n"
    return worker


def test_processes_that_start_at_once_share_the_work(tmp_path):
    workers = [start_worker(tmp_path) for _ in range(3)]
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
    held, waiting = start_worker(tmp_path, "hold"), start_worker(tmp_path)
    waiting.stdin.write("\n")
    waiting.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(timeout=0.5)
    held.kill()
    held.communicate()
    assert waiting.communicate(timeout=60)[0].split() == ["0", "1"]
