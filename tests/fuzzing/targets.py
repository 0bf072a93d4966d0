"""All targets by name."""

from fuzzing import databases, game_files, policies, states, training

_ALL = (
    states.TARGET, game_files.POSITIONS, game_files.RECORDS, policies.TARGET, training.TARGET, databases.TARGET,
)  # fmt: skip
TARGETS = {target.name: target for target in _ALL}
