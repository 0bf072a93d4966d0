"""Compilation of the rules: one decorator for inner functions, one for the cached entry points.

numba does not notice that a function called from *another* file changed, so the code of an entry point is kept in a
folder named by a hash of all sources that its module imports: stale code cannot be loaded. Set ``DAWN_ENV_CACHE_DIR``
to choose where that folder lies, ``NUMBA_DISABLE_JIT=1`` to run everything as plain Python.
"""

import hashlib
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from functools import cache

import numba
import numpy as np
from llvmlite import ir
from numba.core import config
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from dawn_env.support import sources
from dawn_env.support.cache_folder import cache_folder

_TESTED_BELOW = (0, 69)  # of numba: later versions may have other internals
if tuple(map(int, numba.__version__.split(".")[:2])) < _TESTED_BELOW:
    from dawn_env.support.compile_cache import keep, pointer_to
    from dawn_env.support.device_functions import inner, inner_spliced
else:
    from dawn_env.support.numba_interface import inner, inner_spliced, keep, pointer_to


@cache
def source_hash() -> str:
    """Digest of the sources and data files of the engine, 16 hexadecimal digits."""
    versions = f"{sys.version_info[:2]} {numba.__version__}"
    return hashlib.sha256(f"{versions} {sources.engine_digest()}".encode()).hexdigest()[:16]


CACHE_DIR = cache_folder() / source_hash()
COMPILED = not config.DISABLE_JIT

jit = inner
"""The decorator of functions that are only called by compiled ones."""
spliced = inner_spliced
"""The same for small functions of innermost loops, whose code takes the place of every call; compiling takes longer."""


def entry(function):
    """Compile ``function`` as an entry point that is kept on disk between processes; it makes no arrays."""
    return _cached(function, makes_arrays=False)


def entry_with_arrays(function):
    """Like ``entry``, for a function that makes arrays, which goes slower."""
    return _cached(function, makes_arrays=True)


def _cached(function, makes_arrays: bool):
    compiled = numba.njit(nogil=True, _nrt=makes_arrays)(function)
    if COMPILED:
        with _cache_folder_of(function):
            keep(compiled, function)
    return compiled


@contextmanager
def _cache_folder_of(function) -> Iterator[None]:
    """Have numba keep code in the folder of these sources of a plain ``function``."""
    folder = CACHE_DIR / sources.source_digest(function.__module__, function.__code__.co_filename)
    folder.mkdir(stat.S_IRWXU, parents=True, exist_ok=True)
    previous, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = previous


def inlined(function):
    """Code of an entry point, to be compiled into other functions."""
    return jit(function.py_func) if COMPILED else function


def by_address(function, *argument_types):
    """The address of ``function``, which returns nothing, compiled for these types: what ``calling`` calls.

    A loop that is given the address does not compile the function again into itself. As plain Python the
    function itself stands for its address.
    """
    if not COMPILED:
        return function
    with _cache_folder_of(function.py_func):
        return pointer_to(function, argument_types)


ADDRESS = np.dtype(np.intp if COMPILED else object)
"""Of arrays of what ``by_address`` and ``address_of`` give."""


def address_of(array: np.ndarray):
    """Address of an array for tables of compiled loops (``array_at``); the caller keeps the array alive."""
    return array.ctypes.data if COMPILED else array


def array_at(kind):
    """A compiled function ``at(address, count)``: the array [count] of this ``kind``, a dtype, of ``address_of``."""
    if not COMPILED:
        return lambda array, count: array[:count]

    held = numba.types.Array(numba.from_dtype(kind), 1, "C")

    @intrinsic
    def at(_, address, count):
        def generate(context, builder, _, values):
            array = make_array(held)(context, builder)
            data = builder.inttoptr(values[0], array.data.type)
            size = context.get_constant(numba.intp, kind.itemsize)
            populate_array(array, data, (values[1],), (size,), size, None)
            return array._getvalue()

        return held(numba.intp, numba.intp), generate

    return at


def calling(*argument_types):
    """A function ``call(address, *arguments)`` for compiled loops, with arguments of these types."""
    if not COMPILED:
        return lambda function, *arguments: function(*arguments)

    @intrinsic
    def call(_, address, *arguments):
        def generate(context, builder, signature, values):
            kind = ir.FunctionType(ir.VoidType(), [context.get_value_type(kind) for kind in argument_types])
            function = builder.inttoptr(values[0], kind.as_pointer())
            builder.call(function, [builder.extract_value(values[1], at) for at in range(len(argument_types))])
            return context.get_dummy_value()

        return numba.void(numba.intp, numba.types.StarArgTuple.from_types(argument_types)), generate

    return call


_AHEAD = """
import os, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
from dawn_env import engine
engine.step()
"""
"""Compiles the rules, unless its standard input ends before: the process that holds the other end has ended."""
COMPILES_AHEAD = "DAWN_ENV_COMPILES_AHEAD"  # set in a process that only compiles
_announced = False


def announce() -> None:
    """Say once, on stderr, that a first compilation is about to happen (nothing when it is cached), and share it."""
    global _announced
    if _announced or not COMPILED:
        return
    _announced = True
    if not any(CACHE_DIR.rglob("*.nbc")) and COMPILES_AHEAD not in os.environ:
        print("dawn_env: compiling the rules, half a minute, once per version ...", file=sys.stderr, flush=True)
        _compile_ahead()


def _compile_ahead() -> None:
    """Let another process compile the rules, while this one compiles what begins a game and shows it.

    This one then finds them in the cache, or waits there for the other, or compiles them if that has ended.
    """
    if (os.cpu_count() or 1) < 2:
        return
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), COMPILES_AHEAD: "1"}
    with suppress(OSError):
        helper = subprocess.Popen(
            [sys.executable, "-c", _AHEAD],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=helper.wait, daemon=True).start()


class Numbered(IntEnum):
    """Members declared with ``auto()`` are 0, 1, 2 ..."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return count
