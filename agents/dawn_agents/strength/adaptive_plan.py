"""An evaluation as a tournament: rounds against opponents of the scale, each chosen when the ones before are played."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from dawn_agents.match import Outcome
from dawn_agents.strength.rating_scale import Scale
from dawn_agents.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.tournament.entrants import Entrant, EntryError, enter
from dawn_agents.tournament.result_database import ResultDatabase
from dawn_agents.tournament.schedules import Pair, meeting
from dawn_agents.tournament.tournament_plan import Plan
from dawn_env.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class AdaptivePlan(Plan):
    """The first of the ``entrants`` against the others, who are the players of ``scale``, until ``goal`` is reached.

    ``side``: the one that is measured, for players who can play no other; None for both.
    """

    scale: Scale
    goal: Goal
    side: int | None = None

    @property
    def games(self) -> int:
        """Number of games at most; those of a side that is not measured do not count."""
        return self.goal.budget // 2 * 2 if self.side is None else 2 * self.goal.budget

    def schedule(self, store: ResultDatabase) -> Iterator[list[Pair]]:
        """Its rounds; what follows a round depends on the results in ``store``."""
        return self._rounds(StrengthEstimate(self.scale, self.side), store)

    def evaluation(self, store: ResultDatabase) -> tuple[StrengthEstimate, list[Outcome]]:
        """Result of the games in ``store``, once all have been played, and these games, of sides that are measured."""
        evaluation, player = StrengthEstimate(self.scale, self.side), self.entrants[0].name
        games = store.games(pair for pairs in self._rounds(evaluation, store) for pair in pairs)
        return evaluation, [game for game in games if self.side in (None, game.players.index(player))]

    def _rounds(self, evaluation: StrengthEstimate, store: ResultDatabase) -> Iterator[list[Pair]]:
        deal, player, met = self._dealer(store), self.entrants[0].name, Counter()
        while following := evaluation.next(self.goal):
            other, before = self.scale.names[following.opponent], met[following.opponent]
            numbers = range(before, before + following.pairs)
            pairs = [deal(pair) for pair in meeting(player, other, numbers, self.seed, self.label)]
            met[following.opponent] += following.pairs
            yield pairs
            evaluation.add(tallies(store.games(pairs), player, self.scale.names))


def tallies(games: Sequence[Outcome], player: str, opponents: Sequence[str]) -> np.ndarray:
    """int64 [2, K, 3]: games of ``player`` by side, opponent and points: 0, 1/2, 1."""
    counts = np.zeros((2, len(opponents), 3), np.int64)
    for game in games:
        side = game.players.index(player)
        counts[side, opponents.index(game.players[1 - side]), round(2 * game.points[side])] += 1
    return counts


def opponents(scale: Scale, player: Entrant, seed: int) -> tuple[Scale, list[Entrant], list[str]]:
    """The scale without those that cannot be played, its players, and why the others cannot.

    Left out are the ``player``, those of another version than the one measured, and those that cannot be made
    here. Raises ``BadInput`` when fewer than two are left.
    """
    found, problems = [], []
    for rung in scale.rungs:
        if rung.name == player.name:
            continue
        try:
            entrant = _rung_entrant(rung.name, seed)
        except EntryError as error:
            problems.append(str(error))
            continue
        if entrant.version != rung.version:
            problems.append(f"{rung.name!r} is not the one on the scale: version {entrant.version}, not {rung.version}")
            continue
        found.append(entrant)
    if len(found) < 2:
        raise BadInput("fewer than two players of the scale can be played: " + "; ".join(problems))
    return scale.of([entrant.name for entrant in found]), found, problems


@cache
def _rung_entrant(name: str, seed: int) -> Entrant:
    """A player of the scale, made once in a process; raises ``EntryError``."""
    (entrant,) = enter([name], seed)
    return entrant
