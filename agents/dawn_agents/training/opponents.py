"""Opponents of learners, made from their specifications."""

from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.training.training_config import ConfigError
from dawn_env.players import Player


def opponent_player(specification: str, seed: int, setting: str) -> Player:
    """Make an opponent that plays many games at once; raises ``ConfigError``, which names the ``setting``, for unknown
    players and those that play one game at a time."""
    try:
        player = make_player(specification, seed)
    except BadSpec as error:
        raise ConfigError(f"{setting}: {error}") from error
    if player.one_game_at_a_time:
        what = setting.rpartition(".")[2].removesuffix("s")
        raise ConfigError(f"{setting}: {specification!r} plays one game at a time and cannot be an {what}")
    return player
