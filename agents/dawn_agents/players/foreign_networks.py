"""Players that ask networks trained elsewhere: models of Stable-Baselines3, and TorchScript modules.

One network plays both sides, which the observation tells apart. Loading a model of Stable-Baselines3 runs what is
pickled in it, so only files from a trusted source should be played.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from gymnasium.spaces import Box, Dict, Space
from torch import Tensor

from dawn_agents.players.choosing import Choosing, check_game, check_width, file_version
from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.networks.inference import NOT_LEGAL, one_torch_thread
from dawn_env.envs.seat import observation_space
from dawn_env.errors import BadInput, MissingExtra, PlayerFailure
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT, ViewLayout, layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text

_BLOCK = 16
"""Rows of a call: always as many, so that an answer does not depend on which games are asked about together."""
Network = Callable[[Tensor, Tensor], Any]
"""Logits [K, A], or several outputs of which they are the first, of float32 observations [K, F] and bool masks."""


@dataclass(frozen=True)
class ForeignOptions(Choosing):
    """Options of a model in a file: ``FILE`` samples its actions, ``greedy,FILE`` takes the likeliest."""

    sample: bool = field(default=True, kw_only=True)
    path: str


@dataclass(frozen=True)
class Sb3Options(ForeignOptions):
    """Options of a model of Stable-Baselines3. ``normalize``: file written by ``VecNormalize.save``, with the
    statistics by which observations were normalised in training."""

    normalize: str = field(default="", kw_only=True)

    def to_json(self) -> dict[str, Any]:
        """Options by name, ``normalize`` only if it is given."""
        return {name: value for name, value in super().to_json().items() if name != "normalize" or value}


class _ForeignPlayer(NetworkPlayer):
    """Plays by a network from elsewhere: float32 observations [K, F] and bool masks [K, A] in, logits [K, A] out."""

    Options = ForeignOptions
    kind: ClassVar[str]

    def __init__(self, name: str, seed: int, options: ForeignOptions):
        """Raises ``BadInput`` for a file that cannot be used."""
        path = Path(options.path)
        files = self._files(options)
        for file in files:
            if not file.is_file():
                raise BadInput(f"{escape_text(file)}: no such file")
        try:
            network = self._load(*files)
        except MissingExtra:
            raise
        except BadInput as error:
            raise BadInput(f"{escape_text(path)}: {error}") from None
        except Exception as error:  # whatever the pickles in it do
            raise BadInput(f"{escape_text(path)}: no {self.kind}: {escape_text(str(error)[:200])}") from None
        layout = next((layout for layout in (STANDARD_LAYOUT, FAMILY_LAYOUT) if _fits(network, layout)), None)
        if layout is None:
            expected = f"[K, {STANDARD_LAYOUT.size}] and bool masks [K, {STANDARD_LAYOUT.actions}]"
            raise BadInput(
                f"{escape_text(path)}: float32 observations {expected} expected to give logits for all actions"
            )
        super().__init__(name, network, seed, options.sample, options.temperature, layout)
        self.options, self.version = options.to_json(), "+".join(map(file_version, files))

    @staticmethod
    def _files(options: ForeignOptions) -> list[Path]:
        """Files that the player is made from."""
        return [Path(options.path)]

    @staticmethod
    def _load(*files: Path) -> Network:
        """The network of ``_files``; raises ``BadInput``, and what its library raises."""
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
    def _load(*files: Path) -> Network:
        return torch.jit.load(str(files[0]), map_location="cpu").eval()


class Sb3Player(_ForeignPlayer):
    """A model of Stable-Baselines3: MaskablePPO, PPO, A2C, TRPO or DQN (its values serve as logits)."""

    Options = Sb3Options
    kind = "model of Stable-Baselines3"

    @staticmethod
    def _files(options: ForeignOptions) -> list[Path]:
        normalize = getattr(options, "normalize", "")
        return [Path(options.path), *map(Path, filter(None, [normalize]))]

    @staticmethod
    def _load(*files: Path) -> Network:
        with optional_imports():
            from stable_baselines3.common.save_util import load_from_zip_file
        data = load_from_zip_file(files[0], device="cpu", load_data=True)[0]
        algorithm = _algorithm(data["policy_class"])
        layout = _layout_of(data["observation_space"])
        statistics = _statistics(files[1], layout) if len(files) > 1 else None
        _check_observed(data.get("_last_obs"), layout, statistics is not None)
        policy = algorithm.load(files[0], device="cpu").policy
        policy.set_training_mode(False)

        def seen(observations: Tensor) -> Tensor:
            return torch.from_numpy(statistics.normalize_obs(observations.numpy())) if statistics else observations

        if hasattr(policy, "q_net"):
            return lambda observations, _: policy.q_net(seen(observations))
        return lambda observations, _: policy.get_distribution(seen(observations)).distribution.logits


def _algorithm(policy: type) -> Any:
    """Algorithm that loads models with a class of policies; raises ``BadInput``."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from sb3_contrib.common.recurrent.policies import RecurrentActorCriticPolicy
    from stable_baselines3 import DQN, PPO
    from stable_baselines3.common.policies import ActorCriticPolicy, BasePolicy
    from stable_baselines3.dqn.policies import DQNPolicy

    known = {MaskableActorCriticPolicy: MaskablePPO, ActorCriticPolicy: PPO, DQNPolicy: DQN}
    recurrent = issubclass(policy, RecurrentActorCriticPolicy)
    base = next((kind for kind in policy.__mro__ if BasePolicy in kind.__bases__), policy)
    if recurrent or base not in known:
        name = "RecurrentPPO" if recurrent else base.__name__.removesuffix("Policy")
        raise BadInput(f"{escape_text(name)}, where MaskablePPO, PPO, A2C, TRPO or DQN is expected")
    return known[base]


def _layout_of(space: Space) -> ViewLayout:
    """Layout of the games with a model's observation space; raises ``BadInput`` for that of another environment."""
    expected = f"those of DawnSeat, int8 [{STANDARD_LAYOUT.size}], are expected"
    if isinstance(space, Dict):
        raise BadInput(f"its observations are a Dict of {', '.join(map(escape_text, space))}, where {expected}")
    if not isinstance(space, Box):
        raise BadInput(f"its observations are a {type(space).__name__}, where {expected}")
    for layout in (STANDARD_LAYOUT, FAMILY_LAYOUT):
        plain = observation_space(layout)
        if space.shape == plain.shape and (space.low == plain.low).all() and (space.high == plain.high).all():
            return layout
        if len(space.shape) == 1 and space.shape[0] > layout.size and not space.shape[0] % layout.size:
            frames = space.shape[0] // layout.size
            raise BadInput(f"its observations are stacks of {frames} (VecFrameStack?), where {expected}")
    raise BadInput(f"its observations are {space}, changed by a wrapper, where {expected}")


def _statistics(path: Path, layout: ViewLayout) -> Any:
    """Statistics of a ``VecNormalize``, None where it left observations as they are; raises ``BadInput``."""
    from stable_baselines3.common.vec_env import VecNormalize

    try:
        with path.open("rb") as file:
            found = pickle.load(file)
    except Exception as error:  # whatever the pickles in it do
        raise BadInput(f"normalize: {escape_text(path)}: {escape_text(str(error)[:200])}") from None
    if not isinstance(found, VecNormalize):
        raise BadInput(f"normalize: {escape_text(path)} holds a {type(found).__name__}, not a VecNormalize")
    if not found.norm_obs:
        return None
    shape = getattr(getattr(found.obs_rms, "mean", None), "shape", None)
    if shape != (layout.size,):
        raise BadInput(f"normalize: {escape_text(path)} has statistics of another environment")
    return found


def _check_observed(last: Any, layout: ViewLayout, is_normalized: bool) -> None:
    """Raise ``BadInput`` unless the last observations in training, as far as they are kept, fit what the model is given
    here: those of the game, or normalised."""
    if not isinstance(last, np.ndarray):
        return
    plain = bool(((last == np.rint(last)) & (last >= layout.low()) & (last <= layout.high())).all())
    if plain and is_normalized:
        raise BadInput("it was trained on observations as they are: leave normalize out")
    if not plain and not is_normalized:
        raise BadInput(
            "it was trained on changed observations: with VecNormalize, sb3:normalize=FILE,MODEL takes the statistics "
            "that its save() wrote; other wrappers cannot be taken along"
        )
