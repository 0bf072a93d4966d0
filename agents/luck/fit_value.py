"""Fits the chance of winning by which luck is priced to games of the rule-based player; writes ``value.json``.

``.venv/bin/python -m agents.luck.fit_value --games 100000 --seed 77``, about twenty minutes. Every second game begins
with a random number of decisions drawn by the softmax of the scores, so that unusual positions occur too. Positions are
drawn at random after that, those in power struggles more often; what is read off them and the results of their games
go into a logistic regression. The weights of the numbers change with the turn as 1, t and t**4, those of cards and
spaces as 1 and t (t: 0 ... 1, turn 1 ... 10).
"""

import argparse
import json
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from agents.heuristic import scoring
from agents.heuristic.scoring import scorer
from agents.luck import value
from agents.luck.value import (
    FILE,
    HOLDERS,
    NUMBERS,
    PLACES,
    SOURCE_FILES,
    Tables,
    holder_of,
    place_of,
    weighed,
    write_numbers,
)
from agents.search import fit, guide
from agents.search.features import TIMES
from agents.search.fit import describe, draw_action, log_loss
from agents.search.guide import best_action, new_scratch
from dawn_env import engine
from dawn_env.rules.flow import call_step
from dawn_env.state import Result, new_states
from dawn_env.support.compiling import entry_calling
from dawn_env.support.progress import tracked
from dawn_env.tables import C, S

_RANDOM_DECISIONS, _TEMPERATURES = 350, (0.3, 1.5)
_OFTEN, _OFTEN_IN_STRUGGLES = 0.016, 0.05  # chance that a position is taken
_MOST = 60  # positions of a game
_RIDGE, _RIDGE_OF_ONES = 3.0, 300.0  # of the numbers, by their deviation; of cards and spaces
_STEPS = 150
_DIGITS = 4


class Positions(NamedTuple):
    """Positions as the regression takes them: n of them, each of a game with a ``result`` (1: the Democrat won)."""

    numbers: np.ndarray  # float32 [n, NUMBERS]
    places: np.ndarray  # int8 [n, C], of cards
    holders: np.ndarray  # int8 [n, S], of spaces
    turns: np.ndarray  # int8 [n]
    results: np.ndarray  # float32 [n]
    games: np.ndarray  # int32 [n]

    def where(self, chosen: np.ndarray) -> "Positions":
        """Some of them."""
        return Positions(*(column[chosen] for column in self))


@entry_calling(scoring.__file__, guide.__file__, fit.__file__, value.__file__, *SOURCE_FILES)
def _play(step, score, states, seed, random_decisions, temperature, scratch, numbers, places, holders, turns):
    """Play the game ``states[0]``; fill the arrays with positions of it, and return how many."""
    np.random.seed(seed)
    s, used, decisions = states[0], 0, 0
    while s.result == Result.RUNNING:
        often = _OFTEN_IN_STRUGGLES if s.struggle >= 0 else _OFTEN
        if decisions > random_decisions and used < len(turns) and np.random.random() < often:
            write_numbers(s, numbers[used])
            for card in range(C):
                places[used, card] = place_of(s, card)
            for space in range(S):
                holders[used, space] = holder_of(s, space)
            turns[used] = s.turn
            used += 1
        action = best_action(score, s, scratch)
        if decisions < random_decisions:
            action = draw_action(s, scratch.scores, temperature)
        call_step(step, s, action)
        decisions += 1
    return used


def play_games(games: int, seed: int) -> Positions:
    """Positions of so many games."""
    random, scratch, found = np.random.default_rng(seed), new_scratch(), []
    arrays = (
        np.zeros((_MOST, NUMBERS), np.float32), np.zeros((_MOST, C), np.int8), np.zeros((_MOST, S), np.int8),
        np.zeros(_MOST, np.int8),
    )  # fmt: skip
    for game in tracked(range(games), "games", unit="games"):
        states = new_states(1)
        engine.reset(states, random.integers(0, 2**62, 1))
        noisy = int(random.integers(_RANDOM_DECISIONS)) if game % 2 else -1
        noise = int(random.integers(2**31)), noisy, random.uniform(*_TEMPERATURES)
        used = _play(engine.step(), scorer(), states, *noise, scratch, *arrays)
        result = {Result.DEMOCRAT: 1.0, Result.DRAW: 0.5}.get(int(states[0].result), 0.0)
        ends = np.full(used, result, np.float32), np.full(used, game, np.int32)
        found.append([*(array[:used].copy() for array in arrays), *ends])
    return Positions(*map(np.concatenate, zip(*found, strict=True)))


@entry_calling(value.__file__, *SOURCE_FILES)
def _add_slopes(numbers, places, holders, turns, results, tables, slopes, chances):
    """Fill ``chances`` [n]; add the slopes of the loss to ``slopes``, which is like ``tables``."""
    for i in range(len(turns)):
        turn = turns[i]
        chances[i] = 1 / (1 + np.exp(-weighed(tables, turn, numbers[i], places[i], holders[i])))
        error = chances[i] - results[i]
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

    def fitted(self) -> Tables:
        """The tables of the best fit."""
        start = np.zeros(len(self._ridge))
        found = minimize(
            self._loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS, "maxcor": 30}
        )  # fmt: skip
        return self.tables(found.x)

    def tables(self, weights: np.ndarray) -> Tables:
        """By turn; the first place and the first holder count for nothing."""
        parts = [part.reshape(shape) for part, shape in zip(np.split(weights, self._ends), self._shapes, strict=True)]
        found = Tables(*(np.tensordot(times, part, 1) for times, part in zip(self._times, parts, strict=True)))
        found.numbers[:] /= self._deviation
        found.cards[:, 0], found.spaces[:, 0] = 0, 0
        return found

    def _loss(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        tables = self.tables(weights)
        slopes, chances = Tables(*map(np.zeros_like, tables)), np.zeros(len(self._positions.turns))
        _add_slopes(*self._positions[:5], tables, slopes, chances)
        slopes.numbers[:] /= self._deviation
        slopes.cards[:, 0], slopes.spaces[:, 0] = 0, 0
        slope = [np.tensordot(times.T, part, 1).ravel() for times, part in zip(self._times, slopes, strict=True)]
        size, penalty = len(chances), (self._ridge * weights**2).sum() / 2
        loss = log_loss(chances, self._positions.results) + penalty / size
        return loss, (np.concatenate(slope) + self._ridge * weights) / size


def _chances(positions: Positions, tables: Tables) -> np.ndarray:
    chances = np.zeros(len(positions.turns))
    _add_slopes(*positions[:5], tables, Tables(*map(np.zeros_like, tables)), chances)
    return chances


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100000, help="games to play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=77, help="default: %(default)s")
    options = parser.parse_args()
    positions = play_games(options.games, options.seed)
    kept = positions.games % 10 == 0
    tables = _Regression(positions.where(~kept)).fitted()
    figures = describe(_chances(positions.where(kept), tables), positions.results[kept])
    made = f"agents.luck.fit_value: {options.games} games, seed {options.seed}; {figures}"
    weights = {name: np.round(table, _DIGITS).tolist() for name, table in tables._asdict().items()}
    FILE.write_text(json.dumps({"made": made} | weights, separators=(",", ":")) + "\n", encoding="utf-8")
    print(figures)


if __name__ == "__main__":
    main()
