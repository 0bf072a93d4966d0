"""The compiled library as Python finds it: in this package, for this machine, made from these very sources.

Beside the library lies ``library.json``: the modules that it was made from, their digest, and its functions. What
builds libraries (``packages/native``) writes it; a library of other sources is never loaded.
"""

import ctypes
import json
import os
import platform
import sys
import weakref
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dawn_env.native.sources import modules_digest

INDEX = "library.json"
"""Name of the file beside a library."""
_FOLDER = Path(__file__).with_name("lib")
_VARIABLE = "DAWN_ENV_LIBRARY"
"""Names a folder of libraries in place of the package's, or is ``off``."""
_SUFFIXES = (".so", ".dylib", ".dll")


def fitting() -> str | None:
    """Name of the target of this machine; None where there is none."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        if sys.platform == "win32":
            return "windows-x86-64"
        return f"linux-x86-64-{'v3' if _is_v3() else 'v2'}" if sys.platform == "linux" else None
    if machine in ("arm64", "aarch64"):
        return {"linux": "linux-arm64", "darwin": "macos-arm64"}.get(sys.platform)
    return None


def _is_v3() -> bool:
    """Return True if the processor has the instructions of x86-64-v3."""
    flags = Path("/proc/cpuinfo").read_text().partition("flags")[2].partition("\n")[0].split()
    return {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= set(flags)


class Library:
    """A compiled library in a file, and its functions as ``library.json`` describes them."""

    def __init__(self, path: Path, functions: Mapping[str, Mapping[str, Any]]):
        """``functions``: descriptions by name in C."""
        self._library, self._functions = ctypes.CDLL(str(path)), functions
        self._names = {described["source"]: name for name, described in functions.items()}

    def pointer(self, name: str) -> int:
        """Address of a function, as compiled loops call it."""
        getter = self._library[f"{name}_pointer"]
        getter.restype = ctypes.c_int64
        return getter()

    def function(self, name: str) -> Callable[..., int]:
        """An exported function as Python calls it: arrays and records are passed by address.

        Raises ``TypeError`` for arguments of other types, ``ValueError`` where the function fails.
        """
        call = self._library[name]
        call.restype = ctypes.c_int32
        passes = [_passing(parameter) for parameter in self._functions[name]["parameters"]]

        def exported(*arguments):
            given = []
            for passing, argument in zip(passes, arguments, strict=True):
                given += passing(argument)
            result = call(*given)
            if result < 0:
                raise ValueError(f"{name} failed")
            return result

        return exported

    def exported(self, function: Callable) -> tuple[Callable[..., int], int] | None:
        """The function that stands for a Python function, as Python calls it, and its address for compiled loops; None
        if none does."""
        name = self._names.get(f"{function.__module__}:{function.__name__}")
        return (self.function(name), self.pointer(name)) if name else None


def exported(function: Callable) -> tuple[Callable[..., int], int] | None:
    """``Library.exported`` of the loaded library; None where none is loaded."""
    compiled = loaded()
    return compiled.exported(function) if compiled else None


def _passing(parameter: Mapping[str, Any]) -> Callable[..., list]:
    """A function from an argument in Python to the arguments in C."""
    if parameter["fields"]:
        fields = [_passing(field) for field in parameter["fields"]]
        return lambda values: [one for passing, value in zip(fields, values, strict=True) for one in passing(value)]
    if dimensions := parameter["dimensions"]:
        dtype, kept = named_dtype(parameter["dtype"]), (lambda: None, [])

        def array(argument):
            nonlocal kept
            reference, given = kept
            if reference() is argument:  # most callers pass the same arrays again
                return given
            if argument.dtype != dtype or argument.ndim != dimensions or not argument.flags.c_contiguous:
                raise TypeError(f"{parameter['name']}: contiguous {dtype} expected, not {argument.dtype}")
            given = [ctypes.c_void_p(argument.ctypes.data), *argument.shape]
            kept = weakref.ref(argument), given
            return given

        return array
    if parameter["is_record"]:
        return lambda record: [ctypes.c_void_p(record.__array_interface__["data"][0])]
    scalar = {"i8": ctypes.c_int64, "f8": ctypes.c_double}.get(parameter["dtype"], ctypes.c_int32)
    return lambda value: [scalar(value)]


def named_dtype(name: str) -> np.dtype:
    """The dtype that is meant by numpy's letters or, if it is a record, by ``module:name``."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute) if attribute else np.dtype(name)


@cache
def loaded() -> Library | None:
    """The library of this machine; None where none fits."""
    chosen, name = os.environ.get(_VARIABLE), fitting()
    if chosen == "off" or name is None:
        return None
    folder = Path(chosen or _FOLDER) / name
    index = json.loads((folder / INDEX).read_text()) if (folder / INDEX).exists() else {}
    if not index or index["sources"] != modules_digest(index["modules"]):
        if chosen:
            print(f"dawn_env: {_VARIABLE} cannot be used, no library of these sources in {folder}", file=sys.stderr)
            os.environ[_VARIABLE] = "off"  # for the processes this one starts
        return None
    (file,) = (path for path in folder.iterdir() if path.suffix in _SUFFIXES)
    return Library(file, index["functions"])
