"""The compiled simulations: one action, then play by the guide up to the horizon, and the outcome."""

import numpy as np

from dawn_agents.heuristic.action_scores import scorer
from dawn_agents.heuristic.score_offsets import NONE, Corrections
from dawn_agents.search.rollout_policy import best_action, clock, new_scratch
from dawn_agents.value.win_probability_network import chance_of, new_evaluation
from dawn_env import engine
from dawn_env.rules.flow import call_step
from dawn_env.state import Result, new_states
from dawn_env.support.compiling import entry_with_arrays, jit

_LONGEST = 2000  # decisions of a simulation
_HASTE = 0.002  # by which a card play sooner makes a victory surer


@jit
def play_out(step, score, s, action, plays, scratch):
    """Take ``action`` and play on until ``plays`` card plays have ended or the game has; the plays left over."""
    for _ in range(_LONGEST):
        before = clock(s)
        call_step(step, s, action)
        plays -= clock(s) != before
        if s.result != Result.RUNNING or plays <= 0:
            break
        action = best_action(score, s, scratch)
    return plays


@jit
def outcome(s, plays, evaluation):
    """The Democrat's chance of winning less the Communist's, a little nearer to 0 the more ``plays`` it took."""
    return (2 * chance_of(s, evaluation) - 1) * (1 - _HASTE * plays)


@entry_with_arrays
def _simulate(step, score, deals, candidates, plays, evaluation, states, scratch, values):
    """Fill ``values`` float64 [r, n, k], -1 ... 1, Democrat positive, for ``candidates`` [r, k], -1 for none, in
    ``deals`` [r, n].

    A value is the ``outcome`` when the simulation ends. Every candidate meets the same hidden cards and the
    same dice. ``step``: see ``engine.step``; ``score``: see ``heuristic.scoring.scorer``; ``evaluation``: see
    ``network``. Work space: ``states`` STATE [1], ``scratch``.
    """
    s = states[0]
    for r, n, k in np.ndindex(values.shape):
        if candidates[r, k] >= 0:
            states[0] = deals[r, n]
            left = play_out(step, score, s, candidates[r, k], plays, scratch)
            values[r, n, k] = outcome(s, plays - left, evaluation)


class Simulator:
    """Simulates actions; one for each thread, since it has work space."""

    def __init__(self, plays: int, learnt: Corrections = NONE):
        """``plays``: card plays of a simulation, the one in progress counted; ``learnt``: what the rule-based player
        that goes on has learnt."""
        self._plays = plays
        self._work = new_evaluation(), new_states(1), new_scratch(learnt)

    def values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """float64 [n, k], -1 ... 1, Democrat positive: how the simulations of ``actions`` int64 [k] in ``deals``
        STATE [n] end."""
        return self.row_values(deals[None], actions[None])[0]

    def row_values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """float64 [r, n, k]: the same of each of r positions, in ``deals`` STATE [r, n], for ``actions`` int64 [r, k];
        0 for those that are -1."""
        values = np.zeros((*deals.shape, actions.shape[1]))
        _simulate(engine.step(), scorer(), deals, actions, self._plays, *self._work, values)
        return values
