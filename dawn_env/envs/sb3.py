"""Many single seats at once as a Stable-Baselines3 ``VecEnv`` (needs the extra ``train``)."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Discrete

from dawn_env.envs.rendering import RENDER_MODES, RENDER_WIDTH, Renderer
from dawn_env.envs.seat import observation_space
from dawn_env.envs.seat_games import LearnerEnvironment, LearnerGames
from dawn_env.host.opponent_pool import Pool
from dawn_env.observation.privileged_view import privileged_view
from dawn_env.options import GameOptions
from dawn_env.support.argument_checks import game_count
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.seeds import MOST_SEED, checked_seed, row_seeds

with optional_imports():
    from stable_baselines3.common.vec_env import VecEnv


class DawnVecEnv(LearnerEnvironment, VecEnv):
    """``num_envs`` games for one learner, for MaskablePPO and its like; finished games are followed by others.

    The infos of rows that ended hold ``terminal_observation``, ``episode`` (``r``, ``l``, ``t`` as Monitor
    writes them), ``result``, ``vp``, ``side`` and ``opponent``; all others are empty.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(self, num_envs: int = 256, side: str | int | None = None, opponents: Pool | None = None,
                 weights: Sequence[float] | None = None, shaping: float = 0.0,
                 options: GameOptions | Mapping | None = None, privileged: bool = False,
                 render_mode: str | None = None, render_width: int = RENDER_WIDTH):  # fmt: skip
        """Arguments as of ``LearnerGames``; ``privileged``: every info holds the hidden cards of its game as
        ``privileged``, int8 [P] (``observation.privileged_view``), for critics; ``render_width``: pixels
        of each game's frame from left to right. Raises ``ValueError``."""
        self._privileged = privileged
        num_envs = game_count(num_envs, "num_envs")
        self.games = LearnerGames(num_envs, side, opponents, weights, options, shaping)
        self.render_mode, self._renderer = render_mode, Renderer(render_mode, render_width, self.games.options)
        self.closed = False
        self._random = np.random.default_rng()  # of seeds of later resets
        self._actions, self._returns = np.zeros(num_envs, np.int64), np.zeros(num_envs)
        layout = self.games.layout
        super().__init__(num_envs, observation_space(layout), Discrete(layout.actions))

    def seed(self, seed: int | None = None) -> list[int]:
        """Seeds of the rows at the next ``reset``: n, n + 1 ... from ``seed`` n, or drawn; raises ``BadSeed``.

        The seeds of resets after that one follow from it.
        """
        seeds = row_seeds(None if seed is None else checked_seed(seed), self.num_envs).tolist()
        self._seeds, self._random = seeds, np.random.default_rng(seeds)
        return seeds

    def reset(self) -> np.ndarray:
        """Start a game in every row, from the seeds given by ``seed`` or ones that follow; observations int8 [n, F].

        Options given by ``set_options`` are those of ``DawnSeat.reset``, the same for all rows; raises as that.
        """
        given = self._options[0] or {}
        if any((options or {}) != given for options in self._options):
            raise ValueError("options: the same for all rows expected")
        agreed = self.games.options_at_reset(given)
        given_seeds: Any = None if self._seeds[0] is None else self._seeds  # all of them, or none
        self.games.reset(given_seeds or self._random.integers(0, MOST_SEED, self.num_envs), agreed)
        self.closed = False
        self._returns[:], self.reset_infos = 0, self._new_infos()
        self._reset_seeds()
        self._reset_options()
        return self.games.observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for ``step_wait``."""
        self._check_begun()
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Observations, rewards float32 [n], dones bool [n], infos; raises as ``LearnerGames.step``."""
        games = self.games
        games.step(self._actions)
        self._returns += games.rewards
        infos = self._new_infos()
        for game in games.finished:
            infos[game.row] |= {
                "terminal_observation": games.final_observation(game.row),
                "TimeLimit.truncated": False,
                "episode": {"r": float(self._returns[game.row]), "l": game.learner_decisions, "t": 0.0},
                "result": game.result, "vp": game.vp, "side": game.side, "opponent": game.opponent,
            }  # fmt: skip
            self._returns[game.row] = 0
        return games.observations.copy(), games.rewards.copy(), games.ended.copy(), infos

    def _new_infos(self) -> list[dict]:
        """An info for each row, empty or with the hidden cards."""
        if not self._privileged:
            return [{} for _ in range(self.num_envs)]
        return [{"privileged": row} for row in privileged_view(self.games.states, self.games.sides)]

    def get_images(self) -> list[np.ndarray | None]:
        """The learner's view of every game in pixels, with render mode ``rgb_array``; None for each otherwise."""
        self._check_begun()
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return cast(list, self._rendered("rgb_array"))

    def render(self, mode: str | None = None) -> Any:
        """Render all games: ``rgb_array`` gives one picture of all, ``ansi`` one text, ``human`` prints that text."""
        mode = self.render_mode if mode is None else mode
        if mode == "rgb_array":
            return super().render(mode)
        self._check_begun()
        texts = self._rendered(mode)
        return "\n".join(map(str, texts)) if mode == "ansi" else None

    def _rendered(self, mode: str | None) -> list[Any]:
        return [self._renderer.rendered(state, mode, row) for row, state in enumerate(self.games.states)]

    def has_attr(self, attr_name: str) -> bool:
        """Return True if the rows have an attribute: they share those of this object."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices=None) -> list[Any]:
        """An attribute of this object, once per row asked for."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices=None) -> None:
        """Rows have no attributes of their own: raises ``AttributeError``."""
        raise AttributeError(f"{attr_name}: the games of a DawnVecEnv have no attributes of their own")

    def env_method(self, method_name: str, *method_args, indices=None, **method_kwargs) -> list[Any]:
        """``action_masks`` for the rows asked for; other methods raise ``AttributeError``."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: the games of a DawnVecEnv offer action_masks only")
        masks = self.action_masks()
        return list(masks if indices is None else masks[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: type, indices=None) -> list[bool]:
        """True, for each row, for ``Monitor`` alone: the games record its episode statistics themselves."""
        monitored = wrapper_class.__name__ == "Monitor"
        return [monitored] * len(list(self._get_indices(indices)))
