"""Weights of networks of kind ``sparse``: as a policy file holds them, and as compiled loops read them. No torch."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from dawn_agents.players.heuristic.action_scores import ADVICE
from dawn_agents.players.heuristic.family_entry_points import FAMILY_ADVICE
from dawn_agents.players.heuristic.play_levels import OPINION_UNITS
from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, ViewLayout

LEAST_OPINION = -2.0
"""Victory points below the best action; everything worse looks the same to the first layer."""
LANES = 16
"""Products that the compiled forward pass adds up side by side."""
WORTH_UNITS = 64
"""Numbers of advice for a worth of 1 (``policy_networks``)."""
_DIRECT_PARTS = "decision", "source"
_LEAST_TRUST = 1e-3

SHAPE = np.dtype((np.record, [
    ("size", "i8"), ("advice", "i8"), ("actions", "i8"), ("width", "i8"),  # numbers of inputs, outputs and units
    ("decision", "i8"), ("decisions", "i8"), ("source", "i8"), ("sources", "i8"),  # in the observation
    # Where the weights begin that follow the rows of the first layer, and their number.
    ("bias", "i8"), ("direct", "i8"), ("head", "i8"), ("head_bias", "i8"), ("trust", "i8"), ("value", "i8"),
    ("value_bias", "i8"), ("length", "i8"),
]))  # fmt: skip
"""Shape of a network in compiled loops: see ``compiled_weights``."""


_TYPICAL = {
    "turn": 10, "round": 8, "vp": 20, "my_support": 4, "their_support": 4, "picked": 2, "times_scored": 2,
    "their_hand_size": 8, "draw_pile_size": 40, "discard_pile_size": 40, "ussr": 4, "track": 8,
    "led_rank": 6, "my_power_hand": 2, "their_power_hand": 2, "power_discard": 2, "power_hand_size": 8,
    "power_deck_size": 52, "left": 4, "value": 4, "roll_bonus": 2, "bound_points": 2, "setup_batch": 4,
    "deck_size": 40, "their_power_known": 2, "points": 4, "attack": 8, "defence": 8, "my_offer_points": 4,
    "their_offer_points": 4,
}  # fmt: skip
"""Sizes of the entries of observations by part; 1 where there is none."""


def input_scale(layout: ViewLayout) -> np.ndarray:
    """float32 [F] factors that bring the entries of an observation to a size of about one."""
    scale = np.ones(layout.size, np.float32)
    for name, place in layout.slices.items():
        scale[place] = 1 / _TYPICAL.get(name, 1)
    return scale


def direct_parts(layout: ViewLayout) -> list[slice]:
    """Parts of the observation, one-hot each, that have a table of logits of their own."""
    return [layout.slices[name] for name in _DIRECT_PARTS if name in layout.slices]


def advice_size(advice: bool, layout: ViewLayout) -> int:
    """Number of inputs that hold advice; 0 without ``advice``."""
    if not advice:
        return 0
    return FAMILY_ADVICE if layout is FAMILY_LAYOUT else ADVICE


def weight_shapes(options: NetworkOptions, layout: ViewLayout) -> dict[str, tuple[int, ...]]:
    """Shapes of the weights by name, in the order of the file; the names are those of ``SparseNetwork``."""
    width, direct = options.width, sum(part.stop - part.start for part in direct_parts(layout))
    shapes: dict[str, tuple[int, ...]] = {
        "first.weight": (width, layout.size + advice_size(options.advice, layout)), "first.bias": (width,),
        "direct.weight": (layout.actions, direct),
        "action_head.weight": (layout.actions, width), "action_head.bias": (layout.actions,),
        "value_head.weight": (1, width), "value_head.bias": (1,),
    }  # fmt: skip
    return shapes | ({"log_trust": ()} if options.advice else {})


# --- in compiled loops --------------------------------------------------------------------------------


@cache
def compiled_shape(options: NetworkOptions, layout: ViewLayout) -> np.ndarray:
    """SHAPE [1]. ``width`` is a multiple of ``LANES``: units beyond that of the options are always 0."""
    advice, width = advice_size(options.advice, layout), -(-options.width // LANES) * LANES
    parts = direct_parts(layout)
    decision, source = parts[0], parts[1] if len(parts) > 1 else slice(0, 0)
    direct = sum(part.stop - part.start for part in parts)
    lengths = {
        "direct": width, "head": direct * layout.actions, "head_bias": layout.actions * width,
        "trust": layout.actions, "value": 1, "value_bias": width, "length": 1,
    }  # fmt: skip
    shape = np.zeros(1, SHAPE)
    shape["size"], shape["advice"], shape["actions"], shape["width"] = layout.size, advice, layout.actions, width
    shape["decision"], shape["decisions"] = decision.start, decision.stop - decision.start
    shape["source"], shape["sources"] = source.start, source.stop - source.start
    at = (layout.size + advice) * width
    shape["bias"] = at
    for name, length in lengths.items():
        at += length
        shape[name] = at
    shape["length"] = -(-at // width) * width
    return shape


def row_scales(options: NetworkOptions, layout: ViewLayout) -> np.ndarray:
    """float32 [inputs] factors from the inputs as they are to those of ``SparseNetwork``."""
    scale = input_scale(layout)
    if not options.advice:
        return scale
    advice_features = np.full(layout.actions, 1 / (-LEAST_OPINION * OPINION_UNITS), np.float32)
    country_values = np.full(advice_size(options.advice, layout) - layout.actions, 1 / WORTH_UNITS, np.float32)
    return np.concatenate([scale, advice_features, country_values])


def compiled_weights(weights: Mapping[str, np.ndarray], options: NetworkOptions, layout: ViewLayout) -> np.ndarray:
    """float32 [n]: the weights in the order in which ``sparse_forward`` reads them, for inputs as they are.

    The rows of the first layer by input [inputs, width] and its bias; the logits by decision and source [D, A]; the
    action head [A, width] and its bias; the trust in the advice; the value head [width] and its bias; zeros up to a
    multiple of ``width``, that of ``compiled_shape``.
    """
    shape = compiled_shape(options, layout)[0]
    more = shape.width - options.width
    trust = np.exp(weights["log_trust"]) / OPINION_UNITS if options.advice else np.zeros(())
    parts = [
        np.pad(weights["first.weight"] * row_scales(options, layout), ((0, more), (0, 0))).T,
        np.pad(weights["first.bias"], (0, more)), weights["direct.weight"].T,
        np.pad(weights["action_head.weight"], ((0, 0), (0, more))), weights["action_head.bias"], trust,
        np.pad(weights["value_head.weight"], ((0, 0), (0, more))), weights["value_head.bias"],
    ]  # fmt: skip
    flat = np.concatenate([part.ravel() for part in parts]).astype(np.float32)
    return np.pad(flat, (0, shape.length - len(flat)))


def named_weights(flat: np.ndarray, options: NetworkOptions, layout: ViewLayout) -> dict[str, np.ndarray]:
    """The weights by name of ``compiled_weights``."""
    s, width = compiled_shape(options, layout)[0], options.width
    rows = flat[: s.bias].reshape(-1, s.width)[:, :width]
    named = {
        "first.weight": rows.T / row_scales(options, layout), "first.bias": flat[s.bias : s.bias + width],
        "direct.weight": flat[s.direct : s.head].reshape(-1, s.actions).T,
        "action_head.weight": flat[s.head : s.head_bias].reshape(-1, s.width)[:, :width],
        "action_head.bias": flat[s.head_bias : s.trust],
        "value_head.weight": flat[None, s.value : s.value + width],
        "value_head.bias": flat[s.value_bias : s.value_bias + 1],
    }  # fmt: skip
    if options.advice:
        named["log_trust"] = np.log(np.maximum(flat[s.trust] * OPINION_UNITS, _LEAST_TRUST))
    return {name: np.array(part, np.float32) for name, part in named.items()}
