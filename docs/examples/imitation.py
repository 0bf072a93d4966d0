"""Behaviour cloning from a dataset, without an environment, as a learner of the suite. torch 2.13.0.

    .venv/bin/dawn suite run imitate-1k --agent docs.examples.imitation:Agent --seeds 3 --out runs/suite/imitation

Elo on the standing scale, means of three training seeds with their 95 % intervals: +1132 (+1105 to +1157) when actions
are sampled, +1154 (+1096 to +1213) when greedy; with the ten times as many games of ``imitate-10k`` +1252 (+1209 to
+1297) and +1352 (+1300 to +1399). Learning curves: ``docs/suite/imitate-1k.svg`` and ``imitate-10k.svg``.
"""

from pathlib import Path

import numpy as np
import torch
from dawn_agents.training.dataset.dataset_files import checked_metadata, read_shard
from dawn_agents.training.learner import Learner
from torch import nn
from torch.nn import functional

from dawn_env.observation.view_layouts import layout_of_sides

GAMES = 5000  # to learn from: a smaller dataset is repeated up to this number, a larger one is used once
GAMES_AN_ITERATION, ROWS, RATE, WIDTH = 1000, 512, 1e-3, 256


class Network(nn.Module):
    """Logits of the actions."""

    def __init__(self, features: int, actions: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, actions)
        )

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return self.layers(observations).masked_fill(~masks, -1e9)


def count_batches(rows):
    """Number of minibatches in a shard of ``rows`` decisions."""
    return max(1, rows // ROWS)


class Agent(Learner):
    """Learns which action the players of the dataset took."""

    track = "knowledge"  # the games are those of a shipped player

    def begin(self, seed):
        torch.manual_seed(seed)
        self.random, layout = np.random.default_rng(seed), layout_of_sides(self.environments.options)
        self.network = Network(layout.size, layout.actions)
        self.optimizer = torch.optim.Adam(self.network.parameters(), RATE)
        self.metadata = checked_metadata(self.environments.dataset)
        self.shards = self.metadata["shards"] * max(1, GAMES // self.metadata["plan"]["games"])
        self.steps_left, self.used = sum(count_batches(shard["rows"]) for shard in self.shards), 0
        self.decay = RATE / self.steps_left

    def iterate(self, number, remaining):
        """Train on the next 1,000 recorded games; training is done after the last shard."""
        games, losses = 0, []
        while not self.done and games < GAMES_AN_ITERATION:
            shard = self.shards[self.used]
            path = Path(self.environments.dataset, shard["file"])
            losses += self.learn(read_shard(path, self.metadata["columns"], shard["rows"]))
            games, self.used = games + shard["games"], self.used + 1
            self.done = self.used == len(self.shards)
        return {"loss": float(np.mean(losses))}

    def learn(self, shard):
        """Train one epoch on a shard in shuffled minibatches; yields the loss of each minibatch."""
        columns = [torch.from_numpy(shard[name]) for name in ("observation", "mask", "action")]
        order = self.random.permutation(len(columns[2]))
        for rows in np.array_split(order, count_batches(len(order))):
            observations, masks, actions = (column[rows] for column in columns)
            loss = functional.cross_entropy(self.network(observations.float(), masks.bool()), actions.long())
            for group in self.optimizer.param_groups:
                group["lr"] = self.decay * self.steps_left
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.steps_left -= 1
            yield loss.item()

    def player(self):
        return self.network

    def state(self):
        parts = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        places = {"steps_left": self.steps_left, "used": self.used}
        return parts | places | {"random": self.random.bit_generator.state}

    def restore(self, state):
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.random.bit_generator.state = state["random"]
        self.steps_left, self.used = state["steps_left"], state["used"]
        self.done = self.used == len(self.shards)
