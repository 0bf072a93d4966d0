"""Small learners for the tests of the suite."""

import os
import signal

import torch
from dawn_agents.training.learner import Learner

from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT


def network(layout=STANDARD_LAYOUT, seed=0):
    torch.manual_seed(seed)
    return _Linear(layout)


class _Linear(torch.nn.Module):
    def __init__(self, layout):
        super().__init__()
        self.layer = torch.nn.Linear(layout.size, layout.actions)

    def forward(self, observations, masks):
        return self.layer(observations)


class Greedy(Learner):
    """Takes the first legal action in games of both seats."""

    def begin(self, seed):
        self.seed = seed
        self.env = self.environments.make(4, kind="batch", seeds=seed)

    def iterate(self, number, remaining):
        self.env.step(self.env.masks.argmax(1))
        return {}

    def player(self):
        return network(seed=self.seed)

    def state(self):
        return {"games": self.environments.state()}

    def restore(self, state):
        self.environments.restore(state["games"])


class Resuming(Greedy):
    """Is killed in the middle of its first run, and goes on from there; the player is of the number of iterations."""

    track = "knowledge"
    first = True

    def begin(self, seed):
        self.env = self.environments.make(4, kind="games", opponents=["heuristic:level=1"])
        self.env.reset(seed)
        self.number = 0

    def iterate(self, number, remaining):
        self.number += 1
        if self.first and self.environments.spent == 120:
            os.kill(os.getpid(), signal.SIGKILL)
        assert self.number == number
        return super().iterate(number, remaining)

    def player(self):
        return network(seed=self.number)

    def state(self):
        return super().state() | {"number": self.number}

    def restore(self, state):
        super().restore(state)
        self.number, self.first = state["number"], False


class Once(Greedy):
    """Ends after an iteration without decisions."""

    track, done = "knowledge", True

    def begin(self, seed):
        pass

    def iterate(self, number, remaining):
        return {}


class Family(Once):
    def player(self):
        return network(FAMILY_LAYOUT)


class Named(Once):
    def player(self):
        return "greedy"


class Cheating(Once):
    track = "tabula rasa"

    def begin(self, seed):
        self.environments.make(2, opponents=["pretrained"])


class Borrowing(Once):
    track = "tabula rasa"

    def player(self):
        return "heuristic:level=8"


class Odd(Once):
    def player(self):
        return 7


class Tracked(Once):
    track = "my own"


class Greedier(Greedy):
    """Takes more decisions at once than there are."""

    def iterate(self, number, remaining):
        for _ in range(101):
            super().iterate(number, remaining)
        return {}
