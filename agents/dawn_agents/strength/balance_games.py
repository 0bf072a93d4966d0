"""Games of the balance: players against themselves, with support points for either side."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from dawn_agents.strength.side_balance import Balance
from dawn_agents.tournament.entrants import Entrant
from dawn_agents.tournament.pair_runner import LARGEST_CHUNK, Chunk, play_chunks
from dawn_agents.tournament.result_database import DatabaseSettings, ResultDatabase
from dawn_agents.tournament.schedules import meeting
from dawn_agents.work.executor import Executor
from dawn_env.options import GameOptions
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES


def options_of(points: int) -> GameOptions:
    """The game in which the Democrat gets so many points more, the Communist if it is below 0."""
    return GameOptions(extra_support=(max(0, points), max(0, -points)))


def database(folder: Path, points: int) -> Path:
    """Database of the games with so many points for the Democrat."""
    return folder / f"{SIDE_NAMES[COMMUNIST if points < 0 else DEMOCRAT]}-{abs(points)}.db"


@dataclass(frozen=True)
class Trial:
    """Games of a player against themselves, on the same deals whatever the ``points``: ``numbers`` of these."""

    entrant: Entrant
    points: int
    games: int
    seed: int

    @property
    def seeds(self) -> list[int]:
        """Seeds of the games."""
        return [pair.seed for pair in meeting(self.entrant.name, self.entrant.name, range(self.games), self.seed)]

    def chunks(self, played: set[int]) -> Iterator[Chunk]:
        """The games that are not ``played``, in pieces."""
        name, size = self.entrant.name, LARGEST_CHUNK if self.entrant.batch else 1
        missing = [pair for pair in meeting(name, name, range(self.games), self.seed) if pair.seed not in played]
        for start in range(0, len(missing), size):
            pairs = tuple(missing[start : start + size])
            yield Chunk(pairs, self.entrant, self.entrant, options_of(self.points), (DEMOCRAT,))


def play(trials: Sequence[Trial], folder: Path, place: Executor) -> Iterator[int]:
    """Play what is missing into databases in ``folder``, one for each number of points; yields games that are there."""
    for points in sorted({trial.points for trial in trials}, key=abs):
        mine = [trial for trial in trials if trial.points == points]
        with ResultDatabase.create(database(folder, points), DatabaseSettings.now(options_of(points))) as store:
            store.add_players({e.name: e for trial in mine for e in (trial.entrant, _twin(trial.entrant))}.values())
            kept = {game.seed for game in store.games()}
            yield sum(seed in kept for trial in mine for seed in trial.seeds)
            chunks = [chunk for trial in mine for chunk in trial.chunks(kept)]
            with closing(play_chunks(chunks, place)) as playing:
                for played in playing:
                    store.add(game._replace(communist=_twin_name(game.communist)) for game in played.outcomes)
                    yield len(played.outcomes)


def _twin_name(name: str) -> str:
    """Name of the Communist in a database, where a player cannot meet itself."""
    return f"{name} (twin)"


def _twin(entrant: Entrant) -> Entrant:
    return replace(entrant, name=_twin_name(entrant.name))


def balance_of(entrant: Entrant, trials: Sequence[Trial], folder: Path) -> Balance:
    """Balance of the games of one player in ``folder``."""
    tallies = {}
    for trial in sorted((trial for trial in trials if trial.entrant == entrant), key=lambda trial: trial.points):
        seeds = set(trial.seeds)
        with ResultDatabase(database(folder, trial.points), read_only=True) as store:
            points = [game.points[DEMOCRAT] for game in store.games() if game.seed in seeds]
        tallies[trial.points] = tuple(points.count(share) for share in (0.0, 0.5, 1.0))
    return Balance(entrant.name, entrant.version, tallies)
