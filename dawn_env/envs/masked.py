"""The single seat with the mask of legal actions inside the observation, where several libraries look for it."""

from typing import cast

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from dawn_env.envs.seat import DawnSeat


class MaskedSeat(gymnasium.ObservationWrapper):
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
        self._seat = DawnSeat(**seat)
        super().__init__(self._seat)
        if observation_key == mask_key:
            raise ValueError(f"observation_key, mask_key: two different names expected, not {mask_key!r} twice")
        self._keys, self._dtype = (observation_key, mask_key), np.dtype(dtype)
        seen, actions = cast(Box, self._seat.observation_space), cast(Discrete, self._seat.action_space)
        low, high = seen.low.astype(self._dtype), seen.high.astype(self._dtype)
        spaces = Box(low, high, dtype=dtype), Box(0, 1, (int(actions.n),), dtype)
        self.observation_space = Dict(dict(zip(self._keys, spaces, strict=True)))

    def observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The view and the mask, in arrays of their own."""
        arrays = observation, self.action_masks()
        return {key: array.astype(self._dtype) for key, array in zip(self._keys, arrays, strict=True)}

    def action_masks(self) -> np.ndarray:
        """As ``DawnSeat.action_masks``."""
        return self._seat.action_masks()
