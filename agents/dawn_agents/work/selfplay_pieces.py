"""Random games in bulk: played and recorded in pieces, wherever that is done, and written in their order."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dawn_env.errors import MalformedPosition
from dawn_env.formats.game_record import from_line, to_line
from dawn_env.host.random_play import game_seeds, random_games, random_record
from dawn_env.options import GameOptions

PIECE = 128
"""Games of a piece."""


@dataclass(frozen=True)
class SelfplayPiece:
    """The games ``first`` ... ``last - 1`` of a run."""

    seed: int
    first: int
    last: int
    options: GameOptions


def counted(records: Sequence[dict]) -> Counter:
    """Counts over game records: ``games``, ``decisions``, ``turns``, and games by ``(result, reason)``."""
    counts = Counter((record["result"], record["reason"]) for record in records)
    for record in records:
        counts.update(games=1, decisions=record["length"], turns=record["turn"])
    return counts


def pieces(seed: int, games: int, options: GameOptions, done: int = 0) -> list[SelfplayPiece]:
    """The games of a run, but for the first ``done``, in pieces."""
    return [SelfplayPiece(seed, first, min(games, first + PIECE), options) for first in range(done, games, PIECE)]


def play_piece(piece: SelfplayPiece) -> tuple[bytes, Counter, float]:
    """Play the games of a piece: their records as lines, counts over them, and the seconds that playing took."""
    started, seeds = time.perf_counter(), game_seeds(piece.seed, piece.last)[piece.first :]
    played = random_games(seeds, piece.options)
    seconds = time.perf_counter() - started
    records = [random_record(seed, actions, piece.options) for seed, actions in zip(seeds, played, strict=True)]
    return "".join(to_line(record) + "\n" for record in records).encode(), counted(records), seconds


def kept_games(path: Path, seed: int, games: int, options: GameOptions) -> Counter:
    """Count the games of this run that a file has, and cut off the line behind them that is not whole, if there is one.

    Raises ``MalformedPosition`` for a file of something else.
    """
    counts, size, seeds = Counter(games=0), 0, game_seeds(seed, games).tolist()
    with open(path, "r+b") as file:
        for number, line in enumerate(file):
            if not line.endswith(b"\n"):
                break
            where = f"{path}, line {number + 1}"
            record = from_line(line.decode(errors="replace"), where)
            if number == games or record["seed"] != seeds[number] or record["options"] != options.to_json():
                raise MalformedPosition(
                    f"{where}: not game {number + 1} of this run: another seed, other options, or more"
                )
            counts.update(counted([record]))
            size += len(line)
        file.truncate(size)
    return counts
