"""The network of kind ``sparse``, as torch learns it; ``sparse_forward`` is the same forward pass, compiled."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from dawn_agents.networks.advice_networks import Adviser, split_advice
from dawn_agents.networks.input_scale import input_scale
from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.sparse_weights import LEAST_OPINION, advice_size, direct_parts
from dawn_env.observation.view_layouts import ViewLayout


class SparseNetwork(nn.Module):
    """A perceptron of one hidden layer on the observation and the advice, and a table of logits by decision and source.

    Only the rows of nonzero inputs count in its first layer, and only the columns of legal actions in its last: that
    is what makes the compiled forward pass fast.
    """

    def __init__(self, options: NetworkOptions, layout: ViewLayout):
        """Create the layers; ``layout`` describes the observations that are the input."""
        super().__init__()
        self.layout, width = layout, options.width
        self.register_buffer("scale", torch.from_numpy(input_scale(layout)), persistent=False)
        self.advice = Adviser() if options.advice else None
        self.first = nn.Linear(layout.size + advice_size(options.advice, layout), width)
        self.parts = direct_parts(layout)
        self.direct = nn.Linear(sum(part.stop - part.start for part in self.parts), layout.actions, bias=False)
        self.action_head, self.value_head = nn.Linear(width, layout.actions), nn.Linear(width, 1)
        nn.init.normal_(self.first.weight, std=0.05)  # of few inputs that are not 0
        nn.init.zeros_(self.direct.weight)
        with torch.no_grad():  # no preferences at first but the adviser's
            self.action_head.weight *= 0.01

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """``[B, F]`` of any number type (with advice ``[B, F + ADVICE]``) to logits float32 ``[B, A]``, unmasked,
        and values ``[B]``."""
        seen = inputs[:, : self.layout.size].float() * self.scale
        direct = torch.cat([seen[:, part] for part in self.parts], 1)
        if self.advice:
            opinions, worths = split_advice(inputs, self.layout)
            felt = opinions.clamp(min=LEAST_OPINION) / -LEAST_OPINION + 1  # 0 for what is poor or not legal
            seen = torch.cat([seen, felt, worths], 1)
        units = functional.relu(self.first(seen))
        logits = self.action_head(units) + self.direct(direct)
        values = self.value_head(units).squeeze(1).tanh()
        return (logits + self.advice(opinions) if self.advice else logits), values
