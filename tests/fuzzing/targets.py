"""All targets by name."""

from fuzzing import databases, policies, positions, records, states, training
from fuzzing.target import Target

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        states.TARGET, positions.TARGET, records.TARGET, policies.TARGET, training.CHECKPOINTS, training.SETTINGS,
        databases.TARGET,
    )
}  # fmt: skip
