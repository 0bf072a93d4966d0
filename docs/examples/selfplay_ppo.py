"""PPO by self-play in one file, both seats of every game: read it from top to bottom. torch 2.13.0.

    .venv/bin/dawn suite run learn-1M --agent docs.examples.selfplay_ppo:Agent --seeds 3 --out runs/suite/ppo

One network plays both sides. A batch asks for the decision of whichever side is to act, so the experience of a side is
cut out of the stream of its game: each decision's successor is the next one **of the same side**.
"""

import numpy as np
import torch
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
        hidden = self.body(observations.float())
        logits = self.actor(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


class Rollout:
    """``LENGTH`` decisions in every game, of both sides."""

    def __init__(self, features: int, actions: int):
        self.seen = np.zeros((LENGTH, GAMES, features), np.int8)
        self.legal = np.zeros((LENGTH, GAMES, actions), bool)
        self.sides, self.chosen = np.zeros((2, LENGTH, GAMES), np.int64)
        self.log_probs, self.values = np.zeros((2, LENGTH, GAMES), np.float32)
        self.results = np.zeros((LENGTH, GAMES, SIDES), np.float32)
        self.ended = np.zeros((LENGTH, GAMES), bool)

    def collect(self, env, network: Network) -> None:
        for step in range(LENGTH):
            self.seen[step], self.legal[step], self.sides[step] = env.observations, env.masks, env.actors
            with torch.no_grad():
                policy, values = network.both(torch.from_numpy(self.seen[step]), torch.from_numpy(self.legal[step]))
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


def update(network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout, random: np.random.Generator) -> None:
    """Some epochs of clipped policy gradients."""
    advantages, known = rollout.advantages()
    returns = advantages + rollout.values
    arrays = (rollout.seen, rollout.legal, rollout.chosen, rollout.log_probs, advantages, returns)
    data = [torch.from_numpy(array[known]) for array in arrays]
    for _ in range(EPOCHS):
        for rows in np.array_split(random.permutation(len(data[0])), PARTS):
            seen, legal, chosen, before, gain, wanted = (array[rows] for array in data)
            policy, values = network.both(seen, legal)
            ratio = (policy.log_prob(chosen) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = -surrogate + 0.5 * (values - wanted).pow(2).mean() - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


class Agent:
    """Self-play from nothing: the rules and the observation alone."""

    track = "tabula rasa"
    resumes = True

    def train(self, make_env, budget, seed):
        torch.manual_seed(seed)
        random = np.random.default_rng(seed)
        env = make_env(GAMES, kind="batch", seeds=seed << 32)
        network = Network(env.observations.shape[1], env.masks.shape[1])
        optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
        if budget.resume_from:  # new games, but the network and what the optimizer knows
            saved = torch.load(budget.resume_from, weights_only=True)
            network.load_state_dict(saved["network"])
            optimizer.load_state_dict(saved["optimizer"])
            env.reset((seed << 32) + budget.spent)
        rollout = Rollout(env.observations.shape[1], env.masks.shape[1])
        while budget.decisions is None or budget.spent + LENGTH * GAMES <= budget.decisions:
            rollout.collect(env, network)
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - 0.9 * budget.share)
            update(network, optimizer, rollout, random)
            if budget.due:
                torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict()}, budget.save_to)
                yield network
        yield network
