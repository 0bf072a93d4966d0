"""Seats with the mask of legal actions inside the observation, where several libraries look for it."""

from typing import cast

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.vector.utils import batch_space

from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv


class _Pairs:
    """Views and masks as dictionaries with two keys, all arrays of one dtype."""

    def __init__(self, observation_key: str, mask_key: str, dtype: type):
        """Raises ``ValueError`` for equal keys."""
        if observation_key == mask_key:
            raise ValueError(f"observation_key, mask_key: two different names expected, not {mask_key!r} twice")
        self._keys, self._dtype = (observation_key, mask_key), np.dtype(dtype)

    def space(self, views: Space, actions: Space) -> Dict:
        """Space of the dictionaries."""
        seen, number = cast(Box, views), int(cast(Discrete, actions).n)
        low, high = seen.low.astype(self._dtype), seen.high.astype(self._dtype)
        spaces = Box(low, high, dtype=self._dtype.type), Box(0, 1, (number,), self._dtype.type)
        return Dict(dict(zip(self._keys, spaces, strict=True)))

    def of(self, view: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
        """Copies of both."""
        return {key: array.astype(self._dtype) for key, array in zip(self._keys, (view, mask), strict=True)}


class MaskedSeat(DawnSeat):
    """``DawnSeat`` with observations ``{observation_key: [F], mask_key: [A]}``; all else as there.

    Each library has names of its own for the two, and some cannot take integers: ``dtype`` is that of both arrays. The
    numbers are the same, and so is the mask in the infos. ``seat``: arguments of ``DawnSeat``.
    """

    def __init__(
        self,
        observation_key: str = "observation",
        mask_key: str = "action_mask",
        dtype: type = np.int8,
        **seat,
    ):
        """Raises ``ValueError``."""
        self._pairs = _Pairs(observation_key, mask_key, dtype)
        super().__init__(**seat)
        self.observation_space = self._pairs.space(self.observation_space, self.action_space)

    def _observed(self) -> dict[str, np.ndarray]:
        return self._pairs.of(self.games.observations[0], self.games.masks[0])


class MaskedVectorEnv(DawnVectorEnv):
    """``DawnVectorEnv`` with observations ``{observation_key: [n, F], mask_key: [n, A]}``, as ``MaskedSeat``.

    The masks of ``final_obs`` are zeros. ``seats``: arguments of ``DawnVectorEnv``.
    """

    def __init__(
        self,
        num_envs: int = 256,
        observation_key: str = "observation",
        mask_key: str = "action_mask",
        dtype: type = np.int8,
        **seats,
    ):
        """Raises ``ValueError``."""
        self._pairs = _Pairs(observation_key, mask_key, dtype)
        super().__init__(num_envs, **seats)
        self.single_observation_space = self._pairs.space(self.single_observation_space, self.single_action_space)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _observed(self, view: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
        return self._pairs.of(view, mask)
