"""Tiny training runs: their settings, and runs that are broken off."""

import numpy as np
import torch
from dawn_agents.training.training_loop import Training

PLAIN = {"kind": "sparse", "width": 32}


def tables(**changes):
    """Settings of a tiny run; ``changes`` are merged into the tables."""
    base = {
        "run": {"threads": 1},
        "games": {"at_once": 16},
        "network": PLAIN,
        "ppo": {"steps": 16, "batch_size": 128, "epochs": 2},
        "imitation": {},
        "distillation": {},
        "league": {"newest": 0.4, "past": 0.3, "anchors": {"random": 0.3}, "freeze_every": 2, "size": 2},
        "evaluation": {"times": 3, "games": 8, "final_games": 8},
        "checkpoint": {"every": 2},
        "limits": {"decisions": 6 * 2 * 16 * 16},
    }
    return {name: {**table, **changes.get(name, {})} for name, table in base.items()}


def interrupted_run(config, folder, iterations):
    """A run that was killed one iteration after its checkpoint, resumed: that iteration is lost."""
    broken = Training(config, folder)
    broken.begin()
    for _ in range(iterations):
        broken._iterate()
    broken.save()
    broken._iterate()
    broken.close()
    torch.manual_seed(99)
    np.random.seed(99)
    resumed = Training.resume(folder)
    assert resumed.iteration == iterations
    return resumed
