"""Weights of networks of kind ``sparse``: as a policy file holds them, and as compiled loops read them. No torch.

A file holds the numbers of ``weight_shapes``, one array after the other, of the type that its options name.
"""

from collections.abc import Mapping
from math import prod

import numpy as np

from dawn_agents.heuristic.action_scores import ADVICE
from dawn_agents.networks.input_scale import input_scale
from dawn_agents.networks.network_options import NetworkOptions
from dawn_env.actions import A
from dawn_env.observation import SLICES, F
from dawn_env.observation.view_layouts import STANDARD_LAYOUT

DIRECT_PARTS = "decision", "source"
"""Parts of the observation, one-hot each, that have a table of logits of their own."""
LEAST_OPINION = -2.0
"""Victory points below the best action; everything worse looks the same to the first layer."""
LANES = 16
"""Products that the compiled forward pass adds up side by side."""
OPINION_UNITS, WORTH_UNITS = 16, 64
"""Numbers of advice for a victory point, and for a worth of 1 (``networks.advice``)."""
_DIRECT = sum(SLICES[name].stop - SLICES[name].start for name in DIRECT_PARTS)


def weight_shapes(options: NetworkOptions) -> dict[str, tuple[int, ...]]:
    """Shapes of the weights by name, in the order of the file; the names are those of ``SparseNetwork``."""
    width, inputs = options.width, F + (ADVICE if options.advice else 0)
    shapes: dict[str, tuple[int, ...]] = {"first.weight": (width, inputs), "first.bias": (width,)}
    for layer in range(options.depth):
        shapes |= {f"hidden.{layer}.weight": (width, width), f"hidden.{layer}.bias": (width,)}
    shapes |= {"direct.weight": (A, _DIRECT), "action_head.weight": (A, width), "action_head.bias": (A,)}
    shapes |= {"value_head.weight": (1, width), "value_head.bias": (1,)}
    return shapes | ({"advice.log_trust": ()} if options.advice else {})


def pack_weights(weights: Mapping[str, np.ndarray], options: NetworkOptions) -> bytes:
    """Bytes of the file, little-endian; raises ``ValueError`` for numbers too large for its type."""
    flat = np.concatenate([np.asarray(weights[name], np.float32).ravel() for name in weight_shapes(options)])
    with np.errstate(over="ignore"):
        packed = flat.astype(_file_type(options))
    if not np.isfinite(packed).all():
        raise ValueError(f"weights too large for {options.dtype}")
    return packed.tobytes()


def unpack_weights(packed: bytes, options: NetworkOptions) -> dict[str, np.ndarray]:
    """Weights by name, float32; raises ``ValueError`` for another length and for numbers that are not finite."""
    shapes, kind = weight_shapes(options), _file_type(options)
    expected = sum(map(prod, shapes.values())) * kind.itemsize
    if len(packed) != expected:
        raise ValueError(f"{len(packed):,} bytes of weights, not {expected:,} as its options say")
    flat = np.frombuffer(packed, kind).astype(np.float32)
    if not np.isfinite(flat).all():
        raise ValueError("weights: finite numbers expected")
    parts = np.split(flat, np.cumsum([prod(shape) for shape in shapes.values()])[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}


def _file_type(options: NetworkOptions) -> np.dtype:
    return np.dtype(options.dtype).newbyteorder("<")


def padded_width(options: NetworkOptions) -> int:
    """Units of a layer in compiled loops: the next multiple of ``LANES``; the units beyond its width are always 0."""
    return -(-options.width // LANES) * LANES


def compiled_weights(weights: Mapping[str, np.ndarray], options: NetworkOptions) -> np.ndarray:
    """float32 [n]: the weights in the order in which ``sparse_forward`` reads them, for inputs as they are.

    The rows of the first layer by input [inputs, width] and its bias; for each further layer the rows by its inputs
    [width, width] and its bias; the logits by decision and source [D, A]; the action head [A, width] and its bias; the
    trust in the advice. ``width`` is ``padded_width``.
    """
    scale, more = input_scale(STANDARD_LAYOUT), padded_width(options) - options.width
    if options.advice:
        felt = np.full(A, 1 / (-LEAST_OPINION * OPINION_UNITS), np.float32)
        scale = np.concatenate([scale, felt, np.full(ADVICE - A, 1 / WORTH_UNITS, np.float32)])
    parts = [np.pad(weights["first.weight"] * scale, ((0, more), (0, 0))).T, np.pad(weights["first.bias"], (0, more))]
    for layer in range(options.depth):
        parts.append(np.pad(weights[f"hidden.{layer}.weight"], (0, more)).T)
        parts.append(np.pad(weights[f"hidden.{layer}.bias"], (0, more)))
    head = np.pad(weights["action_head.weight"], ((0, 0), (0, more)))
    parts += [weights["direct.weight"].T, head, weights["action_head.bias"]]
    trust = np.exp(weights["advice.log_trust"]) / OPINION_UNITS if options.advice else np.zeros(())
    return np.concatenate([part.ravel() for part in [*parts, trust]]).astype(np.float32)
