"""An analysis: games that were judged, the mistakes in them, the profiles of their players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from dawn_agents.analysis.games import Decision, JudgedGame, Judging, Task, judge_game
from dawn_agents.analysis.kept import KeptGames
from dawn_agents.analysis.profile import Row, profile
from dawn_agents.work.place import Place


def waiting(tasks: Sequence[Task], kept: KeptGames) -> list[Task]:
    """Tasks without kept results, each once."""
    known = kept.find(task.key for task in tasks)
    return list({task.key: task for task in tasks if task.key not in known}.values())


def judge_games(tasks: Sequence[Task], kept: KeptGames, place: Place) -> Iterator[None]:
    """Judge and keep games; yields after each. Raises ``WorkerDied``, ``PlaceError`` and ``PlayerFailure``."""
    for key, game in place.done(judge_game, tasks):
        kept.add(key, game)
        yield


@dataclass(frozen=True)
class Mistake:
    """``place``: file and number of the game."""

    place: str
    player: str
    decision: Decision


@dataclass(frozen=True)
class Analysis:
    """``places``: file and number of each of the ``games``."""

    judging: Judging
    places: tuple[str, ...]
    games: tuple[JudgedGame, ...]

    @classmethod
    def of(cls, judging: Judging, tasks: Sequence[Task], kept: KeptGames) -> "Analysis":
        """Read the kept results of tasks."""
        found = kept.find(task.key for task in tasks)
        return cls(judging, tuple(task.where for task in tasks), tuple(found[task.key] for task in tasks))

    @cached_property
    def rows(self) -> list[Row]:
        """The profiles of all players."""
        return profile(self.games)

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The largest first."""
        found = [
            Mistake(place, game.players[decision.side], decision)
            for place, game in zip(self.places, self.games, strict=True)
            for decision in game.decisions
            if decision.mistake
        ]
        return sorted(found, key=lambda mistake: -mistake.decision.loss)
