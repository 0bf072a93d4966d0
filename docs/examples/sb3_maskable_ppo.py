"""MaskablePPO of sb3-contrib for one learner in many games. stable-baselines3 and sb3-contrib 2.9.2, torch 2.13.0.

    python docs/examples/sb3_maskable_ppo.py --steps 500000

``DawnVecEnv`` is a vector environment of Stable-Baselines3; its ``action_masks`` are what MaskablePPO asks for.
"""

import argparse

from sb3_contrib import MaskablePPO

from dawn_env.envs.sb3 import DawnVecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=500_000)
parser.add_argument("--games", type=int, default=64, help="games side by side")
arguments = parser.parse_args()

env = DawnVecEnv(arguments.games, side=None, opponents=["random"], shaping=0.01)
model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=512, n_epochs=2, gamma=1.0, seed=1, device="cpu")
model.learn(arguments.steps)
games = wins = 0
for counts in env.results().values():
    games, wins = games + counts["games"], wins + counts["wins"]
env.close()
print(f"{model.num_timesteps} steps, {wins} of {games} games won")
