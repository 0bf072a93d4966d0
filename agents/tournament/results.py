"""Results as the ratings and reports take them: games, and pairs of games on one deal."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agents.match import Outcome
from dawn_env.tables import SIDE_NAMES


class Game(NamedTuple):
    """A game that was played, as ``agents.match.Outcome`` has it. Both games of a pair share the ``seed``."""

    seed: int
    democrat: str
    communist: str
    result: str
    reason: str
    vp: int
    turn: int
    decisions: int
    seconds: tuple[float, float]
    moves: tuple[int, int]
    failure: str

    @classmethod
    def of(cls, outcome: Outcome) -> "Game":
        """The game without its actions."""
        return cls(**{field: getattr(outcome, field) for field in cls._fields})

    @property
    def players(self) -> tuple[str, str]:
        """Names by side."""
        return self.democrat, self.communist

    @property
    def points(self) -> tuple[float, float]:
        """What the Democrat and the Communist get: 1, 0.5 or 0."""
        if self.result not in SIDE_NAMES:
            return 0.5, 0.5
        democrat = float(self.result == SIDE_NAMES[0])
        return democrat, 1 - democrat


class PairResult(NamedTuple):
    """Points of player ``one`` in the two games of a pair, ``two`` getting the rest."""

    one: str
    two: str
    as_democrat: float
    as_communist: float

    @property
    def points(self) -> float:
        """Points of ``one`` in both games."""
        return self.as_democrat + self.as_communist

    def points_of(self, name: str) -> float:
        """Points of one of the two."""
        return self.points if name == self.one else 2 - self.points


def pair_results(games: Iterable[Game]) -> dict[int, PairResult]:
    """Pairs by seed, in order of their first game; games whose partner is missing are left out.

    ``one`` is the player whose name comes first in the alphabet.
    """
    by_seed: dict[int, list[Game]] = {}
    for game in games:
        by_seed.setdefault(game.seed, []).append(game)
    return {seed: _pair(both) for seed, both in by_seed.items() if len(both) == 2}


def _pair(both: Sequence[Game]) -> PairResult:
    first, second = sorted(both, key=lambda game: game.democrat)
    return PairResult(first.democrat, first.communist, first.points[0], second.points[1])
