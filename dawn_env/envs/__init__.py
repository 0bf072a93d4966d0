"""The game behind the interfaces of reinforcement learning libraries; importing it registers the single seat."""

from gymnasium.envs.registration import register

register(
    "dawn_env/DawnSeat-v0",
    entry_point="dawn_env.envs.seat:DawnSeat",
    vector_entry_point="dawn_env.envs.vector:DawnVectorEnv",
)
