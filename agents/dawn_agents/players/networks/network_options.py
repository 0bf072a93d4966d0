"""Options of networks, readable without torch."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from annotated_types import Interval

from dawn_env.validation.checked_input import Checked

AFTERSTATE_INPUTS_VERSION = 1
"""Goes up whenever inputs of networks of kind ``afterstate`` change their meaning (``afterstate.inputs``)."""

_OF_MAPS = {"space_width", "card_width", "depth"}
_NOT_OF_SHAPE = {"map": {"dtype"}, "sparse": {"dtype"} | _OF_MAPS, "afterstate": {"dtype", "advice"} | _OF_MAPS}
"""Options without effect on the weights, by kind of network."""


@dataclass(frozen=True)
class NetworkOptions(Checked):
    """Shape of a network; a policy file carries it."""

    kind: Literal["map", "sparse", "afterstate"] = "map"
    """``map``: tokens for spaces and cards; ``sparse``: a perceptron of one hidden layer that sums the rows of nonzero
    entries, which is compiled (``networks.sparse_forward``); ``afterstate``: values of positions after a move, which
    play by looking ahead (``afterstate.network``)."""
    width: Annotated[int, Interval(ge=1, le=2048)] = 192
    """Units of the hidden layers that see everything."""
    depth: Annotated[int, Interval(ge=0, le=32)] = 2
    """Number of hidden layers behind the first (``map`` only)."""
    space_width: Annotated[int, Interval(ge=1, le=512)] = 32
    """Size of a space's token (``map`` only)."""
    card_width: Annotated[int, Interval(ge=1, le=512)] = 16
    """Size of a card's token (``map`` only)."""
    advice: bool = False
    """Whether it also sees the rule-based player's opinion (``action_scores.advise``): a fresh network then
    plays nearly as that player does, and learns where to depart from it."""

    dtype: Literal["float32", "float16"] = "float32"
    """Type of the numbers in a policy file: ``float32`` or ``float16``."""

    def shape(self) -> dict[str, Any]:
        """Options by name on which the weights depend: networks alike in these can take each other's."""
        return {name: value for name, value in asdict(self).items() if name not in _NOT_OF_SHAPE[self.kind]}
