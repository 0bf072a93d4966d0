"""Compilation with numba's public interface only, for versions with untested internals.

It has the functions of ``inner`` and ``cache`` that ``compiling`` uses; the first compilation takes longer, and
processes that need the same function at once each compile it.
"""

import numba
from numba.extending import register_jitable

_callbacks: list = []  # whose addresses are in use


def inner(function):
    """Let compiled functions call ``function``; called from Python it stays plain Python. It makes no arrays."""
    return register_jitable(_nrt=False, error_model="numpy")(function)


inner_spliced = inner


def enable_disk_cache(compiled, _function) -> None:
    """Keep the code of a ``compiled`` function in the folder that numba's settings name."""
    compiled.enable_caching()


def pointer_to(compiled, argument_types) -> int:
    """The address of a function that returns nothing, compiled for these types."""
    callback = numba.cfunc(numba.void(*argument_types), cache=True)(compiled.py_func)
    _callbacks.append(callback)
    return callback.address
