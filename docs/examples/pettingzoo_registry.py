"""How PettingZoo's registry finds the environment, and its own tests of it. pettingzoo 1.27.0.

    python docs/examples/pettingzoo_registry.py --steps 1000

Environments of other packages are known to the registry once their module is imported.
"""

import argparse
import warnings

import pettingzoo
from pettingzoo.test import api_test, seed_test

from dawn_env import dawn_bid_v0, dawn_v0

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=1_000)
arguments = parser.parse_args()
warnings.filterwarnings("ignore", message="Observation space for each agent probably should be|.*Dict observation")

for module in (dawn_v0, dawn_bid_v0):
    assert module.ENV_ID in pettingzoo.aec_registry
    print(pettingzoo.spec("aec", module.ENV_ID))

env = pettingzoo.make("aec", dawn_v0.ENV_ID, render_mode="ansi", shaping=0.01)
env.reset(seed=8)
for agent in env.possible_agents:
    env.action_space(agent).seed(8)
steps = 0
for agent in env.agent_iter(arguments.steps):
    observation, _, ended, _, _ = env.last()
    env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
    steps += 1
api_test(dawn_v0.env(), num_cycles=arguments.steps)
seed_test(dawn_v0.env, num_cycles=arguments.steps)
print(f"{steps} steps, PettingZoo's tests pass")
