"""All targets by name."""

from dawn_agents.fuzzing import databases, policies, positions, records, states, training
from dawn_agents.fuzzing.target import Target

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        states.TARGET, positions.TARGET, records.TARGET, policies.TARGET, training.CHECKPOINTS, training.SETTINGS,
        databases.TARGET,
    )
}  # fmt: skip
