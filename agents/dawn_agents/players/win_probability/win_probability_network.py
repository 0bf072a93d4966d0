"""The Democrat's chance of winning by a small network, fitted by ``fit_network``: what simulations end with.

One layer of rectified linear units adds to the log odds of ``win_probability_regression``. Unlike that it sees what is
being resolved, so that it is sensible in the middle of a card too. Its inputs are numbers and facts, four of which
hold, read off the whole record, hidden cards too: use it on positions that were dealt anew.
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from dawn_agents.players.win_probability.win_probability_regression import (
    NUMBERS,
    RegressionBuffers,
    RegressionWeights,
    log_odds,
    tables,
)
from dawn_agents.players.win_probability.win_probability_regression import new_work as regression_work
from dawn_env.rules.card_play import PlayPart
from dawn_env.rules.cards import in_hand
from dawn_env.rules.frames import PlayStep
from dawn_env.state import Decision, FrameKind, Result
from dawn_env.support.compiling import entry, jit
from dawn_env.support.elementary import exp
from dawn_env.tables import COMMUNIST, DEMOCRAT, LAST_TURN, SIDES, STABILITY, C, S

FILE = Path(__file__).with_name("network.json")
"""Where the weights are."""

# --- inputs -----------------------------------------------------------------------------------------

_OF_FRAME = ("points or picks left", "base of the ops value", "decisions that wait")
_FRAME = NUMBERS
_LEADS = _FRAME + len(_OF_FRAME)
_HANDS = _LEADS + S
_ODDS = _HANDS + C
D = _ODDS + 1
"""Numbers of a position: those of the regression, of what is being resolved, a lead for every space in parts of what
control takes, a hand for every card (1: the Democrat's, -1: the Communist's), and the log odds of the regression."""

_ASKED, _KINDS, _PARTS = len(Decision), len(FrameKind), len(PlayPart)
_OF_PLAY = len(PlayStep) * _PARTS
_FRAMES = SIDES * _ASKED
_PLAYS = _FRAMES + SIDES * _KINDS
_NO_PLAY = _PLAYS + SIDES * _OF_PLAY
_TURNS = _NO_PLAY + 1
FACTS = _TURNS + LAST_TURN + 1
"""Facts there are: what is asked of whom, what is being resolved for whom, how far a card play is, the turn."""
HELD = 4
"""Facts that hold in a position, one of each kind."""


class FeatureBuffers(NamedTuple):
    """Work space for the features of one position."""

    regression: RegressionBuffers
    numbers: Annotated[np.ndarray, np.float32, "D"]
    facts: Annotated[np.ndarray, np.int16, "HELD"]


def new_work() -> FeatureBuffers:
    """Work space, for one thread."""
    return FeatureBuffers(regression_work(), np.zeros(D, np.float32), np.zeros(HELD, np.int16))


@jit
def _write_board(s, numbers):
    for space in range(S):
        lead = np.float32(s.support[DEMOCRAT, space]) - np.float32(s.support[COMMUNIST, space])
        numbers[_LEADS + space] = min(max(lead / STABILITY[space], -1), 1)
    for card in range(C):
        numbers[_HANDS + card] = int(in_hand(s, DEMOCRAT, card)) - int(in_hand(s, COMMUNIST, card))


@jit
def _write_resolved(s, numbers, facts):
    """Facts about the frame being resolved and the pending decision."""
    top = s.frames[s.depth - 1]
    sign = 1 if top.side == DEMOCRAT else -1
    numbers[_FRAME], numbers[_FRAME + 1], numbers[_FRAME + 2] = sign * top.left, sign * top.value, s.depth
    facts[0] = max(0, int(s.actor)) * _ASKED + s.decision
    facts[1] = _FRAMES + max(0, int(top.side)) * _KINDS + top.kind
    facts[2] = _NO_PLAY
    for depth in range(s.depth):
        frame = s.frames[depth]
        if frame.kind == FrameKind.PLAY:
            facts[2] = _PLAYS + max(0, int(frame.side)) * _OF_PLAY + int(frame.step) * _PARTS + frame.second
    facts[3] = _TURNS + int(s.turn)


@jit
def write_inputs(s, tables, work):
    """Fill ``work`` for a game that runs; ``tables``: of the regression."""
    odds = log_odds(s, tables, work.regression)
    for i in range(NUMBERS):
        work.numbers[i] = work.regression.numbers[i]
    _write_board(s, work.numbers)
    _write_resolved(s, work.numbers, work.facts)
    work.numbers[_ODDS] = odds
    return odds


# --- the network ------------------------------------------------------------------------------------


class NetworkWeights(NamedTuple):
    """Network weights of ``H`` units: from each number and fact to the units, and from the units to the log odds."""

    numbers: Annotated[np.ndarray, np.float32, "D H"]
    facts: Annotated[np.ndarray, np.float32, "FACTS H"]
    units: Annotated[np.ndarray, np.float32, "H"]


class NetworkEvaluator(NamedTuple):
    """Weights and work space of an evaluation, one for each thread."""

    tables: RegressionWeights
    weights: NetworkWeights
    work: FeatureBuffers
    units: Annotated[np.ndarray, np.float32, "H"]  # work space


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
def win_probability(s, evaluation):
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
    return NetworkEvaluator(tables(), weights(), new_work(), np.zeros(len(weights().units), np.float32))


@entry
def _fill(states, evaluation, probabilities):
    for row in range(len(states)):
        probabilities[row] = win_probability(states[row], evaluation)


def win_probabilities(states: np.ndarray) -> np.ndarray:
    """float64 [B], 0 ... 1: the Democrat's chance in each of ``states`` STATE [B], all cards known."""
    probabilities = np.zeros(len(states))
    _fill(states, new_evaluation(), probabilities)
    return probabilities
