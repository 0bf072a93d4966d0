"""Simulations of family mode: one action, then play by its rules of thumb up to the horizon, and the outcome."""

import numpy as np

from dawn_agents.players.heuristic.family_actions import best_action, evaluate
from dawn_env.rules.flow import call_step
from dawn_env.state import Result
from dawn_env.support.compiling import entry, jit
from dawn_env.support.elementary import exp
from dawn_env.tables import LAST_TURN

_LONGEST = 2000  # decisions of a simulation
_SPREAD = 14.0  # victory points of a lead that wins nearly three games in four, early on; late a lead is worth more


@jit
def outcome(s):
    """The Democrat's chance of winning less the Communist's."""
    if s.result != Result.RUNNING:
        return 1.0 if s.result == Result.DEMOCRAT else -1.0
    return 2 / (1 + exp(-2 * evaluate(s) / (_SPREAD * (1.5 - s.turn / LAST_TURN)))) - 1


@jit
def play_out(step, s, action, end, scores):
    """Take ``action`` and play on until the turn ``end`` has come or the game is over."""
    for _ in range(_LONGEST):
        call_step(step, s, action)
        if s.result != Result.RUNNING or s.turn >= end:
            return
        action = best_action(s, scores)


@entry
def simulate_family(step, deals, candidates, turns, states, scores, values):
    """Fill ``values`` float64 [r, n, k], -1 ... 1, Democrat positive, for ``candidates`` [r, k], -1 for none, in
    ``deals`` [r, n].

    A simulation ends with the scoring of the last of ``turns``, that in progress counted.
    """
    s = states[0]
    for r, n, k in np.ndindex(values.shape):
        if candidates[r, k] >= 0:
            states[0] = deals[r, n]
            play_out(step, s, candidates[r, k], s.turn + turns, scores)
            values[r, n, k] = outcome(s)


@entry
def _fill(states, probabilities):
    for row in range(len(states)):
        probabilities[row] = (1 + outcome(states[row])) / 2


def family_win_probabilities(states: np.ndarray) -> np.ndarray:
    """float64 [B], 0 ... 1: the Democrat's chance of winning in each of ``states`` STATE [B], by the board alone."""
    probabilities = np.zeros(len(states))
    _fill(states, probabilities)
    return probabilities
