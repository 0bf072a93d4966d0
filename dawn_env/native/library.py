"""The compiled library as Python finds it: in this package, for this machine, made from these very sources."""

import ctypes
import os
import platform
import sys
import weakref
from collections.abc import Callable
from functools import cache
from pathlib import Path

from dawn_env.native.exports import EXPORTS, Parameter, sources_hash

_FOLDER = Path(__file__).with_name("lib")
_VARIABLE = "DAWN_ENV_LIBRARY"
"""Names a folder of libraries in place of the package's, or is ``off``."""
_SUFFIXES = (".so", ".dylib", ".dll")
_NAMES = {export.source: export.name for export in EXPORTS}


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
    """A compiled library in a file."""

    def __init__(self, path: Path):
        self._library = ctypes.CDLL(str(path))

    def pointer(self, name: str) -> int:
        """Address of a function, as compiled loops call it."""
        getter = self._library[f"{name}_pointer"]
        getter.restype = ctypes.c_int64
        return getter()

    def function(self, name: str) -> Callable[..., int]:
        """An exported function as Python calls it: arrays and records are passed by address.

        Raises ``TypeError`` for arguments of other types, ``ValueError`` where the function fails.
        """
        (export,) = (export for export in EXPORTS if export.name == name)
        call = self._library[name]
        call.restype = ctypes.c_int32
        passes = [_passing(parameter) for parameter in export.parameters]

        def exported(*arguments):
            given = []
            for passing, argument in zip(passes, arguments, strict=True):
                given += passing(argument)
            result = call(*given)
            if result < 0:
                raise ValueError(f"{name} failed")
            return result

        return exported


def exported(function: Callable) -> tuple[Callable[..., int], int] | None:
    """The library's function that stands for a Python function, as Python calls it, and its address for compiled
    loops; None if none does."""
    compiled, name = loaded(), _NAMES.get(f"{function.__module__}:{function.__name__}")
    return (compiled.function(name), compiled.pointer(name)) if compiled and name else None


def _passing(parameter: Parameter) -> Callable[..., list]:
    """A function from an argument in Python to the arguments in C."""
    if parameter.fields:
        fields = [_passing(field) for field in parameter.fields]
        return lambda values: [one for passing, value in zip(fields, values, strict=True) for one in passing(value)]
    if dimensions := parameter.dimensions:
        dtype, kept = parameter.dtype, (lambda: None, [])

        def array(argument):
            nonlocal kept
            reference, given = kept
            if reference() is argument:  # most callers pass the same arrays again
                return given
            if argument.dtype != dtype or argument.ndim != dimensions or not argument.flags.c_contiguous:
                raise TypeError(f"{parameter.name}: contiguous {dtype} expected, not {argument.dtype}")
            given = [ctypes.c_void_p(argument.ctypes.data), *argument.shape]
            kept = weakref.ref(argument), given
            return given

        return array
    if parameter.is_record:
        return lambda record: [ctypes.c_void_p(record.__array_interface__["data"][0])]
    scalar = {"int64_t": ctypes.c_int64, "double": ctypes.c_double}.get(parameter.kind, ctypes.c_int32)
    return lambda value: [scalar(value)]


@cache
def loaded() -> Library | None:
    """The library of this machine; None where none fits."""
    chosen, name = os.environ.get(_VARIABLE), fitting()
    if chosen == "off" or name is None:
        return None
    folder = Path(chosen or _FOLDER) / name
    stamp = folder / "sources"
    if not stamp.exists() or stamp.read_text() != sources_hash():
        if chosen:
            print(f"dawn_env: {_VARIABLE} cannot be used, no library of these sources in {folder}", file=sys.stderr)
            os.environ[_VARIABLE] = "off"  # for the processes this one starts
        return None
    (file,) = (path for path in folder.iterdir() if path.suffix in _SUFFIXES)
    return Library(file)
