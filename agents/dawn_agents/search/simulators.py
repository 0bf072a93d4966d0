"""Simulators of actions for both kinds of game, with the work space of the compiled simulations."""

from abc import ABC, abstractmethod

import numpy as np

from dawn_agents.heuristic.family_entry_points import score_record
from dawn_agents.search.family_simulations import simulate_family
from dawn_agents.search.rollout_policy import RolloutPolicy
from dawn_agents.search.search_options import GuideName
from dawn_agents.search.simulations import simulate
from dawn_agents.value.win_probability_network import new_evaluation
from dawn_env import engine
from dawn_env.actions import ALL_ACTIONS
from dawn_env.observation.player_view import View
from dawn_env.state import new_states

_PLAYS_OF_A_TURN = 4  # in family mode


class Simulator(ABC):
    """Simulates actions; one for each thread, since it has work space."""

    @abstractmethod
    def scores(self, view: View) -> np.ndarray:
        """Scores of the legal actions of a view by the guide, float32 [actions]; the next call overwrites them."""

    @abstractmethod
    def row_values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """float64 [r, n, k], -1 ... 1, Democrat positive: how the simulations of ``actions`` int64 [r, k] end in the
        ``deals`` STATE [r, n] of r positions; 0 for actions that are -1."""

    def values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """float64 [n, k]: the same of one position, in ``deals`` STATE [n], for ``actions`` int64 [k]."""
        return self.row_values(deals[None], actions[None])[0]


class _StandardSimulator(Simulator):
    def __init__(self, plays: int, guide: GuideName):
        self._plays, self._policy = plays, RolloutPolicy(guide)
        self._work = new_evaluation(), new_states(1)

    def scores(self, view: View) -> np.ndarray:
        return self._policy.scores(view.observation, view.mask)

    def row_values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        values = np.zeros((*deals.shape, actions.shape[1]))
        simulate(engine.step(), deals, actions, self._plays, *self._work, self._policy.guide, values)
        return values


class _FamilySimulator(Simulator):
    def __init__(self, plays: int):
        self._turns = max(1, plays // _PLAYS_OF_A_TURN)
        self._states, self._scores = new_states(1), np.zeros(ALL_ACTIONS, np.float32)

    def scores(self, view: View) -> np.ndarray:
        score_record(view.deal([0]), self._scores)
        return self._scores

    def row_values(self, deals: np.ndarray, actions: np.ndarray) -> np.ndarray:
        values = np.zeros((*deals.shape, actions.shape[1]))
        simulate_family(engine.step(), deals, actions, self._turns, self._states, self._scores, values)
        return values


def simulator_for(is_family: bool, plays: int, guide: GuideName = "heuristic") -> Simulator:
    """Simulator of ``plays`` card plays, the one in progress counted; ``guide``: who goes on.

    In family mode the rules of thumb go on, for the turns that so many plays stand for, that in progress counted; one
    at least.
    """
    return _FamilySimulator(plays) if is_family else _StandardSimulator(plays, guide)
