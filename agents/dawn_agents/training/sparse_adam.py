"""Adam for the weights of a network of kind ``sparse``, in blocks of ``width`` numbers.

A block is a row of the first layer, or a part of what follows it. Rows without a gradient stay as they are, moments
included, and each row counts its own steps: most inputs are 0 in most positions.
"""

import math

import numpy as np

from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.sparse_weights import compiled_shape, row_scales
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.support.compiling import entry
from dawn_env.support.thread_pool import ThreadTeam

_FIRST, _SECOND, _LEAST = 0.9, 0.999, 1e-5  # decay of the moments, and what is added to the root of the second


@entry
def _add_up(first, last, number, gradients, touched, scales, norms):
    """Add the gradients of all slices to that of the first in blocks ``first:last``, and write their squared norms."""
    width = gradients.shape[1] // len(scales)
    for block in range(first, last):
        norms[block] = 0.0
        start, found = block * width, False
        for part in range(len(gradients)):
            found |= touched[part, block] != 0
        if not found:
            continue
        sums, norm = gradients[0, start : start + width], 0.0
        for part in range(1, len(gradients)):
            row = gradients[part, start : start + width]
            for i in range(width):
                sums[i] += row[i]
        for i in range(width):
            sums[i] *= scales[block]
            norm += sums[i] * sums[i]
        norms[block] = norm
        touched[0, block] = 1
    return 0


@entry
def _step(first, last, number, gradients, touched, scales, factor, rate, counts, moments, squares, weights):
    """Take a step in the touched blocks of ``first:last`` and clear their gradients."""
    width = gradients.shape[1] // len(scales)
    for block in range(first, last):
        if touched[0, block] == 0:
            continue
        start = block * width
        counts[block] += 1
        pace = np.float32(rate * scales[block] / (1 - _FIRST ** counts[block]))
        shrink = np.float32(1 / math.sqrt(1 - _SECOND ** counts[block]))
        grown, moment = gradients[0, start : start + width], moments[start : start + width]
        square, weight = squares[start : start + width], weights[start : start + width]
        for i in range(width):
            slope = grown[i] * np.float32(factor)
            moment[i] = np.float32(_FIRST) * moment[i] + np.float32(1 - _FIRST) * slope
            square[i] = np.float32(_SECOND) * square[i] + np.float32(1 - _SECOND) * slope * slope
            weight[i] -= pace * moment[i] / (np.sqrt(square[i]) * shrink + np.float32(_LEAST))
        for part in range(len(gradients)):
            gradients[part, start : start + width] = np.float32(0)
    return 0


class SparseAdam:
    """Steps of Adam on ``weights`` float32 [n], from the gradients that ``sparse_gradients`` adds up.

    ``gradients`` float32 [slices, n] and ``touched`` int8 [slices, blocks] are all 0 between two steps, but for the
    blocks behind the first layer, which always count as touched.
    """

    def __init__(self, weights: np.ndarray, options: NetworkOptions, layout: ViewLayout, slices: int, team: ThreadTeam):
        """Adam for weights in the form of ``sparse_weights.compiled_weights``."""
        shape, rows = compiled_shape(options, layout)[0], row_scales(options, layout)
        self.weights, self._team = weights, team
        self.scales = np.ones(shape.length // shape.width, np.float32)
        self.scales[: len(rows)] = rows
        self._inputs, blocks = len(rows), len(self.scales)
        self.gradients, self.touched = np.zeros((slices, len(weights)), np.float32), np.zeros((slices, blocks), np.int8)
        self._norms = np.zeros(blocks)
        self.moments, self.squares = np.zeros((2, len(weights)), np.float32)
        self.counts = np.zeros(blocks, np.int64)

    def step(self, rate: float, most_norm: float) -> None:
        """Take one step of size ``rate``; a longer gradient is shortened to ``most_norm``."""
        self.touched[:, self._inputs :] = 1
        blocks = len(self.scales)
        self._team.run(_add_up, blocks, self.gradients, self.touched, self.scales, self._norms)
        factor = min(1.0, most_norm / (float(np.sqrt(self._norms.sum())) + 1e-6))
        self._team.run(
            _step, blocks, self.gradients, self.touched, self.scales, factor, rate, self.counts, self.moments,
            self.squares, self.weights,
        )  # fmt: skip
        self.touched[:] = 0

    def drop(self) -> None:
        """Forget the gradient."""
        self.gradients[:], self.touched[:] = 0, 0
