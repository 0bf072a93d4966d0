"""Behaviour cloning from a dataset, without an environment, as an agent of the suite. torch 2.13.0.

    .venv/bin/dawn suite run imitate-1k --agent docs.examples.imitation:Agent --seeds 3 --out runs/suite/imitation

Elo on the standing scale, mean of three training seeds with its 95 % interval: +1139 (+1104 to +1177) when actions are
sampled, +1143 (+1095 to +1197) when greedy. Learning curve: ``docs/suite/imitate-1k.svg``.
"""

import numpy as np
import torch
from dawn_agents.training.dataset.dataset_files import read_shards
from torch import nn
from torch.nn import functional

EPOCHS, ROWS, RATE, WIDTH = 5, 512, 1e-3, 256
CHECKPOINTS = 10


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


class Agent:
    """Learns which action the players of the dataset took."""

    track = "knowledge"  # the games are those of a shipped player

    def train(self, make_env, budget, seed):
        torch.manual_seed(seed)
        random, network = np.random.default_rng(seed), None
        total = None  # minibatches in all, known after the first pass
        done = 0
        for epoch in range(EPOCHS):
            for seen, legal, action in batches(budget.dataset, random):
                if network is None:
                    network = Network(seen.shape[1], legal.shape[1])
                    optimizer = torch.optim.Adam(network.parameters(), RATE)
                for group in optimizer.param_groups:
                    group["lr"] = RATE * (1 - (done / total if total else 0.0))
                loss = functional.cross_entropy(network(seen, legal), action)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                done += 1
                if total and done * CHECKPOINTS // total > (done - 1) * CHECKPOINTS // total and done < total:
                    yield network
            if epoch == 0:
                total = done * EPOCHS
                yield network
        yield network
