"""DQN of Tianshou for one seat; it looks for a mask beside the observation. tianshou 2.0.1, torch 2.13.0.

python docs/examples/tianshou_dqn.py --steps 200000
"""

import argparse

import gymnasium
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import dawn_env  # noqa: F401  - registers the environment

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=200_000)
parser.add_argument("--games", type=int, default=8, help="games side by side")
arguments = parser.parse_args()


def make_seat():
    return gymnasium.make("dawn_env/DawnMaskedSeat-v0", observation_key="obs", mask_key="mask", shaping=0.01)


games = DummyVectorEnv([make_seat] * arguments.games)
seat = make_seat()
network = Net(
    state_shape=seat.observation_space["obs"].shape, action_shape=seat.action_space.n, hidden_sizes=[256, 256]
)
policy = DiscreteQLearningPolicy(model=network, action_space=seat.action_space, eps_training=0.1)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-4), gamma=0.999, target_update_freq=500)
memory = VectorReplayBuffer(20_000, arguments.games)
collector = Collector[CollectStats](learner, games, memory, exploration_noise=True)
told = learner.run_training(
    OffPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=arguments.steps,
        collection_step_num_env_steps=16 * arguments.games,
        update_step_num_gradient_steps_per_sample=0.05,
        batch_size=64,
        verbose=False,
        show_progress=False,
    )
)
print(f"{told.train_step} steps, {told.train_episode} games, {told.update_step} updates")
