"""Asymmetric actor-critic by self-play: the critic sees the hidden cards, the actor does not. torch 2.13.0.

    .venv/bin/dawn suite run learn-1M --agent docs.examples.asymmetric_ppo:Agent --seeds 3 --out runs/suite/asymmetric

The value is needed for learning only, so it may look at both hands and the draw pile (``infos["privileged"]`` of the
environments with ``privileged=True``; a batch has its states). Everything else is ``selfplay_ppo.py``.

Elo on the standing scale after a million decisions, mean of three training seeds with its 95 % interval: +248 (+214 to
+284) when actions are sampled, +222 (+175 to +267) when greedy. Learning curve: ``docs/suite/learn-1M.svg``.
"""

import torch
from torch import nn
from torch.distributions import Categorical

from dawn_env.observation.privileged_view import PRIVILEGED_SIZE, privileged_view
from docs.examples import selfplay_ppo


class Rollout(selfplay_ppo.Rollout):
    """Also observes the hidden cards."""

    def observe(self, env):
        return *super().observe(env), privileged_view(env.states, env.actors)


class Network(selfplay_ppo.Network):
    """An actor without, and a critic of its own with the hidden cards."""

    def __init__(self, features: int, actions: int, width: int = 256):
        super().__init__(features, actions, width)
        layers = nn.Linear(features + PRIVILEGED_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        self.critic = nn.Sequential(*layers, nn.Linear(width, 1))

    def both(self, observations, masks, hidden):
        everything = torch.cat([observations, hidden], dim=1).float()
        return Categorical(logits=self(observations.float(), masks)), self.critic(everything).squeeze(-1)


class Agent(selfplay_ppo.Agent):
    """Self-play from nothing; hidden cards in training only."""

    def build(self, env):
        return Network(env.observations.shape[1], env.masks.shape[1]), Rollout(env)
