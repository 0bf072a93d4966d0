"""The network of kind ``sparse``, as torch learns it; ``sparse_forward`` is the same forward pass, compiled."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from dawn_agents.networks.advice_networks import Adviser, split_advice
from dawn_agents.networks.input_scale import input_scale
from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.sparse_weights import DIRECT_PARTS, LEAST_OPINION
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, Layout
from dawn_env.tables import N


class SparseNetwork(nn.Module):
    """A perceptron on the observation and the advice, and a table of logits by decision and by source.

    Only the rows of nonzero inputs count in its first layer, and only the columns of legal actions in its last: that
    is what makes the compiled forward pass fast. Layers behind the first are residual.
    """

    def __init__(self, options: NetworkOptions, layout: Layout):
        """Raises ``ValueError`` for games that are not the standard one."""
        super().__init__()
        if layout is not STANDARD_LAYOUT:
            raise ValueError(f"sparse: for the standard game only, not the {layout.name} game")
        self.layout, width = layout, options.width
        self.register_buffer("scale", torch.from_numpy(input_scale(layout)), persistent=False)
        self.advice = Adviser() if options.advice else None
        self.first = nn.Linear(layout.size + (layout.actions + N if options.advice else 0), width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(options.depth))
        direct = sum(layout.slices[name].stop - layout.slices[name].start for name in DIRECT_PARTS)
        self.direct = nn.Linear(direct, layout.actions, bias=False)
        self.action_head, self.value_head = nn.Linear(width, layout.actions), nn.Linear(width, 1)
        nn.init.normal_(self.first.weight, std=0.05)  # of few inputs that are not 0
        nn.init.zeros_(self.direct.weight)
        with torch.no_grad():  # no preferences at first but the adviser's
            self.action_head.weight *= 0.01

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """``[B, F]`` of any number type (with advice ``[B, F + ADVICE]``) to logits float32 ``[B, A]``, unmasked,
        and values ``[B]``."""
        seen = inputs[:, : self.layout.size].float() * self.scale
        direct = torch.cat([seen[:, self.layout.slices[name]] for name in DIRECT_PARTS], 1)
        if self.advice:
            opinions, worths = split_advice(inputs, self.layout)
            felt = opinions.clamp(min=LEAST_OPINION) / -LEAST_OPINION + 1  # 0 for what is poor or not legal
            seen = torch.cat([seen, felt, worths], 1)
        units = functional.relu(self.first(seen))
        for layer in self.hidden:
            units = units + functional.relu(layer(units))
        logits = self.action_head(units) + self.direct(direct)
        values = self.value_head(units).squeeze(1).tanh()
        return (logits + self.advice(opinions) if self.advice else logits), values
