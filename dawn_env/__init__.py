"""1989: Dawn of Freedom as a fast reinforcement learning environment.

The names of ``__all__`` are public: ``from dawn_env import Game, Batch, DawnSeat`` (``docs/reference/files.md`` has
the list). They load on first use, so that importing the package stays quick. Importing it registers the single seat:
``gymnasium.make("dawn_env/DawnSeat-v0")``, and ``dawn_env/DawnMaskedSeat-v0``, whose observations hold the mask of
legal actions. ``dawn_env.dawn_v0`` and ``dawn_env.dawn_bid_v0`` are for PettingZoo, ``DawnVecEnv`` for
Stable-Baselines3 (needs the extra ``train``), ``dawn_env.open_spiel`` for OpenSpiel.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.envs.registration import register

if TYPE_CHECKING:
    from dawn_env.batch import Batch as Batch
    from dawn_env.bids import Offer as Offer
    from dawn_env.envs.masked_seat import MaskedSeat as MaskedSeat
    from dawn_env.envs.masked_seat import MaskedVectorEnv as MaskedVectorEnv
    from dawn_env.envs.sb3 import DawnVecEnv as DawnVecEnv
    from dawn_env.envs.seat import DawnSeat as DawnSeat
    from dawn_env.envs.vector import DawnVectorEnv as DawnVectorEnv
    from dawn_env.errors import BadOptions as BadOptions
    from dawn_env.errors import BadSeed as BadSeed
    from dawn_env.errors import ChanceError as ChanceError
    from dawn_env.errors import DawnError as DawnError
    from dawn_env.errors import GameOver as GameOver
    from dawn_env.errors import IllegalAction as IllegalAction
    from dawn_env.errors import MalformedPosition as MalformedPosition
    from dawn_env.errors import MissingExtra as MissingExtra
    from dawn_env.errors import PlayerFailure as PlayerFailure
    from dawn_env.game import Game as Game
    from dawn_env.host.host import Host as Host
    from dawn_env.host.host_answers import Ending as Ending
    from dawn_env.host.host_loop import EXTERNAL as EXTERNAL
    from dawn_env.observation.player_view import View as View
    from dawn_env.observation.player_view import view_seed as view_seed
    from dawn_env.options import GameOptions as GameOptions
    from dawn_env.picture.drawing import board_svg as board_svg
    from dawn_env.players import BatchPlayer as BatchPlayer
    from dawn_env.players import CompiledPlayer as CompiledPlayer
    from dawn_env.players import Player as Player
    from dawn_env.players import RandomPlayer as RandomPlayer
    from dawn_env.players import ViewPlayer as ViewPlayer
    from dawn_env.players import as_player as as_player
    from dawn_env.players import choose_action as choose_action
    from dawn_env.players import make_player as make_player
    from dawn_env.tables import COMMUNIST as COMMUNIST
    from dawn_env.tables import DEMOCRAT as DEMOCRAT
    from dawn_env.views.view_facts import view_facts as view_facts
    from dawn_env.views.view_text import view_text as view_text

__version__ = "0.2.0"

_NAMES = {
    "batch": "Batch",
    "bids": "Offer",
    "envs.masked_seat": "MaskedSeat MaskedVectorEnv",
    "envs.sb3": "DawnVecEnv",
    "envs.seat": "DawnSeat",
    "envs.vector": "DawnVectorEnv",
    "errors": "BadOptions BadSeed ChanceError DawnError GameOver IllegalAction MalformedPosition MissingExtra "
    "PlayerFailure",
    "game": "Game",
    "host.host": "Host",
    "host.host_answers": "Ending",
    "host.host_loop": "EXTERNAL",
    "observation.player_view": "View view_seed",
    "options": "GameOptions",
    "picture.drawing": "board_svg",
    "players": "BatchPlayer CompiledPlayer Player RandomPlayer ViewPlayer as_player choose_action make_player",
    "tables": "COMMUNIST DEMOCRAT",
    "views.view_facts": "view_facts",
    "views.view_text": "view_text",
}
"""Public names by module of this package."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [name for name in _HOMES if name != "DawnVecEnv"]  # which needs the extra train


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register(
    "dawn_env/DawnSeat-v0",
    entry_point="dawn_env.envs.seat:DawnSeat",
    vector_entry_point="dawn_env.envs.vector:DawnVectorEnv",
)
register(
    "dawn_env/DawnMaskedSeat-v0",
    entry_point="dawn_env.envs.masked_seat:MaskedSeat",
    vector_entry_point="dawn_env.envs.masked_seat:MaskedVectorEnv",
)
