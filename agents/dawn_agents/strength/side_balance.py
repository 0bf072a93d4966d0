"""Balance of the game: what a player makes as Democrat against themselves when a side is given support points.

The chance of winning is a logistic function of the points; where it is even, the bid of rule 13.0 is fair.
``balance_games`` plays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from dawn_agents.rating.estimates import ELO, Score, Z
from dawn_agents.rating.result_model import Posterior, model_of
from dawn_agents.rating.tournament_errors import TournamentError
from dawn_agents.reporting.tables import Sheet
from dawn_env.bids import Offer
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES
from dawn_env.validation.untrusted_json import read_format

STANDING = Path(__file__).parents[1] / "data" / "balance.json"
"""What has been measured, as it comes with the project; ``dawn balance`` makes it."""
_STEP = 0.05  # support points; how finely the interval is looked for
FORMAT = 1
_LONGEST = 2**20  # bytes of a file


@dataclass(frozen=True)
class Balance:
    """Games of a player against themselves: lost, drawn and won by the Democrat, by the points given to them."""

    name: str
    version: str
    tallies: Mapping[int, tuple[int, int, int]]

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(map(sum, self.tallies.values()))

    @property
    def scores(self) -> dict[int, Score]:
        """Winning chance of the Democrat, by points."""
        return {points: Score(sum(games), games[2], games[1]) for points, games in self.tallies.items()}

    @cached_property
    def _fitted(self) -> Posterior:
        """Parameters: advantage of the Democrat and worth of a point, in log odds, and ln of the weight of draws."""
        points = np.array(list(self.tallies), float)
        return Posterior(model_of(np.stack([np.ones(len(points)), points], axis=1)), np.array([*self.tallies.values()]))

    @property
    def advantage(self) -> float:
        """Advantage of the Democrat without extra points, in Elo."""
        return float(ELO * self._fitted.best[0])

    @property
    def worth(self) -> float:
        """Elo for each support point."""
        return float(ELO * self._fitted.best[1])

    @property
    def fair(self) -> float:
        """Points for the Democrat (below 0: for the Communist) with which the game is even, within what was tried."""
        advantage, worth = self._fitted.best[:2]
        return float(np.clip(-advantage / worth, min(self.tallies), max(self.tallies)))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """95% interval of ``fair``, within what was tried: the points that are not unlikely to be even."""
        return self._end(-_STEP, min(self.tallies)), self._end(_STEP, max(self.tallies))

    def _end(self, step: float, last: float) -> float:
        """Last of the points from ``fair`` to ``last`` with which an even game is not too unlikely."""
        points = np.append(np.arange(self.fair, last, step), last)
        even = np.stack([np.ones(len(points)), points, np.zeros(len(points))], axis=1)
        unlikely = np.abs(self._fitted.deviations(even[1:])) > Z
        return float(points[unlikely.argmax() if unlikely.any() else -1])

    @property
    def range(self) -> str:
        """The interval in words; ends at what was tried are marked."""
        low, high = self.interval
        least, most = min(self.tallies), max(self.tallies)
        return f"{'≤ ' * (low <= least)}{low:+.1f} to {'≥ ' * (high >= most)}{high:+.1f}"

    def curve(self, points: np.ndarray) -> np.ndarray:
        """Expected share of the points of the game for the Democrat, by support points given to them."""
        model = model_of(np.stack([np.ones(len(points)), points], axis=1))
        return model.chances(self._fitted.best) @ [0.0, 0.5, 1.0]

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


def balance_sheet(balances: Sequence[Balance]) -> Sheet:
    """Fair points and bids."""
    rows = [
        (one.name, str(one.games), f"{one.advantage:+.0f}", f"{one.worth:+.1f}", f"{one.fair:+.1f}", one.range,
         str(one.offer))
        for one in balances
    ]  # fmt: skip
    title = "Support points for the Democrat (below 0: for the Communist) that make the game even"
    return Sheet(title, ("player", "games", "Democrat's Elo", "Elo a point", "fair", "95% interval", "fair bid"), rows)


def read_balance(path: Path = STANDING) -> tuple[dict, list[Balance]]:
    """Read the measurement (``date``, ``command`` ...) and the players; raises ``TournamentError``."""
    told = read_format(path, "measurement of balance", FORMAT, TournamentError, most=_LONGEST)
    return told, [Balance.of_json(player) for player in told["players"]]


def balance_plot(balances: Sequence[Balance]) -> str:
    """Share of the Democrat by support points given to them: SVG, a colour for each player."""
    from dawn_agents.reporting.svg_figures import new_axes, svg  # plotting takes long to import

    axes = new_axes(4.2)
    for number, balance in enumerate(balances):
        points, scores = list(balance.scores), list(balance.scores.values())
        ends = np.array([score.interval() for score in scores]).T
        rates = np.array([score.rate for score in scores])
        colour = f"C{number}"
        axes.errorbar(points, rates, np.abs(ends - rates), fmt="o", markersize=4, color=colour, elinewidth=0.8)
        along = np.linspace(min(points), max(points), 100)
        axes.plot(along, balance.curve(along), color=colour, label=balance.name)
    axes.axhline(0.5, color="#444444", linewidth=0.8)
    axes.set_ylim(0, 1)
    axes.set_xlabel("support points for the Democrat (left of 0: for the Communist)")
    axes.set_ylabel("share of the Democrat against the same player")
    axes.legend()
    return svg(axes)
