"""PPO by self-play in one file, both seats of every game: read it from top to bottom. torch 2.13.0.

    .venv/bin/dawn suite run learn-1M --agent docs.examples.selfplay_ppo:Agent --seeds 3 --out runs/suite/ppo

Elo on the standing scale after a million decisions, mean of three training seeds with its 95 % interval: +205 (+164 to
+249) when actions are sampled, +165 (+131 to +200) when greedy. Learning curve: ``docs/suite/learn-1M.svg``.

One network plays both sides. A batch asks for the decision of whichever side is to act, so the experience of a side is
cut out of the stream of its game: each decision's successor is the next one **of the same side**.
"""

import numpy as np
import torch
from dawn_agents.training.learner import Learner
from torch import nn
from torch.distributions import Categorical

GAMES, LENGTH = 128, 128  # games side by side; decisions of each between two updates
GAMMA, TRACE, CLIP, EPOCHS, PARTS, RATE, ENTROPY = 1.0, 0.95, 0.2, 2, 8, 5e-4, 0.01
SIDES = 2


class Network(nn.Module):
    """Logits of the actions; ``value``: the expected result for the side that looks."""

    def __init__(self, features: int, actions: int, width: int = 256):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, actions), nn.Linear(width, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return self.actor(self.body(observations)).masked_fill(~masks, -1e9)

    def both(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Distribution over the actions and value, from all that a ``Rollout`` observes."""
        hidden = self.body(observations.float())
        logits = self.actor(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


class Rollout:
    """``LENGTH`` decisions in every game, of both sides."""

    def __init__(self, env):
        self.inputs = [np.zeros((LENGTH, *part.shape), part.dtype) for part in self.observe(env)]
        self.sides, self.chosen = np.zeros((2, LENGTH, GAMES), np.int64)
        self.log_probs, self.values = np.zeros((2, LENGTH, GAMES), np.float32)
        self.results = np.zeros((LENGTH, GAMES, SIDES), np.float32)
        self.ended = np.zeros((LENGTH, GAMES), bool)

    def observe(self, env) -> tuple[np.ndarray, ...]:
        """Inputs of the network."""
        return env.observations, env.masks.astype(bool)

    def collect(self, env, network: Network) -> None:
        for step in range(LENGTH):
            self.sides[step] = env.actors
            for kept, part in zip(self.inputs, self.observe(env), strict=True):
                kept[step] = part
            with torch.no_grad():
                policy, values = network.both(*(torch.from_numpy(kept[step]) for kept in self.inputs))
                chosen = policy.sample()
            self.chosen[step], self.log_probs[step] = chosen, policy.log_prob(chosen)
            self.values[step] = values
            env.step(self.chosen[step])
            self.results[step], self.ended[step] = env.rewards, env.ended

    def advantages(self) -> tuple[np.ndarray, np.ndarray]:
        """Advantages, by generalised estimation along the decisions of each side, and which rows are known.

        Where a side does not decide again before the end of the rollout, nothing is known of how it goes on.
        """
        advantages, known = np.zeros_like(self.values), np.zeros(self.values.shape, bool)
        games = np.arange(GAMES)
        following = np.zeros((GAMES, SIDES), np.float32)  # value of a side's next decision
        carried = np.zeros((GAMES, SIDES), np.float32)  # its advantage
        rewards = np.zeros((GAMES, SIDES), np.float32)  # what comes in between
        informed = np.zeros((GAMES, SIDES), bool)
        for step in reversed(range(LENGTH)):
            over = self.ended[step]
            following[over], carried[over], informed[over] = 0, 0, True
            rewards[over] = self.results[step][over]
            side = self.sides[step]
            error = rewards[games, side] + GAMMA * following[games, side] - self.values[step]
            advantages[step] = error + GAMMA * TRACE * carried[games, side]
            known[step] = informed[games, side]
            following[games, side], carried[games, side] = self.values[step], advantages[step]
            rewards[games, side], informed[games, side] = 0, True
        return advantages, known


def minibatches(rollout: Rollout, random: np.random.Generator):
    """Parts of the decisions of a rollout, several times: inputs, then actions, log probabilities, gains, returns."""
    advantages, known = rollout.advantages()
    arrays = rollout.chosen, rollout.log_probs, advantages, advantages + rollout.values
    inputs, facts = ([torch.from_numpy(array[known]) for array in group] for group in (rollout.inputs, arrays))
    for _ in range(EPOCHS):
        for rows in np.array_split(random.permutation(len(facts[0])), PARTS):
            yield [part[rows] for part in inputs], *(part[rows] for part in facts)


def descend(network: Network, optimizer: torch.optim.Optimizer, loss: torch.Tensor) -> None:
    """A step of the optimizer."""
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimizer.step()


class Agent(Learner):
    """Self-play from nothing: the rules and the observation alone."""

    def build(self, env) -> tuple[Network, Rollout]:
        return Network(env.observations.shape[1], env.masks.shape[1]), Rollout(env)

    def begin(self, seed):
        torch.manual_seed(seed)
        self.random = np.random.default_rng(seed)
        self.env = self.environments.make(GAMES, kind="batch", seeds=seed << 32)
        self.network, self.rollout = self.build(self.env)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=RATE, eps=1e-5)

    def iterate(self, number, remaining):
        """Play ``LENGTH`` decisions in every game and learn from them."""
        self.rollout.collect(self.env, self.network)
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * (0.1 + 0.9 * remaining)
        self.update(self.network, self.optimizer, self.rollout, self.random)
        return {"value": float(self.rollout.values.mean())}

    def update(self, network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, random) -> None:
        """Take the gradient steps of some epochs, clipped."""
        for inputs, chosen, before, gain, wanted in minibatches(rollout, random):
            policy, values = network.both(*inputs)
            ratio = (policy.log_prob(chosen) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = -surrogate + 0.5 * (values - wanted).pow(2).mean() - ENTROPY * policy.entropy().mean()
            descend(network, optimizer, loss)

    def player(self):
        return self.network

    def state(self):
        parts = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        return parts | {"random": self.random.bit_generator.state, "games": self.environments.state()}

    def restore(self, state):
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.random.bit_generator.state = state["random"]
        self.environments.restore(state["games"])
