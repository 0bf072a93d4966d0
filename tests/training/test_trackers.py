"""Trackers: a run's metrics reach them, a resumed run goes on in its own, a missing package is named."""

import sys
from types import SimpleNamespace

import pytest
from dawn_agents.training.training_config import parse_config
from dawn_agents.training.training_loop import Training
from tiny_runs import tables

from dawn_env.errors import MissingExtra


class Recorder(SimpleNamespace):
    """Stands in for a package with the interface that ``wandb`` and ``trackio`` share."""

    def __init__(self):
        super().__init__(begun=[], logged=[], finished=0, Settings=dict)

    def init(self, **arguments):
        self.begun.append(arguments)

    def log(self, metrics, step):
        self.logged.append((step, metrics))

    def finish(self):
        self.finished += 1


def config(track):
    run = {"threads": 1, "learner": "sparse-ppo", "track": track}
    return parse_config(tables(run=run, limits={"decisions": 2 * 2 * 16 * 16}))


@pytest.mark.parametrize("track", ["wandb", "trackio"])
def test_metrics_reach_the_tracker_and_a_resumed_run_goes_on_in_its_own(tmp_path, monkeypatch, track):
    package = Recorder()
    monkeypatch.setitem(sys.modules, track, package)
    training = Training(config(track), tmp_path / "run")
    training.run()
    training.finish()
    training.close()
    assert [step for step, _ in package.logged] == [0, 0, 512, 512, 1024, 1024] and package.finished == 1
    assert package.logged[-1][1] == training.progress.history[-1] and "anchor/democrat/random" in package.logged[-1][1]
    resumed = Training.resume(tmp_path / "run")
    resumed.close()
    first, second = package.begun
    assert first == second and first["name"] == "run" and first["resume"] == "allow"
    assert first["config"]["run"]["track"] == track and ("id" in first) == (track == "wandb")
    assert not (tmp_path / "run" / "tensorboard").exists()


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    training = Training(config("wandb"), tmp_path)
    with pytest.raises(MissingExtra, match=r"wandb not installed; to install: pip install .*\[wandb\]"):
        training.begin()
    training.close()
