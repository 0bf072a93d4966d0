"""numba's cache of compiled code, with checked files: a damaged one counts as missing and is written anew.

numba itself unpickles what it finds, so a file cut short ended in a traceback, and changed machine code in a crash.
"""

import hashlib
import pickle

from numba.core.caching import IndexDataCacheFile

_DIGEST = hashlib.sha256().digest_size


class DamagedCode(OSError):
    """A file whose contents are not what was written; numba compiles again when it cannot read one."""


class CheckedCacheFile(IndexDataCacheFile):
    """The files of one function, each behind the SHA-256 of its contents."""

    def _load_index(self) -> dict:
        try:
            version, stamp, names = pickle.loads(self._read(self._index_path))
        except (FileNotFoundError, DamagedCode):
            return {}
        return names if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, names: dict) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, names))

    def _load_data(self, name: str):
        return pickle.loads(self._read(self._data_path(name)))

    def _save_data(self, name: str, data) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            digest, contents = file.read(_DIGEST), file.read()
        if hashlib.sha256(contents).digest() != digest:
            raise DamagedCode(f"{path}: damaged, so its function is compiled again")
        return contents

    def _write(self, path: str, value) -> None:
        contents = self._dump(value)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(contents).digest() + contents)


def check_files(dispatcher) -> None:
    """Let a function compiled with ``cache=True`` keep its code in checked files."""
    cache = dispatcher._cache
    names = cache._impl.filename_base, cache._impl.locator.get_source_stamp()
    cache._cache_file = CheckedCacheFile(cache.cache_path, *names)
