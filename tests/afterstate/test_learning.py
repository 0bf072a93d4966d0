"""Targets, gradients and the learner: what is learnt follows from what was played, on any number of threads."""

import numpy as np
import pytest
from dawn_agents.players.afterstate.lookahead import new_lookahead
from dawn_agents.players.afterstate.network import (
    HEAD_BIAS,
    HEADS,
    HORIZONS,
    LEARNT_ROWS,
    RESULT,
    ROWS,
    UNITS,
    fold,
    sum_position,
    tanh,
    write_heads,
)
from dawn_agents.players.afterstate.value_files import SHIPPED, read_values
from dawn_agents.players.registry import make_player
from dawn_agents.training.afterstate_actor import Actor
from dawn_agents.training.afterstate_gradients import add_gradients, fold_rows, new_optimiser, take_step
from dawn_agents.training.afterstate_learner import AfterstateLearner
from dawn_agents.training.afterstate_selfplay import DECISIONS, SETTLED, new_rollout, write_targets
from dawn_agents.training.environments import Environments
from dawn_agents.training.training_config import ConfigError, parse_config
from dawn_agents.training.training_loop import Training
from hidden_cards import random_positions
from tiny_runs import interrupted_run

from dawn_env.errors import IllegalAction
from dawn_env.observation.parts import F
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import STANDARD_LAYOUT
from dawn_env.players import RandomPlayer, function_player
from dawn_env.tables import DEMOCRAT, SIDE_NAMES

TRACES = np.array([0.4, 0.5, 0.6, 0.6])


def tables(**changes):
    base = {
        "run": {"threads": 1, "learner": "afterstate", "seed": 3},
        "games": {"at_once": 8},
        "afterstate": {"width": 16, "steps": 12, "batch_size": 32},
        "league": {"anchors": {"random": 1.0}},
        "evaluation": {"times": 2, "games": 2, "final_games": 2},
        "checkpoint": {"every": 2},
        "limits": {"decisions": 5 * 8 * 12},
    }
    return parse_config({name: {**base.get(name, {}), **changes.get(name, {})} for name in {**base, **changes}})


# --- targets --------------------------------------------------------------------------------------------


def rollout_of(movers, clocks, values, vp, **fields):
    """A rollout of one game; values float [T] of every head."""
    made = new_rollout(len(movers), 1, 3)
    made.movers[:, 0], made.clocks[:, 0], made.vp[:, 0] = movers, clocks, vp
    made.values[:, 0] = np.array(values)[:, None]
    made.settled[:] = True
    for name, numbers in fields.items():
        getattr(made, name)[:, 0] = numbers
    write_targets(made, TRACES, *np.zeros((2, HEADS)))
    return made.targets[:, 0]


def test_a_target_is_the_value_of_the_next_afterstate_of_the_side_that_really_followed():
    targets = rollout_of([0, 1, 0], [9, 9, 11], [1.0, 50.0, 3.0], [0.5, 7.0, 2.0])
    assert np.isnan(targets[1:]).all()  # nothing has followed yet
    for head, discount in enumerate(HORIZONS):
        assert targets[0, head] == pytest.approx((3.0 - 0.5) * discount**2 / UNITS[head])
    assert targets[0, RESULT] == pytest.approx(3.0)


def test_errors_further_on_count_by_lambda_and_fully_inside_a_card_play():
    values, vp = [1.0, 2.0, 4.0], [0.0, 0.0, 0.0]
    for settled, trace in ((True, TRACES), (False, np.ones(HEADS))):
        targets = rollout_of([0, 0, 0], [9, 9, 9], values, vp, settled=[True, settled, True])
        expected = 2.0 + trace * (4.0 - 2.0)
        np.testing.assert_allclose(targets[0], expected / UNITS, rtol=1e-6)


def test_an_end_is_its_own_value_for_both_sides_and_a_random_move_cuts():
    ends = np.full((3, HEADS), 20.0)
    more = {"ended": [False, False, True], "ends": ends}
    targets = rollout_of([0, 1, 0], [9, 9, 9], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0], **more)
    np.testing.assert_allclose(targets[0], 20.0 / UNITS)
    np.testing.assert_allclose(targets[1], -20.0 / UNITS)
    cut = rollout_of([0, 1, 0], [9, 9, 9], [1.0, 1.0, 0.0], [0.0] * 3, explored=[False, False, True], **more)
    assert np.isnan(cut[0]).all() and not np.isnan(cut[1]).any()


def test_an_end_by_the_opponents_answer_is_learnt_by_the_move_before_it():
    ends = np.full((3, HEADS), 20.0)
    more = {"ended_after": [False, True, False], "end_clocks": [0, 12, 0], "ends": ends}
    targets = rollout_of([1, 1, 1], [9, 10, 1], [1.0, 4.0, 9.0], [2.0, 3.0, 0.0], **more)
    for head, discount in enumerate(HORIZONS):
        last = 3.0 + (-20.0 - 3.0) * discount**2
        assert targets[1, head] == pytest.approx((last - 3.0) / UNITS[head])
        following = 4.0 + TRACES[head] * (last - 4.0)
        assert targets[0, head] == pytest.approx((following - 2.0) * discount / UNITS[head])
    assert targets[1, RESULT] == -20.0 and np.isnan(targets[2]).all()


def test_targets_of_a_side_do_not_depend_on_decisions_of_the_other():
    learner = AfterstateLearner(Environments(), tables(afterstate={"steps": 400, "width": 16}))
    learner.begin(7)
    learner.iterate(1, 1.0)
    both, checked = learner.actors.rollout, 0
    for side in range(2):
        for g in range(both.movers.shape[1]):
            own = np.flatnonzero(both.movers[:, g] == side)
            alone = new_rollout(len(own), 1, both.observations.shape[2])
            for part, whole in zip(alone, both, strict=True):
                part[:, 0] = whole[own, g]
            for t in np.flatnonzero(both.ended[:, g] & (both.movers[:, g] != side)):
                before = np.searchsorted(own, t) - 1
                alone.ended_after[before], alone.end_clocks[before] = True, both.clocks[t, g]
                alone.ends[before] = both.ends[t, g]
                checked += 1
            write_targets(alone, np.array(learner.config.afterstate.traces), *np.zeros((2, HEADS)))
            np.testing.assert_array_equal(alone.targets[:, 0], both.targets[own, g])
    assert checked > 2, "games that the other side has ended"


def test_no_judgement_that_took_part_in_a_choice_enters_a_target():
    learner = AfterstateLearner(Environments(), tables())
    learner.begin(7)
    weights = learner.acting.copy()
    learner.iterate(1, 1.0)
    rollout, work = learner.actors.rollout, new_lookahead(16, STANDARD_LAYOUT)
    checked = 0
    for t, g in np.argwhere(~rollout.ended)[::7]:
        side = rollout.movers[t, g]
        work.evaluation.inputs.x[0, :F] = rollout.observations[t, g]
        sum_position(weights[side], work.evaluation)
        write_heads(weights[side], work.evaluation.sums[0], work.evaluation)
        heads = work.evaluation.heads * UNITS + rollout.vp[t, g]
        np.testing.assert_allclose(rollout.values[t, g, :RESULT], heads[:RESULT], atol=1e-3)
        checked += 1
    assert checked > 5
    before = rollout.targets.copy()
    for work in learner.actors.works:
        work.heads[:], work.utilities[:] = 1e6, 1e6
    write_targets(rollout, np.array(learner.config.afterstate.traces), *np.zeros((2, HEADS)))
    np.testing.assert_array_equal(rollout.targets, before)


# --- gradients ------------------------------------------------------------------------------------------


def test_gradients_are_those_of_the_squared_errors():
    rng = np.random.default_rng(2)
    o, works = new_optimiser(rng, 16, STANDARD_LAYOUT), (new_lookahead(16, STANDARD_LAYOUT),)
    o.learnt[0] += rng.normal(0, 0.02, o.learnt[0].shape).astype(np.float32)
    fold_rows(0, ROWS, 0, o)
    seen = np.stack([STANDARD_LAYOUT.one(game.state, 0) for game in random_positions(4, 30)])
    targets, rows = rng.normal(size=(len(seen), HEADS)).astype(np.float32), np.full((2, len(seen)), -1)
    rows[0] = np.arange(len(seen))
    losses = np.zeros((2, HEADS))
    add_gradients(0, 1, 0, rows, seen, targets, o, works, losses)

    def loss(learnt) -> float:
        e, weights, total = works[0].evaluation, fold(learnt), 0.0
        for row, target in zip(seen, targets, strict=True):
            e.inputs.x[0, :F] = row
            sum_position(weights, e)
            write_heads(weights, e.sums[0], e)
            heads = e.heads.copy()
            heads[RESULT] = tanh(heads[RESULT])
            total += ((heads - target) ** 2).sum() / 2
        return total

    assert losses[0].sum() / 2 == pytest.approx(loss(o.learnt[0]), rel=1e-4)
    biggest = np.argsort(-np.abs(o.gradients[0]).ravel())[[0, 50, 500, 5000]]
    for place in biggest:
        moved = [o.learnt[0].astype(np.float32).copy() for _ in range(2)]
        for sign, weights in zip((1, -1), moved, strict=True):
            weights.ravel()[place] += np.float32(sign * 0.003)
        slope = (loss(moved[0]) - loss(moved[1])) / 0.006
        assert o.gradients[0].ravel()[place] == pytest.approx(slope, rel=0.1, abs=0.02)


def test_a_step_moves_towards_the_targets():
    rng = np.random.default_rng(2)
    o, works = new_optimiser(rng, 16, STANDARD_LAYOUT), (new_lookahead(16, STANDARD_LAYOUT),)
    seen = np.stack([STANDARD_LAYOUT.one(game.state, 1) for game in random_positions(4, 10)])
    targets, rows = np.full((len(seen), HEADS), 0.5, np.float32), np.full((2, len(seen)), -1)
    rows[1] = np.arange(len(seen))
    errors = []
    for _ in range(40):
        losses = np.zeros((2, HEADS))
        add_gradients(1, 2, 0, rows, seen, targets, o, works, losses)
        take_step(0, LEARNT_ROWS, 0, 3e-3, 1 / len(seen), o)
        fold_rows(0, ROWS, 0, o)
        errors.append(losses.sum())
        assert not o.gradients.any() and not o.touched.any()
    assert errors[-1] < errors[0] / 10 and (o.steps[1, HEAD_BIAS] == 40).all() and not o.steps[0].any()


# --- the learner ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", [None, "heuristic:level=3"])
@pytest.mark.parametrize("options", [{}, {"mode": "family"}, {"extra_support": [2, 1]}], ids=str)
def test_the_number_of_threads_does_not_matter(options, opponent):
    learnt, more = [], {"opponent": opponent, "depth": "settle"} if opponent else {}
    for threads in (1, 2):
        config = tables(run={"threads": threads}, games={"options": options}, afterstate={"steps": 40} | more)
        learner = AfterstateLearner(Environments(config.games.options), config)
        learner.begin(5)
        for number in range(1, 4):
            metrics = learner.iterate(number, 1 - number / 10)
        learnt.append((learner.acting, learner.temperature, metrics))
    assert (learnt[0][0] == learnt[1][0]).all() and learnt[0][1:] == learnt[1][1:]
    assert 0 < metrics["entropy"] < 4 and metrics["error_margin"] > 0 and learner.environments.spent == 3 * 8 * 40


def played(actor, temperature=0.01):
    """Play 500 decisions in each of 24 games with random weights; return the rollout and the tally."""
    weights = np.random.default_rng(6).normal(0, 0.1, (2, ROWS, 16)).astype(np.float32)
    sums = actor.play(weights, temperature, 0).tally
    return actor.rollout, sums


def exploring(**more):
    settings = {"steps": 500, "exploration": 0.0, "exploring_starts": 1.0, "exploring_decisions": 5}
    actor = Actor(tables(afterstate=settings | more), 24)
    actor.begin(np.random.default_rng(5))
    return actor


def test_games_with_exploring_starts_begin_with_decisions_at_a_higher_temperature_that_no_sum_counts():
    rollout, sums = played(exploring())
    numbers = []
    for explored, ended in zip(rollout.explored.T, rollout.ended.T, strict=True):
        first, *begun = np.split(explored, np.flatnonzero(ended) + 1)
        assert not first.any()
        numbers += [game.sum() for game in begun if len(game) >= 5]
        assert all(game[: game.sum()].all() for game in begun)
    assert set(numbers) == {1, 2, 3, 4, 5}
    counted = ~rollout.explored
    assert sums[DECISIONS] == counted.sum() and sums[SETTLED] == rollout.settled[counted].sum()
    assert np.isnan(rollout.targets[:-1][rollout.explored[1:] & (rollout.movers[1:] == rollout.movers[:-1])]).all()


@pytest.mark.parametrize(("share", "fewest", "most"), [(0.0, 0, 0), (0.5, 0.2, 0.8), (1.0, 1, 1)])
def test_the_share_of_games_with_exploring_starts_can_be_set(share, fewest, most):
    rollout, _ = played(exploring(exploring_starts=share))
    begun = rollout.explored[1:][rollout.ended[:-1]]
    assert len(begun) > 10 and fewest <= begun.mean() <= most


def test_an_exploring_start_is_no_cooler_than_other_decisions():
    assert not played(exploring(), temperature=0.07)[0].explored.any()
    warm, hot = (played(exploring(exploring_temperature=at))[0] for at in (0.0101, 10.0))
    assert warm.explored.any() and (warm.observations != hot.observations).any()


def test_the_games_of_an_actor_go_on_where_they_were_saved():
    going, restored = exploring(exploring_decisions=600), exploring(exploring_decisions=600)
    played(going)
    restored.restore(going.state())
    np.testing.assert_array_equal(played(going)[0].targets, played(restored)[0].targets)
    assert going.states.tobytes() == restored.states.tobytes()


def test_the_temperature_stays_where_no_decision_is_counted(monkeypatch):
    config = tables(afterstate={"steps": 40})
    learner = AfterstateLearner(Environments(config.games.options), config)
    learner.begin(5)
    collect, before = learner.actors.collect, learner.temperature

    def uncounted(*arguments):
        return [played._replace(tally=np.zeros_like(played.tally)) for played in collect(*arguments)]

    monkeypatch.setattr(learner.actors, "collect", uncounted)
    assert "entropy" not in learner.iterate(1, 1.0) and learner.temperature == before
    monkeypatch.undo()
    assert "entropy" in learner.iterate(2, 1.0) and learner.temperature != before


@pytest.mark.parametrize("decay", [0, 0.75])
def test_an_exponential_moving_average_of_the_weights_plays(decay):
    config = tables(afterstate={"ema_decay": decay, "steps": 40})
    learner = AfterstateLearner(Environments(config.games.options), config)
    learner.begin(5)
    for number in (4, 5):  # the earliest ones weigh all iterations alike
        before = learner.acting.copy()
        learner.iterate(number, 0.5)
        mixed = decay * before + (1 - decay) * learner.optimiser.folded
        np.testing.assert_allclose(learner.acting, mixed, rtol=1e-5, atol=1e-6)
        assert (learner.player()["democrat"].weights == learner.acting).all() and (learner.acting != before).any()


@pytest.mark.parametrize("more", [{}, {"opponent": "greedy"}], ids=str)
def test_a_resumed_run_goes_on_to_the_bit(tmp_path, more):
    whole = Training(tables(afterstate=more), tmp_path / "whole")
    whole.run()
    resumed = interrupted_run(tables(afterstate=more), tmp_path / "broken", 2)
    resumed.run()
    ours, theirs = whole.learner, resumed.learner
    assert (ours.acting == theirs.acting).all() and ours.actors.states.tobytes() == theirs.actors.states.tobytes()
    assert whole.iteration == resumed.iteration == 5
    scores, sampled = whole.finish()
    assert set(scores) == {("democrat", "random"), ("communist", "random")} and sampled is None
    whole.close()
    resumed.close()


class Witness(RandomPlayer):
    """A random player that records the sides it played and how many views it saw."""

    def __init__(self):
        super().__init__(3)
        self.sides, self.seen = set(), 0

    def choose(self, observations, masks):
        self.sides |= set(observations[:, STANDARD_LAYOUT.slices["side"]].ravel().tolist())
        self.seen += len(masks)
        return super().choose(observations, masks)


@pytest.mark.parametrize("side", ["both", "communist"])
def test_a_fixed_opponent_decides_for_the_other_side_and_its_decisions_count_and_teach_nothing(side):
    config = tables(run={"side": side}, afterstate={"opponent": "random", "steps": 400})
    learner = AfterstateLearner(Environments(), config)
    learner.begin(5)
    before, actor = learner.optimiser.learnt.copy(), learner.actors
    actor.opponent = Witness()
    metrics = learner.iterate(1, 1.0)
    rollout, expected = actor.rollout, [0, 1] * 4 if side == "both" else [1] * 8
    assert (rollout.movers == expected).all() and learner.environments.spent == 8 * 400
    assert actor.opponent.seen > 1000 and len(actor.opponent.sides) == len(set(expected))
    assert learner.sides == (("democrat", "communist") if side == "both" else ("communist",))
    assert ((before != learner.optimiser.learnt).any((1, 2)) == [side == "both", True]).all()
    last = np.argwhere(rollout.ended_after)
    assert len(last) > 2 and not (rollout.ended & rollout.ended_after).any()
    for t, g in last:
        assert rollout.targets[t, g, RESULT] == (1 - 2 * expected[g]) * rollout.ends[t, g, RESULT]
    points = [metrics[f"{name}/points/random"] for name in learner.sides]
    assert len(points) == len(set(expected)) and all(0 <= one <= 1 for one in points)


def test_a_run_starts_from_values_of_its_shape(tmp_path):
    training = Training(tables(run={"start": str(SHIPPED)}, afterstate={"width": 64}), tmp_path / "run")
    training.begin()
    learner, policies = training.learner, training.learner.player()
    for number, side in enumerate(SIDE_NAMES):
        values = read_values(SHIPPED / f"{side}.zip")[1]
        for weights in (learner.optimiser.folded, learner.acting, policies[side].weights):
            assert (weights[number] == values).all()
    training.close()
    with pytest.raises(ConfigError, match="run.start: afterstate.width: 64 in the files, 16 in the settings"):
        Training(tables(run={"start": str(SHIPPED)}), tmp_path / "narrow").begin()


def test_a_policy_plays_as_what_the_run_leaves_does():
    asked = [view for game in random_positions(8, 2, most=160) if (view := View(game.state)).side == DEMOCRAT]
    alone = [make_player(f"value:{SHIPPED / 'democrat.zip'}").choose(view) for view in asked]
    with_answers = [make_player("value").choose(view) for view in asked]
    assert alone != with_answers
    path = SHIPPED / "democrat.zip"
    for more, told, expected in (
        ({}, f"value:{SHIPPED}", with_answers),
        ({"run": {"side": "democrat"}, "afterstate": {"opponent": "random"}}, f"value:{path}", alone),
    ):
        learner = AfterstateLearner(Environments(), tables(**more))
        loaded, _ = learner.load(path)
        assert learner.specification(path) == told
        assert [loaded.player("loaded").choose(view) for view in asked] == expected
    learner = AfterstateLearner(Environments(), tables(afterstate={"width": 64}))
    for side in SIDE_NAMES:
        learner.start_from(side, learner.load(SHIPPED / f"{side}.zip")[0])
    current = learner.player()["democrat"].player("current")
    assert [current.choose(view) for view in asked] == with_answers


def test_another_opponent_is_refused_when_a_run_goes_on(tmp_path):
    state = AfterstateLearner(Environments(), tables(afterstate={"opponent": "random"})).state()
    with pytest.raises(ConfigError, match="afterstate.opponent: 'random' in the checkpoint, None in the settings"):
        AfterstateLearner(Environments(), tables()).restore(state)


def test_answers_that_are_not_legal_are_refused_with_the_name_of_the_player():
    learner = AfterstateLearner(Environments(), tables(afterstate={"opponent": "random"}))
    learner.begin(5)
    learner.actors.opponent = function_player("cheat", lambda observations, masks: masks.argmin(1))
    with pytest.raises(IllegalAction, match="answers of cheat cannot be used: illegal in"):
        learner.iterate(1, 1.0)


class Listener(RandomPlayer):
    wants_events = True


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"run": {"side": "democrat"}}, "run.side: both expected with afterstate"),
        ({"games": {"options": {"bid": True}}}, "games.options.bid: games without a bid expected with afterstate"),
        ({"games": {"at_once": 1024}, "afterstate": {"steps": 4096}}, "games.at_once times afterstate.steps: at most"),
        ({"imitation": {"games": 2}}, "imitation.games: a learner of networks expected, not afterstate"),
        ({"afterstate": {"opponent": "nobody"}}, "afterstate.opponent: no player is called 'nobody'"),
        (
            {"afterstate": {"opponent": "process:true"}},
            "afterstate.opponent: .* one game at a time and cannot be an opp",
        ),
        ({"afterstate": {"opponent": f"{__name__}:Listener"}}, "afterstate.opponent: .* told the events"),
        (
            {"afterstate": {"opponent": f"value:{SHIPPED}/democrat.zip"}},
            "afterstate.opponent: .* has no values for the communist; run.side is the side that learns",
        ),
        (
            {"run": {"executor": "ray"}, "afterstate": {"opponent": "random"}},
            'run.executor: "local" expected with afterstate.opponent',
        ),
        ({"games": {"at_once": 1}, "afterstate": {"opponent": "random"}}, "games.at_once: a game for each side"),
    ],
)
def test_what_it_cannot_learn_is_refused(tmp_path, changes, words):
    with pytest.raises(ConfigError, match=words):
        Training(tables(**changes), tmp_path).begin()


@pytest.mark.parametrize(
    "change", [{"width": 20}, {"traces": [0.5]}, {"final_learning_rate": 0.0}, {"mix": [2, 0, 0, 0]}, {"ema_decay": 1}]
)
def test_impossible_settings_are_refused(change):
    with pytest.raises(ConfigError, match=f"afterstate.{next(iter(change))}"):
        tables(afterstate=change)
