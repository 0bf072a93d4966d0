"""1989: Dawn of Freedom as a fast reinforcement learning environment.

Start with ``dawn_env.game.Game`` (one game), ``dawn_env.batch.Batch`` (many), ``dawn_env.dawn_v0``
(PettingZoo). ``docs/architecture.md`` says where everything lives.
"""

__version__ = "0.1.0"
