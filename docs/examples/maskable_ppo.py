"""MaskablePPO of sb3-contrib as a learner: self-play against its own snapshots. sb3-contrib 2.9.2.

    .venv/bin/dawn suite run learn-1M --agent docs.examples.maskable_ppo:Agent --seeds 3 --out runs/suite/maskable

Elo on the standing scale after a million decisions, mean of three training seeds with its 95 % interval: +365 (+330 to
+399) when actions are sampled, +207 (+154 to +262) when greedy. Learning curve: ``docs/suite/learn-1M.svg``.
"""

from copy import deepcopy

from dawn_agents.training.learner import Learner
from dawn_agents.training.trained_policies import TrainedPolicy
from sb3_contrib import MaskablePPO

GAMES, LENGTH = 64, 64  # games side by side; decisions of each between two updates
SNAPSHOTS = 10  # in a run; the latest ones are opponents
MODEL = {"n_epochs": 2, "batch_size": 512, "learning_rate": 5e-4, "gamma": 1.0, "ent_coef": 0.01}


class Agent(Learner):
    """One seat a game, the side drawn; the opponents are random play and its latest snapshots."""

    def begin(self, seed):
        self.env = self.environments.make(GAMES, kind="sb3", opponents=["random"], shaping=0.01)
        self.env.seed(seed << 32)
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            n_steps=LENGTH,
            seed=seed,
            device="cpu",
            policy_kwargs={"net_arch": [256, 256]},
            **MODEL,
        )
        self.snapshots, self.taken = {}, 0  # weights by name

    def iterate(self, number, remaining):
        """Play ``LENGTH`` decisions in every game and learn from them, behind every tenth of the run a snapshot."""
        if (1 - remaining) * SNAPSHOTS >= self.taken + 1:
            self.taken += 1
            newest = {f"snapshot-{number}": deepcopy(self.model.policy.state_dict())}
            self.snapshots = dict([*self.snapshots.items()][-4:]) | newest  # one more, which games may go on against
            self.env.set_opponents([self.rival(name) for name in [*self.snapshots][-4:]])
        self.model.learn(GAMES * LENGTH, reset_num_timesteps=False)
        return {"updates": self.model._n_updates}

    def rival(self, name):
        """An opponent that samples as the policy did; its draws follow from what it sees."""
        policy, present = self.model.policy, deepcopy(self.model.policy.state_dict())
        policy.load_state_dict(self.snapshots[name])
        player = TrainedPolicy.of(self.model, self.env.games.layout).player(name, sample=True)
        policy.load_state_dict(present)
        return player

    def player(self):
        return self.model

    def state(self):
        policy, model = self.model.policy, self.model
        parts = {"policy": policy.state_dict(), "optimizer": policy.optimizer.state_dict()}
        parts |= {"steps": model.num_timesteps, "updates": model._n_updates, "starts": model._last_episode_starts}
        return parts | {"snapshots": self.snapshots, "taken": self.taken, "games": self.environments.state()}

    def restore(self, state):
        policy, model = self.model.policy, self.model
        policy.load_state_dict(state["policy"])
        policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["steps"], state["updates"]
        self.snapshots, self.taken = state["snapshots"], state["taken"]
        rivals = {name: self.rival(name) for name in self.snapshots}
        self.environments.restore(state["games"], rivals)
        if rivals:
            self.env.set_opponents([*rivals.values()][-4:])
        model._last_obs, model._last_episode_starts = self.env.games.observations.copy(), state["starts"]
