"""The networks: observations in, a logit per action and a value out.

``MapNetwork`` is made for this game: a token per space that sees its neighbours on the map, a token per
card, and heads that point at them. ``SparseNetwork`` is what torch learns of networks of kind ``sparse``;
``sparse_forward`` is the same forward pass, compiled.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from dawn_agents.players.heuristic.play_levels import OPINION_UNITS
from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.networks.sparse_weights import (
    LEAST_OPINION,
    WORTH_UNITS,
    advice_size,
    direct_parts,
    input_scale,
)
from dawn_env.actions import CARD0, COUNTRY0, SPACE0
from dawn_env.observation import Axis
from dawn_env.observation.view_layouts import STANDARD_LAYOUT, ViewLayout
from dawn_env.tables import (
    ASTERISK,
    BATTLEGROUND,
    COUNTRY_OF,
    NEIGHBOURS,
    NEUTRAL,
    OWNER,
    PERIOD,
    PERIODS,
    PRINTED_OPS,
    SCORES,
    SPACE_TYPES,
    STABILITY,
    TYPE_OF,
    C,
    N,
    S,
)

CARDS = C - 1
_QUIET = 0.01  # factor on the weights of heads, so that they say little before they have learnt
_TRUST = 5.0  # at first, an action one victory point better in the adviser's eyes is e**5 times as likely


# --- what is known before the game ------------------------------------------------------------------


def _one_hot(values: np.ndarray, size: int) -> np.ndarray:
    """``[K, size]``; a value of -1 gives zeros."""
    return (values[:, None] == np.arange(size)).astype(np.float32)


def _space_facts() -> Tensor:
    """``[S, ...]`` printed on the map: stability, battleground, type, country."""
    numbers = np.stack([STABILITY / 4, BATTLEGROUND, (STABILITY / 4) * BATTLEGROUND], 1)
    columns = [numbers, _one_hot(TYPE_OF, len(SPACE_TYPES)), _one_hot(COUNTRY_OF, N)]
    return torch.from_numpy(np.concatenate(columns, 1).astype(np.float32))


def _card_facts() -> Tensor:
    """``[CARDS, ...]`` printed on the cards: ops, owner, period, removed after its event, country scored."""
    numbers = np.stack([PRINTED_OPS[1:C] / 4, ASTERISK[1:]], 1)
    columns = [numbers, _one_hot(OWNER[1:], NEUTRAL + 1), _one_hot(PERIOD[1:], len(PERIODS)), _one_hot(SCORES[1:], N)]
    return torch.from_numpy(np.concatenate(columns, 1).astype(np.float32))


def _neighbourhood() -> Tensor:
    """``[S, S]``: row a holds 1 / degree(a) at its neighbours on the printed map."""
    near = np.zeros((S, S), np.float32)
    for space, around in enumerate(NEIGHBOURS[0]):
        near[space, around[around >= 0]] = 1
    return torch.from_numpy(near / near.sum(1, keepdims=True).clip(1))


def _pools() -> Tensor:
    """``[2 N, S]``: means over each country's spaces, and over its battlegrounds."""
    inside = _one_hot(COUNTRY_OF, N).T
    both = np.concatenate([inside, inside * BATTLEGROUND])
    return torch.from_numpy(both / both.sum(1, keepdims=True))


def planes(layout: ViewLayout, axis: Axis) -> list[str]:
    """Names of the observation's parts with a number for each entry of an axis."""
    return [part.name for part in layout.table if part.axis is axis]


def _places(layout: ViewLayout, names: Sequence[str]) -> Tensor:
    """Indices into the observation of some slices, one after the other."""
    return torch.cat([torch.arange(layout.slices[name].start, layout.slices[name].stop) for name in names])


# --- parts ------------------------------------------------------------------------------------------
# What nothing else needs is changed in place: arithmetic on tokens takes less time than another array for its result.
# But no views are, of which torch makes copies to learn.


class Tokens(nn.Module):
    """A vector for each of K things, from their planes, their printed facts and what was learned of each."""

    def __init__(self, planes: int, facts: Tensor, width: int):
        super().__init__()
        self.register_buffer("facts", facts, persistent=False)
        self.own = nn.Parameter(torch.randn(len(facts), width) * 0.1)
        self.printed = nn.Linear(facts.shape[1], width)
        self.seen = nn.Linear(planes, width, bias=False)

    def forward(self, planes: Tensor) -> Tensor:
        """``[B, K, planes]`` to ``[B, K, width]``."""
        return self.seen(planes).add_(self.own + self.printed(self.facts)).relu_()


class NeighbourLayer(nn.Module):
    """Message passing: each token is changed by itself and by the mean of its neighbours."""

    def __init__(self, near: Tensor, width: int):
        super().__init__()
        self.register_buffer("near", near, persistent=False)
        self.both = nn.Linear(2 * width, width)

    def forward(self, tokens: Tensor) -> Tensor:
        """``[B, S, width]`` to the same shape."""
        both = torch.cat([tokens, self.near @ tokens], 2)
        return tokens + self.both(both.flatten(0, 1)).relu_().view_as(tokens)


class Pointer(nn.Module):
    """Head with a logit for each token; the trunk says how its units are shifted and weighed."""

    def __init__(self, token_width: int, width: int):
        super().__init__()
        self.key = nn.Linear(token_width, token_width)
        self.question = nn.Linear(width, 2 * token_width)
        with torch.no_grad():  # no preferences at first
            self.question.weight[token_width:] *= _QUIET
            self.question.bias[token_width:] = 0

    def forward(self, tokens: Tensor, trunk: Tensor) -> Tensor:
        """``[B, K, token_width]`` and ``[B, width]`` to ``[B, K]``."""
        shift, weights = self.question(trunk).chunk(2, 1)
        keys = (self.key(tokens) + shift[:, None]).relu_()
        return torch.bmm(keys, weights[:, :, None]).squeeze(2) * tokens.shape[2] ** -0.5


class Trunk(nn.Module):
    """A first layer and ``depth`` residual ones."""

    def __init__(self, inputs: int, width: int, depth: int):
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.rest = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(depth + 1))

    def forward(self, x: Tensor) -> Tensor:
        """``[B, inputs]`` to ``[B, width]``."""
        x = functional.relu(self.norms[0](self.first(x)))
        for layer, norm in zip(self.rest, self.norms[1:], strict=True):
            x = x + functional.relu(norm(layer(x)))
        return x


# --- networks ---------------------------------------------------------------------------------------


class AdvisedNetwork(nn.Module, ABC):
    """Base class of networks for observations of one ``layout``.

    ``advice``: True if the rule-based player's scores are inputs too; they are then added to the logits.
    """

    def __init__(self, options: NetworkOptions, layout: ViewLayout):
        super().__init__()
        self.layout = layout
        self.register_buffer("scale", torch.from_numpy(input_scale(layout)), persistent=False)
        self.advice = options.advice
        if self.advice:
            self.log_trust = nn.Parameter(torch.tensor(_TRUST).log())

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """``[B, F]`` of any number type (with advice ``[B, F + ADVICE]``) to logits float32 ``[B, A]``, unmasked,
        and values ``[B]``."""
        observations = inputs[:, : self.layout.size].float() * self.scale
        if not self.advice:
            return self.answer(observations)
        advice = inputs[:, self.layout.size :].float()
        opinions, country_values = advice[:, : self.layout.actions] / OPINION_UNITS, advice[:, self.layout.actions :]
        advice_features = opinions.clamp(min=LEAST_OPINION) / -LEAST_OPINION
        own, values = self.answer(observations, advice_features, country_values / WORTH_UNITS)
        return own + self.log_trust.exp() * opinions, values

    @abstractmethod
    def answer(self, observations: Tensor, *advice: Tensor) -> tuple[Tensor, Tensor]:
        """Logits without the adviser's and values, from the scaled observation ``[B, F]`` and with advice opinions
        ``[B, A]``, -1 ... 0, and values of countries ``[B, N]``."""


class MapNetwork(AdvisedNetwork):
    """Network of tokens for spaces and cards, a common trunk, and heads that point back at the tokens."""

    def __init__(self, options: NetworkOptions, layout: ViewLayout):
        super().__init__(options, layout)
        others = layout.actions - COUNTRY0  # countries, faces, suits, words and what comes behind
        space_planes, card_planes = planes(layout, Axis.SPACE), planes(layout, Axis.CARD)
        rest = [part.name for part in layout.table if part.axis not in (Axis.SPACE, Axis.CARD)]
        self._planes = len(space_planes), len(card_planes)
        self.register_buffer("space_places", _places(layout, space_planes), persistent=False)
        self.register_buffer("trunk_places", _places(layout, card_planes + rest), persistent=False)
        self.register_buffer("pools", _pools(), persistent=False)
        opinions = 1 if options.advice else 0
        self.spaces = Tokens(2 * (len(space_planes) + opinions), _space_facts(), options.space_width)
        self.messages = NeighbourLayer(_neighbourhood(), options.space_width)
        self.cards = Tokens(len(card_planes) + opinions, _card_facts(), options.card_width)
        pooled = self.pools.shape[0] * options.space_width
        extra = (others + N) * opinions
        self.trunk = Trunk(len(self.trunk_places) + pooled + extra, options.width, options.depth)
        self.space_head = Pointer(options.space_width, options.width)
        self.card_head = Pointer(options.card_width, options.width)
        self.other_head = nn.Linear(options.width, others)
        with torch.no_grad():
            self.other_head.weight *= _QUIET
        self.value_head = nn.Sequential(nn.Linear(options.width, 64), nn.ReLU(), nn.Linear(64, 1))

    def answer(self, observations: Tensor, *advice: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values; arguments as of ``AdvisedNetwork.answer``."""
        spaces, cards = self._planes
        direct = observations.index_select(1, self.trunk_places)
        space_planes = observations.index_select(1, self.space_places).view(-1, spaces, S)
        card_planes = direct[:, : cards * CARDS].view(-1, cards, CARDS)
        others = []
        if advice:
            advice_features, country_values = advice
            space_planes = torch.cat([space_planes, advice_features[:, None, :S]], 1)
            card_planes = torch.cat([card_planes, advice_features[:, None, S:COUNTRY0]], 1)
            others = [advice_features[:, COUNTRY0:], country_values]
        around = torch.cat([space_planes, space_planes @ self.messages.near.T], 1)  # a space and its surroundings
        spaces = self.messages(self.spaces(around.transpose(1, 2)))
        cards = self.cards(card_planes.transpose(1, 2))
        trunk = self.trunk(torch.cat([direct, *others, (self.pools @ spaces).flatten(1)], 1))
        logits = [self.space_head(spaces, trunk), self.card_head(cards, trunk), self.other_head(trunk)]
        return torch.cat(logits, 1), self.value_head(trunk).squeeze(1)


class SparseNetwork(AdvisedNetwork):
    """A perceptron of one hidden layer on the observation and the advice, and a table of logits by decision and source.

    Only the rows of nonzero inputs count in its first layer, and only the columns of legal actions in its last: that
    is what makes the compiled forward pass fast.
    """

    def __init__(self, options: NetworkOptions, layout: ViewLayout):
        """Create the layers; ``layout`` describes the observations that are the input."""
        super().__init__(options, layout)
        width = options.width
        self.first = nn.Linear(layout.size + advice_size(options.advice, layout), width)
        self.parts = direct_parts(layout)
        self.direct = nn.Linear(sum(part.stop - part.start for part in self.parts), layout.actions, bias=False)
        self.action_head, self.value_head = nn.Linear(width, layout.actions), nn.Linear(width, 1)
        nn.init.normal_(self.first.weight, std=0.05)  # of few inputs that are not 0
        nn.init.zeros_(self.direct.weight)
        with torch.no_grad():  # no preferences at first but the adviser's
            self.action_head.weight *= _QUIET

    def answer(self, observations: Tensor, *advice: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values; arguments as of ``AdvisedNetwork.answer``."""
        direct = torch.cat([observations[:, part] for part in self.parts], 1)
        if advice:
            advice_features, country_values = advice
            advice_features = advice_features + 1  # 0 for what is poor or not legal
            observations = torch.cat([observations, advice_features, country_values], 1)
        units = functional.relu(self.first(observations))
        return self.action_head(units) + self.direct(direct), self.value_head(units).squeeze(1).tanh()


_KINDS = {"map": MapNetwork, "sparse": SparseNetwork}


def build_network(options: NetworkOptions, layout: ViewLayout = STANDARD_LAYOUT) -> nn.Module:
    """Build a network with fresh weights for games with observations of this ``layout``; it is kept as ``layout``."""
    return _KINDS[options.kind](options, layout)


def average_network(networks: Sequence[nn.Module]) -> nn.Module:
    """A copy of the first with the mean of all weights: late policies of a run, averaged, play better than each."""
    average, states = deepcopy(networks[0]), [network.state_dict() for network in networks]
    average.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    return average


assert (SPACE0, CARD0 + 1, COUNTRY0) == (0, S, S + CARDS), "the heads follow the order of the actions"
