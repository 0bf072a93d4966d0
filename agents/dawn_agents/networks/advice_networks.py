"""A network of tables: corrections of the rule-based player's scores, to be learnt and then compiled.

``dawn_agents.tuned`` plays with them at the rule-based player's own speed.
"""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from dawn_agents.heuristic.score_offsets import DECISION, EVERYWHERE, KINDS, SOURCE, SOURCES, THERE, Corrections
from dawn_env.actions import A
from dawn_env.observation import SLICES
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, Layout
from dawn_env.tables import SIDE_NAMES, S

_TRUST = 5.0  # at first, an action one victory point better in the adviser's eyes is e**5 times as likely


def split_advice(inputs: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """``[B, F + ADVICE]`` to float32 ``[B, A]``, victory points below the best action, and ``[B, N]`` worths."""
    advice = inputs[:, layout.size :].float()
    return advice[:, : layout.actions] / 16, advice[:, layout.actions :] / 64


class Adviser(nn.Module):
    """Logits from the rule-based player's opinion alone: the better it finds an action, the likelier."""

    def __init__(self):
        super().__init__()
        self.log_trust = nn.Parameter(torch.tensor(_TRUST).log())

    def forward(self, opinions: Tensor) -> Tensor:
        """``[B, A]`` to ``[B, A]``."""
        return self.log_trust.exp() * opinions


class CorrectingNetwork(nn.Module):
    """Adds one side's score offsets to the adviser's scores (``tuned.corrections.Corrections``)."""

    def __init__(self, layout: Layout):
        """Raises ``ValueError`` for games that are not the standard one."""
        super().__init__()
        if layout is not STANDARD_LAYOUT:
            raise ValueError(f"corrections: for the standard game only, not the {layout.name} game")
        self.layout, self.advice = layout, Adviser()
        self.by_kind = nn.Parameter(torch.zeros(KINDS, A, 1 + len(EVERYWHERE)))
        self.by_source = nn.Parameter(torch.zeros(SOURCES + 1, A))
        self.by_space = nn.Parameter(torch.zeros(KINDS, S, len(THERE)))
        self.value_head = nn.Linear(1 + len(EVERYWHERE), 1)
        self.register_buffer("_everywhere", torch.tensor([SLICES[name].start for name in EVERYWHERE]), persistent=False)
        self.register_buffer("_scales", torch.tensor([1.0, *EVERYWHERE.values()]), persistent=False)
        there = torch.tensor([SLICES[name].start for name in THERE]) + torch.arange(S)[:, None]
        self.register_buffer("_there", there, persistent=False)
        self.register_buffer("_there_scales", torch.tensor(list(THERE.values())), persistent=False)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """``[B, F + ADVICE]`` to logits float32 ``[B, A]``, unmasked, and values ``[B]``."""
        opinions, _ = split_advice(inputs, self.layout)
        kind, source = (self._which(inputs[:, part]) for part in (DECISION, SOURCE))
        numbers = functional.pad(inputs[:, self._everywhere].float(), (1, 0), value=1.0) * self._scales
        added = torch.bmm(self.by_kind[kind], numbers[:, :, None]).squeeze(2) + self.by_source[source]
        planes = inputs[:, self._there].float() * self._there_scales
        added = added + functional.pad((self.by_space[kind] * planes).sum(2), (0, A - S))
        return self.advice(opinions + added), self.value_head(numbers).squeeze(1).tanh()

    @staticmethod
    def _which(one_hot: Tensor) -> Tensor:
        """The place of what is not 0, behind the last where all are."""
        return functional.pad(one_hot, (0, 1), value=1).ne(0).int().argmax(1)

    def tables(self) -> list[np.ndarray]:
        """The three of ``Corrections``, for observations as they are."""
        found = self.by_kind * self._scales, self.by_source, self.by_space * self._there_scales
        return [table.detach().cpu().numpy().astype(np.float32) for table in found]


def corrections_of(networks: Mapping[str, nn.Module]) -> Corrections:
    """Tables of two networks, by side, for compiled loops; raises ``ValueError`` where one is of another kind."""
    if not all(isinstance(network, CorrectingNetwork) for network in networks.values()):
        raise ValueError('networks of kind "corrections" expected')
    by_side = [networks[side].tables() for side in SIDE_NAMES]
    return Corrections(*(np.stack(tables) for tables in zip(*by_side, strict=True)))
