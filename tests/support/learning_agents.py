"""Small agents for the tests of the suite."""

import os
import signal

import torch

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


class Greedy:
    """Takes decisions until the budget refuses more."""

    track = "tabula rasa"

    def train(self, make_env, budget, seed):
        env = make_env(4, kind="batch", seeds=seed)
        while True:
            env.step(env.masks.argmax(1))
            if budget.due:
                yield network(seed=seed)


class Resuming:
    """Is killed in the middle of its first run, and goes on from what it saved."""

    track, resumes = "knowledge", True

    def train(self, make_env, budget, seed):
        env = make_env(4, opponents=["heuristic:level=1"])
        _, infos = env.reset(seed=seed)
        number = int(budget.resume_from.read_text()) if budget.resume_from else 0
        first = number == 0
        while budget.spent < budget.decisions:
            infos = env.step(infos["action_mask"].argmax(1))[4]
            if budget.due:
                number += 1
                budget.save_to.write_text(str(number))
                yield network(seed=number)
                if first and number == 3:
                    os.kill(os.getpid(), signal.SIGKILL)


class Family:
    track = "knowledge"

    def train(self, make_env, budget, seed):
        env = make_env(2)
        env.reset(seed=seed)
        env.step(env.action_masks().argmax(1))
        yield network(FAMILY_LAYOUT)


class Named:
    track = "knowledge"

    def train(self, make_env, budget, seed):
        yield "greedy"


class Cheating:
    track = "tabula rasa"

    def train(self, make_env, budget, seed):
        make_env(2, opponents=["pretrained"])
        yield "random"


class Borrowing:
    track = "tabula rasa"

    def train(self, make_env, budget, seed):
        yield "heuristic:level=8"


class Silent:
    track = "knowledge"

    def train(self, make_env, budget, seed):
        return iter(())
