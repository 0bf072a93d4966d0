"""Behaviour cloning from a dataset, without an environment, as a learner of the suite. torch 2.13.0.

    .venv/bin/dawn suite run imitate-1k --agent docs.examples.imitation:Agent --seeds 3 --out runs/suite/imitation

Elo on the standing scale, mean of three training seeds with its 95 % interval: +1139 (+1104 to +1177) when actions are
sampled, +1143 (+1095 to +1197) when greedy. Learning curve: ``docs/suite/imitate-1k.svg``.
"""

import numpy as np
import torch
from dawn_agents.training.dataset.dataset_files import read_shards
from dawn_agents.training.learner import Learner
from torch import nn
from torch.nn import functional

from dawn_env.observation.view_layouts import layout_of_sides

EPOCHS, ROWS, RATE, WIDTH = 5, 512, 1e-3, 256


class Network(nn.Module):
    """Logits of the actions."""

    def __init__(self, features: int, actions: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, actions)
        )

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return self.layers(observations).masked_fill(~masks, -1e9)


def batches(folder, random):
    """Minibatches of one pass over the data, mixed within each shard."""
    for shard in read_shards(folder):
        columns = [torch.from_numpy(shard[name]) for name in ("observation", "mask", "action")]
        order = random.permutation(len(columns[2]))
        for rows in np.array_split(order, max(1, len(order) // ROWS)):
            seen, legal, action = (column[rows] for column in columns)
            yield seen.float(), legal.bool(), action.long()


class Agent(Learner):
    """Learns which action the players of the dataset took."""

    track = "knowledge"  # the games are those of a shipped player

    def begin(self, seed):
        torch.manual_seed(seed)
        self.random, layout = np.random.default_rng(seed), layout_of_sides(self.environments.options)
        self.network = Network(layout.size, layout.actions)
        self.optimizer = torch.optim.Adam(self.network.parameters(), RATE)
        self.steps = 0  # of an epoch, known after the first

    def iterate(self, number, remaining):
        """Use every recorded decision once."""
        steps, first = 0, (number - 1) * self.steps
        for seen, legal, action in batches(self.environments.dataset, self.random):
            for group in self.optimizer.param_groups:
                group["lr"] = RATE * (1 - (first + steps) / (EPOCHS * self.steps) if self.steps else 1)
            loss = functional.cross_entropy(self.network(seen, legal), action)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            steps += 1
        self.steps, self.done = steps, number == EPOCHS
        return {"loss": loss.item()}

    def player(self):
        return self.network

    def state(self):
        parts = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        return parts | {"random": self.random.bit_generator.state, "steps": self.steps}

    def restore(self, state):
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.random.bit_generator.state, self.steps = state["random"], state["steps"]
