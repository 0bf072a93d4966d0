"""1989: Dawn of Freedom as a fast reinforcement learning environment.

Start with ``dawn_env.game.Game`` (one game), ``dawn_env.batch.Batch`` (many), ``dawn_env.dawn_v0``
(PettingZoo). ``docs/explanation/architecture.md`` says where everything lives. Importing the package registers the
single seat with Gymnasium: ``gymnasium.make("dawn_env/DawnSeat-v0")``, and ``dawn_env/DawnMaskedSeat-v0``, whose
observations hold the mask of legal actions.
"""

from gymnasium.envs.registration import register

__version__ = "0.2.0"

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
