"""MaskablePPO of sb3-contrib as an agent of the suite: self-play against its own snapshots. sb3-contrib 2.9.2.

    .venv/bin/dawn suite run learn-1M --agent docs.examples.maskable_ppo:Agent --seeds 3 --out runs/suite/maskable

Elo on the standing scale after a million decisions, mean of three training seeds with its 95 % interval: +365 (+330 to
+399) when actions are sampled, +207 (+154 to +262) when greedy. Learning curve: ``docs/suite/learn-1M.svg``.
"""

import io

import torch
from sb3_contrib import MaskablePPO

GAMES, LENGTH = 64, 64  # games side by side; decisions of each between two updates


def snapshot(policy, number):
    """An opponent that samples as the policy does now; opponents need names of their own."""
    buffer = io.BytesIO()
    policy.save(buffer)
    buffer.seek(0)
    frozen = type(policy).load(buffer, device="cpu")
    frozen.set_training_mode(False)

    def opponent(observations, masks):
        with torch.no_grad():
            seen = torch.from_numpy(observations).float()
            return frozen.get_distribution(seen, action_masks=masks).get_actions().numpy()

    opponent.__name__ = f"snapshot-{number}"
    return opponent


class Agent:
    """One seat a game, the side drawn; the opponents are random play and its latest checkpoints."""

    track = "tabula rasa"

    def train(self, make_env, budget, seed):
        env = make_env(GAMES, kind="sb3", opponents=["random"], shaping=0.01)
        env.seed(seed << 32)
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=LENGTH, batch_size=512, n_epochs=2, gamma=1.0, ent_coef=0.01,
            learning_rate=5e-4, seed=seed, device="cpu", policy_kwargs={"net_arch": [256, 256]},
        )  # fmt: skip
        rivals = []
        while budget.decisions is None or budget.spent + GAMES * LENGTH <= budget.decisions:
            model.learn(GAMES * LENGTH, reset_num_timesteps=False)
            if budget.due:
                rivals = [*rivals[-3:], snapshot(model.policy, budget.spent)]
                env.set_opponents(rivals)
                yield model
        yield model
