"""Learners that are not the project's own go through the same loop: settings, league, checkpoints, the end."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.training.environments import Environments
from dawn_agents.training.league import make_learner
from dawn_agents.training.learner import PolicyMetadata, SideLearner
from dawn_agents.training.maskable_ppo import MaskablePpo
from dawn_agents.training.training_config import ConfigError, parse_config
from dawn_agents.training.training_loop import Training
from paths import ROOT
from tiny_runs import interrupted_run, tables

from dawn_env.actions import A
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer
from dawn_env.tables import SIDE_NAMES


class Favourite(BatchPlayer):
    """Takes the legal action of the greatest weight, with some noise if it samples."""

    def __init__(self, name, weights, noise):
        super().__init__(name)
        self.weights, self.noise = weights, noise

    def choose(self, observations, masks):
        noise = self.noise * np.random.random((len(masks), A))
        return np.where(masks, self.weights + noise, -np.inf).argmax(1)


class Table:
    def __init__(self, weights):
        self.weights = weights

    def player(self, name, seed=0, sample=False):
        return Favourite(name, self.weights, 0.1 if sample else 0.0)

    def save(self, path, facts):
        path.write_text(json.dumps({"weights": self.weights.tolist(), "facts": vars(facts)}))


class Preferences(SideLearner):
    """Raises the weights of the actions of games that were won, lowers those of lost ones."""

    @dataclass(frozen=True)
    class Options:
        rate: float = 0.1

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.table = Table(np.zeros(A))
        self.taken = np.zeros((self.games.count, A))  # how often in the games that go on

    @property
    def policy(self):
        return self.table

    def load(self, path):
        kept = json.loads(path.read_text())
        return Table(np.array(kept["weights"])), PolicyMetadata(**kept["facts"])

    def iterate(self, number, remaining):
        player = self.policy.player("me", sample=True)
        for _ in range(40):
            actions = player.choose(self.games.observations, self.games.masks)
            self.taken[np.arange(self.games.count), actions] += 1
            self.games.step(actions)
            for game in self.games.finished:
                self.table.weights += self.options.rate * remaining * game.outcome * self.taken[game.row] / 100
                self.taken[game.row] = 0
        return {"spread": float(self.table.weights.std())}

    def state(self):
        return {"weights": self.table.weights.copy(), "taken": self.taken.copy()}

    def restore(self, state):
        self.table.weights[:], self.taken[:] = state["weights"], state["taken"]


LEARNER = f"{__name__}:Preferences"


def settings(learner=LEARNER, **changes):
    run = {"threads": 1, "learner": learner}
    return parse_config(tables(run=run, limits={"decisions": 6 * 2 * 16 * 40}, **changes))


def weights(training):
    return np.concatenate([learner.table.weights for learner in training.learner.learners.values()])


def test_it_trains_and_keeps_its_policies_and_a_resumed_run_goes_on_as_if_nothing_had_happened(tmp_path):
    whole = Training(settings(), tmp_path / "whole")
    whole.run()
    resumed = interrupted_run(settings(), tmp_path / "broken", 1)
    resumed.run()
    assert (weights(resumed) == weights(whole)).all() and weights(whole).any()
    assert whole.iteration == 6 and whole.progress.history[-1]["democrat/spread"] > 0
    scores, sampled = whole.finish()
    assert set(scores) == set(sampled) == {(side, "random") for side in SIDE_NAMES}
    for side, learner in whole.learner.learners.items():
        policy, facts = learner.load(whole.policy_path(side))
        assert facts.side == side and facts.ratings["random"]["games"] == 8 and policy.weights.shape == (A,)
        assert parse_config(facts.training["config"]).run.learner == LEARNER
    whole.close()
    resumed.close()


def test_options_and_games_are_as_the_settings_say():
    config = settings(f"{LEARNER}:rate=0.5", games={"options": {"extra_support": [2, 1]}, "at_once": 3})
    learner = make_learner(config.run.learner, Environments(config.games.options), config).learners["communist"]
    learner.begin(1)
    assert learner.options.rate == 0.5 and learner.games.count == 3
    assert GameOptions.of_state(learner.games.states[0]) == GameOptions((2, 1)) == config.games.options
    assert type(make_learner("maskable-ppo", Environments(), config).learners["democrat"]) is MaskablePpo


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        ("maskable-pp", "run.learner: no learner is called 'maskable-pp'; did you mean 'maskable"),
        (f"{__name__}:Table", "is no learner: a class derived from Learner expected"),
        (f"{__name__}:Missing", "has no attribute 'Missing'"),
        ("no_module_at_all:Learner", "is called 'no_module_at_all'"),
        (f"{LEARNER}:speed=1", "has no option 'speed'"),
        (
            "dawn_agents.training.learner:Learner",
            "is no learner yet: it has no begin, iterate, player, restore, state",
        ),
    ],
)
def test_learners_that_cannot_be_had_are_named(tmp_path, learner, words):
    with pytest.raises(ConfigError, match=words):
        Training(settings(learner), tmp_path)


def test_a_learner_that_does_not_play_on_ray_is_named(tmp_path):
    config = parse_config(tables(run={"threads": 1, "learner": LEARNER, "executor": "ray"}))
    with pytest.raises(ConfigError, match=f"run.executor: local expected with {LEARNER}"):
        Training(config, tmp_path)


@pytest.mark.parametrize(
    ("recipe", "sized"),
    [
        ("cleanrl_learner", "cleanrl_learner"),
        ("mirror_descent", "selfplay_ppo"),
        ("maskable_ppo", "maskable_ppo"),
        ("masked_dqn", "masked_dqn"),
    ],
)
def test_a_recipe_trains_and_goes_on_exactly_from_its_state(recipe, sized, tmp_path, monkeypatch):
    """By the loop of ``dawn train``: a run that was killed has the same networks in the end as one that was not.

    ``sized``: module with the numbers of games and of decisions.
    """
    monkeypatch.chdir(ROOT)
    for name, size in {"GAMES": 16, "LENGTH": 32}.items():
        monkeypatch.setattr(f"docs.examples.{sized}.{name}", size)
    run, few = {"threads": 1, "learner": recipe}, {"times": 1, "games": 2, "final_games": 2}
    config = parse_config(tables(run=run, evaluation=few, limits={"decisions": 6 * 16 * 32}))
    whole = Training(config, tmp_path / "whole")
    whole.run()
    whole.close()
    resumed = interrupted_run(config, tmp_path / "broken", 3)
    resumed.run()
    assert resumed.iteration == whole.iteration == 6 and resumed.decisions == whole.decisions == 6 * 16 * 32
    ours, theirs = (getattr(run.learner.player(), "policy", run.learner.player()) for run in (whole, resumed))
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(one, other)
    scores, sampled = resumed.finish()
    resumed.close()
    assert set(scores) == set(sampled) == {(side, "random") for side in SIDE_NAMES}
    player = make_player(resumed.learner.specification(resumed.policy_path("communist")))
    assert not next(play_games([Pairing(1, player, player)]))[1].failure


def test_the_example_in_the_manner_of_cleanrl_is_short():
    text = (ROOT / "docs/examples/cleanrl_learner.py").read_text(encoding="utf-8")
    assert len([line for line in text.splitlines() if line.strip()]) <= 60


@pytest.mark.parametrize("change", [{"imitation": {"games": 2}}, {"distillation": {"games": 2}}])
def test_warm_starts_need_networks(tmp_path, change):
    (name,) = change
    with pytest.raises(ConfigError, match=f"{name}.games: a learner of networks expected, not {LEARNER}"):
        Training(settings(**change), tmp_path).begin()
