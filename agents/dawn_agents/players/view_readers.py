"""Players that read the JSON or the text of their view only: proof that either suffices to play."""

import json
from abc import abstractmethod
from dataclasses import dataclass, field

import numpy as np

from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer, ViewPlayer
from dawn_env.views.text_reading import observation_and_mask_of_text
from dawn_env.views.view_facts import observation_and_mask
from dawn_env.views.view_text import FULL


class _ReadingPlayer(ViewPlayer):
    """Base of players that answer as another player does, from a part of the view."""

    def __init__(self, name: str, seed: int, options):
        super().__init__(name, seed, options)
        asked = make_player(options.player, seed)
        if not isinstance(asked, BatchPlayer):
            asked.close()
            kind = name.partition(":")[0]
            raise BadSpec(f"{kind}: a player that answers observations expected, not {options.player}")
        self._player = asked
        self.version = f"{type(self).version}+{asked.version}"  # type: ignore[misc]  # differs between players

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Begin a game of the other player."""
        self._player.begin_game(side, options)

    def choose(self, view: View) -> int:
        """The player's answer to the observation that was read."""
        observation, mask = self.read(view)
        return int(self._player.choose(observation[None], mask[None])[0])

    @abstractmethod
    def read(self, view: View) -> tuple[np.ndarray, np.ndarray]:
        """Observation int8 [F] and mask int8 [A] that a view tells."""

    def close(self) -> None:
        """Close the player."""
        self._player.close()


class JsonPlayer(_ReadingPlayer):
    """Answers as another player does, from ``View.to_json`` alone."""

    @dataclass(frozen=True)
    class Options:
        """``player``: specification of the other player, such as ``heuristic`` in ``json:heuristic``."""

        player: str

    def read(self, view: View) -> tuple[np.ndarray, np.ndarray]:
        """Read the JSON."""
        return observation_and_mask(json.loads(view.to_json()))


class TextPlayer(_ReadingPlayer):
    """Answers as another player does, from ``View.text("full")`` alone."""

    @dataclass(frozen=True)
    class Options:
        """``player``: specification of the other player, such as ``heuristic`` in ``text:heuristic``."""

        player: str = field(default="random", metadata={"rest": True})

    def read(self, view: View) -> tuple[np.ndarray, np.ndarray]:
        """Read the text."""
        return observation_and_mask_of_text(view.text(FULL))
