"""The learner ``sparse-ppo``: its gradient is torch's, its weights follow from the seed, and it takes part in runs."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from dawn_agents.players.networks.policy_networks import build_network
from dawn_agents.players.networks.sparse_weights import compiled_shape, compiled_weights, named_weights
from dawn_agents.training.checkpoint import CheckpointError
from dawn_agents.training.environments import Environments
from dawn_agents.training.league import make_learner
from dawn_agents.training.sparse_gradients import METRICS, Loss, estimate_advantages
from dawn_agents.training.training_config import ConfigError, parse_config
from dawn_agents.training.training_loop import Training
from tiny_runs import interrupted_run, tables

from dawn_env.tables import SIDE_NAMES

LOSS = Loss(0.2, 1.0, 0.5, 0.01, 0.3, False)


def settings(learner="sparse-ppo", **changes):
    network = {"kind": "sparse", "width": 24, "advice": True}
    changes = {"run": {"threads": 1, "learner": learner}, "network": network} | changes
    return parse_config(tables(**changes))


def played(config, side="communist", seed=5):
    """A learner that has played a rollout and moved away from the policy that did."""
    torch.manual_seed(seed)
    np.random.seed(seed)
    learner = make_learner(config.run.learner, Environments(config.games.options), config).learners[side]
    learner.games.set_opponents(["heuristic"])
    learner.begin(seed)
    learner._collect()
    weights, layout = learner.adam.weights, learner.games.layout
    moved = weights + np.random.default_rng(seed).normal(0, 0.03, len(weights)).astype(np.float32)
    weights[:] = compiled_weights(named_weights(moved, config.network, layout), config.network, layout)
    return learner


def torch_loss(network, d, rows, loss):
    """The mean loss of the decisions, and its metrics, by torch."""
    inputs, masks = torch.from_numpy(d.inputs[rows]), torch.from_numpy(d.masks[rows]) != 0
    logits, values = network(inputs)
    logs = logits.masked_fill(~masks, -1e9).log_softmax(1)
    moved = logs.gather(1, torch.from_numpy(d.actions[rows])[:, None])[:, 0] - torch.from_numpy(d.log_probs[rows])
    advantages, ratio = torch.from_numpy(d.advantages[rows]), moved.exp()
    policy = -torch.minimum(ratio * advantages, ratio.clamp(1 - loss.clip_range, 1 + loss.clip_range) * advantages)
    value = (values - torch.from_numpy(d.returns[rows])) ** 2
    entropy = -(logs.exp() * logs).masked_fill(~masks, 0).sum(1)
    reference_kl = torch.zeros(())
    if d.reference.shape[1]:
        reference_kl = (logs.exp() * (logs - torch.from_numpy(d.reference[rows]))).masked_fill(~masks, 0).sum(1)
    total = loss.policy * policy + loss.value * value - loss.entropy * entropy + loss.kl_coef * reference_kl
    metrics = {"policy_loss": policy, "value_loss": value, "entropy": entropy, "kl": ratio - 1 - moved}
    metrics["reference_kl"] = reference_kl
    return total.mean(), {name: value.sum().item() for name, value in metrics.items()}


@pytest.mark.parametrize(
    ("learner", "changes"),
    [
        ("sparse-ppo:kl_coef=0.3", {}),
        ("sparse-ppo", {"network": {"kind": "sparse", "width": 16}}),
        ("sparse-ppo:kl_coef=0.3", {"games": {"at_once": 16, "options": {"mode": "family"}}}),
    ],
)
def test_the_gradient_is_that_of_torch(learner, changes):
    config = settings(learner, **changes)
    found = played(config)
    d, layout, options = found.made, found.games.layout, config.network
    rows = np.arange(3, 200)
    metrics = dict(zip(METRICS, found.add_gradients(rows, LOSS), strict=True))
    network = build_network(options, layout)
    named = named_weights(found.adam.weights, options, layout)
    network.load_state_dict({name: torch.from_numpy(weights) for name, weights in named.items()})
    loss, expected = torch_loss(network, d, rows, LOSS)
    loss.backward()
    assert {name: metrics[name] for name in expected} == pytest.approx(expected, rel=1e-4, abs=1e-3)
    assert metrics["clip_fraction"] > 0
    gradient = found.adam.gradients.sum(0)
    scales = np.repeat(found.adam.scales, len(gradient) // len(found.adam.scales))
    slopes = named_weights(gradient * scales**2, options, layout)  # by weights, of which those of the inputs are scaled
    if options.advice:
        shape = compiled_shape(options, layout)[0]
        slopes["log_trust"] = gradient[shape.trust] * found.adam.weights[shape.trust]  # the file has the logarithm
    for name, weights in network.named_parameters():
        assert slopes[name] == pytest.approx(weights.grad.numpy(), rel=2e-3, abs=2e-6), name


def test_steps_are_those_of_adam_where_every_row_has_a_gradient():
    config = settings()
    found = played(config)
    adam, rows = found.adam, np.arange(200)
    before, moments, seen = adam.weights.copy(), 0.0, 0.0
    scales = np.repeat(adam.scales, len(before) // len(adam.scales))
    for number in range(1, 4):
        found.add_gradients(rows, LOSS)
        slope = adam.gradients.astype(np.float64).sum(0) * scales
        slope *= min(1, 0.5 / np.sqrt((slope**2).sum()))
        moments, seen = 0.9 * moments + 0.1 * slope, 0.999 * seen + 0.001 * slope**2
        size = moments / (1 - 0.9**number) / (np.sqrt(seen / (1 - 0.999**number)) + 1e-5)
        expected = before - 1e-3 * scales * size
        untouched = np.repeat(adam.touched.max(0) == 0, len(before) // len(adam.scales))
        untouched[found.shapes["bias"][0] :] = False
        adam.step(1e-3, 0.5)
        assert adam.weights == pytest.approx(expected, abs=2e-6)
        assert (adam.weights[untouched] == before[untouched]).all() and untouched.any()
        assert not adam.gradients.any() and not adam.touched.any()
        before = adam.weights.copy()


def test_advantages_are_those_of_the_definition():
    random = np.random.default_rng(3)
    rewards, values, last = random.normal(size=(6, 4)), random.normal(size=(6, 4)), random.normal(size=4)
    ended = random.random((6, 4)) < 0.3
    found = np.zeros((6, 4), np.float32)
    estimate_advantages(*(part.astype(np.float32) for part in (rewards,)), ended, values.astype(np.float32),
                        last.astype(np.float32), 0.9, 0.8, found)  # fmt: skip
    following = np.where(ended, 0, np.vstack([values[1:], last]))
    errors, expected = rewards + 0.9 * following - values, np.zeros(4)
    for step in range(5, -1, -1):
        expected = errors[step] + 0.72 * np.where(ended[step], 0, expected)
        assert found[step] == pytest.approx(expected, abs=1e-5)


def weights(training):
    return np.concatenate([learner.adam.weights for learner in training.learner.learners.values()])


def test_a_resumed_run_goes_on_as_if_nothing_had_happened_with_any_number_of_threads(tmp_path, monkeypatch):
    changes = {"limits": {"decisions": 4 * 2 * 256 * 8}, "games": {"at_once": 256}, "ppo": {"steps": 8}}
    learner = "sparse-ppo:kl_coef=0.1,reference_decay=0.9,ema_decay=0.8"
    whole = Training(settings(learner, **changes), tmp_path / "whole")
    whole.run()
    expected = weights(whole)
    whole.close()
    monkeypatch.setattr("dawn_env.support.thread_pool.cores", lambda: 3)
    config = settings(learner, **changes, run={"threads": 3, "learner": learner})
    resumed = interrupted_run(config, tmp_path / "broken", 2)
    resumed.run()
    assert (weights(resumed) == expected).all()
    assert resumed.iteration == 4
    resumed.close()


def test_it_learns_from_files_and_chooses_among_averages(tmp_path):
    first = Training(settings("sparse-ppo:ema_decay=0.9"), tmp_path / "first")
    first.run()
    scores, _ = first.finish()
    assert set(scores) == {(side, "random") for side in SIDE_NAMES}
    assert len(first.learner.learners["democrat"].candidates([first.learner.pools["communist"].past[0].policy])) == 3
    first.close()
    run = {"threads": 1, "learner": "sparse-ppo", "start": str(tmp_path / "first/policies")}
    other_file = {"kind": "sparse", "width": 24, "advice": True, "depth": 0, "dtype": "float16"}  # the same weights
    second = Training(settings(run=run, network=other_file), tmp_path / "second")
    second.begin()
    for side, learner in second.learner.learners.items():
        kept, facts = learner.load(tmp_path / "first/policies" / f"{side}.zip")
        assert (learner.adam.weights == kept.flat).all() and facts.side == side
        row = learner.games.observations[:1], learner.games.masks[:1]
        assert learner.policy.player("me").choose(*row) == learner.policy.player("me").logits(*row).argmax(1)
    second.close()


def test_it_gets_better(tmp_path):
    config = settings(league={"newest": 0, "past": 0, "anchors": {"random": 1.0}}, network={"kind": "sparse"},
                      games={"at_once": 64}, ppo={"steps": 32, "learning_rate": 3e-3, "batch_size": 512})  # fmt: skip
    torch.manual_seed(1)
    np.random.seed(1)
    config = replace(config, network=replace(config.network, width=32))
    learner = make_learner("sparse-ppo", Environments(), config).learners["democrat"]
    learner.games.set_opponents(["random"])
    learner.begin(1)
    rates = []
    for number in range(1, 31):
        metrics = learner.iterate(number, 1.0)
        assert metrics["kl"] < 0.5
        if number % 10 == 0:
            (counts,) = learner.games.results(clear=True).values()
            rates.append(counts["wins"] / counts["games"])
    assert rates[-1] > rates[0] + 0.1


@pytest.mark.parametrize(
    ("learner", "network", "words"),
    [
        ("sparse-ppo", {"kind": "map"}, 'network.kind: "sparse" expected with sparse-ppo'),
        ("sparse-ppo:kl_coef=-1", {"kind": "sparse"}, "run.learner: .*kl_coef: 0 ... 100 expected, not -1"),
        ("sparse-ppo:pull=0.1", {"kind": "sparse"}, "no option 'pull'; known: ema_decay, kl_coef, reference_decay"),
    ],
)
def test_settings_that_cannot_be_are_named(tmp_path, learner, network, words):
    with pytest.raises(ConfigError, match=words):
        Training(settings(learner, network=network), tmp_path)


def test_averages_cannot_begin_in_a_run():
    state = played(settings()).state()
    with pytest.raises(CheckpointError, match="^run.learner: ema_decay cannot be turned on or off in a run"):
        played(settings("sparse-ppo:ema_decay=0.9")).restore(state)
