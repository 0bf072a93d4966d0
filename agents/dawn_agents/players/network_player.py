"""Players that ask trained networks of torch."""

import numpy as np
import torch
from torch import nn

from dawn_agents.players.networks.inference import ask
from dawn_env.errors import PlayerFailure
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.players import BatchPlayer

_AT_ONCE = 256  # rows; with many more, memory is had from the system for each layer, and a row takes half as long again


def drawn_actions(probabilities: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Actions int64 [K] drawn by ``probabilities`` [K, A], which need not add up to 1; ``draws`` [K], 0 ... 1."""
    sums = probabilities.cumsum(1)
    return (sums <= draws[:, None] * sums[:, -1:]).sum(1)


class NetworkPlayer(BatchPlayer):
    """The likeliest action of a network, or one drawn in proportion to its probabilities.

    A draw is settled by a hash of the observation and the seed: the same view is answered in the same way.
    """

    def __init__(
        self, name: str, network: nn.Module, seed: int = 0, sample: bool = False, temperature: float = 1.0,
        layout: ViewLayout | None = None,
    ):  # fmt: skip
        """``layout``: of the games that it was trained for, by default ``network.layout``."""
        super().__init__(name, seed, {"sample": sample})
        self.network, self.sample, self.temperature = network, sample, temperature
        self.layout = layout or network.layout
        self._words = self.layout.size // 4  # of 32 bits of an observation
        self._weights = np.random.default_rng(seed).integers(1, 2**63 - 1, self._words, np.uint64)

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Choose actions of the rows; raises ``PlayerFailure`` when the network's answer is no number."""
        if not self.sample:
            return self._logits(observations, masks).argmax(1).numpy()
        return self.draw(self.probabilities(observations, masks), observations)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float64 [K, A]: how likely the network makes each action; 0 for those that are not legal."""
        return torch.softmax(self._logits(observations, masks).double() / self.temperature, 1).numpy()

    def _logits(self, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        parts = [slice(start, start + _AT_ONCE) for start in range(0, max(len(masks), 1), _AT_ONCE)]
        with torch.inference_mode():
            logits = torch.cat([ask(self.network, observations[part], masks[part])[0].cpu() for part in parts])
        if not torch.isfinite(logits).all():
            raise PlayerFailure(f"{self.name}: its weights are so large that an answer of the network is no number")
        return logits

    def draw(self, probabilities: np.ndarray, observations: np.ndarray) -> np.ndarray:
        """int64 [K]: the action at which the summed ``probabilities`` [K, A] pass the hash of each view."""
        words = np.ascontiguousarray(observations[:, : 4 * self._words]).view(np.uint32)
        hashes = (words * self._weights).sum(1, dtype=np.uint64)
        return drawn_actions(probabilities, (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53)
