"""PPO of TorchRL for one seat: masked policy, collector, loss. torchrl 0.14.1, tensordict 0.14.3, torch 2.13.0.

python docs/examples/torchrl_ppo.py --steps 200000
"""

import argparse

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymEnv, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import dawn_env  # noqa: F401  - registers the environment

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=200_000)
parser.add_argument("--frames", type=int, default=1_024, help="decisions between two updates")
arguments = parser.parse_args()
torch.manual_seed(1)

env = TransformedEnv(
    GymEnv("dawn_env/DawnMaskedSeat-v0", categorical_action_encoding=True, shaping=0.01),
    Compose(
        DTypeCastTransform(torch.int8, torch.float32, in_keys=["observation"]),
        DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]),
        ActionMask(),  # tells the space of actions what is legal
    ),
)
features, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n


def network(outputs):
    return nn.Sequential(nn.Linear(features, 128), nn.Tanh(), nn.Linear(128, outputs))


actor = ProbabilisticActor(
    TensorDictModule(network(actions), in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(network(1), in_keys=["observation"])
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
optimizer = torch.optim.Adam(loss.parameters(), lr=3e-4)

games, steps = 0, 0
for data in Collector(env, actor, frames_per_batch=arguments.frames, total_frames=arguments.steps):
    games, steps = games + int(data["next", "done"].sum()), steps + data.numel()
    for _ in range(4):
        advantage(data)
        losses = loss(data)
        total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
print(f"{steps} steps, {games} games, loss {total.item():.3f}")
