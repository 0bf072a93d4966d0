"""The learner ``distillation``: it goes on to the bit, judges by what a side knows, and moves to what is better."""

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.training.action_labels import Labeller
from dawn_agents.training.distillation_learner import DistillationLearner
from dawn_agents.training.environments import Environments
from dawn_agents.training.training_config import ConfigError, Distillation, parse_config
from dawn_agents.training.training_loop import Training
from scenario import scenario
from tiny_runs import tables

from dawn_env import engine
from dawn_env.actions import action_id
from dawn_env.players import choose_actions
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_LETTERS, SIDE_NAMES

FEW = {"deals": 1, "plays": 1, "value_deals": 1, "keep": 0.2, "batch_size": 32}


def settings(**changes):
    changes = {
        "run": {"threads": 1, "learner": "distillation"},
        "network": {"kind": "sparse", "width": 24, "advice": True},
        "games": {"at_once": 8},
        "distillation": FEW,
        "limits": {"decisions": 6 * 8 * 32},
    } | changes
    return parse_config(tables(**changes))


def weights(training):
    return np.concatenate([policy.flat for policy in training.learner.player().values()])


def test_a_run_that_was_killed_goes_on_to_the_bit_and_ends_with_players_of_both_sides(tmp_path):
    whole = Training(settings(), tmp_path / "whole")
    whole.run()
    whole.close()
    broken = Training(settings(), tmp_path / "broken")
    broken.begin()
    before = weights(broken).copy()
    for _ in range(3):
        broken._iterate()
    broken.save()
    broken._iterate()  # lost
    broken.close()
    np.random.seed(99)
    resumed = Training.resume(tmp_path / "broken")
    resumed.run()
    assert resumed.iteration == whole.iteration == 6 and resumed.decisions == 6 * 8 * 32
    assert (weights(resumed) == weights(whole)).all() and (weights(whole) != before).any()
    assert resumed.progress.history[-1]["learner/positions"] > 10
    resumed.finish()
    resumed.close()
    player = make_player(resumed.learner.specification(tmp_path / "broken/policies"))
    assert not next(play_games([Pairing(1, player, player)]))[1].failure


def test_it_goes_on_from_files_and_these_are_its_reference(tmp_path):
    first = Training(settings(), tmp_path / "first")
    first.run()
    first.finish()
    first.close()
    run = {"threads": 1, "learner": "distillation", "start": str(tmp_path / "first/policies")}
    second = Training(settings(run=run), tmp_path / "second")
    second.begin()
    learner = second.learner
    started = {side: policy.flat.copy() for side, policy in learner.player().items()}
    assert any(values.any() for values in started.values())
    second._iterate()
    for side, values in started.items():
        assert (learner._references[side].flat == values).all() and (learner.player()[side].flat != values).any()
    second.close()


def test_the_reference_follows_the_policies_where_the_settings_say_so():
    config = settings(distillation=FEW | {"reference_every": 2})
    learner = DistillationLearner(Environments(config.games.options), config)
    learner.begin(1)
    same = []
    for number in range(1, 5):
        learner.iterate(number, 1 - number / 5)
        policies = learner.player().items()
        same.append(all((learner._references[side].flat == policy.flat).all() for side, policy in policies))
    learner.close()
    assert same == [False, True, False, True]


@pytest.mark.parametrize(("side", "vp", "card"), [(DEMOCRAT, 19, 33), (COMMUNIST, -19, 51)])
def test_values_find_the_card_that_wins_at_once(side, vp, card):
    letter = SIDE_LETTERS[side]
    state = scenario(f"{letter}: {card} 22 23", vp=vp, turn=5, round=7, phasing=letter, stop=False).state
    candidates = np.array([[action_id(f"card:{card}"), action_id("card:23"), -1]])
    with Labeller(Distillation(deals=0, value_deals=4), threads=1) as labeller:
        labels = labeller.label(np.array([state]), side, candidates, np.array([1]))()
    assert labels["points"][0, 0] > labels["points"][0, 1] + 2 and labels["points"][0, 2] == 0
    assert not labels["values"].any()


def test_labels_do_not_depend_on_what_a_side_does_not_know():
    state = scenario("D: 22 23 31 / C: 8 9 10", turn=4, round=2, phasing="D", stop=False).state
    others = engine.redeal(np.array([state] * 6), DEMOCRAT, np.arange(6))
    assert len({other["where"].tobytes() for other in others}) > 1  # other hidden cards
    candidates = np.array([[action_id("card:22"), action_id("card:23")]] * 6)
    with Labeller(Distillation(deals=2, plays=1, value_deals=2), threads=1) as labeller:
        labels = labeller.label(others, DEMOCRAT, candidates, np.full(6, 5))()
    for known in labels.values():
        assert (known == known[0]).all() and known[0].any()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"network": {"kind": "map"}}, "network.kind: \"sparse\" expected with distillation, not 'map'"),
        ({"games": {"options": {"bid": True}}}, "games.options.bid: games without a bid expected with distillation"),
        ({"games": {"options": {"mode": "family"}}}, "distillation.value_deals: 0 expected in family mode"),
    ],
)
def test_settings_that_it_cannot_learn_with_are_named(changes, words):
    config = settings(**changes)
    with pytest.raises(ConfigError, match=words):
        DistillationLearner(Environments(config.games.options), config)


def test_something_has_to_judge():
    with pytest.raises(ConfigError, match="distillation.deals and distillation.value_deals: one of them above 0"):
        settings(distillation=FEW | {"deals": 0, "value_deals": 0})


def test_family_mode_learns_from_simulations():
    config = settings(games={"at_once": 4, "options": {"mode": "family"}}, distillation=FEW | {"value_deals": 0})
    learner = DistillationLearner(Environments(config.games.options), config)
    learner.begin(1)
    before = {side: policy.flat.copy() for side, policy in learner.player().items()}
    metrics = learner.iterate(1, 1.0)
    learner.close()
    assert metrics["positions"] > 0
    assert all((policy.flat != before[side]).any() for side, policy in learner.player().items())
    assert set(before) == set(SIDE_NAMES)


def test_the_rule_based_player_plays_its_share_of_the_sides(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "dawn_agents.training.distillation_learner.choose_actions",
        lambda player, states, *shown, **_: asked.append(shown[2]) or choose_actions(player, states, *shown),
    )
    config = settings(distillation=FEW | {"student_share": 0.75})
    learner = DistillationLearner(Environments(config.games.options), config)
    learner.begin(1)
    learner.iterate(1, 1.0)
    learner.close()
    assert set(np.concatenate(asked)) == {0, 1, 6, 7}  # of eight games two as the Democrat, two as the Communist
