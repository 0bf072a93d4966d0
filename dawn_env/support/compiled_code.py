"""Compiled code of these sources: the folder that keeps it, what is said about it, and types of arguments."""

import hashlib
import os
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import numpy as np

from dawn_env.native import sources
from dawn_env.support.cache_folder import cache_folder, make_folder


class Vector(NamedTuple):
    """Type of an array with one dimension, contiguous."""

    dtype: np.dtype


@cache
def numba_version() -> str:
    """Version of numba; empty where it is not installed."""
    try:
        return version("numba")
    except PackageNotFoundError:
        return ""


@cache
def source_hash() -> str:
    """Return a hash of the engine's sources and data files, 16 hexadecimal digits."""
    versions = f"{sys.version_info[:2]} {numba_version()}"
    return hashlib.sha256(f"{versions} {sources.modules_digest(sources.ENGINE)}".encode()).hexdigest()[:16]


CACHE_DIR = cache_folder(source_hash())


def keeps_code() -> bool:
    """Return True if code that is compiled now will be there for other processes."""
    try:
        make_folder(CACHE_DIR)
    except OSError:
        return False
    return os.access(CACHE_DIR, os.W_OK)


@cache
def say_not_kept(reason: str) -> None:
    """Say once, on stderr, why compiled code cannot be kept."""
    say(
        f"compiled code cannot be kept ({reason}), so each run compiles what it needs anew; set DAWN_ENV_CACHE_DIR to "
        "a folder that can be written"
    )


def say(words: str) -> None:
    """Print a line on stderr."""
    print(f"dawn_env: {words}", file=sys.stderr, flush=True)
