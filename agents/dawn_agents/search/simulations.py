"""The compiled simulations: one action, then play by the guide up to the horizon, and the outcome."""

import numpy as np

from dawn_agents.search.rollout_policy import best_action, card_play_index
from dawn_agents.value.win_probability_network import chance_of
from dawn_env.rules.flow import call_step
from dawn_env.state import Result
from dawn_env.support.compiling import entry, jit

_LONGEST = 2000  # decisions of a simulation
_HASTE = 0.002  # by which a card play sooner makes a victory surer


@jit
def play_out(step, s, action, plays, guide):
    """Take ``action`` and play on until ``plays`` card plays have ended or the game has; the plays left over."""
    for _ in range(_LONGEST):
        before = card_play_index(s)
        call_step(step, s, action)
        plays -= card_play_index(s) != before
        if s.result != Result.RUNNING or plays <= 0:
            break
        action = best_action(guide, s)
    return plays


@jit
def outcome(s, plays, evaluation):
    """The Democrat's chance of winning less the Communist's, a little nearer to 0 the more ``plays`` it took."""
    return (2 * chance_of(s, evaluation) - 1) * (1 - _HASTE * plays)


@entry
def simulate(step, deals, candidates, plays, evaluation, states, guide, values):
    """Fill ``values`` float64 [r, n, k], -1 ... 1, Democrat positive, for ``candidates`` [r, k], -1 for none, in
    ``deals`` [r, n].

    A value is the ``outcome`` when the simulation ends. Every candidate meets the same hidden cards and the
    same dice. ``step``: see ``engine.step``; ``guide``: a ``rollout_policy.Guide``; ``evaluation``: a
    ``NetworkEvaluator``. Work space: ``states`` STATE [1].
    """
    s = states[0]
    for r, n, k in np.ndindex(values.shape):
        if candidates[r, k] >= 0:
            states[0] = deals[r, n]
            left = play_out(step, s, candidates[r, k], plays, guide)
            values[r, n, k] = outcome(s, plays - left, evaluation)
