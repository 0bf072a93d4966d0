"""The learner of the name ``maskable-ppo``: MaskablePPO with the game's networks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnvWrapper
from torch import Tensor

from dawn_agents.players.networks.inference import network_inputs
from dawn_agents.players.networks.policy_file import load_policy
from dawn_agents.players.networks.policy_networks import NetworkOptions, average_network, build_network
from dawn_agents.players.networks.sparse_weights import advice_size
from dawn_agents.training.environments import Environments
from dawn_agents.training.learner import PolicyMetadata, SideLearner
from dawn_agents.training.network_policies import NetworkPolicy
from dawn_agents.training.network_trainer import MOST_LOGIT, check_bounded
from dawn_agents.training.training_config import Config, ConfigError
from dawn_env.envs.sb3 import DawnVecEnv
from dawn_env.observation.view_layouts import ViewLayout

RATE = "ppo.learning_rate"
"""The setting to lower when learning gets out of hand."""


class ActorCritic(MaskableActorCriticPolicy):
    """Adapter of the game's networks to a policy of Stable-Baselines3."""

    def __init__(self, *arguments, network: NetworkOptions, layout: ViewLayout, **keywords):
        """``network`` and its ``layout`` beside the arguments of the base class."""
        self._options, self._layout = network, layout
        super().__init__(*arguments, **keywords)

    def _build(self, lr_schedule) -> None:
        self.network = build_network(self._options, self._layout)
        self.optimizer = self.optimizer_class(self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def forward(self, obs: Tensor, deterministic: bool = False, action_masks=None) -> tuple[Tensor, Tensor, Tensor]:
        """Actions [B], values [B, 1] and log probabilities [B]."""
        distribution, values = self._answer(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks=None) -> tuple[Tensor, Tensor, Tensor]:
        """Values [B, 1], log probabilities [B] and entropies [B]."""
        distribution, values = self._answer(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def predict_values(self, obs: Tensor) -> Tensor:
        """Values [B, 1]."""
        return self.network(obs)[1][:, None]

    def _answer(self, obs: Tensor, action_masks) -> tuple[MaskableDistribution, Tensor]:
        logits, values = self.network(obs)
        check_bounded([logits], RATE, MOST_LOGIT)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        distribution.apply_masking(action_masks)
        return distribution, values[:, None]


class AdvisedEnv(VecEnvWrapper):
    """Wrapper of ``DawnVecEnv`` that appends the rule-based player's advice to observations, if ``advice`` is set."""

    def __init__(self, env: DawnVecEnv, advice: bool):
        self.games, self.advice = env.games, advice
        size = self.games.layout.size + advice_size(advice, self.games.layout)
        super().__init__(env, Box(-128, 127, (size,), np.int8))

    def inputs(self) -> np.ndarray:
        """Inputs of the network for the current positions."""
        return network_inputs(self.advice, self.games.observations, self.games.masks).copy()

    def reset(self) -> np.ndarray:
        """Start all games; inputs of the network."""
        self.venv.reset()
        return self.inputs()

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Step as ``DawnVecEnv`` does, with inputs of the network as observations."""
        _, *rest = self.venv.step_wait()
        return self.inputs(), *rest


class MaskablePpo(SideLearner):
    """Proximal policy optimisation with masks, as ``[ppo]`` says, of the network of ``[network]``."""

    def __init__(
        self, side: str, environments: Environments, config: Config, options: SideLearner.Options | None = None
    ):
        ppo, network = config.ppo, config.network
        if network.kind == "afterstate":
            raise ConfigError('network.kind: "map" or "sparse" expected with maskable-ppo, not "afterstate"')
        games = config.games
        env = environments.make(games.at_once, kind="sb3", side=side, shaping=games.shaping)
        self.env = AdvisedEnv(env, network.advice)
        super().__init__(side, environments, config, options, self.env.games)
        self.model = MaskablePPO(
            ActorCritic, self.env, learning_rate=ppo.rate_at, n_steps=ppo.steps, batch_size=ppo.batch_size,
            n_epochs=ppo.epochs, gamma=ppo.gamma, gae_lambda=ppo.gae_lambda, clip_range=ppo.clip_range,
            ent_coef=ppo.entropy, vf_coef=ppo.value, max_grad_norm=ppo.max_grad_norm, target_kl=ppo.target_kl,
            policy_kwargs={"network": network, "layout": self.env.games.layout}, device=config.run.device,
        )  # fmt: skip
        self.model.set_logger(Logger(folder=None, output_formats=[]))  # else it makes a folder among temporary files

    @property
    def policy(self) -> NetworkPolicy:
        """The network that learns."""
        return NetworkPolicy(self.model.policy.network, self.config.network)

    def load(self, path: Path) -> tuple[NetworkPolicy, PolicyMetadata]:
        """Load a policy file; raises ``PolicyFileError``."""
        network, info = load_policy(path)
        return NetworkPolicy(network.to(self.model.device), info.network), info

    def specification(self, path: Path) -> str:
        """Player of a file; that of a folder plays networks of kind ``sparse`` only."""
        if path.is_dir():
            return f"sparse:{path}" if self.config.network.kind == "sparse" else ""
        return f"policy:{path}"

    def candidates(self, past: Sequence[NetworkPolicy]) -> list[NetworkPolicy]:
        """The last one, and the average of its weights and those of the frozen copies."""
        mean = average_network([self.policy.network, *(policy.network for policy in past)])
        return [self.policy, NetworkPolicy(mean, self.config.network)]

    def begin(self, seed: int) -> None:
        """Begin training."""
        self.env.seed(seed)
        _, self._callback = self.model._setup_learn(self.model.n_steps * self.model.n_envs)

    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Play ``steps`` decisions in every game and learn from them; the value head alone learns in the first
        ``value_warmup`` iterations.

        Raises what the environments raise, and ``ConfigError`` when the weights have grown beyond all bounds.
        """
        model, network, ppo = self.model, self.model.policy.network, self.config.ppo
        model._current_progress_remaining = remaining
        model.ent_coef = ppo.entropy_at(remaining)
        network.requires_grad_(number > ppo.value_warmup)
        network.value_head.requires_grad_(True)
        model.collect_rollouts(self.env, self._callback, model.rollout_buffer, model.n_steps)
        model.train()
        check_bounded(network.state_dict().values(), RATE)
        names = {
            "entropy_loss": "entropy", "approx_kl": "kl", "explained_variance": "explained_variance",
            "value_loss": "value_loss", "policy_gradient_loss": "policy_loss", "clip_fraction": "clip_fraction",
        }  # fmt: skip
        logged = model.logger.name_to_value
        metrics = {ours: float(logged[f"train/{theirs}"]) for theirs, ours in names.items()}
        rate = model.policy.optimizer.param_groups[0]["lr"]
        return metrics | {"entropy": -metrics["entropy"], "learning_rate": rate}

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """State for a checkpoint."""
        model = self.model
        return {
            "policy": model.policy.state_dict(),
            "optimizer": model.policy.optimizer.state_dict(),
            "decisions": model.num_timesteps,
            "starts": model._last_episode_starts.copy(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a checkpoint's state."""
        model = self.model
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps = state["decisions"]
        model._last_obs, model._last_episode_starts = self.env.inputs(), state["starts"]
