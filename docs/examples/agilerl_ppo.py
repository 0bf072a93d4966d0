"""PPO of AgileRL for one learner in many games; it finds the mask in the infos. agilerl 2.58.0, torch 2.13.0.

    python docs/examples/agilerl_ppo.py --steps 200000

AgileRL 2.58 wants PettingZoo before 1.27, so it needs an environment of its own: see ``docs/how-to/recipes.md``.
"""

import argparse

import gymnasium
import numpy as np
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

import dawn_env  # noqa: F401  - registers the environment

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=200_000)
parser.add_argument("--games", type=int, default=16, help="games side by side")
parser.add_argument("--length", type=int, default=128, help="decisions of each game between two updates")
arguments = parser.parse_args()

games = gymnasium.make_vec(
    "dawn_env/DawnSeat-v0", num_envs=arguments.games, vectorization_mode="vector_entry_point", shaping=0.01
)
learner = PPO(
    games.single_observation_space,
    games.single_action_space,
    batch_size=128,
    lr=3e-4,
    learn_step=arguments.games * arguments.length,
    gamma=0.999,
    update_epochs=2,
    num_envs=arguments.games,
    device="cpu",
)
steps, scores, latest = 0, [], {}
while steps < arguments.steps:
    done, *latest_values = collect_rollouts(learner, games, **latest)
    latest = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), latest_values, strict=True))
    learner.learn()
    steps, scores = steps + arguments.games * arguments.length, (scores + done)[-100:]
print(f"{steps} steps, mean return {np.mean(scores) if scores else np.nan:.2f}")
