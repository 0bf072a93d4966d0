"""Simulations: one action, then play by the guide up to the horizon, and the outcome; family mode has its own ones."""

from functools import cached_property

import numpy as np

from dawn_agents.players.search.family_simulations import simulate_family
from dawn_agents.players.search.rollout_policy import RolloutPolicy, best_action
from dawn_agents.players.win_probability.win_probability_network import new_evaluation, win_probability
from dawn_env import engine
from dawn_env.observation.player_view import View
from dawn_env.rules.flow import call_step
from dawn_env.state import Result, new_states
from dawn_env.support.compiling import entry, jit

_LONGEST = 2000  # decisions of a simulation
_HASTE = 0.002  # by which a card play sooner makes a victory surer
_PLAYS_OF_A_TURN = 4  # in family mode


@jit
def _card_play_index(s):
    """A number that changes with every card play."""
    return (int(s.turn) * 16 + s.action_round) * 2 + s.phasing


@jit
def play_out(step, s, action, plays, guide):
    """Take ``action``, and play on until ``plays`` card plays or the game have ended; returns the plays not needed."""
    for _ in range(_LONGEST):
        before = _card_play_index(s)
        call_step(step, s, action)
        plays -= _card_play_index(s) != before
        if s.result != Result.RUNNING or plays <= 0:
            break
        action = best_action(guide, s)
    return plays


@jit
def outcome(s, plays, evaluation):
    """The Democrat's chance of winning less the Communist's, a little nearer to 0 the more ``plays`` it took."""
    return (2 * win_probability(s, evaluation) - 1) * (1 - _HASTE * plays)


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


class Simulator:
    """Simulates actions in games of one kind; one for each thread, since it has work space."""

    def __init__(self, is_family: bool, plays: int, guide: str = "heuristic"):
        """``plays``: card plays of a simulation, the one in progress counted; in family mode whole turns of four plays,
        one at least. ``guide``: who goes on; in family mode always the rules of thumb."""
        self._is_family, self._plays, self._states = is_family, plays, new_states(1)
        self._policy, self._evaluation = RolloutPolicy(guide, is_family), new_evaluation()
        self._has_rules = is_family or guide == "heuristic"

    def scores(self, view: View) -> np.ndarray:
        """Scores of the legal actions of a view by the guide, float32 [actions]; the next call overwrites them."""
        return self._policy.scores(view.observation, view.mask)

    def scores_and_points(self, view: View) -> tuple[np.ndarray, np.ndarray]:
        """``scores``, and those of the rule-based player in victory points: the same array if it is the guide."""
        scores = self.scores(view)
        return scores, scores if self._has_rules else self._rules.scores(view.observation, view.mask)

    @cached_property
    def _rules(self) -> RolloutPolicy:
        """The rule-based player beside another guide; made on first use, since its memory takes 10 MB."""
        return RolloutPolicy("heuristic")

    def values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """float64 [n, k], -1 ... 1, Democrat positive: how the simulations of ``actions`` int64 [k] in ``deals``
        STATE [n] end."""
        return self.row_values(deals[None], actions[None])[0]

    def row_values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """float64 [r, n, k]: the same of each of r positions, in ``deals`` STATE [r, n], for ``actions`` int64 [r, k];
        0 for those that are -1."""
        values = np.zeros((*deals.shape, actions.shape[1]))
        games = engine.step(), deals, actions
        if self._is_family:
            turns = max(1, self._plays // _PLAYS_OF_A_TURN)
            simulate_family(*games, turns, self._states, self._policy.guide.scores, values)
        else:
            simulate(*games, self._plays, self._evaluation, self._states, self._policy.guide, values)
        return values
