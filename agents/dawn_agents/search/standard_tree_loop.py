"""The compiled search in a tree: descend, expand, play on as the guide, back the outcome up."""

import numpy as np

from dawn_agents.search.rollout_policy import RolloutPolicy, best_action, card_play_index
from dawn_agents.search.search_options import Options
from dawn_agents.search.search_tree import DescentSettings, Tree, add_node, back_up, compile_descent, new_settings
from dawn_agents.search.simulations import outcome, play_out
from dawn_agents.value.win_probability_network import new_evaluation
from dawn_env import engine
from dawn_env.actions import A
from dawn_env.state import Result
from dawn_env.support.compiling import entry, jit


@jit
def _judge(s, guide):
    return best_action(guide, s)


_descend = compile_descent(_judge, card_play_index)


@entry
def _run(step, nodes, deals, settings, guide, evaluation):
    if nodes.used[0] == 0:
        add_node(nodes, deals[0])
    for i in range(len(deals)):
        s = deals[i]
        depth, left = _descend(step, guide, guide.scores, nodes, s, settings)
        if s.result == Result.RUNNING and left > 0:
            left = play_out(step, s, best_action(guide, s), left, guide)
        back_up(nodes, depth, outcome(s, settings.plays - left, evaluation))


class TreeLoop:
    """Simulations of the standard game in a tree; ``settings`` may be changed between searches."""

    actions = A

    def __init__(self, options: Options):
        self.settings: DescentSettings = new_settings(options, options.plays, A)
        self._policy, self._evaluation = RolloutPolicy(options.guide), new_evaluation()

    def run(self, nodes: Tree, deals: np.ndarray) -> None:
        """One simulation from each of ``deals`` (STATE [n], stepped in place), counted in the tree ``nodes``."""
        _run(engine.step(), nodes, deals, self.settings, self._policy.guide, self._evaluation)
