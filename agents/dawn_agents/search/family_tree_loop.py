"""The compiled search in a tree in family mode: as ``tree_loop``, with its rules of thumb and its horizon in turns."""

import numpy as np

from dawn_agents.heuristic.family_actions import best_action
from dawn_agents.search.family_simulations import outcome, play_out, turns_of
from dawn_agents.search.search_options import Options
from dawn_agents.search.search_tree import DescentSettings, Tree, add_node, back_up, compile_descent, new_settings
from dawn_env import engine
from dawn_env.actions import ALL_ACTIONS
from dawn_env.state import Result
from dawn_env.support.compiling import entry, jit


@jit
def _judge(s, scores):
    return best_action(s, scores)


@jit
def _turn(s):
    return s.turn


_descend = compile_descent(_judge, _turn)


@entry
def _run(step, nodes, deals, settings, scores):
    if nodes.used[0] == 0:
        add_node(nodes, deals[0])
    for i in range(len(deals)):
        s = deals[i]
        depth, left = _descend(step, scores, scores, nodes, s, settings)
        if s.result == Result.RUNNING and left > 0:
            play_out(step, s, best_action(s, scores), s.turn + left, scores)
        back_up(nodes, depth, outcome(s))


class FamilyTreeLoop:
    """Simulations of family mode in a tree; ``settings`` may be changed between searches."""

    actions = ALL_ACTIONS

    def __init__(self, options: Options):
        self.settings: DescentSettings = new_settings(options, turns_of(options.plays), ALL_ACTIONS)
        self._scores = np.zeros(ALL_ACTIONS, np.float32)

    def run(self, nodes: Tree, deals: np.ndarray) -> None:
        """One simulation from each of ``deals`` (STATE [n], stepped in place), counted in the tree ``nodes``."""
        _run(engine.step(), nodes, deals, self.settings, self._scores)
