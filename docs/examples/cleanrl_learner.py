"""PPO in the manner of CleanRL as a learner, for ``dawn train --learner`` and ``dawn suite run``. torch 2.13.0."""

import torch
from dawn_agents.training.learner import Learner
from torch import nn
from torch.distributions import Categorical

GAMES, LENGTH, GAMMA, TRACE, CLIP, EPOCHS, PARTS = 64, 64, 0.999, 0.95, 0.2, 2, 4


class Network(nn.Module):
    def __init__(self, features, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh())
        self.actor, self.critic = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, seen, legal):
        hidden = self.body(seen.float())
        return self.actor(hidden).masked_fill(~legal, -1e9), self.critic(hidden).squeeze(-1)


class Ppo(Learner):
    def begin(self, seed):
        self.env = self.environments.make(GAMES, kind="games", opponents=["random"], shaping=0.01)
        self.env.reset(seed)
        self.network = Network(self.env.layout.size, self.env.layout.actions)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=3e-4, eps=1e-5)

    def iterate(self, number, remaining):
        env, steps, advantages, carried = self.env, [], [], torch.zeros(GAMES)
        for _ in range(LENGTH + 1):
            seen, legal = torch.from_numpy(env.observations.copy()), torch.from_numpy(env.masks != 0)
            with torch.no_grad():
                logits, following = self.network(seen, legal)
            if len(steps) < LENGTH:
                action = (policy := Categorical(logits=logits)).sample()
                env.step(action.numpy())
                told = torch.tensor(env.rewards), torch.tensor(env.ended)
                steps.append((seen, legal, action, policy.log_prob(action), following, *told))
        for *_, value, reward, ended in reversed(steps):
            carried = reward - value + GAMMA * (following + TRACE * carried) * ~ended
            advantages, following = [carried, *advantages], value
        data = [torch.cat(part) for part in (*list(zip(*steps, strict=True))[:5], advantages)]
        for rows in (part for _ in range(EPOCHS) for part in torch.randperm(GAMES * LENGTH).chunk(PARTS)):
            seen, legal, action, before, value, gains = (part[rows] for part in data)
            logits, values = self.network(seen, legal)
            policy, gain = Categorical(logits=logits), (gains - gains.mean()) / (gains.std() + 1e-8)
            ratio = (policy.log_prob(action) - before).exp()
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            error, entropy = (values - gains - value).pow(2).mean(), policy.entropy().mean()
            self.optimizer.zero_grad()
            (0.5 * error - surrogate - 0.01 * entropy).backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
            self.optimizer.step()
        return {"value_loss": error.item(), "entropy": entropy.item()}

    def player(self):
        return self.network

    def state(self):
        learnt = {name: getattr(self, name).state_dict() for name in ("network", "optimizer")}
        return learnt | {"games": self.environments.state()}

    def restore(self, state):
        for name in ("network", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.environments.restore(state["games"])
