"""Measure what one driver can feed: results a second that it can store, bytes that a game sends to it, and what a core
makes of them; from these, how many cores keep the driver busy. Ray itself is measured with tasks that do nothing.
"""

import argparse
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from dawn_agents.analysis.analysis_database import KeptGames
from dawn_agents.analysis.judged_games import Judging, judge_game, read_tasks
from dawn_agents.tournament.entrants import enter
from dawn_agents.tournament.pair_runner import Chunk, play_chunk
from dawn_agents.tournament.result_database import DatabaseSettings, ResultDatabase
from dawn_agents.tournament.schedules import meeting
from dawn_agents.work import selfplay_pieces
from rich.console import Console
from rich.table import Table

from dawn_env.host.random_play import warm_up
from dawn_env.options import STANDARD
from dawn_env.support.optional_packages import exit_without_extra

_EMPTY = 2000  # tasks that do nothing
_TIMES = 20  # that storing is tried; the least counts


class Fed(NamedTuple):
    """A kind of work: ``games`` a second that a core makes, that the driver stores, and bytes of one."""

    what: str
    made: float
    stored: float
    bytes: float


def _timed(function: Callable, clock: Callable[[], float] = time.perf_counter) -> tuple[object, float]:
    started = clock()
    found = function()
    return found, clock() - started


def _worked(function: Callable) -> tuple[object, float]:
    """What it returned, and the seconds of a core that it took, whatever else the machine does."""
    return _timed(function, time.process_time)


def _least(function: Callable) -> float:
    return min(_timed(function)[1] for _ in range(_TIMES))


def tournament(folder: Path, one: str, two: str, pairs: int) -> Fed:
    """Games of two players, with luck, into a database."""
    first, second = enter([one, two])
    chunk = Chunk(tuple(meeting(one, two, range(pairs), 1)), first, second, STANDARD, with_luck=True)
    play_chunk(chunk if pairs < 4 else Chunk(chunk.pairs[:1], first, second, STANDARD, with_luck=True))
    played, seconds = _worked(lambda: play_chunk(chunk))

    def store() -> float:
        with (
            tempfile.TemporaryDirectory(dir=folder) as fresh,
            ResultDatabase.create(Path(fresh) / "db", DatabaseSettings.now()) as db,
        ):
            db.add_players([first, second])
            return _timed(lambda: db.add(pickle.loads(pickle.dumps(played)).outcomes))[1]

    stored = min(store() for _ in range(_TIMES))
    name = f"tournament, {one} against {two}"
    return Fed(name, 2 * pairs / seconds, 2 * pairs / stored, len(pickle.dumps(played)) / (2 * pairs))


def random_games(folder: Path) -> Fed:
    """A piece of self-play into a file."""
    piece = selfplay_pieces.SelfplayPiece(1, 0, selfplay_pieces.PIECE, selfplay_pieces.PIECE, STANDARD)
    recorded, seconds = _worked(lambda: selfplay_pieces.play_piece(piece))
    data = pickle.dumps(recorded)

    def write() -> None:
        with open(folder / "games.jsonl", "wb", buffering=0) as file:
            found, tally = pickle.loads(data), selfplay_pieces.Tally()
            selfplay_pieces.write_whole(file, found.lines)
            for game in found.facts:
                tally.add(game)

    return Fed("self-play", piece.games / seconds, piece.games / _least(write), len(data) / piece.games)


def analysis(folder: Path) -> Fed:
    """A judged game into the file that keeps them."""
    judging = Judging.by("search:sims=16,plays=1", 8, 0, None)
    (folder / "one.jsonl").write_bytes(
        selfplay_pieces.play_piece(selfplay_pieces.SelfplayPiece(1, 0, 1, 1, STANDARD)).lines
    )
    (task,) = read_tasks([folder / "one.jsonl"], judging, 1, None)
    judge_game(task)
    found, seconds = _worked(lambda: judge_game(task))
    with KeptGames(folder / "kept.db") as kept:
        stored = _least(lambda: kept.add(*pickle.loads(pickle.dumps(found))))
    return Fed("analysis, search:sims=16,plays=1", 1 / seconds, 1 / stored, len(pickle.dumps(found)))


def targets(folder: Path) -> Fed:
    """Targets of distillation into their file; the games are those of a small network and of the rule-based player."""
    from dawn_agents.networks.policy_networks import NetworkOptions, build_network
    from dawn_agents.players.network_player import NetworkPlayer
    from dawn_agents.training.distillation import DistillationGames, LabelCollector, save_targets
    from dawn_agents.training.training_config import Distillation

    networks = [NetworkPlayer("network", build_network(NetworkOptions()), 1, sample=True) for _ in range(2)]
    collector = LabelCollector(networks, Distillation(), STANDARD, 1)
    collector.collect(DistillationGames(0, 2, 1))
    (start, found), seconds = _worked(lambda: collector.collect(DistillationGames(0, 16, 1)))
    stored = _least(lambda: save_targets(folder / "targets.npz", pickle.loads(pickle.dumps(found))))
    return Fed("distillation targets, settings as they are", 16 / seconds, 16 / stored, len(pickle.dumps(found)) / 16)


def nothing(task: int) -> int:
    """A task."""
    return task


def tasks_per_second(address: str) -> float:
    """Of tasks that do nothing, on a Ray cluster."""
    from dawn_agents.work.ray_executor import RayCluster

    with RayCluster(address) as executor:
        sum(executor.done(nothing, range(100)))
        with closing(executor.done(nothing, range(_EMPTY))) as done:
            return _EMPTY / _timed(lambda: sum(done))[1]


def measure(folder: Path) -> Iterator[Fed]:
    """All kinds of work."""
    warm_up()
    yield random_games(folder)
    yield tournament(folder, "random", "heuristic:level=2", 64)
    yield tournament(folder, "heuristic:level=3", "heuristic", 64)
    yield tournament(folder, "heuristic", "search:sims=16,plays=1", 2)
    yield analysis(folder)
    yield targets(folder)


def shown(found: Sequence[Fed], rate: float) -> Table:
    """As a table."""
    table = Table(title=f"what one driver can feed; {rate:,.0f} empty tasks a second")
    for column in ("work", "games/s of a core", "games/s stored", "bytes a game", "cores that saturate the driver"):
        table.add_column(column, justify="left" if column == "work" else "right")
    for what, made, stored, size in found:
        table.add_row(what, f"{made:,.2f}", f"{stored:,.0f}", f"{size:,.0f}", f"{stored / made:,.0f}")
    return table


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cluster", default="local", metavar="ADDRESS", help="local, auto or HOST:PORT (%(default)s)")
    options = parser.parse_args()
    with exit_without_extra("ray"), tempfile.TemporaryDirectory() as folder:
        found = list(measure(Path(folder)))
        Console(width=140).print(shown(found, tasks_per_second(options.cluster)))


if __name__ == "__main__":
    main()
