"""The wrapper of PettingZoo's SB3 tutorial (action masks, self-play). pettingzoo 1.27.0, sb3-contrib 2.9.2.

    python docs/examples/pettingzoo_sb3.py --steps 20000

``SB3ActionMaskWrapper`` is that of PettingZoo's page "SB3: Action Masked PPO for Connect Four", unchanged in what it
does. One policy plays both sides; each step is one decision of whoever acts.
"""

import argparse

import gymnasium
import pettingzoo
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

from dawn_env import dawn_v0

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=20_000)
parser.add_argument("--length", type=int, default=2_048, help="decisions between two updates")
arguments = parser.parse_args()


class SB3ActionMaskWrapper(pettingzoo.utils.BaseWrapper, gymnasium.Env):
    """An AEC environment as Stable-Baselines3 wants it: one agent that plays everybody in turn."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action):
        agent = self.agent_selection
        super().step(action)
        following = self.agent_selection
        return (
            self.observe(following),
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent):
        return super().observe(agent)["observation"]

    def action_mask(self):
        return super().observe(self.agent_selection)["action_mask"]


env = SB3ActionMaskWrapper(dawn_v0.env())
env.reset(seed=1)
env = ActionMasker(env, lambda masked: masked.action_mask())
model = MaskablePPO("MlpPolicy", env, n_steps=arguments.length, batch_size=128, n_epochs=2, seed=1, device="cpu")
model.learn(total_timesteps=arguments.steps)
print(f"{model.num_timesteps} steps, {len(model.ep_info_buffer)} games ended among the latest 100")
