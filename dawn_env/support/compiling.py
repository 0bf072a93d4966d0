"""Compilation of the rules: one decorator for inner functions, one for entry points.

An entry point is taken from the library (``dawn_env.native``) where that has it and was made from these very sources;
otherwise numba compiles it at its first call, and is only imported then. numba does not notice that a function called
from *another* file changed, so the code of an entry point is kept in a folder named by a hash of all sources that its
module imports: stale code cannot be loaded. Set ``DAWN_ENV_CACHE_DIR`` to choose where that folder lies,
``NUMBA_DISABLE_JIT=1`` to run everything as plain Python; so it runs without library and numba, too.
"""

import ctypes
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from functools import cache, cached_property, update_wrapper

import numpy as np

from dawn_env.errors import MissingExtra
from dawn_env.native import library
from dawn_env.support import compiled_code
from dawn_env.support.compiled_code import Vector, numba_version, say
from dawn_env.support.interrupts import defer_sigint
from dawn_env.support.optional_packages import install_hint

_WANTED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
COMPILED = _WANTED and bool(numba_version() or library.loaded())
_HINT = install_hint(["numba"], "numba")


def how_it_runs() -> str:
    """Text saying how the engine's functions run: compiled ahead, by numba, or plain Python."""
    if not COMPILED:
        return f"plain Python; {_HINT}" if _WANTED else "plain Python"
    ahead = library.loaded() and f"compiled ahead for {library.fitting()}"
    return ahead or f"compiled by numba {numba_version()}"


# --- numba, where it is needed ---------------------------------------------------------------------

_waiting: list[Callable] = []  # what registers functions with numba, called with ``numba_backend`` once it is imported
_backend = None
_loading = threading.RLock()


def backend():
    """Module ``numba_backend``, with all functions registered; raises ``MissingExtra`` without numba."""
    global _backend
    with _loading, defer_sigint():  # an import that is cut off leaves half of numba behind
        if _backend is None:
            if not numba_version():
                raise MissingExtra(f"the compiled library has no such function; {_HINT}", name="numba")
            from dawn_env.support import numba_backend

            while _waiting:
                _waiting.pop(0)(numba_backend)
            _backend = numba_backend
    return _backend


def _register(registers: Callable) -> None:
    with _loading:
        if _backend is None:
            _waiting.append(registers)
        else:
            registers(_backend)


def _register_generated(function, make: Callable) -> None:
    """Make numba generate code in place of calls of ``function``: what ``make(numba_backend)`` gives."""
    if COMPILED:
        _register(lambda numba_backend: numba_backend.register_generated(function, make(numba_backend)))


def jit(function):
    """Register ``function`` for calls by compiled functions; called from Python it stays plain Python."""
    if COMPILED:
        _register(lambda numba_backend: numba_backend.inner(function))
    return function


def spliced(function):
    """Compile like ``jit``, but inline every call: for small functions in innermost loops."""
    if COMPILED:
        _register(lambda numba_backend: numba_backend.inner_spliced(function))
    return function


# --- entry points ------------------------------------------------------------------------------------


def entry(function):
    """Compile ``function`` as an entry point that is kept on disk between processes; it makes no arrays."""
    return EntryPoint(function) if COMPILED else function


class EntryPoint:
    """A compiled function that Python calls; ``py_func`` is the uncompiled one."""

    def __init__(self, function: Callable):
        update_wrapper(self, function)
        self.py_func = function
        self._call, self._address = library.exported(function) or (None, 0)

    @cached_property
    def compiled(self):
        """numba's dispatcher of the function, for arguments that the library has no function for."""
        with _loading:
            return backend().compiled(self.py_func)

    def __call__(self, *arguments):
        if self._call is not None:
            with suppress(TypeError):
                return self._call(*arguments)
        return self.compiled(*arguments)

    def address(self, argument_types) -> int:
        """Address of the function for compiled loops."""
        return self._address or backend().address(self.compiled, argument_types)


def inlined(function):
    """Code of an entry point, to be compiled into other functions."""
    return jit(function.py_func) if COMPILED else function


# --- addresses ---------------------------------------------------------------------------------------


INT64, BYTES = np.dtype(np.int64), Vector(np.dtype(np.int8))
"""Types for ``function_pointer`` and ``call_pointer``, where a dtype stands for a number or record."""


def function_pointer(function, *argument_types):
    """The address of ``function``, which returns nothing, compiled for these types: what ``call_pointer`` calls.

    A loop that is given the address does not compile the function again into itself. As plain Python the
    function itself stands for its address. ``function``: an entry point, or one that numba has compiled.
    """
    if not COMPILED:
        return function
    if isinstance(function, EntryPoint):
        return function.address(argument_types)
    return backend().address(function, argument_types)


ADDRESS = np.dtype(np.intp if COMPILED else object)
"""Of arrays of what ``function_pointer`` and ``address_of`` give."""


def address_of(array: np.ndarray):
    """Address of an array for tables of compiled loops (``array_at``); the caller keeps the array alive."""
    return array.ctypes.data if COMPILED else array


def array_at(kind: np.dtype):
    """A compiled function ``at(address, count)``: the array [count] of this ``kind``, a dtype, of ``address_of``."""

    def at(array, count):
        return array[:count]

    _register_generated(at, lambda numba_backend: numba_backend.array_maker(kind))
    return at


def record_bytes(record):
    """View of a record's memory as an int8 array, as long as the record lives."""
    first, _ = record.__array_interface__["data"]  # numpy gives the buffer of a record for reading only
    return np.ctypeslib.as_array((ctypes.c_int8 * record.nbytes).from_address(first))


_register_generated(record_bytes, lambda numba_backend: numba_backend.record_bytes_maker())


def call_pointer(*argument_types):
    """A function ``call(address, *arguments)`` for compiled loops, with arguments of these types."""

    def call(function, *arguments):
        return function(*arguments)

    _register_generated(call, lambda numba_backend: numba_backend.call_maker(argument_types))
    return call


def read_clock():
    """The processor's clock in compiled functions, 0 in plain Python."""
    return 0


_register_generated(read_clock, lambda numba_backend: numba_backend.clock_maker())

# --- the first compilation ---------------------------------------------------------------------------


@cache
def announce() -> None:
    """Say once, on stderr, that the rules are about to be compiled, or that nothing can be compiled."""
    kept = compiled_code.CACHE_DIR.rglob("dawn_env.rules.flow.advance-*.nbc")
    if COMPILED and library.loaded() is None and not any(kept):
        say("compiling the rules, a minute, once per version ...")
    if _WANTED and not COMPILED:
        say(f"the rules run as plain Python, hundreds of times slower: no compiled library fits; {_HINT}")


class AutoIntEnum(IntEnum):
    """Members declared with ``auto()`` are 0, 1, 2 ..."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return count
