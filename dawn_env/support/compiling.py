"""Compilation of the rules: one decorator for inner functions, one for the cached entry points.

numba does not notice that a function called from *another* file changed, so its cache lives in a
folder named by a hash of all sources: a stale cache cannot be loaded. Set ``DAWN_ENV_CACHE_DIR`` to
choose where that folder lies, ``NUMBA_DISABLE_JIT=1`` to run everything as plain Python.
"""

import hashlib
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, config
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from dawn_env.support import cache
from dawn_env.support.inner import inner, inner_spliced

_PACKAGE = Path(__file__).parents[1]

# What compiled functions import besides dawn_env.rules. Entry points elsewhere may call only these: numba
# itself notices a change of the file an entry point stands in.
_IMPORTED = (
    "actions.py", "calendar.py", "options.py", "state.py", "tables.py", "observation/family.py",
    "observation/layout.py", "observation/write.py", "cards/conditions.py", "cards/declarations.py", "cards/effects.py",
    "cards/events.py", "cards/lasting.py", "cards/regions.py",
    "support/compiling.py", "support/inner.py", "support/numbered.py", "support/seeds.py", "support/shared_rows.py",
)  # fmt: skip


def source_hash() -> str:
    """Sixteen hexadecimal digits that change with any source or data file of the engine."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__}".encode())
    sources = [*_PACKAGE.glob("rules/**/*.py"), *_PACKAGE.glob("data/*.csv"), *(_PACKAGE / name for name in _IMPORTED)]
    for path in sorted(sources):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


CACHE_DIR = cache.cache_folder() / source_hash()
COMPILED = not config.DISABLE_JIT

jit = inner
"""The decorator of functions that are only called by compiled ones."""
spliced = inner_spliced
"""The same for small functions of innermost loops, whose code takes the place of every call; compiling takes longer."""


def entry(function):
    """Compile ``function`` as an entry point that is kept on disk between processes; it makes no arrays."""
    return _cached(function, CACHE_DIR, makes_arrays=False)


def entry_calling(*files: str, makes_arrays: bool = True):
    """Like ``entry``, for a function that also calls compiled functions of other ``files`` (their ``__file__``).

    It may make arrays, unless it is said not to, which goes faster.
    """
    digest = hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()[:16]
    return lambda function: _cached(function, CACHE_DIR / digest, makes_arrays)


def by_address(function, *argument_types):
    """The address of ``function``, which returns nothing, compiled for these types: what ``calling`` calls.

    A loop that is given the address does not compile the function again into itself. As plain Python the
    function itself stands for its address.
    """
    if not COMPILED:
        return function
    compiled = function.get_compile_result(numba.void(*argument_types))
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


ADDRESS = np.dtype(np.intp if COMPILED else object)
"""Of arrays of what ``by_address`` and ``address_of`` give."""


def address_of(array: np.ndarray):
    """What stands for an array in tables that compiled loops are given, see ``array_at``; somebody has to keep it."""
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
            builder.call(function, cgutils.unpack_tuple(builder, values[1]))
            return context.get_dummy_value()

        return numba.void(numba.intp, numba.types.StarArgTuple.from_types(argument_types)), generate

    return call


def _cached(function, folder: Path, makes_arrays: bool):
    compiled = numba.njit(nogil=True, _nrt=makes_arrays)(function)
    if COMPILED:
        previous, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            cache.keep(compiled, function)
        finally:
            config.CACHE_DIR = previous
    return compiled


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
    command = [sys.executable, "-c", "from dawn_env import engine; engine.step()"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), COMPILES_AHEAD: "1"}
    with suppress(OSError):
        helper = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=helper.wait, daemon=True).start()
