"""An evaluation as a tournament: rounds against opponents of the scale, each chosen when the ones before are played."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dawn_agents.tournaments.entrants import Entrant, EntryError, Pair, enter_one, meeting
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.rating_scale import Scale
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.tournaments.tournament_plan import Plan
from dawn_env.errors import BadInput

_kept_entrant = cache(enter_one)  # players of the scale are made once in a process


@dataclass(frozen=True, kw_only=True)
class AdaptivePlan(Plan):
    """The first of the ``entrants`` against the others, who are the players of the scale of ``evaluation``, until
    ``goal`` is reached. ``evaluation`` is complete once all games of ``schedule`` have been played."""

    evaluation: StrengthEstimate
    goal: Goal

    @property
    def games(self) -> int:
        """Number of games at most; those of a side that is not measured do not count."""
        return self.goal.budget // 2 * 2 if self.evaluation.side is None else 2 * self.goal.budget

    def schedule(self, store: ResultDatabase) -> Iterator[list[Pair]]:
        """Rounds of the plan; results of each are read from ``store`` and added to ``evaluation`` before the next."""
        deal, player, met = self._dealer(store), self.entrants[0].name, Counter()
        while following := self.evaluation.next(self.goal):
            other, before = self.evaluation.scale.names[following.opponent], met[following.opponent]
            numbers = range(before, before + following.pairs)
            pairs = [deal(pair) for pair in meeting(player, other, numbers, self.seed, self.label)]
            met[following.opponent] += following.pairs
            yield pairs
            self.evaluation.add_games(store.games(pairs), player)


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
            entrant = _kept_entrant(rung.name, seed)
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
