"""Magnetic mirror descent by self-play: a policy gradient regularised towards a slow copy of itself. torch 2.13.0.

    .venv/bin/dawn suite run learn-1M --agent docs.examples.mirror_descent:Agent --seeds 3 --out runs/suite/mirror

Self-play of plain policy gradients can run in circles in games with hidden information. Pulled towards a *magnet*, a
copy that follows slowly, it converges (Sokota and others 2023; R-NaD of Perolat and others 2022 does the same by
rewards). Games, advantages and network are those of ``selfplay_ppo.py``; only the loss differs.

Elo on the standing scale after a million decisions, mean of three training seeds with its 95 % interval: +179 (+140 to
+223) when actions are sampled, +202 (+156 to +246) when greedy. Learning curve: ``docs/suite/learn-1M.svg``.
"""

from copy import deepcopy

import torch
from torch.distributions import kl_divergence

from docs.examples import selfplay_ppo
from docs.examples.selfplay_ppo import descend, minibatches

PULL, STEP, FOLLOW = 0.02, 5.0, 0.02  # weight of the magnet; size of a step; share by which the magnet follows


class Agent(selfplay_ppo.Agent):
    """Self-play from nothing, as of ``selfplay_ppo``."""

    def build(self, env):
        network, rollout = super().build(env)
        self.magnet = deepcopy(network)
        return network, rollout

    def update(self, network, optimizer, rollout, random):
        """Follow the advantages, near the policy of the rollout and not far from the magnet."""
        before = deepcopy(network)
        for inputs, chosen, log_probs, gain, wanted in minibatches(rollout, random):
            policy, values = network.both(*inputs)
            with torch.no_grad():
                old, magnet = before.both(*inputs)[0], self.magnet.both(*inputs)[0]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            improvement = ((policy.log_prob(chosen) - log_probs).exp() * gain).mean()
            distance = PULL * kl_divergence(policy, magnet).mean() + kl_divergence(policy, old).mean() / STEP
            descend(network, optimizer, distance - improvement + 0.5 * (values - wanted).pow(2).mean())
        with torch.no_grad():
            for slow, fast in zip(self.magnet.parameters(), network.parameters(), strict=True):
                slow.lerp_(fast, FOLLOW)

    def state(self):
        return super().state() | {"magnet": self.magnet.state_dict()}

    def restore(self, state):
        super().restore(state)
        self.magnet.load_state_dict(state["magnet"])
