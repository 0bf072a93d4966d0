"""Cache on disk of what the server computes of games: a compressed file for each game.

Every file begins with a digest of the rest: what is damaged counts as missing, and is worked out anew. The files used
longest ago are removed when there are too many bytes.
"""

import hashlib
import json
import logging
import os
import threading
import zlib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from dawn_agents.frontends.web.game_session import Setting
from dawn_agents.players.player_sources import digest_of
from dawn_env.native.sources import module_files
from dawn_env.support.atomic_files import atomic_write

log = logging.getLogger("dawn.web")

MOST_BYTES = 2**26
"""Of a folder: results of about a thousand long games."""
_MODE = 0o700  # hidden cards are in it
_DIGEST = 16  # bytes of a digest
_WORKERS = ("dawn_agents.frontends.web.analysis_session",)
"""Modules that compute the results. Files are stale once the sources of these, or of their imports, change."""


class ResultFolder:
    """A folder of files, which is made when the first one is written; nothing is kept where that cannot be done."""

    def __init__(self, folder: Path, most: int = MOST_BYTES):
        self._folder, self._most = folder, most
        self._writing = threading.Lock()
        self._has_failed = False

    def read(self, key: str) -> dict[str, Any]:
        """Content of a file; empty unless it is there and whole."""
        path = self._folder / key
        try:
            held = path.read_bytes()
        except OSError:
            return {}
        if _digest(held[_DIGEST:]) != held[:_DIGEST]:
            return {}
        with suppress(OSError):
            os.utime(path)
        return json.loads(zlib.decompress(held[_DIGEST:]))

    def write(self, key: str, content: dict[str, Any]) -> None:
        """Write a file, and remove others to make room."""
        packed = zlib.compress(json.dumps(content, separators=(",", ":")).encode())
        with self._writing:
            try:
                self._folder.mkdir(_MODE, parents=True, exist_ok=True)
                with atomic_write(self._folder / key, "wb") as file:
                    file.write(_digest(packed) + packed)
                self._make_room()
            except OSError as error:
                if not self._has_failed:
                    log.warning("what is read of replays is not kept: %s", error)
                self._has_failed = True

    def _make_room(self) -> None:
        found = sorted((status.st_mtime, status.st_size, path) for path, status in _statuses(self._folder))
        total = sum(size for _, size, _ in found)
        for _, size, path in found:
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= size


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def _statuses(folder: Path) -> Iterable[tuple[Path, os.stat_result]]:
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            yield path, path.stat()


class KeptResults:
    """Results of one game by name, as JSON values; ``folder``: None to keep them in memory alone."""

    def __init__(self, folder: ResultFolder | None = None, key: str = ""):
        self._folder, self._key = folder, key
        self._found = folder.read(key) if folder else {}
        self._changing = threading.Lock()

    def get(self, name: str) -> Any:
        """A result, None where it has not been worked out."""
        return self._found.get(name)

    def put(self, name: str, value: Any) -> None:
        """Keep a result."""
        with self._changing:
            self._found = self._found | {name: value}
            if self._folder:
                self._folder.write(self._key, self._found)


def key_of(setting: Setting, decisions: Iterable[str]) -> str:
    """Name of the file of a game: what it depends on, and the sources of what works out results."""
    told = [_version(), setting.seed, setting.options.to_json(), setting.position, *decisions]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=_DIGEST).hexdigest()


@cache
def _version() -> str:
    """Digest of sources and weights."""
    weights = Path(str(files("dawn_agents.players.win_probability"))).glob("*.json")
    return digest_of([*map(Path, module_files(_WORKERS)), *weights])
