"""The player of a policy file; torch is imported only for files that need it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dawn_agents.players.choosing import Choosing, check_game, check_width, file_version
from dawn_agents.players.networks.policy_metadata import PolicyFileError, read_policy
from dawn_agents.players.sparse_player import SparsePlayer, SparseWeights
from dawn_env.errors import PlayerFailure
from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer
from dawn_env.support.optional_packages import optional_imports
from dawn_env.tables import SIDE_NAMES


class PolicyPlayer(BatchPlayer):
    """A policy file, on the side it was trained for."""

    @dataclass(frozen=True)
    class Options(Choosing):
        """``policy:PATH`` or ``policy:sample=true,temperature=0.5,PATH``; ``path``: the policy file."""

        path: str

    def __init__(self, name: str, seed: int, options: Options):
        """Raises ``PolicyFileError`` for a file that cannot be used, ``MissingExtra`` for one that needs torch."""
        super().__init__(name, seed, options.to_json())
        path = Path(options.path)
        info, _ = read_policy(path)
        self.version, self._side = file_version(path), SIDE_NAMES.index(info.side)
        self._layout = info.layout
        if info.network.kind == "afterstate":
            raise PolicyFileError(f"{path}: holds values, which play by looking ahead; as a player it is value:{path}")
        self._player: BatchPlayer
        if info.network.kind == "sparse":
            self._player = SparsePlayer(name, seed, options, {self._side: SparseWeights.read(path)[0]})
        else:
            with optional_imports():
                from dawn_agents.players.network_player import NetworkPlayer
                from dawn_agents.players.networks.policy_file import load_policy
            network, _ = load_policy(path)
            self._player = NetworkPlayer(name, network, seed, options.sample, options.temperature)

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Raises ``PlayerFailure`` in games, and on the side, it was not trained for."""
        check_game(self.name, self._layout, layout_of_sides(options))
        self._check(side)

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Choose actions of the rows; raises ``PlayerFailure`` on the side it was not trained for."""
        check_width(self.name, self._layout, observations)
        wrong = observations[:, self._layout.slices["side"].start] != self._side
        if wrong.any():
            self._check(1 - self._side)
        return self._player.choose(observations, masks)

    def _check(self, side: int) -> None:
        if side != self._side:
            trained, asked = SIDE_NAMES[self._side], SIDE_NAMES[side]
            raise PlayerFailure(f"{self.name} was trained as the {trained} and cannot play the {asked}")
