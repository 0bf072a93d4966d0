"""Compilation with numba's public interface only, for versions with untested internals.

It stands in for ``device_functions`` and ``compile_cache``; the first compilation takes longer, and processes that need
the same function at once each compile it.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import RLock

import numba
from numba.core import config
from numba.extending import register_jitable

_callbacks: list = []  # whose addresses are in use
_settings = RLock()


def inner(function):
    """Register ``function`` for calls by compiled functions; called from Python it stays plain Python; no arrays."""
    return register_jitable(_nrt=False, error_model="numpy")(function)


inner_spliced = inner


def enable_disk_cache(compiled, _function, folder: Path) -> None:
    """Keep the code of a ``compiled`` function in a folder."""
    with kept_in(folder):
        compiled.enable_caching()


def pointer_to(compiled, argument_types, folder: Path | None) -> int:
    """The address of a function that returns nothing, compiled for these types, and kept in a ``folder``."""
    with kept_in(folder) if folder else nullcontext():
        callback = numba.cfunc(numba.void(*argument_types), cache=folder is not None)(compiled.py_func)
    _callbacks.append(callback)
    return callback.address


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Context in which numba keeps code in a folder; its setting is global, so threads take turns."""
    with _settings:
        previous, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = previous
