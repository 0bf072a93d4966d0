"""Coverage of rating intervals, measured in tournaments of simulated players of known strength.

``.venv/bin/python -m scripts.laboratory.simulation --tournaments 1000`` tells it for several kinds of tournaments.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from dawn_agents.tournaments.rating.estimates import ELO
from dawn_agents.tournaments.rating.pair_results import PairResult
from dawn_agents.tournaments.rating.tournament_ratings import Ratings, rate
from dawn_agents.tournaments.reporting.tables import console
from rich.table import Table
from scipy.special import ndtr

from dawn_env.support.progress_bars import with_progress


@dataclass(frozen=True)
class Simulated:
    """Simulate a round robin. Ratings in Elo, the first is the anchor; ``pairs`` of each meeting.

    ``advantage`` of the Democrat in Elo, ``draw``: v of the model. ``correlation`` of what decides the two games of a
    pair for the Democrat. ``luck``: share of what decides a game that is measured as luck, and taken out.
    """

    ratings: Mapping[str, float] = field(default_factory=lambda: {"a": 0.0, "b": 150.0, "c": -200.0, "d": 420.0})
    pairs: int = 60
    advantage: float = 80.0
    draw: float = 0.1
    correlation: float = 0.0
    luck: float = 0.0

    def probabilities(self, lead: float) -> np.ndarray:
        """float64 [3] of Communist, draw, Democrat, who is ``lead`` Elo stronger."""
        half = (lead + self.advantage) / ELO / 2
        odds = np.array([np.exp(-half), self.draw, np.exp(half)])
        return odds / odds.sum()

    def play(self, random: np.random.Generator) -> list[PairResult]:
        """A tournament."""
        return [result for one, two in combinations(self.ratings, 2) for result in self._meet(one, two, random)]

    def _meet(self, one: str, two: str, random: np.random.Generator) -> Iterator[PairResult]:
        lead = self.ratings[one] - self.ratings[two]
        decides = random.multivariate_normal((0, 0), [(1, self.correlation), (self.correlation, 1)], self.pairs)
        games = [self._games(side, decides[:, game], random) for game, side in enumerate((lead, -lead))]
        (as_democrat, luck), (of_other, luck_of_other) = games
        for row in range(self.pairs):
            yield PairResult(one, two, as_democrat[row], 1 - of_other[row], luck[row], -luck_of_other[row])

    def _games(self, lead: float, decides: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Points of the Democrat [n], and what of them was luck [n]: all that the lucky part of ``decides`` says."""
        ends = np.cumsum(self.probabilities(lead))[:2]
        points = np.searchsorted(ends, ndtr(decides)) / 2
        if not self.luck:
            return points, np.zeros(len(points))
        part = np.sqrt(self.luck)
        lucky = self.luck * decides + np.sqrt(self.luck * (1 - self.luck)) * random.standard_normal(len(decides))
        return points, part * (ndtr(lucky / part) - 0.5)


def coverage(simulated: Simulated, tournaments: int, seed: int = 0) -> dict[str, float]:
    """Share of intervals that held each rating but the anchor's, and the advantage of the Democrat."""
    random, anchor = np.random.default_rng(seed), next(iter(simulated.ratings))
    held = {name: 0 for name in (*simulated.ratings, "advantage") if name != anchor}
    for _ in with_progress(range(tournaments), "tournaments", unit="tournaments"):
        rated = rate(simulated.play(random), anchor, adjusted=simulated.luck > 0)
        for name in held:
            held[name] += _holds(rated, simulated, name)
    return {name: count / tournaments for name, count in held.items()}


def _holds(rated: Ratings, simulated: Simulated, name: str) -> bool:
    truth = simulated.advantage if name == "advantage" else simulated.ratings[name]
    estimate = rated.advantage if name == "advantage" else rated.ratings[name]
    return estimate.low <= truth <= estimate.high


KINDS = {
    "60 pairs a meeting": Simulated(),
    "15 pairs a meeting": Simulated(pairs=15),
    "300 pairs a meeting": Simulated(pairs=300),
    "games of a pair alike": Simulated(correlation=0.6),
    "games of a pair unlike": Simulated(correlation=-0.6),
    "far apart": Simulated(ratings={"a": 0.0, "b": 500.0, "c": 900.0}, pairs=100),
    "without luck": Simulated(luck=0.4),
    "few pairs, without luck": Simulated(ratings={"a": 0.0, "b": 150.0}, pairs=2, luck=0.4),
    "many players, one pair each, without luck": Simulated(
        ratings={name: 200.0 * place for place, name in enumerate("abcdefgh")}, pairs=1, draw=0.03, luck=0.3
    ),
    "without luck, games of a pair alike": Simulated(luck=0.4, correlation=0.6),
}


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=1000, help="of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    options = parser.parse_args(arguments)
    table = Table("tournament", "all", "b", "c", "d", "advantage", title="How often intervals of 95% hold the truth")
    for name, simulated in KINDS.items():
        held = coverage(simulated, options.tournaments, options.seed)
        cells = [f"{held[key]:.1%}" if key in held else "" for key in ("b", "c", "d", "advantage")]
        table.add_row(name, f"{np.mean(list(held.values())):.1%}", *cells)
    console().print(table)


if __name__ == "__main__":
    main()
