"""PPO of RLlib's new API stack with its own masking module. ray 2.60.0, gymnasium 1.4.0, torch 2.13.0.

    python docs/examples/rllib_ppo.py --steps 200000

``ActionMaskingTorchRLModule`` wants the keys ``observations`` and ``action_mask``, and numbers that are floats.
"""

import argparse

import gymnasium
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


def make_seat(config):
    import dawn_env  # noqa: F401  - registers the environment, in each of Ray's processes

    return gymnasium.make("dawn_env/DawnMaskedSeat-v0", observation_key="observations", dtype=np.float32, **config)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=200_000)
parser.add_argument("--batch", type=int, default=4_000, help="decisions between two updates")
parser.add_argument("--runners", type=int, default=0, help="processes that play; 0: the learner's own")
arguments = parser.parse_args()

ray.init(address="local", num_cpus=max(1, arguments.runners + 1), include_dashboard=False, log_to_driver=False)
register_env("dawn", make_seat)
algorithm = (
    PPOConfig()
    .environment("dawn", env_config={"shaping": 0.01})
    .env_runners(num_env_runners=arguments.runners)
    .training(train_batch_size_per_learner=arguments.batch, minibatch_size=min(128, arguments.batch), num_epochs=2)
    .rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[256, 256])
        )
    )
    .debugging(seed=1)
    .build_algo()
)
steps = 0
while steps < arguments.steps:
    told = algorithm.train()["env_runners"]
    steps = int(told["num_env_steps_sampled_lifetime"])
print(f"{steps} steps, mean return {told.get('episode_return_mean', float('nan')):.2f}")
algorithm.stop()
ray.shutdown()
