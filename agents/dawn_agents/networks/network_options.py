"""Options of networks, readable without torch."""

from dataclasses import dataclass

from dawn_env.validation.settings_sections import least, most, one_of

KINDS = "map", "mlp", "corrections", "sparse"
DTYPES = "float32", "float16"


@dataclass(frozen=True)
class NetworkOptions:
    """Shape of a network; a policy file carries it."""

    kind: str = "map"
    """``map``: tokens for spaces and cards; ``mlp``: a plain multilayer perceptron; ``corrections``: tables of what to
    add to the rule-based player's scores, which can be compiled (``dawn_agents.tuned``); ``sparse``: a perceptron of
    one hidden layer that sums the rows of nonzero entries, which is compiled (``networks.sparse_forward``)."""
    width: int = 192
    """Units of the hidden layers that see everything."""
    depth: int = 2
    """Number of hidden layers behind the first (``map`` and ``mlp`` only)."""
    space_width: int = 32
    """Size of a space's token (``map`` only)."""
    card_width: int = 16
    """Size of a card's token (``map`` only)."""
    advice: bool = False
    """Whether it also sees the rule-based player's opinion (``heuristic.scoring.advise``): a fresh network then
    plays nearly as that player does, and learns where to depart from it."""

    dtype: str = "float32"
    """Type of the numbers in a policy file (``sparse`` only): ``float32`` or ``float16``."""

    def problems(self) -> list[str]:
        """Problems of the settings, as text."""
        wrong = least(self, width=1, depth=0, space_width=1, card_width=1)
        wrong += most(self, width=2048, depth=32, space_width=512, card_width=512)
        if self.kind == "corrections" and not self.advice:
            wrong.append("advice: true expected where the kind is corrections")
        return wrong + one_of(self, kind=KINDS, dtype=DTYPES)
