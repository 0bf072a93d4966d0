"""The interface of players and the random one, where players are looked for."""

from dawn_env.players import Player, RandomPlayer

__all__ = ["Player", "RandomPlayer"]
