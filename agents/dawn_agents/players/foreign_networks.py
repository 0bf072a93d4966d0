"""Players that ask networks trained elsewhere: models of Stable-Baselines3, and TorchScript modules.

One network plays both sides, which the observation tells apart. Loading a model of Stable-Baselines3 runs what is
pickled in it, so only files from a trusted source should be played.
"""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from dawn_agents.networks.inference import NOT_LEGAL, one_torch_thread
from dawn_agents.players.choosing import Choosing, check_game, check_width, file_version
from dawn_agents.players.network_player import NetworkPlayer
from dawn_env.errors import BadInput, MissingExtra, PlayerFailure
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text

_BLOCK = 16
"""Rows of a call: always as many, so that an answer does not depend on which games are asked about together."""
_ALGORITHMS = {"sb3_contrib.common.maskable": "MaskablePPO", "stable_baselines3.dqn": "DQN"}
"""Algorithm of a model by the module of its policy; others are actors and critics as those of PPO."""
Network = Callable[[Tensor, Tensor], Any]
"""Logits [K, A], or several outputs of which they are the first, of float32 observations [K, F] and bool masks."""


@dataclass(frozen=True)
class ForeignOptions(Choosing):
    """``FILE`` plays as it samples; ``greedy,FILE`` takes the likeliest action."""

    sample: bool = field(default=True, kw_only=True)
    path: str


class _ForeignPlayer(NetworkPlayer):
    """Plays by a network from elsewhere: float32 observations [K, F] and bool masks [K, A] in, logits [K, A] out."""

    Options = ForeignOptions
    kind: ClassVar[str]

    def __init__(self, name: str, seed: int, options: ForeignOptions):
        """Raises ``BadInput`` for a file that cannot be used."""
        path = Path(options.path)
        if not path.is_file():
            raise BadInput(f"{escape_text(path)}: no such file")
        try:
            network = self._load(path)
        except MissingExtra:
            raise
        except Exception as error:  # whatever the pickles in it do
            raise BadInput(f"{escape_text(path)}: no {self.kind}: {escape_text(str(error)[:200])}") from None
        layout = next((layout for layout in (STANDARD_LAYOUT, FAMILY_LAYOUT) if _fits(network, layout)), None)
        if layout is None:
            expected = f"[K, {STANDARD_LAYOUT.size}] and bool masks [K, {STANDARD_LAYOUT.actions}]"
            raise BadInput(
                f"{escape_text(path)}: float32 observations {expected} expected to give logits for all actions"
            )
        super().__init__(name, network, seed, options.sample, options.temperature, layout)
        self.options, self.version = options.to_json(), file_version(path)

    @staticmethod
    def _load(path: Path) -> Network:
        """The network of a file; raises what its library raises."""
        raise NotImplementedError

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Raises ``PlayerFailure`` in games of another kind."""
        check_game(self.name, self.layout, layout_of_sides(options))

    def _logits(self, observations: np.ndarray, masks: np.ndarray) -> Tensor:
        check_width(self.name, self.layout, observations)
        more = (0, -len(masks) % _BLOCK), (0, 0)
        seen, legal = torch.from_numpy(np.pad(observations, more)).float(), torch.from_numpy(np.pad(masks, more) != 0)
        with one_torch_thread(), torch.inference_mode():
            blocks = zip(seen.split(_BLOCK), legal.split(_BLOCK), strict=True)
            logits = torch.cat([_answer(self.network, *block) for block in blocks])
        logits = logits.float().masked_fill(~legal, NOT_LEGAL)[: len(masks)]
        if not torch.isfinite(logits).all():
            raise PlayerFailure(f"{self.name}: an answer of the network is no number")
        return logits


def _answer(network: Network, observations: Tensor, masks: Tensor) -> Tensor:
    """Logits: the output of a network, or the first of several outputs."""
    given = network(observations, masks)
    return given[0] if isinstance(given, tuple) else given


def _fits(network: Network, layout: ViewLayout) -> bool:
    """Return True if a network takes the arrays of a kind of game."""
    shape = _BLOCK, layout.actions
    try:
        with torch.inference_mode():
            given = _answer(network, torch.zeros(_BLOCK, layout.size), torch.ones(shape, dtype=torch.bool))
    except Exception:  # whatever it does about arrays of another shape
        return False
    return given.shape == shape


class TorchScriptPlayer(_ForeignPlayer):
    """A TorchScript module: float32 observations [K, F] and bool masks [K, A] in, logits [K, A] out."""

    kind = "TorchScript module"

    @staticmethod
    def _load(path: Path) -> Network:
        return torch.jit.load(str(path), map_location="cpu").eval()


class Sb3Player(_ForeignPlayer):
    """A model of Stable-Baselines3: MaskablePPO, PPO, A2C or DQN (its values serve as logits)."""

    kind = "model of Stable-Baselines3"

    @staticmethod
    def _load(path: Path) -> Network:
        with optional_imports():
            import stable_baselines3
            from sb3_contrib import MaskablePPO
        with zipfile.ZipFile(path) as archive:
            module = json.loads(archive.read("data"))["policy_class"]["__module__"]
        name = next((name for start, name in _ALGORITHMS.items() if module.startswith(start)), "PPO")
        algorithm = MaskablePPO if name == "MaskablePPO" else getattr(stable_baselines3, name)
        policy = algorithm.load(path, device="cpu").policy
        policy.set_training_mode(False)
        if hasattr(policy, "q_net"):
            return lambda observations, _: policy.q_net(observations)
        return lambda observations, _: policy.get_distribution(observations).distribution.logits
