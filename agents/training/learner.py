"""One side's learner: MaskablePPO with the game's networks, on environments that are timed."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from torch import Tensor

from agents.networks.inputs import input_space, see
from agents.networks.network import NetworkOptions, build_network
from agents.training.config import Games, Ppo
from agents.training.divergence import check_answers, check_learnt
from agents.training.saved import check_learner, expect
from dawn_env.envs.sb3 import DawnVecEnv
from dawn_env.game import Game
from dawn_env.observe import observe_rows
from dawn_env.players import Player

RATE = "ppo.learning_rate"
"""The setting to lower when learning gets out of hand."""


class NetworkPolicy(MaskableActorCriticPolicy):
    """One of the game's networks, as Stable-Baselines3 wants a policy to look."""

    def __init__(self, *arguments, network: NetworkOptions, **keywords):
        """``network`` beside the arguments of the base class."""
        self._options = network
        super().__init__(*arguments, **keywords)

    def _build(self, lr_schedule) -> None:
        self.network = build_network(self._options)
        self.optimizer = self.optimizer_class(self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def forward(self, obs: Tensor, deterministic: bool = False, action_masks=None) -> tuple[Tensor, Tensor, Tensor]:
        """Actions [B], values [B, 1] and log probabilities [B]."""
        logits, values = self.network(obs)
        check_answers(logits, RATE)
        distribution = self._distribution(logits, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values[:, None], distribution.log_prob(actions)

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks=None) -> tuple[Tensor, Tensor, Tensor]:
        """Values [B, 1], log probabilities [B] and entropies [B]."""
        distribution, values = self._both(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Tensor, action_masks=None) -> MaskableDistribution:
        """Distribution over the actions that ``action_masks`` allows."""
        return self._both(obs, action_masks)[0]

    def predict_values(self, obs: Tensor) -> Tensor:
        """Values [B, 1]."""
        return self.network(obs)[1][:, None]

    def _both(self, obs: Tensor, action_masks) -> tuple[MaskableDistribution, Tensor]:
        logits, values = self.network(obs)
        return self._distribution(logits, action_masks), values[:, None]

    def _distribution(self, logits: Tensor, action_masks) -> MaskableDistribution:
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        distribution.apply_masking(action_masks)
        return distribution

    def learn_values_only(self, only: bool) -> None:
        """Let the value head alone learn, or everything."""
        self.network.requires_grad_(not only)
        self.network.value_head.requires_grad_(True)


class LearnerEnv(DawnVecEnv):
    """``DawnVecEnv`` that gives the network its inputs, and notes the seconds that steps and advice took."""

    def __init__(self, games: Games, side: str, advice: bool):
        super().__init__(games.at_once, side, shaping=games.shaping, options=games.options)
        self.advice = advice
        self.observation_space = input_space(advice)
        self.seconds, self.advice_seconds = 0.0, 0.0

    def reset(self) -> np.ndarray:
        """As of ``DawnVecEnv``."""
        return see(self.advice, super().reset(), self.games.masks)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """As of ``DawnVecEnv``."""
        started = time.perf_counter()
        observations, *rest = super().step_wait()
        stepped = time.perf_counter()
        inputs = see(self.advice, observations, self.games.masks)
        self.seconds += stepped - started
        self.advice_seconds += time.perf_counter() - stepped
        return inputs, *rest


class _Silent(BaseCallback):
    def _on_step(self) -> bool:
        return True


class Learner(MaskablePPO):
    """MaskablePPO that is told to take one iteration at a time."""

    def __init__(self, side: str, games: Games, ppo: Ppo, network: NetworkOptions, device: str):
        """No game has begun before ``begin``."""
        self.side, self.settings = side, ppo
        env = LearnerEnv(games, side, network.advice)
        super().__init__(
            NetworkPolicy, env, learning_rate=self._rate, n_steps=ppo.steps, batch_size=ppo.batch_size,
            n_epochs=ppo.epochs, gamma=ppo.gamma, gae_lambda=ppo.gae_lambda, clip_range=ppo.clip_range,
            ent_coef=ppo.entropy, vf_coef=ppo.value, max_grad_norm=ppo.max_grad_norm, target_kl=ppo.target_kl,
            policy_kwargs={"network": network}, device=device,
        )  # fmt: skip

    def begin(self, seed: int) -> None:
        """Start all games; set the opponents before."""
        self.env.seed(seed)
        _, self._callback = self._setup_learn(self.n_steps * self.n_envs, _Silent())

    def _rate(self, remaining: float) -> float:
        """Learning rate, by the share of the run that remains."""
        return self.settings.final_learning_rate + remaining * (
            self.settings.learning_rate - self.settings.final_learning_rate
        )

    def iterate(self, remaining: float, values_only: bool) -> dict[str, float]:
        """Play ``steps`` decisions in every game and learn from them; returns figures of the iteration.

        ``remaining``: share of the run to come. Raises what the environments raise, and ``ConfigError`` when the
        weights have grown beyond all bounds.
        """
        self._current_progress_remaining = remaining
        self.policy.learn_values_only(values_only)
        env, started = self.env, time.perf_counter()
        env.seconds = env.advice_seconds = 0.0
        self.collect_rollouts(env, self._callback, self.rollout_buffer, self.n_steps)
        collected = time.perf_counter()
        self.train()
        check_learnt(self.policy.network, RATE)
        return {
            "decisions": self.n_steps * self.n_envs,
            "seconds_env": env.seconds,
            "seconds_advice": env.advice_seconds,
            "seconds_network": collected - started - env.seconds - env.advice_seconds,
            "seconds_update": time.perf_counter() - collected,
        } | self._learning_figures()

    def _learning_figures(self) -> dict[str, float]:
        names = {
            "entropy_loss": "entropy", "approx_kl": "kl", "explained_variance": "explained_variance",
            "value_loss": "value_loss", "policy_gradient_loss": "policy_loss", "clip_fraction": "clip_fraction",
        }  # fmt: skip
        logged = self.logger.name_to_value
        figures = {ours: float(logged[f"train/{theirs}"]) for theirs, ours in names.items()}
        return figures | {"entropy": -figures["entropy"], "learning_rate": self.policy.optimizer.param_groups[0]["lr"]}

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything to go on exactly, but for the opponents."""
        return {
            "games": self.env.games.state(),
            "policy": self.policy.state_dict(),
            "optimizer": self.policy.optimizer.state_dict(),
            "decisions": self.num_timesteps,
            "observations": self._last_obs.copy(),
            "starts": self._last_episode_starts.copy(),
        }

    def restore(self, state: dict[str, Any], find: Callable[[str], Player]) -> None:
        """Go on from ``state``, after ``begin``; ``find`` gives the opponents by name. Raises ``CheckpointError``."""
        check_learner(self.side, state, self.state(), list(self.policy.parameters()))
        names = state["games"]["players"]
        for game in state["games"]["states"]:
            Game.from_bytes(game.tobytes())  # raises unless it is one
        self.env.games.restore(state["games"], {name: find(name) for name in names})
        self._check_views(state["observations"])
        self.policy.load_state_dict(state["policy"])
        self.policy.optimizer.load_state_dict(state["optimizer"])
        self.num_timesteps = state["decisions"]
        self._last_obs, self._last_episode_starts = state["observations"], state["starts"]

    def _check_views(self, inputs: np.ndarray) -> None:
        """What was saved of the views must be what is seen in the games, or illegal actions would be taken."""
        games = self.env.games
        seen, legal = np.zeros_like(games.observations), np.zeros_like(games.masks)
        observe_rows(games.states, games.sides, seen, legal)
        expect(np.array_equal(legal, games.masks), f"{self.side}.games", "the masks of its games", "others")
        same = np.array_equal(seen, games.observations) and np.array_equal(see(self.env.advice, seen, legal), inputs)
        expect(same, f"{self.side}.games", "the views of its games", "others")
