"""A best response with afterstate values: the learner ``afterstate``, trained against ``pretrained`` only.

    .venv/bin/dawn suite run exploit --agent value_response --label "value response" --out runs/suite/value-response

It starts from the shipped values, learns both sides in one run, and looks ahead when it plays.

Its score, the percentage of the points less 50, is the mean of three training seeds: -4 % (-7 to -1). A seed takes
twelve minutes of one core without its matches. Learning curves: ``docs/suite/exploit-looking-ahead.svg``.
"""

from dawn_agents.players.afterstate.value_files import SHIPPED
from dawn_agents.training.afterstate_learner import RESPONSE, AfterstateLearner


class Agent(AfterstateLearner):
    """``afterstate`` with an opponent."""

    settings = {"games": {"at_once": 64}, "afterstate": RESPONSE | {"opponent": "pretrained"}}

    def begin(self, seed):
        for side in self.sides:
            self.start_from(side, self.load(SHIPPED / f"{side}.zip")[0])
        super().begin(seed)
