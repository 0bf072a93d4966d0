"""Players that ask networks trained elsewhere: models of Stable-Baselines3, and TorchScript modules.

One network plays both sides, which the observation tells apart. Loading a model of Stable-Baselines3 runs what is
pickled in it, so only files from a trusted source should be played.
"""

import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import nn

from dawn_agents.networks.inference import NOT_LEGAL, one_torch_thread
from dawn_agents.players.choosing import Choosing, check_game, check_width, file_version
from dawn_agents.players.network_player import NetworkPlayer
from dawn_env.errors import BadInput, PlayerFailure
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text

_BLOCK = 16
"""Rows of a call: always as many, so that an answer does not depend on which games are asked about together."""
_ALGORITHMS = {"sb3_contrib.common.maskable": "MaskablePPO", "stable_baselines3.dqn": "DQN"}
"""Algorithm of a model by the module of its policy; others are actors and critics as those of PPO."""


@dataclass(frozen=True)
class ForeignOptions(Choosing):
    """``FILE`` plays as it samples; ``greedy,FILE`` takes the likeliest action."""

    sample: bool = field(default=True, kw_only=True)
    path: str


class _ForeignPlayer(NetworkPlayer):
    """Common to networks from elsewhere; ``_load`` makes the module of a file, and tells what it was trained for."""

    Options = ForeignOptions

    def __init__(self, name: str, seed: int, options: ForeignOptions):
        """Raises ``BadInput`` for a file that cannot be used."""
        path = Path(options.path)
        if not path.is_file():
            raise BadInput(f"{escape_text(path)}: no such file")
        network, layout = self._load(path)
        super().__init__(name, network, seed, options.sample, options.temperature, layout)
        self.options, self.version = options.to_json(), file_version(path)

    @staticmethod
    def _load(path: Path) -> tuple[nn.Module, ViewLayout]:
        raise NotImplementedError

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Raises ``PlayerFailure`` in games of another kind."""
        check_game(self.name, self.layout, layout_of_sides(options))

    def _logits(self, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        check_width(self.name, self.layout, observations)
        rows, illegal = len(masks), torch.from_numpy(masks == 0)
        padded = [np.pad(part, ((0, -rows % _BLOCK), (0, 0))) for part in (observations, masks)]
        starts = range(0, len(padded[0]), _BLOCK)
        with one_torch_thread(), torch.inference_mode():
            parts = [self._block(*(part[start : start + _BLOCK] for part in padded)) for start in starts]
        logits = torch.cat(parts)[:rows].float().masked_fill(illegal, NOT_LEGAL)
        if not torch.isfinite(logits).all():
            raise PlayerFailure(f"{self.name}: an answer of the network is no number")
        return logits

    def _block(self, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        given = self._ask(torch.from_numpy(observations).float(), torch.from_numpy(masks != 0))
        if given.shape != masks.shape:
            wanted, found = list(masks.shape), list(given.shape)
            raise PlayerFailure(f"{self.name}: logits {wanted} expected of the network, not {found}")
        return given

    def _ask(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return _answer(self.network, observations, masks)


class TorchScriptPlayer(_ForeignPlayer):
    """A TorchScript module: float32 observations [K, F] and bool masks [K, A] in, logits [K, A] out."""

    @staticmethod
    def _load(path: Path) -> tuple[nn.Module, ViewLayout]:
        try:
            module = torch.jit.load(str(path), map_location="cpu").eval()
        except (RuntimeError, ValueError) as error:
            raise BadInput(f"{escape_text(path)}: no TorchScript module: {escape_text(str(error)[:200])}") from None
        for layout in (STANDARD_LAYOUT, FAMILY_LAYOUT):
            if _fits(module, layout):
                return module, layout
        raise BadInput(
            f"{escape_text(path)}: float32 observations [K, {STANDARD_LAYOUT.size}] and bool masks "
            f"[K, {STANDARD_LAYOUT.actions}] expected to give logits [K, {STANDARD_LAYOUT.actions}]"
        )


def _answer(module: nn.Module, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logits: the output of a module, or the first of several outputs."""
    given = module(observations, masks)
    return given[0] if isinstance(given, tuple) else given


def _fits(module: nn.Module, layout: ViewLayout) -> bool:
    """Return True if a module takes the arrays of a kind of game."""
    try:
        with torch.inference_mode():
            given = _answer(module, torch.zeros(2, layout.size), torch.ones(2, layout.actions, dtype=torch.bool))
    except RuntimeError:
        return False
    return tuple(given.shape) == (2, layout.actions)


class Sb3Player(_ForeignPlayer):
    """A model of Stable-Baselines3: MaskablePPO, PPO, A2C or DQN (its values serve as logits)."""

    @staticmethod
    def _load(path: Path) -> tuple[nn.Module, ViewLayout]:
        with optional_imports():
            import stable_baselines3
            from sb3_contrib import MaskablePPO
        known = {"MaskablePPO": MaskablePPO, "DQN": stable_baselines3.DQN, "PPO": stable_baselines3.PPO}
        algorithm = known[_algorithm(path)]
        try:
            policy = algorithm.load(path, device="cpu").policy
        except Exception as error:  # whatever the pickles in it do
            raise BadInput(f"{escape_text(path)}: {type(error).__name__}: {escape_text(str(error)[:200])}") from None
        policy.set_training_mode(False)
        return policy, _layout_of(path, policy)

    def _ask(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        if hasattr(self.network, "q_net"):
            return self.network.q_net(observations)
        return self.network.get_distribution(observations).distribution.logits


def _algorithm(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            module = json.loads(archive.read("data"))["policy_class"]["__module__"]
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, OSError, RecursionError):
        raise BadInput(f"{escape_text(path)}: no model of Stable-Baselines3") from None
    return next((name for start, name in _ALGORITHMS.items() if str(module).startswith(start)), "PPO")


def _layout_of(path: Path, policy: nn.Module) -> ViewLayout:
    shapes = policy.observation_space.shape, getattr(policy.action_space, "n", None)
    for layout in (STANDARD_LAYOUT, FAMILY_LAYOUT):
        if shapes == ((layout.size,), layout.actions):
            return layout
    raise BadInput(f"{escape_text(path)}: trained on observations {shapes[0]} and {shapes[1]} actions of no game")
