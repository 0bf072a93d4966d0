"""Random games in bulk: played and recorded in pieces, wherever that is done, and written in their order."""

import errno
import io
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from dawn_env.errors import MalformedPosition
from dawn_env.formats.game_record import from_line, to_line
from dawn_env.host.random_play import game_seeds, random_games, random_record
from dawn_env.options import GameOptions

PIECE = 128
"""Games of a piece."""
_COUNTED = ("result", "reason", "turn", "length")


@dataclass(frozen=True)
class SelfplayPiece:
    """The games ``first`` ... ``last - 1`` of a run."""

    seed: int
    first: int
    last: int
    options: GameOptions


class Recorded(NamedTuple):
    """``lines``: the records of a piece in order; ``facts``: what a ``Tally`` counts of each; ``decisions`` taken in
    so many ``seconds`` of playing."""

    lines: bytes
    facts: list[dict]
    decisions: int
    seconds: float


@dataclass
class Tally:
    """Counts over game records."""

    results: Counter = field(default_factory=Counter)
    reasons: Counter = field(default_factory=Counter)
    decisions: int = 0
    turns: int = 0

    @property
    def games(self) -> int:
        """Number of games counted."""
        return sum(self.results.values())

    def add(self, record: dict) -> None:
        """Count one record."""
        self.results[record["result"]] += 1
        self.reasons[record["result"], record["reason"]] += 1
        self.decisions += record["length"]
        self.turns += record["turn"]


def pieces(seed: int, games: int, options: GameOptions, done: int = 0) -> list[SelfplayPiece]:
    """The games of a run, but for the first ``done``, in pieces."""
    return [SelfplayPiece(seed, first, min(games, first + PIECE), options) for first in range(done, games, PIECE)]


def play_piece(piece: SelfplayPiece) -> Recorded:
    """Play and record the games of a piece."""
    started, seeds = time.perf_counter(), game_seeds(piece.seed, piece.last)[piece.first :]
    played = random_games(seeds, piece.options)
    seconds = time.perf_counter() - started
    records = [random_record(seed, actions, piece.options) for seed, actions in zip(seeds, played, strict=True)]
    lines = "".join(to_line(record) + "\n" for record in records).encode()
    facts = [{key: record[key] for key in _COUNTED} for record in records]
    return Recorded(lines, facts, sum(map(len, played)), seconds)


def kept_games(file: io.FileIO, seed: int, games: int, options: GameOptions) -> Tally:
    """Count the games of this run that a file has, and cut off the line behind them that is not whole, if there is one.

    Raises ``MalformedPosition`` for a file of something else.
    """
    tally, size, seeds = Tally(), 0, game_seeds(seed, games).tolist()
    for line in _whole_lines(file):
        number, where = tally.games, f"{file.name}, line {tally.games + 1}"
        record = from_line(line.decode(errors="replace"), where)
        if number == games or record["seed"] != seeds[number] or record["options"] != options.to_json():
            raise MalformedPosition(f"{where}: not game {number + 1} of this run: another seed, other options, or more")
        tally.add(record)
        size += len(line)
    file.truncate(size)
    file.seek(size)
    return tally


def _whole_lines(file: io.FileIO) -> Iterator[bytes]:
    reader = io.BufferedReader(file)
    yield from (line for line in reader if line.endswith(b"\n"))
    reader.detach()


def write_whole(file: io.FileIO, lines: bytes) -> None:
    """Write all of ``lines``, or none of them and raise ``OSError``, which names the file."""
    start = file.tell() if file.seekable() else 0
    try:
        if file.write(lines) != len(lines):
            file.truncate(start)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        raise OSError(error.errno, error.strerror, file.name) from error
