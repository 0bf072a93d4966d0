"""The Democrat's chance of winning by a small network, fitted by ``fit_network``: what simulations end with.

One layer of rectified linear units adds to the log odds of ``win_probability_regression``. Unlike that it sees what is
being resolved, so that it is sensible in the middle of a card too.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dawn_agents.value import network_features, win_probability_regression
from dawn_agents.value.network_features import HELD, D, write_inputs
from dawn_agents.value.win_probability_regression import tables
from dawn_env.state import Result
from dawn_env.support.compiling import entry, jit
from dawn_env.support.elementary import exp

FILE = Path(__file__).with_name("network.json")
"""Where the weights are."""


class NetworkWeights(NamedTuple):
    """Network weights of ``H`` units: from each number and fact to the units, and from the units to the log odds."""

    numbers: np.ndarray  # float32 [D, H]
    facts: np.ndarray  # float32 [FACTS, H]
    units: np.ndarray  # float32 [H]


class NetworkEvaluator(NamedTuple):
    """Weights and work space of an evaluation, one for each thread."""

    tables: win_probability_regression.RegressionWeights
    weights: NetworkWeights
    work: network_features.FeatureBuffers
    units: np.ndarray  # float32 [H], work space


@jit
def _add(total, weights, factor):
    for unit in range(len(total)):
        total[unit] += factor * weights[unit]


@jit
def _log_odds(s, evaluation):
    """Log odds of the Democrat in a running game."""
    weights, work, units = evaluation.weights, evaluation.work, evaluation.units
    total = write_inputs(s, evaluation.tables, work)
    units[:] = 0
    for i in range(HELD):
        _add(units, weights.facts[work.facts[i]], np.float32(1))
    for i in range(D):
        if work.numbers[i]:
            _add(units, weights.numbers[i], work.numbers[i])
    for unit in range(len(units)):
        total += max(units[unit], 0) * weights.units[unit]
    return total


@jit
def chance_of(s, evaluation):
    """The chance of the Democrat, 0 ... 1, in a record; once the game is over its result."""
    if s.result != Result.RUNNING:
        return 1.0 if s.result == Result.DEMOCRAT else (0.5 if s.result == Result.DRAW else 0.0)
    return 1 / (1 + exp(-_log_odds(s, evaluation)))


@cache
def weights() -> NetworkWeights:
    """Read what ``fit_network`` has written."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return NetworkWeights(*(np.ascontiguousarray(kept[name], np.float32) for name in NetworkWeights._fields))


def new_evaluation() -> NetworkEvaluator:
    """An evaluation, for one thread."""
    return NetworkEvaluator(
        tables(), weights(), network_features.new_work(), np.zeros(len(weights().units), np.float32)
    )


@entry
def _fill(states, evaluation, chances):
    for row in range(len(states)):
        chances[row] = chance_of(states[row], evaluation)


def win_chances(states: np.ndarray) -> np.ndarray:
    """float64 [B], 0 ... 1: the Democrat's chance in each of ``states`` STATE [B], all cards known."""
    chances = np.zeros(len(states))
    _fill(states, new_evaluation(), chances)
    return chances
