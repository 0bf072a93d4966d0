"""Fits the chance of winning that prices luck to games of the rule-based player; writes ``regression.json``.

``.venv/bin/python -m scripts.laboratory.fit_regression --games 100000 --seed 77``, about twenty minutes. Positions are
drawn from games (``samples.py``), those in power struggles more often; what is read off them and the results of their
games go into a logistic regression. The weights of the numbers change with the turn as 1, t and t**4, those of cards
and spaces as 1 and t (t: 0 ... 1, turn 1 ... 10).
"""

import argparse
import json
from typing import NamedTuple

import numpy as np
from dawn_agents.players.win_probability.win_probability_regression import (
    FILE,
    HOLDERS,
    NUMBERS,
    PLACES,
    RegressionWeights,
    holder_of,
    log_odds_of_features,
    place_of,
    write_numbers,
)
from scipy.optimize import minimize

from dawn_env.support.compiling import entry
from dawn_env.tables import C, S
from scripts.laboratory.samples import Sampling, describe, kept_apart, log_loss, sampled_games

_SAMPLING = Sampling(most=60, often=0.016, often_in_struggles=0.05)
_RIDGE, _RIDGE_OF_ONES = 3.0, 300.0  # of the numbers, by their deviation; of cards and spaces
_STEPS = 150
_DIGITS = 4
_TURNS = (np.arange(11) - 1) / 9
TIMES = np.stack([np.ones(11), _TURNS, _TURNS**4], 1)
"""float64 [11, T]: what the weights of a turn are mixed from."""


class Positions(NamedTuple):
    """Positions as the regression takes them: n of them, each of a game with a ``result`` (1: the Democrat won)."""

    numbers: np.ndarray  # float32 [n, NUMBERS]
    places: np.ndarray  # int8 [n, C], of cards
    holders: np.ndarray  # int8 [n, S], of spaces
    turns: np.ndarray  # int8 [n]
    results: np.ndarray  # float32 [n]
    games: np.ndarray  # int32 [n]

    def where(self, chosen: np.ndarray) -> "Positions":
        """The positions of a mask."""
        return Positions(*(column[chosen] for column in self))


@entry
def _read(states, numbers, places, holders):
    """Fill float32 [n, NUMBERS], int8 [n, C] and int8 [n, S] for ``states`` STATE [n]."""
    for row in range(len(states)):
        write_numbers(states[row], numbers[row])
        for card in range(C):
            places[row, card] = place_of(states[row], card)
        for space in range(S):
            holders[row, space] = holder_of(states[row], space)


def play_games(games: int, seed: int) -> Positions:
    """Positions of so many games."""
    found = []
    for game, states, result in sampled_games(games, seed, _SAMPLING):
        n = len(states)
        read = np.zeros((n, NUMBERS), np.float32), np.zeros((n, C), np.int8), np.zeros((n, S), np.int8)
        _read(states, *read)
        ends = np.full(n, result, np.float32), np.full(n, game, np.int32)
        found.append([*read, states["turn"].astype(np.int8), *ends])
    return Positions(*map(np.concatenate, zip(*found, strict=True)))


@entry
def _add_slopes(numbers, places, holders, turns, results, tables, slopes, probabilities):
    """Fill ``probabilities`` [n]; add the slopes of the loss to ``slopes``, which is like ``tables``."""
    for i in range(len(turns)):
        turn = turns[i]
        probabilities[i] = 1 / (1 + np.exp(-log_odds_of_features(tables, turn, numbers[i], places[i], holders[i])))
        error = probabilities[i] - results[i]
        for k in range(NUMBERS):
            slopes.numbers[turn, k] += error * numbers[i, k]
        for card in range(C):
            slopes.cards[turn, places[i, card], card] += error
        for space in range(S):
            slopes.spaces[turn, holders[i, space], space] += error


class _Regression:
    """Weights as a vector: of the numbers by their deviation, of cards, of spaces, each by its times."""

    def __init__(self, positions: Positions):
        self._positions = positions
        self._deviation = np.maximum(positions.numbers.std(axis=0), 0.01)
        self._deviation[-1] = 1.0
        self._times = TIMES, TIMES[:, :2], TIMES[:, :2]
        self._shapes = (TIMES.shape[1], NUMBERS), (2, len(PLACES), C), (2, len(HOLDERS), S)
        sizes = [int(np.prod(shape)) for shape in self._shapes]
        self._ends = np.cumsum(sizes)[:-1]
        self._ridge = np.repeat([_RIDGE, _RIDGE_OF_ONES, _RIDGE_OF_ONES], sizes)

    def fitted(self) -> RegressionWeights:
        """The tables of the best fit."""
        start = np.zeros(len(self._ridge))
        found = minimize(
            self._loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS, "maxcor": 30}
        )  # fmt: skip
        return self.tables(found.x)

    def tables(self, weights: np.ndarray) -> RegressionWeights:
        """Weights by turn; the first place and the first holder have weight 0."""
        parts = [part.reshape(shape) for part, shape in zip(np.split(weights, self._ends), self._shapes, strict=True)]
        found = RegressionWeights(
            *(np.tensordot(times, part, 1) for times, part in zip(self._times, parts, strict=True))
        )
        found.numbers[:] /= self._deviation
        found.cards[:, 0], found.spaces[:, 0] = 0, 0
        return found

    def _loss(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        tables = self.tables(weights)
        slopes, probabilities = RegressionWeights(*map(np.zeros_like, tables)), np.zeros(len(self._positions.turns))
        _add_slopes(*self._positions[:5], tables, slopes, probabilities)
        slopes.numbers[:] /= self._deviation
        slopes.cards[:, 0], slopes.spaces[:, 0] = 0, 0
        slope = [np.tensordot(times.T, part, 1).ravel() for times, part in zip(self._times, slopes, strict=True)]
        size, penalty = len(probabilities), (self._ridge * weights**2).sum() / 2
        loss = log_loss(probabilities, self._positions.results) + penalty / size
        return loss, (np.concatenate(slope) + self._ridge * weights) / size


def _win_probabilities(positions: Positions, tables: RegressionWeights) -> np.ndarray:
    probabilities = np.zeros(len(positions.turns))
    _add_slopes(*positions[:5], tables, RegressionWeights(*map(np.zeros_like, tables)), probabilities)
    return probabilities


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100000, help="games to play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=77, help="default: %(default)s")
    options = parser.parse_args()
    positions = play_games(options.games, options.seed)
    kept = kept_apart(positions.games)
    tables = _Regression(positions.where(~kept)).fitted()
    metrics = describe(_win_probabilities(positions.where(kept), tables), positions.results[kept])
    made = f"scripts.laboratory.fit_regression: {options.games} games, seed {options.seed}; {metrics}"
    weights = {name: np.round(table, _DIGITS).tolist() for name, table in tables._asdict().items()}
    FILE.write_text(json.dumps({"made": made} | weights, separators=(",", ":")) + "\n", encoding="utf-8")
    print(metrics)


if __name__ == "__main__":
    main()
