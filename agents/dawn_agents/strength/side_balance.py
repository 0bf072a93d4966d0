"""Balance of the game: what a player makes as Democrat against themselves when a side is given support points.

The chance of winning is a logistic function of the points; where it is even, the bid of rule 13.0 is fair.
``balance_games`` plays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from dawn_agents.rating.estimates import Score, Z
from dawn_agents.rating.result_model import Fit, Held, Model, fit, log_odds
from dawn_agents.rating.tournament_ratings import ELO
from dawn_env.bids import Offer
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES
from dawn_env.validation.untrusted_json import parse_json, read_text

STANDING = Path(__file__).parents[1] / "data" / "balance.json"
"""What has been measured, as it comes with the project; ``dawn balance`` makes it."""
_STEP = 0.05  # support points; how finely the interval is looked for
_PRIOR_ELO = 1000.0  # standard deviation of advantage and of the worth of a point
_LONGEST = 2**20  # bytes of a file


@dataclass(frozen=True)
class Balance:
    """Games of a player against themselves: lost, drawn and won by the Democrat, by the points given to them."""

    name: str
    version: str
    tallies: Mapping[int, tuple[int, int, int]]

    @property
    def scores(self) -> dict[int, Score]:
        """Winning chance of the Democrat, by points."""
        return {points: Score(sum(games), games[2], games[1]) for points, games in self.tallies.items()}

    @cached_property
    def _model(self) -> Model:
        points = np.array(list(self.tallies), float)
        lead, draw = np.zeros((2, len(points), 3))
        lead[:, 0], lead[:, 1], draw[:, 2] = 1, points, 1
        weak = (ELO / _PRIOR_ELO) ** 2
        return Model(
            log_odds(lead, draw), np.zeros((len(points), 3)), np.array([0, 0, -3.0]), np.array([weak, weak, 1 / 9])
        )

    @cached_property
    def _games(self) -> np.ndarray:
        return np.array(list(self.tallies.values()), float)

    @cached_property
    def _best(self) -> Fit:
        return fit(self._model, self._games, self._model.centre)

    @property
    def advantage(self) -> float:
        """Advantage of the Democrat without extra points, in Elo."""
        return float(ELO * self._best.x[0])

    @property
    def worth(self) -> float:
        """Elo for each support point."""
        return float(ELO * self._best.x[1])

    @property
    def fair(self) -> float:
        """Points for the Democrat (below 0: for the Communist) with which the game is even, within what was tried."""
        advantage, worth = self._best.x[:2]
        return float(np.clip(-advantage / worth, min(self.tallies), max(self.tallies)))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """95% interval of ``fair``, within what was tried: the points that are not unlikely to be even."""
        return self._end(-_STEP, min(self.tallies)), self._end(_STEP, max(self.tallies))

    def _end(self, step: float, last: float) -> float:
        """Points from ``fair`` by steps as far as is not too unlikely, at most to ``last``."""
        points = self.fair
        while points != last and self._unlikeliness(points + step) <= Z**2:
            points = min(points + step, last) if step > 0 else max(points + step, last)
        return float(points)

    @property
    def range(self) -> str:
        """The interval in words; ends at what was tried are marked."""
        low, high = self.interval
        least, most = min(self.tallies), max(self.tallies)
        return f"{'≤ ' * (low <= least)}{low:+.1f} to {'≥ ' * (high >= most)}{high:+.1f}"

    def _unlikeliness(self, points: float) -> float:
        """Twice the logarithm of the likelihood that is lost if the game is even with so many points."""
        even = Held(np.array([1.0, points, 0.0]), 0.0)
        return 2 * (fit(self._model, self._games, self._best.x, even).loss - self._best.loss)

    def curve(self, points: np.ndarray) -> np.ndarray:
        """Expected share of the points of the game for the Democrat, by support points given to them."""
        advantage, worth, draw = self._best.x
        lead = advantage + worth * points
        chances = np.exp(log_odds(lead, np.full_like(lead, draw)))
        return (chances[:, 2] + chances[:, 1] / 2) / chances.sum(axis=1)

    @property
    def offer(self) -> Offer:
        """The fair bid: whole points for the side that needs them, so as to play the other one."""
        points = round(self.fair)
        return Offer(DEMOCRAT if points >= 0 else COMMUNIST, abs(points))

    def to_json(self) -> dict:
        """As it is kept."""
        low, high = self.interval
        return {
            "name": self.name, "version": self.version, "fair": round(self.fair, 2) + 0.0, "low": round(low, 2) + 0.0,
            "high": round(high, 2) + 0.0, "offer": {"side": SIDE_NAMES[self.offer.side], "points": self.offer.points},
            "advantage": round(self.advantage, 1), "worth": round(self.worth, 1),
            "trials": [{"points": points, "games": list(games)} for points, games in self.tallies.items()],
        }  # fmt: skip

    @classmethod
    def of_json(cls, told: Mapping) -> "Balance":
        """The inverse of ``to_json``; raises ``KeyError``, ``TypeError`` and ``ValueError``."""
        tallies = {int(trial["points"]): tuple(map(int, trial["games"])) for trial in told["trials"]}
        return cls(str(told["name"]), str(told["version"]), tallies)


def read_balance(path: Path = STANDING) -> tuple[dict, list[Balance]]:
    """Read the measurement (``date``, ``command`` ...) and the players; raises ``OSError`` and ``ValueError``."""
    told = parse_json(read_text(path, _LONGEST))
    return told, [Balance.of_json(player) for player in told["players"]]
