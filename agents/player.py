"""What a player is: anything that answers decisions, many games at once or one position at a time."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from dawn_env.options import GameOptions
from dawn_env.view import View


class PlayerFailure(Exception):
    """A player crashed, ran past its time or answered something illegal: it loses the game."""


class Player:
    """Common to all players.

    ``name`` labels results (the specification it was made from); ``version`` goes up whenever the same
    name would play differently; ``options`` are the settings in effect. What a player does depends on what
    it sees, its options and ``seed`` only.
    """

    version: ClassVar[str] = "1"
    one_game_at_a_time: ClassVar[bool] = False
    """Whether its games must be played one after another (an outside program, a person)."""
    outside: ClassVar[bool] = False
    """Whether it is a program or a person, who could work out what is public and remember what they have seen."""

    def __init__(self, name: str, seed: int = 0, options: dict | None = None):
        self.name, self.seed, self.options = name, seed, dict(options or {})

    @property
    def declared(self) -> str:
        """What it calls itself, as far as that is known; empty if nothing."""
        return ""

    def begin_game(self, side: int, options: GameOptions) -> None:
        """A game with these options begins, in which it plays ``side``."""

    def end_game(self, outcome: dict) -> None:
        """Its game has ended: ``result``, ``reason``, ``vp`` as in a game record."""

    def close(self) -> None:
        """Let go of processes and files."""


class BatchPlayer(Player, ABC):
    """Answers many games in one call; may be an opponent inside the vector environments."""

    @abstractmethod
    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Legal actions, int64 [K], for ``observations`` int8 [K, F] and ``masks`` int8 [K, A], which are lent."""


class ThinkingPlayer(Player, ABC):
    """Answers one position at a time, and may look ahead in positions dealt anew from the view."""

    @abstractmethod
    def choose(self, view: View) -> int:
        """A legal action."""
