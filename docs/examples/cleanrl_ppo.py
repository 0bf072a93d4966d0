"""PPO in one file, in the manner of CleanRL: read it from top to bottom. gymnasium 1.4.0, torch 2.13.0.

python docs/examples/cleanrl_ppo.py --steps 1000000
"""

import argparse

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import dawn_env  # noqa: F401  - registers the environment

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=1_000_000)
parser.add_argument("--games", type=int, default=64, help="games side by side")
parser.add_argument("--length", type=int, default=64, help="decisions of each game between two updates")
arguments = parser.parse_args()
games, length = arguments.games, arguments.length
gamma, trace, clip, epochs, parts = 0.999, 0.95, 0.2, 2, 4
torch.manual_seed(1)

env = gymnasium.make_vec("dawn_env/DawnSeat-v0", num_envs=games, vectorization_mode="vector_entry_point", shaping=0.01)
features, actions = env.single_observation_space.shape[0], env.single_action_space.n


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh())
        self.actor, self.critic = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, seen, legal):
        hidden = self.body(seen.float())
        logits = self.actor(hidden).masked_fill(~legal, -torch.inf)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


def entropy(policy):
    """That of ``Categorical``, which is not a number for actions of no chance."""
    return -(policy.probs * policy.logits.clamp(min=-1e9)).sum(-1)


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
observations = torch.zeros((length, games, features), dtype=torch.int8)
masks = torch.zeros((length, games, actions), dtype=torch.bool)
chosen, log_probs, values, rewards, ended = (torch.zeros((length, games)) for _ in range(5))

seen, infos = env.reset(seed=1)
steps = finished = won = 0
while steps < arguments.steps:
    for step in range(length):
        observations[step] = torch.as_tensor(seen)
        masks[step] = torch.as_tensor(infos["action_mask"]).bool()
        with torch.no_grad():
            policy, values[step] = agent(observations[step], masks[step])
            action = policy.sample()
        chosen[step], log_probs[step] = action, policy.log_prob(action)
        seen, reward, terminated, truncated, infos = env.step(action.numpy())
        rewards[step], ended[step] = torch.as_tensor(reward), torch.as_tensor(terminated).float()
        finished, won = finished + int(terminated.sum()), won + int((reward[terminated] > 0.5).sum())
        steps += games

    with torch.no_grad():
        following = agent(torch.as_tensor(seen), torch.as_tensor(infos["action_mask"]).bool())[1]
    advantages, carried = torch.zeros((length, games)), torch.zeros(games)
    for step in reversed(range(length)):
        goes_on = 1 - ended[step]
        error = rewards[step] + gamma * following * goes_on - values[step]
        advantages[step] = carried = error + gamma * trace * goes_on * carried
        following = values[step]
    returns = advantages + values

    flat = [array.flatten(0, 1) for array in (observations, masks, chosen, log_probs, advantages, returns)]
    for _ in range(epochs):
        for rows in np.array_split(np.random.default_rng(steps).permutation(length * games), parts):
            some_seen, legal, action, before, advantage, wanted = (array[rows] for array in flat)
            policy, value = agent(some_seen, legal)
            ratio = (policy.log_prob(action) - before).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
            loss = -gain.mean() + 0.5 * (value - wanted).pow(2).mean() - 0.01 * entropy(policy).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
print(f"{steps} steps, {won} of {finished} games won, loss {loss.item():.3f}")
