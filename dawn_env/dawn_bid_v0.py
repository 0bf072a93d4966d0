"""PettingZoo module of games with a bid for sides: ``from dawn_env import dawn_bid_v0; dawn_bid_v0.env()``.

The agents are ``player_0`` and ``player_1``; their secret offers are the first decisions and give who plays which side.
Importing it also registers the environment: ``pettingzoo.make("aec", "dawn_env/dawn-bid-v0")``, if
this version of PettingZoo has a registry.
"""

from collections.abc import Mapping

from dawn_env.envs import aec
from dawn_env.options import GameOptions

__all__ = ["ENV_ID", "env", "raw_env"]

ENV_ID = "dawn_env/dawn-bid-v0"


def _with_bid(options: GameOptions | Mapping | None) -> GameOptions:
    return GameOptions.of(options).changed({"bid": True})


def env(options: GameOptions | Mapping | None = None, **arguments):
    """Make ``dawn_v0.env`` with the option ``bid``."""
    return aec.env(options=_with_bid(options), **arguments)


def raw_env(options: GameOptions | Mapping | None = None, **arguments):
    """Make ``dawn_v0.raw_env`` with the option ``bid``."""
    return aec.raw_env(options=_with_bid(options), **arguments)


aec.register(ENV_ID, "dawn_env.dawn_bid_v0:env")
