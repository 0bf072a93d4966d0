"""Measure the balance of the game: results by side when a side is given support points (rule 13.0).

Each player plays against themselves. What is played is kept, and the same command goes on where it was cut off. The
fair bids go to scripts/laboratory/balance.json, from where docs/reference/balance.md (``make docs``) has them; its
plot is docs/images/balance.svg.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import numpy as np
from dawn_agents.command_line import (
    COUNT,
    add_executor_arguments,
    executor_of,
    exit_status,
    integer,
    output_file,
    seed,
)
from dawn_agents.players.registry import files_of
from dawn_agents.tournaments.entrants import Entrant, enter, meeting
from dawn_agents.tournaments.pair_runner import LARGEST_CHUNK, Chunk, play_chunks
from dawn_agents.tournaments.rating.estimates import ELO, Score, Z
from dawn_agents.tournaments.rating.result_model import Posterior, model_of
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.work.executor import Executor

from dawn_env.bids import Offer
from dawn_env.errors import BadInput
from dawn_env.host.random_play import warm_up
from dawn_env.options import MOST_EXTRA_SUPPORT, GameOptions
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.compiled_code import source_hash
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES
from dawn_env.validation.untrusted_json import read_format
from scripts.laboratory.measure_scale import listed_json

STANDING = Path(__file__).with_name("balance.json")
"""What has been measured."""
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
        return model.probabilities(self._fitted.best) @ [0.0, 0.5, 1.0]

    @property
    def offer(self) -> Offer:
        """The fair bid: whole points for the side that needs them, so as to play the other one."""
        points = round(self.fair)
        return Offer(DEMOCRAT if points >= 0 else COMMUNIST, abs(points))

    def to_json(self) -> dict:
        """JSON values of the file."""
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
    """Read the measurement (``date``, ``command`` ...) and the players; raises ``BadInput``."""
    told = read_format(path, "measurement of balance", FORMAT, most=_LONGEST)
    return told, [Balance.of_json(player) for player in told["players"]]


def balance_plot(balances: Sequence[Balance]) -> str:
    """Share of the Democrat by support points given to them: SVG, a colour for each player."""
    from dawn_agents.tournaments.reporting.svg_figures import new_axes, svg  # plotting takes long to import

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


# --- the games


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


def play(trials: Sequence[Trial], folder: Path, executor: Executor) -> Iterator[int]:
    """Play what is missing into databases in ``folder``, one for each number of points; yields games that are there."""
    for points in sorted({trial.points for trial in trials}, key=abs):
        mine = [trial for trial in trials if trial.points == points]
        with ResultDatabase.create(database(folder, points), options_of(points)) as store:
            store.add_players({e.name: e for trial in mine for e in (trial.entrant, _twin(trial.entrant))}.values())
            kept = {game.seed for game in store.games()}
            yield sum(seed in kept for trial in mine for seed in trial.seeds)
            chunks = [chunk for trial in mine for chunk in trial.chunks(kept)]
            with closing(play_chunks(chunks, executor)) as playing:
                for played in playing:
                    store.add(game._replace(communist=_twin_name(game.communist)) for game in played)
                    yield len(played)


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


# --- the command

PLAYERS = ("heuristic:level=5", "heuristic", "pretrained", "search:sims=16,plays=1", "search")
POINTS = (-6, -4, -2, 0, 2, 4, 6)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", nargs="+", default=PLAYERS, metavar="SPEC", help=f"({' '.join(PLAYERS)})")
    parser.add_argument(
        "--points", nargs="+", type=integer(-MOST_EXTRA_SUPPORT, MOST_EXTRA_SUPPORT), default=POINTS, metavar="N",
        help=f"support points for the Democrat, below 0 for the Communist ({' '.join(map(str, POINTS))})",
    )  # fmt: skip
    parser.add_argument("--games", type=COUNT, default=200, metavar="N", help="games for each of them (%(default)s)")
    parser.add_argument(
        "--thinking", type=COUNT, default=15, metavar="N", help="the same of players that think (%(default)s)"
    )
    parser.add_argument("--seed", type=seed, default=0, help="seed of the deals (%(default)s)")
    parser.add_argument("--player-seed", type=seed, default=0, help="seed of all players (%(default)s)")
    add_executor_arguments(parser)
    parser.add_argument("--db", type=Path, default="runs/balance", metavar="FOLDER", help="keeps results (%(default)s)")
    parser.add_argument(
        "--json", type=output_file, default=STANDING, metavar="FILE", help="the file to write (%(default)s)"
    )
    parser.add_argument("--plot", type=output_file, metavar="FILE", help="a plot to write too, as SVG")
    options = parser.parse_args(arguments)
    if len({*options.points}) < 2:
        parser.error("--points: at least two different numbers expected, to tell what a point is worth")
    if options.db.exists() and not options.db.is_dir():
        parser.error(f"--db: {options.db} is a file, not a folder")
    return options


def run(options: argparse.Namespace) -> None:
    """Play, fit, write the file and print a table."""
    entrants = enter(options.players, options.player_seed)
    if any(entrant.is_external for entrant in entrants):
        raise BadInput("programs and people cannot play against themselves on known deals")
    trials = [
        Trial(entrant, points, options.games if entrant.batch else options.thinking, options.seed)
        for entrant in entrants
        for points in sorted({*options.points})
    ]
    warm_up()  # so that the rules are compiled once here, not in every process
    total = sum(trial.games for trial in trials)
    with executor_of(options, files_of(options.players)) as executor, ProgressBar("games", total, "games") as gauge:
        for games in play(trials, options.db, executor):
            gauge.update(games)
    balances = [balance_of(entrant, trials, options.db) for entrant in entrants]
    _write(balances, options)
    console().print(balance_sheet(balances))


def _write(balances: list[Balance], options: argparse.Namespace) -> None:
    told = {
        "format": FORMAT,
        "engine": source_hash(),
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"python -m scripts.laboratory.measure_balance {' '.join(_words(options))}",
        "players": [balance.to_json() for balance in balances],
    }
    with atomic_write(options.json, parents=True) as file:
        file.write(listed_json(told))
    if options.plot:
        with atomic_write(options.plot, parents=True) as file:
            file.write(balance_plot(balances))


def _words(options: argparse.Namespace) -> list[str]:
    """Arguments that determine the games."""
    numbers = [f"--{name} {getattr(options, name)}" for name in ("games", "thinking", "seed")]
    players = [] if tuple(options.players) == PLAYERS else [f"--players {' '.join(options.players)}"]
    points = [] if tuple(options.points) == POINTS else [f"--points {' '.join(map(str, options.points))}"]
    return [*players, *points, *numbers]


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all is well, 2 for bad input, 1 when something failed, 130 after Ctrl-C."""
    options = parse(arguments)
    return exit_status(lambda: run(options), f"stopped; games are kept in {options.db}")


if __name__ == "__main__":
    sys.exit(main())
