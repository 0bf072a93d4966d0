"""Fit the share of each luck correction that is subtracted from results, all jointly; write ``shares.json``.

``.venv/bin/python -m scripts.laboratory.fit_shares --pairs 3000 --seed 9``, about two minutes. Pairs of games between
the players of ``MEETINGS`` are played on deals of their own, and the points of pairs regressed on the corrections by
kind and period, the variance of each meeting counting alike, with a ridge towards one share for all.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.rating import chance_resampling
from dawn_agents.tournaments.rating.chance_resampling import KINDS, PERIODS, ChanceKind, chance_corrections

from dawn_env.support.progress_bars import with_progress
from dawn_env.tables import DEMOCRAT

MEETINGS = (("heuristic", "heuristic:style=events"), ("heuristic:style=events", "heuristic:style=struggle"))
_FILE = Path(chance_resampling.__file__).with_name("shares.json")
_RIDGE = 0.02  # of the variance of all corrections together
_DIGITS = 3


def play_pairs(one: str, two: str, seeds: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Points [n] of the first of two players, and their corrections [n, KINDS * PERIODS], both about their means."""
    players = make_player(one, 0), make_player(two, 0)
    pairings = [Pairing(seed, *sides) for seed in seeds for sides in (players, players[::-1])]
    points, luck = np.zeros(len(seeds)), np.zeros((len(seeds), KINDS * PERIODS))
    for index, game in with_progress(play_games(pairings), f"{one} against {two}", len(pairings), "games"):
        pair, sign = index // 2, 1 - 2 * (index % 2)
        points[pair] += sign * game.points[DEMOCRAT]
        luck[pair] += sign * chance_corrections(game.seed, game.actions).ravel()
    return points - points.mean(), luck - luck.mean(axis=0)


def regress(points: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """Shares [KINDS * PERIODS] that leave the least variance; those that little is known of are the common one."""
    together = luck.sum(axis=1)
    common = (points @ together) / (together @ together)
    ridge = _RIDGE * (together @ together) * np.eye(luck.shape[1])
    return common + np.linalg.solve(luck.T @ luck + ridge, luck.T @ (points - common * together))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=3000, help="pairs of games a meeting (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=9, help="default: %(default)s")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    found = [play_pairs(*players, random.integers(0, 2**62, options.pairs).tolist()) for players in MEETINGS]
    scaled = [(points / points.std(), luck / points.std()) for points, luck in found]
    fitted = regress(*(np.concatenate(parts) for parts in zip(*scaled, strict=True)))
    for players, (points, luck) in zip(MEETINGS, found, strict=True):
        print(" against ".join(players), f"{np.var(points - luck @ fitted) / np.var(points):.3f} of the variance stays")
    made = f"scripts.laboratory.fit_shares: {options.pairs} pairs a meeting, seed {options.seed}"
    rows = np.round(fitted.reshape(KINDS, PERIODS), _DIGITS).tolist()
    shares = {kind.name.lower(): row for kind, row in zip(ChanceKind, rows, strict=True)}
    _FILE.write_text(json.dumps({"made": made, "shares": shares}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
