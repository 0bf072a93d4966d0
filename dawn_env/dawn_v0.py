"""PettingZoo module of the environment: ``from dawn_env import dawn_v0; dawn_v0.env()``.

Importing it also registers the environment: ``pettingzoo.make("aec", "dawn_env/dawn-v0")``, if
this version of PettingZoo has a registry.
There is no ``parallel_env``: the players of this game never act at the same time.
"""

from dawn_env.envs.aec import env, raw_env, register

__all__ = ["ENV_ID", "env", "raw_env"]

ENV_ID = "dawn_env/dawn-v0"

register(ENV_ID, "dawn_env.dawn_v0:env")
