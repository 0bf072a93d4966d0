"""Many single seats at once as a Gymnasium vector environment."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from dawn_env.envs.opponents import Pool
from dawn_env.envs.seat import observation_space
from dawn_env.envs.seat_games import SeatGames
from dawn_env.envs.seat_loop import FACTS
from dawn_env.options import GameOptions
from dawn_env.support.argument_checks import reset_options


class DawnVectorEnv(VectorEnv):
    """``num_envs`` games for one learner; a finished game is followed by another in the same step.

    ``infos`` hold ``action_mask`` int8 [n, A] and, int64 [n], ``side``, ``vp`` and ``result`` as in ``DawnSeat``.
    In steps that end games, ``infos["final_obs"]`` is an object array [n] of last views (None elsewhere),
    ``infos["_final_obs"]`` bool [n] marks them, and ``infos["final_info"]`` holds ``side``, ``vp`` and ``result``
    of the games that ended, 0 elsewhere; ``games.finished`` tells more of them, by name.
    Illegal actions raise ``IllegalAction`` naming all offending rows; then nothing has moved.
    There are too many games to render.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, num_envs: int = 256, side: str | None = None, opponents: Pool | None = None,
                 weights: Sequence[float] | None = None, shaping: float = 0.0,
                 options: GameOptions | Mapping | None = None, threads: int | None = None):  # fmt: skip
        """Arguments as of ``SeatGames``; raises ``ValueError``."""
        self.games = SeatGames(num_envs, side, opponents, weights, options, shaping, threads=threads)
        self.num_envs = num_envs = self.games.count
        self.render_mode = None
        layout = self.games.layout
        self.single_observation_space, self.single_action_space = observation_space(layout), Discrete(layout.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict | None = None):
        """Start a game in every row, ``seed`` as in ``Batch.reset``.

        ``options`` may hold those of the games by name, for the games begun now and not those that follow them; other
        keys are ignored. Raises ``BadSeed``, ``BadOptions``.
        """
        self._check_open()
        self.games.reset(seed, self.games.options.at_reset(reset_options(options)))
        self._begun = True
        observations, infos, _ = self._taken()
        return observations, infos

    def step(self, actions: np.ndarray):
        """Observations int8 [n, F], rewards float32 [n], terminations and truncations bool [n], infos."""
        self._check_open()
        if not self._begun:
            raise ResetNeeded("reset the environment before the first step")
        games = self.games
        games.step(actions)
        observations, infos, final = self._taken()
        ended = games.ended.copy()
        if len(rows := ended.nonzero()[0]):
            infos |= self._final(ended, rows, final)
        return observations, games.rewards.copy(), ended, np.zeros(self.num_envs, np.bool_), infos

    def _taken(self) -> tuple[np.ndarray, dict[str, Any], np.ndarray]:
        """Observations, infos, and the facts of games that have ended."""
        observations, masks, facts = self.games.taken()
        return observations, {"action_mask": masks} | dict(zip(FACTS, facts, strict=False)), facts[len(FACTS) :]

    def _final(self, ended: np.ndarray, rows: np.ndarray, facts: np.ndarray) -> dict:
        views = np.empty(self.num_envs, object)
        for row in rows.tolist():
            views[row] = self.games.final_observations[row].copy()
        details: dict[str, np.ndarray] = {}
        for name, fact in zip(FACTS, facts, strict=True):
            details |= {name: fact, f"_{name}": ended.copy()}
        return {"final_obs": views, "_final_obs": ended.copy(), "final_info": details, "_final_info": ended.copy()}

    def action_masks(self) -> np.ndarray:
        """Legal actions of all rows, int8 [n, A], in an array of its own."""
        return self.games.masks.copy()

    def set_opponents(self, pool: Pool, weights: Sequence[float] | None = None) -> None:
        """Opponents of games that begin from now on, see ``SeatGames.set_opponents``."""
        self.games.set_opponents(pool, weights)

    def results(self, clear: bool = False) -> dict:
        """Results per opponent and side, see ``SeatGames.results``."""
        return self.games.results(clear)

    def _check_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the environment is closed")

    def close_extras(self, **options) -> None:
        """Close the opponents."""
        self.games.close()
