"""Compiled code kept between processes, in files that are known to be whole.

Every file begins with a digest of the rest: a damaged one counts as missing, and is written anew. Processes that need
the same function at once wait for the first of them to compile it.
"""

import gc
import hashlib
import os
import pickle
import sys
from contextlib import suppress
from pathlib import Path

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
from numba.core.compiler_lock import global_compiler_lock

from dawn_env.support import compiling
from dawn_env.support.cache_folder import make_folder
from dawn_env.support.file_lock import lock_file
from dawn_env.support.interrupts import defer_sigint

_PATIENCE = 300  # seconds to wait for another process at most
_DIGEST = hashlib.sha256().digest_size
_MODE = 0o644  # of files: others may read them at most
_under_way: list[str] = []  # functions that are being compiled


def enable_disk_cache(compiled, function, folder: Path) -> None:
    """Keep the code of a ``function`` that numba will have ``compiled`` in a folder."""
    cache, compile_ = CheckedCache(function, folder), compiled.compile

    @global_compiler_lock  # so that no other thread of this process has begun when this one leaves
    def compile_and_leave(signature):
        collects = gc.isenabled()
        gc.disable()  # a compilation keeps what it makes: 8 % of its time went to looking for garbage
        try:
            with defer_sigint():  # an exception in the midst of LLVM, or in a finalizer, is lost or ends the process
                return compile_(signature)
        finally:
            if collects:
                gc.enable()
            cache.leave()

    compiled._cache = cache  # as its ``enable_caching`` does with numba's own
    compiled.compile = compile_and_leave


def pointer_to(compiled, argument_types, _folder: Path | None) -> int:
    """The address of a function that returns nothing, compiled for these types."""
    result = compiled.get_compile_result(numba.void(*argument_types))
    return result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)


class _Place(UserProvidedCacheLocator):
    """Folder of a function's files: nothing is made until something is kept there."""

    @classmethod
    def from_function(cls, py_func, py_file):
        """The place of a function, whose folder is set afterwards."""
        return cls(py_func, py_file)

    def get_source_stamp(self) -> None:
        """Return nothing: the folder is one of these sources, so that neither their place nor their time matters."""

    def ensure_cache_path(self) -> None:
        """Make the folder; raises ``OSError``."""
        make_folder(Path(self._cache_path))


class _Placed(CompileResultCacheImpl):
    _locator_classes = [_Place]


class CheckedCache(FunctionCache):
    """numba's cache of a function, with files that are checked; one that cannot be written is only read."""

    _impl_class = _Placed

    def __init__(self, function, folder: Path):
        super().__init__(function)
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._cache_path = self._impl.locator._cache_path = str(folder / function.__module__)
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, None)
        self._turn = None  # held while it is compiled

    def load_overload(self, signature, target_context):
        """Compiled code for a signature; None if it is this process that has to compile it."""
        found = super().load_overload(signature, target_context)
        if found is None:
            begin_notice(self._name)
            self._take_turn()
            found = super().load_overload(signature, target_context)
        return found

    def _take_turn(self) -> None:
        """Wait while another process compiles the function, but not for ever."""
        with suppress(OSError):  # then it is neither locked nor kept
            make_folder(Path(self._cache_path))
        with suppress(TimeoutError):
            self._turn = lock_file(Path(self._cache_path) / f"{self._impl.filename_base}.lock", _PATIENCE)

    def save_overload(self, signature, data) -> None:
        """Keep compiled code, or say why it is not kept."""
        try:
            super().save_overload(signature, data)
        except OSError as error:
            compiling.say_not_kept(error.strerror or str(error))

    def leave(self) -> None:
        """The function has been compiled or loaded, or could not be: others may go on."""
        if self._turn is not None:
            self._turn.release()
        end_notice(self._name)


class _CheckedFiles(IndexDataCacheFile):
    """numba's index and data files, each behind a digest of its content."""

    def _load_index(self) -> dict:
        content = _whole(self._index_path)
        if content is None:
            return {}
        stamp, overloads = pickle.loads(content)
        return overloads if stamp == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict) -> None:
        self._write(self._index_path, ((self._version, self._source_stamp), overloads))

    def _load_data(self, name: str):
        content = _whole(self._data_path(name))
        if content is None:
            raise FileNotFoundError(name)  # which numba takes for what it says
        return pickle.loads(content)

    def _save_data(self, name: str, data) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, content) -> None:
        content = self._dump(content)
        with self._open_for_write(path) as file:
            os.chmod(file.name, _MODE)
            file.write(hashlib.sha256(content).digest() + content)


def _whole(path: str) -> bytes | None:
    """Content of a file behind its digest; None unless it is there and whole."""
    try:
        held = Path(path).read_bytes()
    except OSError:
        return None
    digest, content = held[:_DIGEST], held[_DIGEST:]
    return content if hashlib.sha256(content).digest() == digest else None


# --- the line at a terminal --------------------------------------------------------------------------


def begin_notice(name: str) -> None:
    """Show at a terminal that ``name`` is being compiled."""
    _under_way.append(name)
    _show()


def end_notice(name: str) -> None:
    """Remove ``name`` from the display; a compilation that waited for it is shown again."""
    if name in _under_way:
        _under_way.remove(name)
        _show()


def _show() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        what = f"dawn_env: compiling {_under_way[-1]} ..." if _under_way else ""
        print(f"\r{what}\033[K", end="", file=sys.stderr, flush=True)
