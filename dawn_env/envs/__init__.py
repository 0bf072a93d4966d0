"""The game behind the interfaces of reinforcement learning libraries."""
