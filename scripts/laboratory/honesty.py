"""Shows that the correction of luck is honest, what it takes out, and what it costs.

``.venv/bin/python -m scripts.laboratory.honesty --games 20000``, about ten minutes: pairs of games on one deal for
each two players of ``MEETINGS``. Reported are the mean luck of games (of the Democrat) and of pairs (of the first
player), which must lie within three standard errors of 0, in all and for every kind of step; how much of the variance
of pairs stays without luck; the Elo difference with it and without; and the time that luck took beside the time of
play. The exit status is 1 when a mean is further from 0.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.entrants import pair_seed
from dawn_agents.tournaments.match import Outcome, Pairing, play_games
from dawn_agents.tournaments.rating.chance_resampling import ChanceKind, chance_corrections
from dawn_agents.tournaments.rating.estimates import Estimate
from dawn_agents.tournaments.rating.luck_correction import shares
from dawn_agents.tournaments.rating.pair_results import PairResult
from dawn_agents.tournaments.rating.tournament_ratings import rate
from dawn_agents.tournaments.reporting.tables import console
from rich.table import Table

from dawn_env.support.progress_bars import with_progress
from dawn_env.tables import COMMUNIST, DEMOCRAT

MEETINGS = (
    ("random", "random"), ("random", "heuristic"), ("heuristic", "heuristic:style=events"),
    ("heuristic:style=board", "heuristic:style=struggle"),
)  # fmt: skip
ALLOWED = 3.0
"""Standard errors that a mean may be away from 0."""
_SIDE_BY_SIDE = 64  # pairs


@dataclass(frozen=True)
class Sample:
    """Pairs of games of two players; games two by two, the first player being the Democrat, then the Communist.

    ``luck`` float64 [n, KINDS + 1]: points of the Democrat by kind of step, and all together. ``seconds`` of play, and
    of measuring luck.
    """

    games: list[Outcome]
    luck: np.ndarray
    seconds: tuple[float, float]

    @property
    def of_democrat(self) -> np.ndarray:
        """float64 [n / 2, KINDS + 1]: mean points of the Democrat in both games, which are not independent."""
        return (self.luck[0::2] + self.luck[1::2]) / 2

    @property
    def of_pairs(self) -> np.ndarray:
        """float64 [n / 2, KINDS + 1]: points of the first player in both games."""
        return self.luck[0::2] - self.luck[1::2]

    @property
    def variance_ratio(self) -> float | None:
        """Ratio of the variances of pairs' points without and with luck; None when they do not vary."""
        points = np.array([game.points[DEMOCRAT] for game in self.games])
        pairs = points[0::2] - points[1::2]
        return float((pairs - self.of_pairs[:, -1]).var() / pairs.var()) if np.ptp(pairs) else None

    def elo(self, adjusted: bool) -> Estimate:
        """Strength of the second player relative to the first."""
        results = [
            PairResult("one", "two", first.points[DEMOCRAT], second.points[COMMUNIST], first.luck_of(DEMOCRAT),
                       second.luck_of(COMMUNIST))
            for first, second in zip(self.games[0::2], self.games[1::2], strict=True)
        ]  # fmt: skip
        return rate(results, "one", adjusted).ratings["two"]


def draw_sample(one: str, two: str, pairs: int, seed: int) -> Sample:
    """Play pairs of games of two players on deals of that seed."""
    players = make_player(one, 0), make_player(two, 1)
    seeds = [pair_seed(seed, one, two, number) for number in range(pairs)]
    games, luck, seconds = [], [], np.zeros(2)
    for start in with_progress(range(0, pairs, _SIDE_BY_SIDE), f"{one} against {two}", unit="x 64 pairs"):
        chunk = seeds[start : start + _SIDE_BY_SIDE]
        pairings = [Pairing(seed, *sides) for seed in chunk for sides in (players, players[::-1])]
        begun = time.process_time()
        played = [game for _, game in sorted(play_games(pairings))]
        ended = time.process_time()
        measured = np.array([(shares() * chance_corrections(game.seed, game.actions)).sum(axis=1) for game in played])
        seconds += ended - begun, time.process_time() - ended
        luck.append(np.column_stack([measured, measured.sum(axis=1)]))
        games += [
            game._replace(luck=points, actions=())
            for game, points in zip(played, luck[-1][:, -1].tolist(), strict=True)
        ]
    return Sample(games, np.concatenate(luck), tuple(seconds))


def deviations(luck: np.ndarray) -> np.ndarray:
    """Means of the columns of ``luck`` in standard errors; 0 for a column of zeros."""
    error = luck.std(axis=0, ddof=1) / np.sqrt(len(luck))
    return np.divide(luck.mean(axis=0), error, out=np.zeros(luck.shape[1]), where=error > 0)


def is_honest(sample: Sample) -> bool:
    """Return True if no mean is too far from 0."""
    return max(np.abs(deviations(luck)).max() for luck in (sample.of_democrat, sample.of_pairs)) <= ALLOWED


def _means_table(samples: Sequence[tuple[str, Sample]]) -> Table:
    table = Table(
        title="Mean luck in standard errors: of the Democrat by kind of step and in all, of the first in pairs"
    )
    kinds = [kind.name.lower().replace("_", " ") for kind in ChanceKind]
    for heading in ("players", "games", "mean luck", *kinds, "all", "pairs"):
        table.add_column(heading)
    for name, sample in samples:
        away = [*deviations(sample.of_democrat), deviations(sample.of_pairs)[-1]]
        mean = f"{sample.luck[:, -1].mean():+.4f}"
        table.add_row(name, str(len(sample.games)), mean, *(f"{number:+.1f}" for number in away))
    return table


def _gains_table(samples: Sequence[tuple[str, Sample]]) -> Table:
    table = Table(title="What stays without luck, and what it costs")
    for heading in ("players", "variance ratio", "Elo", "Elo without luck", "ms a game", "luck, ms", "share"):
        table.add_column(heading)
    for name, sample in samples:
        ratio = "-" if sample.variance_ratio is None else f"{sample.variance_ratio:.3f}"
        play, luck = (1000 * seconds / len(sample.games) for seconds in sample.seconds)
        elos = [f"{e.value:+.0f} ({e.low:+.0f} to {e.high:+.0f})" for e in map(sample.elo, (False, True))]
        table.add_row(name, ratio, *elos, f"{play:.2f}", f"{luck:.2f}", f"{luck / play:.0%}")
    return table


def main(arguments: list[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20000, help="games of each meeting (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (default: %(default)s)")
    parser.add_argument("--players", nargs=2, metavar="SPEC", help="these two alone")
    options = parser.parse_args(arguments)
    if options.games < 4:
        parser.error(f"--games must be at least 4, not {options.games}")
    meetings = [options.players] if options.players else MEETINGS
    samples = [
        (" - ".join(players), draw_sample(*players, options.games // 2, options.seed)) for players in meetings
    ]  # fmt: skip
    console().print(_means_table(samples))
    console().print(_gains_table(samples))
    return 0 if all(is_honest(sample) for _, sample in samples) else 1


if __name__ == "__main__":
    sys.exit(main())
