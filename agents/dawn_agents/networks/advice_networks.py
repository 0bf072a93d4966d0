"""The rule-based player's advice as networks of torch take it."""

import torch
from torch import Tensor, nn

from dawn_agents.heuristic.advice_units import OPINION_UNITS
from dawn_agents.networks.sparse_weights import WORTH_UNITS
from dawn_env.observation.view_layouts import ViewLayout

_TRUST = 5.0  # at first, an action one victory point better in the adviser's eyes is e**5 times as likely


def split_advice(inputs: Tensor, layout: ViewLayout) -> tuple[Tensor, Tensor]:
    """``[B, F + ADVICE]`` to float32 ``[B, A]``, victory points below the best action, and ``[B, N]`` worths."""
    advice = inputs[:, layout.size :].float()
    return advice[:, : layout.actions] / OPINION_UNITS, advice[:, layout.actions :] / WORTH_UNITS


class Adviser(nn.Module):
    """Logits from the rule-based player's opinion alone: the better it finds an action, the likelier."""

    def __init__(self):
        super().__init__()
        self.log_trust = nn.Parameter(torch.tensor(_TRUST).log())

    def forward(self, opinions: Tensor) -> Tensor:
        """``[B, A]`` to ``[B, A]``."""
        return self.log_trust.exp() * opinions
