"""Training on Ray: actors play, one learner learns; actors that are lost are replaced."""

from contextlib import closing

import numpy as np
import pytest
from dawn_agents.training.training_config import ConfigError, parse_config
from dawn_agents.training.training_loop import Training

from dawn_env.support.compiling import COMPILED

ray = pytest.importorskip("ray", reason="Ray is not installed")
if not COMPILED:
    pytest.skip("too slow as plain Python", allow_module_level=True)

STEPS = 12


def settings(**run):
    return parse_config(
        {
            "run": {"threads": 1, "learner": "afterstate", "executor": "ray", "actors": 2} | run,
            "games": {"at_once": 8},
            "afterstate": {"width": 16, "steps": STEPS, "batch_size": 32},
            "league": {"anchors": {"random": 1.0}},
            "evaluation": {"times": 1, "games": 2, "final_games": 2},
            "limits": {"decisions": 6 * 8 * STEPS},
        }
    )


def test_a_run_goes_on_when_actors_are_killed_and_after_a_break(tmp_path, capsys):
    with closing(Training(settings(), tmp_path)) as training:
        training.begin()
        before = training.learner.acting.copy()
        training._iterate()
        for actor in training.learner.actors._playing.values():
            ray.kill(actor)
        training._iterate()
        training._iterate()  # an actor whose batch was on its way when it was killed is missed only now
        assert capsys.readouterr().out.count("an actor was lost") == 2
        assert training.decisions == 3 * 8 * STEPS and (training.learner.acting != before).any()
        training.save()
    with closing(Training.resume(tmp_path)) as resumed:
        assert resumed.iteration == 3 and (resumed.learner.acting == training.learner.acting).all()
        resumed.run()
        assert resumed.iteration == 6 and np.isfinite(resumed.learner.acting).all()


def test_games_are_shared_equally_among_actors(tmp_path):
    with pytest.raises(ConfigError, match="games.at_once: a multiple of 3, the number of actors, expected"):
        Training(settings(actors=3), tmp_path)
