"""Games in bulk: played and recorded in pieces, wherever that is done, and written in their order."""

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import FORFEIT, Pairing, play_games
from dawn_env.errors import MalformedPosition
from dawn_env.formats.game_record import from_line, record_from_actions, to_line
from dawn_env.host.random_play import game_seeds, random_games, random_record
from dawn_env.options import GameOptions
from dawn_env.tables import SIDE_LETTERS

PIECE = 128
"""Games of a piece, between players that answer many games at once."""
RANDOM = ("random", "random")
"""Players of a run of random games, which the engine plays by itself."""


@dataclass(frozen=True)
class SelfplayRun:
    """``games`` between two ``players``, by name, who exchange sides every game.

    ``batch``: whether both answer many games at once; ``is_external``: whether one of them comes from outside.
    """

    seed: int
    games: int
    options: GameOptions
    players: tuple[str, str] = RANDOM
    batch: bool = True
    is_external: bool = False

    def seated(self, game: int) -> tuple[str, str]:
        """The Democrat and the Communist of a game, or who offers first and second in games with a bid."""
        return self.players if game % 2 == 0 else self.players[::-1]


@dataclass(frozen=True)
class SelfplayPiece:
    """The games ``first`` ... ``last - 1`` of a run."""

    run: SelfplayRun
    first: int
    last: int


def counted(records: Sequence[dict]) -> Counter:
    """Counts over game records: ``games``, ``decisions``, ``turns``, and games by ``(result, reason)``."""
    counts = Counter((record["result"], record["reason"]) for record in records)
    for record in records:
        counts.update(games=1, decisions=record["length"], turns=record["turn"])
    return counts


def pieces(run: SelfplayRun, done: int = 0) -> list[SelfplayPiece]:
    """The games of a run, but for the first ``done``, in pieces."""
    size = PIECE if run.batch else 1
    return [SelfplayPiece(run, first, min(run.games, first + size)) for first in range(done, run.games, size)]


def play_piece(piece: SelfplayPiece) -> tuple[bytes, Counter, float]:
    """Play the games of a piece: their records as lines, counts over them, and the seconds that playing took.

    The counts have forfeited games by ``(FORFEIT, failure)`` as well.
    """
    run, failures = piece.run, Counter()
    started, seeds = time.perf_counter(), game_seeds(run.seed, piece.last)[piece.first :]
    if run.players == RANDOM:
        played = random_games(seeds, run.options)
        seconds = time.perf_counter() - started
        records = [random_record(seed, actions, run.options) for seed, actions in zip(seeds, played, strict=True)]
    else:
        with ExitStack() as stack:
            made = {name: stack.enter_context(closing(make_player(name))) for name in set(run.players)}
            seats = [[made[name] for name in run.seated(game)] for game in range(piece.first, piece.last)]
            pairings = [Pairing(seed, *seated) for seed, seated in zip(seeds.tolist(), seats, strict=True)]
            outcomes = [outcome for _, outcome in sorted(play_games(pairings, options=run.options))]
        seconds = time.perf_counter() - started
        failures.update((FORFEIT, outcome.failure) for outcome in outcomes if outcome.forfeited_by)
        named = [(game, dict(zip(SIDE_LETTERS, game.players, strict=True))) for game in outcomes]
        records = [record_from_actions(game.seed, game.actions, run.options, names) for game, names in named]
    lines = "".join(to_line(record) + "\n" for record in records)
    return lines.encode(), counted(records) + failures, seconds


def kept_games(path: Path, run: SelfplayRun) -> Counter:
    """Count the games of this run that a file has, and cut off the line behind them that is not whole, if there is one.

    Raises ``MalformedPosition`` for a file of something else.
    """
    counts, size, seeds = Counter(games=0), 0, game_seeds(run.seed, run.games).tolist()
    with open(path, "r+b") as file:
        for number, line in enumerate(file):
            if not line.endswith(b"\n"):
                break
            where = f"{path}, line {number + 1}"
            record = from_line(line.decode(errors="replace"), where)
            if number == run.games or record["seed"] != seeds[number] or record["options"] != run.options.to_json():
                raise MalformedPosition(
                    f"{where}: not game {number + 1} of this run: another seed, other options, or more"
                )
            names, seated = tuple(record["players"][side] for side in SIDE_LETTERS), run.seated(number)
            if names != seated and not (run.options.bid and names == seated[::-1]):
                players = " and ".join(names)
                raise MalformedPosition(f"{where}: not game {number + 1} of this run: its players are {players}")
            counts.update(counted([record]))
            size += len(line)
        file.truncate(size)
    return counts
