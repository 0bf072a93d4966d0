"""What a network is given: the observation, and behind it, if it takes advice, the rule-based player's opinion."""

import numpy as np
from gymnasium.spaces import Box

from agents.heuristic.scoring import ADVICE, advise, working_position
from agents.heuristic.style import STYLES
from dawn_env.envs.seat import observation_space

_POSITIONS = working_position(STYLES["balanced"])


def network_inputs(advice: bool, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """What a network is given, int8 [K, F] or with ``advice`` [K, F + ADVICE].

    ``observations`` int8 [K, F]; ``masks`` int8 [K, A].
    """
    return advise(observations, masks, _POSITIONS) if advice else observations


def input_space(advice: bool) -> Box:
    """Space of one input."""
    seen = observation_space()
    if not advice:
        return seen
    opinions = np.full(ADVICE, 127, np.int8)
    return Box(np.concatenate([seen.low, -1 - opinions]), np.concatenate([seen.high, opinions]), dtype=np.int8)
