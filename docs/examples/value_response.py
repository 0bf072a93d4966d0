"""A best response with afterstate values: the learner ``afterstate``, trained against ``pretrained`` only.

    .venv/bin/dawn suite run exploit --agent value_response --label "value response" --out runs/suite/value-response

It starts from the shipped values, learns both sides in one run, and looks ahead when it plays.

Score of the task (percentage of the points against ``pretrained``, minus 50), mean of three training seeds and its 95 %
confidence interval: -4 % (-7 to -1). Training takes twelve minutes of one core for each seed. Learning curves:
``docs/suite/exploit-looking-ahead.svg``.
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
