"""Compiled code kept between processes: a file for each function and signature, known to be whole.

Every file begins with a digest of the rest: a damaged one counts as missing, and is written anew. Processes that need
the same function at once wait for the first of them to compile it. numba's own files have none of this, and it reads
them only in a folder that it can write.
"""

import gc
import hashlib
import os
import pickle
import sys
from contextlib import suppress
from pathlib import Path

from numba.core.caching import Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps

from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.compiled_code import say_not_kept
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


class CheckedCache(Cache):
    """Compiled code of a function in a folder, by signature and processor; one that cannot be written is only read."""

    def __init__(self, function, folder: Path):
        self._py_func = function  # for numba's key
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._folder = folder
        self._turn = None  # held while it is compiled

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, signature, target_context):
        """Compiled code for a signature; None if it is this process that has to compile it."""
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        content = _whole(path)
        if content is None:
            begin_notice(self._name)
            self._take_turn()
            content = _whole(path)
        return None if content is None else CompileResult._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, signature, result) -> None:
        """Keep compiled code, or say why it is not kept."""
        if result.library.has_dynamic_globals:  # it holds addresses of this process
            return
        content = dumps(result._reduce())
        try:
            with atomic_write(self._path(signature, result.codegen), "wb", parents=True) as file:
                os.chmod(file.name, _MODE)
                file.write(hashlib.sha256(content).digest() + content)
        except OSError as error:
            say_not_kept(error.strerror or str(error))

    def leave(self) -> None:
        """The function has been compiled or loaded, or could not be: others may go on."""
        if self._turn is not None:
            self._turn.release()
        end_notice(self._name)

    def _path(self, signature, codegen) -> Path:
        key = hashlib.sha256(repr(self._index_key(signature, codegen)).encode()).hexdigest()[:16]
        return self._folder / f"{self._name}-{key}.nbc"

    def _take_turn(self) -> None:
        """Wait while another process compiles the function, but not for ever."""
        with suppress(TimeoutError):
            self._turn = lock_file(self._folder / f"{self._name}.lock", _PATIENCE)


def _whole(path: Path) -> bytes | None:
    """Content of a file behind its digest; None unless it is there and whole."""
    try:
        held = path.read_bytes()
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
