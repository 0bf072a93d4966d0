"""Compiled code on disk: a damaged file leads to a new compilation, never to a traceback or a crash."""

import pytest

from dawn_env.support import compiling

if not compiling.COMPILED:
    pytest.skip("nothing is compiled", allow_module_level=True)


def increment(number):
    return number + 1


def hits_and_misses(folder):
    """Compile or load the function, call it, and tell which of the two it was."""
    compiled = compiling._cached(increment, folder, makes_arrays=False)
    assert compiled(41) == 42
    return sum(compiled.stats.cache_hits.values()), sum(compiled.stats.cache_misses.values())


DAMAGES = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "garbage": lambda data: bytes(range(256)) * 20,
    "another pickle": lambda data: b"\x80\x04N.",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_file_is_compiled_anew(tmp_path, kind, damage):
    assert hits_and_misses(tmp_path) == (0, 1)
    assert hits_and_misses(tmp_path) == (1, 0)
    (path,) = tmp_path.rglob(f"*.{kind}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits_and_misses(tmp_path) == (0, 1)
    assert hits_and_misses(tmp_path) == (1, 0)


def test_code_that_is_missing_is_compiled_anew(tmp_path):
    hits_and_misses(tmp_path)
    for path in tmp_path.rglob("*.nbc"):
        path.unlink()
    assert hits_and_misses(tmp_path) == (0, 1)
