"""Training: it learns, resumes exactly, keeps its league's books, and says what is wrong with its settings."""

import csv
import dataclasses
import errno
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
import torch
from dawn_agents.command_line import exit_status
from dawn_agents.players.networks.policy_file import load_policy
from dawn_agents.players.networks.policy_metadata import PolicyFileError
from dawn_agents.players.networks.policy_networks import NetworkOptions
from dawn_agents.players.registry import make_player
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.rating.estimates import Score
from dawn_agents.training.checkpoint import CheckpointError
from dawn_agents.training.environments import Environments
from dawn_agents.training.imitation import collect
from dawn_agents.training.league import LeaguePool, anchors
from dawn_agents.training.learner import PolicyMetadata
from dawn_agents.training.maskable_ppo import MaskablePpo
from dawn_agents.training.network_trainer import MOST_LOGIT, check_bounded
from dawn_agents.training.policy_matches import mean_rate
from dawn_agents.training.training_config import (
    ConfigError,
    Imitation,
    LeagueConfig,
    load_config,
    parse_config,
    to_tables,
)
from dawn_agents.training.training_loop import Training
from paths import ROOT
from tiny_runs import interrupted_run, tables

from dawn_env.observation import SLICES
from dawn_env.tables import SIDE_NAMES

SMALL = NetworkOptions(width=16, depth=1, space_width=4, card_width=4)


def flat(network):
    """Weights float32 [n] on the CPU, since a network may be on a graphics card and a file is read on the CPU."""
    return torch.cat([values.cpu().flatten() for values in network.state_dict().values()])


def weights(training):
    return torch.cat([flat(learner.policy.network) for learner in training.learner.learners.values()])


# --- the whole run ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """A finished training run, closed."""
    training = Training(parse_config(tables()), tmp_path_factory.mktemp("whole") / "run")
    training.run()
    training.close()
    return training


@pytest.fixture
def saved_run(whole_run, tmp_path):
    """Copy of the folder of the finished run."""
    return Path(shutil.copytree(whole_run.folder, tmp_path / "run"))


def test_resumed_run_equals_an_uninterrupted_one(whole_run, tmp_path):
    resumed = interrupted_run(parse_config(tables()), tmp_path / "broken", 4)
    resumed.run()
    assert resumed.iteration == whole_run.iteration == 6
    assert torch.equal(weights(whole_run), weights(resumed))
    assert [set(row) for row in whole_run.progress.history] == [set(row) for row in resumed.progress.history]
    with open(tmp_path / "broken" / "metrics.csv", encoding="utf-8") as file:
        assert [row["iteration"] for row in csv.DictReader(file)] == list("0012234456"), "twice where matches follow"
    resumed.close()


def measured(history):
    """Iteration numbers of the rows with match results."""
    return [row["iteration"] for row in history if "anchor/communist/random" in row]


def test_matches_follow_each_part_of_a_run(whole_run, saved_run):
    assert measured(whole_run.progress.history) == [0, 2, 4], "those at the end are played by finish"
    resumed = Training.resume(saved_run)
    scores, _ = resumed.finish()
    resumed.close()
    assert measured(resumed.progress.history) == [0, 2, 4, 6]
    with open(saved_run / "metrics.csv", encoding="utf-8") as file:
        last = list(csv.DictReader(file))[-1]
    assert float(last["anchor/communist/random"]) == scores["communist", "random"].rate


def test_matches_that_a_stop_breaks_off_are_played_when_the_run_goes_on(whole_run, tmp_path):
    stopped = Training(parse_config(tables()), tmp_path / "run")
    stopped.stop = True
    stopped.run()
    stopped.close()
    assert stopped.progress.latest_matches is None and not stopped.policy_path("democrat").exists()
    resumed = Training.resume(tmp_path / "run")
    resumed.run()
    resumed.close()
    assert measured(resumed.progress.history) == measured(whole_run.progress.history)
    assert torch.equal(weights(whole_run), weights(resumed)) and resumed.policy_path("democrat").exists()


def test_a_run_with_bids_learns_both_sides_with_handicaps(tmp_path):
    """Warm starts and games of its own; what is kept plays games with and without a bid."""
    settings = tables(
        games={"options": {"bid": True}}, network=dataclasses.asdict(SMALL) | {"advice": True},
        imitation={"games": 2, "rounds": 2, "epochs": 1}, evaluation={"games": 2, "final_games": 2},
        distillation={"games": 1, "keep": 0.1, "deals": 1, "plays": 1, "epochs": 1},
        limits={"decisions": 2 * 2 * 16 * 16},
    )  # fmt: skip
    training = Training(parse_config(settings), tmp_path)
    training.run()
    for side, learner in enumerate(training.learner.learners.values()):
        states = learner.games.states
        assert (learner.games.sides == side).all() and len(np.unique(states["extra_support"], axis=0)) > 3
    scores, sampled = training.finish()
    training.close()
    assert {score.games for score in (*scores.values(), *sampled.values())} == {2}
    resumed = Training.resume(tmp_path)
    assert (
        resumed.learner.learners["democrat"].games.states.tobytes()
        == training.learner.learners["democrat"].games.states.tobytes()
    )
    players = [make_player(f"policy:{training.policy_path(side)}") for side in SIDE_NAMES]
    for options in (None, {"extra_support": [0, 3]}):
        ((_, outcome),) = play_games([Pairing(1, *players)], options=options)
        assert not outcome.failure
    resumed.close()


def test_a_run_goes_on_from_the_policies_of_another(whole_run, tmp_path):
    start = whole_run.folder / "policies"
    second = Training(parse_config(tables(run={"threads": 1, "seed": 2, "start": str(start)})), tmp_path / "second")
    second.begin()
    for side in SIDE_NAMES:
        kept, info = load_policy(start / f"{side}.zip")
        assert torch.equal(flat(second.learner.learners[side].policy.network), flat(kept))
        assert load_policy(second.policy_path(side))[1].training["start"] == info.training
    second.close()
    resumed = Training.resume(tmp_path / "second")
    assert resumed.origins == second.origins and len(resumed.origins) == 2
    resumed.close()


@pytest.mark.parametrize("taught", ["start", "imitation"])
def test_the_side_that_does_not_learn_stays_as_it_began(whole_run, tmp_path, taught):
    """As the opponent of the other one, after a break too."""
    start, run = whole_run.folder / "policies", {"threads": 1, "seed": 2, "side": "democrat"}
    changes = {"run": run | {"start": str(start)}} if taught == "start" else {"run": run, "imitation": {"games": 2}}
    fresh = Training(parse_config(tables(run=run)), tmp_path / "fresh")
    training = Training(parse_config(tables(**changes)), tmp_path / "run")
    training.begin()
    training.close()
    resumed = Training.resume(tmp_path / "run")
    untaught, begun, idle = (
        flat(one.learner.learners["communist"].policy.network) for one in (fresh, training, resumed)
    )
    assert torch.equal(begun, idle) and not torch.equal(begun, untaught)
    resumed.close()
    fresh.close()


def test_policies_that_cannot_be_gone_on_from_are_named(tmp_path):
    def begin(start, **changes):
        settings = tables(run={"threads": 1, "start": str(start)}, **changes)
        Training(parse_config(settings), tmp_path / "run").begin()

    with pytest.raises(PolicyFileError, match="nowhere/democrat.zip: there is no such policy file"):
        begin(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="run.start: .*have other settings: network.width: 128 in the files, 32 "):
        begin(PRETRAINED)
    swapped = tmp_path / "swapped"
    swapped.mkdir()
    for side, other in zip(SIDE_NAMES, reversed(SIDE_NAMES), strict=True):
        (swapped / f"{side}.zip").write_bytes((PRETRAINED / f"{other}.zip").read_bytes())
    with pytest.raises(ConfigError, match="run.start: .*democrat.zip is a policy of the communist"):
        begin(swapped)
    family = tables(games={"options": {"mode": "family"}}, limits={"decisions": 1})
    Training(parse_config(family), tmp_path / "family").run()
    with pytest.raises(ConfigError, match="run.start: .*democrat.zip is a policy of the family game"):
        begin(tmp_path / "family/policies")
    assert not (tmp_path / "run" / "config.json").exists()


def test_a_run_ends_with_a_table_and_two_policies(saved_run):
    training = Training.resume(saved_run)
    scores, sampled = training.finish()
    training.close()
    assert set(scores) == set(sampled) == {(side, "random") for side in SIDE_NAMES}
    for side in SIDE_NAMES:
        _, info = load_policy(training.policy_path(side))
        assert info.side == side and info.ratings["random"]["games"] == 8
        assert parse_config(info.training["config"]) == training.config
    assert (saved_run / "rates.png").stat().st_size > 1000
    frozen = sorted(path.name for path in (saved_run / "league").iterdir())
    assert frozen == [f"{side}-past-{number:05}.zip" for side in ("communist", "democrat") for number in (2, 4, 6)]


def test_the_best_of_three_is_kept_at_the_end(saved_run):
    training = Training.resume(saved_run)
    met = []
    wins = {"democrat": (5, 5, 9), "communist": (5, 9, 5)}  # of the policy kept so far, the last one, the average

    def evaluate(games, purpose, policies, sample=False):
        met.append((purpose, policies))
        return {(side, "random"): Score(10, (*wins[side], 0, 0)[len(met) - 1], 0) for side in SIDE_NAMES}

    training.evaluate = evaluate
    training.finish()
    training.close()
    assert [purpose for purpose, _ in met] == ["choice", "choice", "choice", "final", "final"]
    for side, chosen, other in (("democrat", 2, 1), ("communist", 1, 2)):
        kept = flat(load_policy(training.policy_path(side))[0])
        assert torch.equal(kept, flat(met[chosen][1][side].network))
        assert not torch.equal(kept, flat(met[other][1][side].network))


def test_time_limit_ends_a_run(tmp_path):
    changes = {"limits": {"minutes": 0}, "evaluation": {"games": 2, "final_games": 2}}
    training = Training(parse_config(tables(**changes)), tmp_path)
    training.run()
    assert all(set(scores) == {(side, "random") for side in SIDE_NAMES} for scores in training.finish())
    training.close()
    assert training.iteration == 0 and all(training.policy_path(side).exists() for side in SIDE_NAMES)


@pytest.mark.parametrize(("told", "threads"), [({}, 3), ({"threads": 2}, 2)])
def test_threads_are_those_of_the_settings_or_of_the_environment(tmp_path, monkeypatch, told, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    used = []
    monkeypatch.setattr(torch, "set_num_threads", used.append)
    training = Training(parse_config(tables() | {"run": told}), tmp_path)
    training.close()
    assert used == [training.threads] == [threads]


def test_learning_beats_random_play(tmp_path):
    warm = {"teacher": "heuristic", "games": 16, "rounds": 2, "epochs": 4, "batch_size": 256, "learning_rate": 2e-3}
    settings = tables(network={"width": 64}, imitation=warm, games={"at_once": 64}, limits={"decisions": 8192})
    training = Training(parse_config(settings), tmp_path)
    training.begin()
    before = weights(training)
    training.run()
    scores = training.evaluate(60, "test")
    training.close()
    metrics = ("agreement", "cross_entropy", "value_loss")
    assert {f"imitation/{side}/{name}" for side in SIDE_NAMES for name in metrics} <= set(training.progress.history[0])
    assert not torch.equal(before, weights(training))
    assert all(mean_rate(scores, side) > 0.75 for side in SIDE_NAMES)


# --- parts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDE_NAMES)
def test_rewards_and_bootstrap_at_the_end_of_a_game(side):
    config = parse_config(tables(ppo={"steps": 400, "gamma": 1.0, "gae_lambda": 1.0, "epochs": 1}))
    learner = MaskablePpo(side, Environments(), config)
    learner.begin(5)
    learner.iterate(1, 1.0)
    buffer = learner.model.rollout_buffer  # flattened by the update: game after game
    rewards, starts, returns = (
        values.reshape(16, 400) for values in (buffer.rewards.T, buffer.episode_starts.T, buffer.returns)
    )
    counts = learner.env.results()["random", side]
    assert (rewards == 1).sum() == counts["wins"] > 0 and (rewards == -1).sum() == counts["losses"] > 0
    for row in range(16):
        last = np.flatnonzero(starts[row, 1:])  # the decision before a new game starts
        assert set(np.flatnonzero(rewards[row, :399])) <= set(last)  # draws give 0
        before = 0
        for end in last:
            np.testing.assert_allclose(returns[row, before : end + 1], rewards[row, end], atol=1e-4)
            before = end + 1


def test_value_warmup_leaves_the_policy_alone():
    config = parse_config(tables(ppo={"value_warmup": 1}))
    learner = MaskablePpo("democrat", Environments(), config)
    learner.begin(1)
    before = {name: values.clone() for name, values in learner.policy.network.state_dict().items()}
    learner.iterate(1, 1.0)
    after = learner.policy.network.state_dict()
    changed = {name for name, values in before.items() if not torch.equal(after[name], values)}
    assert changed and all(name.startswith("value_head") for name in changed)


def test_no_folder_of_logs_is_left_among_temporary_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    MaskablePpo("democrat", Environments(), parse_config(tables())).begin(1)
    assert list(tmp_path.glob("SB3-*")) == []  # torch may keep a folder of its own


def test_league_keeps_its_books(tmp_path):
    options = LeagueConfig(newest=0.5, past=0.3, anchors={"random": 0.2}, size=2, memory=0.5, focus=1)
    other = MaskablePpo("communist", Environments(), parse_config(tables(network=dataclasses.asdict(SMALL))))
    pool = LeaguePool(options, other, anchors(options, 0), tmp_path, 0)
    assert [player.name for player in pool.opponents()[0]] == ["newest", "random"]
    assert pool.opponents()[1] == [0.8, 0.2]
    for number in (1, 2):
        pool.freeze(PolicyMetadata("communist"), number)
    counts = {"games": 4, "wins": 0, "draws": 0, "losses": 4}
    pool.update_scores({("past-00001", "democrat"): counts, ("random", "democrat"): counts})
    assert [past.score for past in pool.past] == [0.75, 0.5]
    _, shares = pool.opponents()
    assert shares[:2] == [0.5, 0.2] and sum(shares) == pytest.approx(1) and shares[2] > shares[3]
    pool.freeze(PolicyMetadata("communist"), 3)
    assert [past.player.name for past in pool.past] == ["past-00001", "past-00003"]  # the weaker one has left
    again = LeaguePool(options, other, anchors(options, 0), tmp_path, 0)
    again.restore(pool.state())
    assert again.state() == pool.state() and again.find("past-00002").name == "past-00002"


@pytest.mark.parametrize("player", ["human", "process:python3 docs/examples/bot.py"])
def test_players_of_one_game_at_a_time_cannot_be_anchors_or_teach(player):
    with pytest.raises(ConfigError, match="league.anchors: .* plays one game at a time and cannot be an anchor"):
        anchors(LeagueConfig(anchors={player: 1.0}), 0)
    with pytest.raises(ConfigError, match="imitation.teacher: .* plays one game at a time and cannot teach"):
        collect(Imitation(teacher=player, games=1), 1)


# --- imitation --------------------------------------------------------------------------------------


def test_datasets_hold_what_the_teacher_did_and_how_it_ended():
    options = Imitation(teacher="heuristic", games=6, random_share=0.5)
    datasets = collect(options, 1)
    for side, known in enumerate(datasets):
        assert (known["observations"][:, SLICES["side"].start] == side).all()
        legal, actions = np.unpackbits(known["masks"], axis=1, count=234), known["actions"]
        assert legal[np.arange(len(actions)), actions].all()
        assert set(np.unique(known["outcomes"])) <= {-1, 0, 1}
    again = collect(options, 1)[0]
    assert all((values == again[name]).all() for name, values in datasets[0].items())


# --- settings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ppo": {"learning_rat": 1}}, "ppo: unknown key 'learning_rat'; did you mean 'learning_rate'"),
        ({"ppo": {"epochs": "many"}}, "ppo.epochs: a valid integer expected, not 'many'"),
        ({"ppo": {"entropy": float("nan")}}, "ppo.entropy: a finite number expected, not nan"),
        ({"ppo": {"entropy": 10**400}}, "ppo.entropy: a valid number expected, not 1000"),
        ({"ppo": {"batch_size": 255}}, "ppo.batch_size: 255 leaves a single one of 256 decisions"),
        ({"network": {"kind": "cnn"}}, "network.kind: 'map', 'sparse' or 'afterstate' expected, not 'cnn'"),
        ({"league": {"anchors": {"random": -1}}}, "league.anchors.random: greater than or equal to 0 expected, not -1"),
        ({"league": {"anchors": {}}}, "league: anchors: at least one expected"),
        ({"league": {"newest": 0, "past": 0, "anchors": {"random": 0}}}, "league: newest, past, anchors: all are 0"),
        ({"limits": {"decisions": True}}, "limits.decisions: a valid integer expected, not True"),
        ({"games": {"at_once": 16384}, "ppo": {"steps": 64}}, "games.at_once times ppo.steps: 2 ... 262144"),
        ({"imitation": {"games": 10**9}}, "imitation.games: less than or equal to 50000"),
    ],
)
def test_bad_settings_are_named(change, words):
    with pytest.raises(ConfigError, match=words):
        parse_config(tables(**change))


def test_tables_may_be_left_out_and_unknown_ones_are_named():
    assert parse_config({"league": {"newest": 0.2}}).league == LeagueConfig(newest=0.2)
    with pytest.raises(ConfigError, match="unknown key 'leage'; did you mean 'league'"):
        parse_config({"leage": {}})


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_configs_are_valid(path):
    config = load_config(path)
    assert parse_config(to_tables(config)) == config


def test_single_settings_can_be_changed(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("[run]\nseed = 1\n")
    config = load_config(
        path, ["run.seed=5", "limits.minutes=0.5", "run.learner=sparse-ppo", "afterstate.mix=[0, 0, 1, 0]"]
    )
    assert (config.run.seed, config.limits.minutes, config.run.learner) == (5, 0.5, "sparse-ppo")
    assert config.afterstate.mix == (0, 0, 1, 0) and path.read_text() == "[run]\nseed = 1\n"
    for change, words in (
        ("seed=5", "--set: TABLE.KEY=VALUE expected"),
        ("run.seed", "--set: TABLE.KEY=VALUE expected"),
        ("run.sed=5", "with --set: run: unknown key 'sed'; did you mean 'seed'"),
        ("run.seed=many", "with --set: run.seed: a valid integer expected, not 'many'"),
    ):
        with pytest.raises(ConfigError, match=words):
            load_config(path, [change])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("settings.toml", "run = " + "[" * 10_000, "not TOML"),
        ("settings.toml", "[run]\nseed = " + "9" * 5_000, "not TOML"),
        ("settings.toml", "[run]\nseed = 0x" + "f" * 5_000, "run.seed: .* too long to show"),
        ("settings.toml", "# " + "x" * 2**20, "longer than 1,048,576 bytes"),
        ("settings.toml", "run = 1", "run: an object expected, not 1"),
        ("config.json", "", "not JSON: Expecting value"),
        ("config.json", "[]", "an object expected"),
        ("config.json", "[" * 9999 + "]" * 9999, "more than 64"),
        ("config.json", '{"run": 1', "delimiter"),
    ],
)
def test_damaged_settings_are_named(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        Training.resume(tmp_path) if name == "config.json" else load_config(path)
    assert f"{path}: " in str(caught.value) and str(caught.value).isprintable()
    assert path.read_text() == text and [*tmp_path.iterdir()] == [path]


def test_steps_that_are_too_large_are_named(tmp_path):
    settings = tables(ppo={"learning_rate": 1.0, "final_learning_rate": 1.0, "max_grad_norm": 1000.0})
    training = Training(parse_config(settings), tmp_path)
    learner = training.learner.learners["democrat"]
    training.learner.begin(1)
    with torch.no_grad():
        next(learner.policy.network.parameters()).fill_(1e38)
    with pytest.raises(ConfigError, match="ppo.learning_rate: a lower one expected"):
        learner.iterate(1, 1.0)


# --- a run's folder that is damaged -----------------------------------------------------------------


@pytest.mark.parametrize(
    "change, words",
    [
        ({"run": {"seed": 2}}, "run.seed: 1 in the checkpoint, 2 in the settings; it cannot be changed in a run"),
        ({"run": {"side": "democrat"}}, "run.side: 'both'"),
        ({"games": {"at_once": 32}}, "games.at_once: 16"),
        ({"games": {"options": {"extra_support": [1, 0]}}}, "games.options: "),
        ({"network": {"width": 16}}, "network.width: 32"),
        ({"league": {"anchors": {"heuristic": 1.0}}}, r"league.anchors: \['random'\]"),
        ({"run": {"learner": "sparse-ppo"}}, "run.learner: 'maskable-ppo'"),
    ],
)
def test_settings_that_cannot_be_changed_in_a_run_are_named(saved_run, change, words):
    change_settings(saved_run, change)
    with pytest.raises(CheckpointError, match=f"checkpoint.pt: {words}"):
        Training.resume(saved_run)


def test_other_settings_can_be_changed_in_a_run(saved_run):
    change_settings(saved_run, {"ppo": {"epochs": 1}, "evaluation": {"games": 4}, "limits": {"decisions": 1}})
    Training.resume(saved_run).close()
    change_settings(saved_run, {"league": {"anchors": {"random": 0.9}}, "network": {"card_width": 4}})
    Training.resume(saved_run).close()


def change_settings(folder, changes):
    path = folder / "config.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | {name: told[name] | table for name, table in changes.items()}))


def test_a_run_is_trained_by_one_process_at_a_time(saved_run):
    pytest.importorskip("fcntl")
    first = Training.resume(saved_run)
    with pytest.raises(CheckpointError, match="run is being trained already"):
        Training.resume(saved_run)
    first.close()
    Training.resume(saved_run).close()


@pytest.mark.parametrize("left", ["metrics.csv", "policies"])
def test_a_checkpoint_that_is_gone_is_missed(saved_run, left, capsys):
    (saved_run / "checkpoint.pt").unlink()
    if left == "metrics.csv":
        with pytest.raises(CheckpointError, match=r"no checkpoint to resume from \(checkpoint.pt is missing"):
            Training.resume(saved_run)
        return
    (saved_run / "metrics.csv").unlink()  # as after a kill before the first checkpoint
    training = Training.resume(saved_run)
    training.begin()
    training.close()
    assert f"{saved_run} holds no checkpoint yet: the run begins anew" in capsys.readouterr().out


def test_settings_are_written_in_full_or_not_at_all(tmp_path, monkeypatch):
    training = Training(parse_config(tables()), tmp_path)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("json.dump", interrupted)
    with pytest.raises(KeyboardInterrupt):
        training.begin()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["policies", "run.lock"]


def test_a_frozen_policy_that_is_damaged_is_named(saved_run):
    path = saved_run / "league" / "democrat-past-00006.zip"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(PolicyFileError, match="league/democrat-past-00006.zip: not a policy file"):
        Training.resume(saved_run)


def test_a_graphics_card_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match="run.device: torch finds no graphics card"):
        Training(parse_config(tables(run={"threads": 1, "device": "cuda"})), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_checkpoints_that_are_none_are_refused(saved_run):
    path = saved_run / "checkpoint.pt"
    data, numbers = path.read_bytes(), {"iteration": 3}
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1  # in the numbers: torch would not notice
    for contents in (bytes(changed), data[:-100], b"PK nothing", b""):
        path.write_bytes(contents)
        with pytest.raises(CheckpointError, match="run/checkpoint.pt: damaged checkpoint: "):
            Training.resume(saved_run)
        assert path.read_bytes() == contents
    torch.save(numbers, path)
    with pytest.raises(CheckpointError, match="run/checkpoint.pt: format None, but format 6 is needed$"):
        Training.resume(saved_run)


def nested(times, make):
    value = [1]
    for _ in range(times):
        value = make(value)
    return value


def circle():
    value = []
    value.append(value)
    return value


HOSTILE = {
    "shared": lambda saved: saved["state"].update(origins=nested(40, lambda value: [value, value])),
    "deep": lambda saved: saved["state"].update(origins=nested(400, lambda value: [value])),
    "circle": lambda saved: saved["state"].update(origins=circle()),
    "repeated": lambda saved: saved["state"].update(origins={"__array__": torch.zeros(1).expand(10**12)}),
    "no settings": lambda saved: saved.pop("settings"),
    "fewer settings": lambda saved: saved["settings"].pop("run.seed"),
    "settings of a list": lambda saved: saved.update(settings=[]),
    "no state": lambda saved: saved.pop("state"),
    "empty state": lambda saved: saved.update(state={}),
    "a text": lambda saved: saved.update(state="x"),
    "no array": lambda saved: saved.update(state={"__array__": 1}),
    "no games": lambda saved: saved.update(state={"__games__": torch.zeros(3, dtype=torch.uint8)}),
    "impossible games": lambda saved: saved["state"]["learner"]["games"]["democrat"]["states"]["__games__"].fill_(77),
    "iteration": lambda saved: saved["state"].update(iteration="many"),
    "seconds": lambda saved: saved["state"].update(seconds=float("nan")),
    "best rates": lambda saved: saved["state"].update(best_rates={}),
    "history": lambda saved: saved["state"].update(history=3),
    "generators": lambda saved: saved["state"]["random"].update(numpy=()),
    "opponents": lambda saved: saved["state"]["learner"]["games"]["democrat"].update(players=[]),
    "decisions": lambda saved: saved["state"].update(decisions="x"),
    "optimizer": lambda saved: saved["state"]["learner"]["learners"]["democrat"].update(optimizer={}),
    "pools": lambda saved: saved["state"]["learner"]["pools"].clear(),
}


@pytest.mark.parametrize("change", HOSTILE)
def test_checkpoints_of_something_else_are_refused(saved_run, change):
    path = saved_run / "checkpoint.pt"
    saved = torch.load(path, weights_only=True)
    HOSTILE[change](saved)
    torch.save(saved, path)
    with pytest.raises(CheckpointError, match="run/checkpoint.pt: damaged checkpoint: .") as caught:
        Training.resume(saved_run)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("logit", [float("nan"), float("inf"), -float("inf"), -1e9, 1e9])
def test_answers_that_masks_cannot_hold_back_end_the_learning(logit):
    """Legal actions of -1e9 would be less likely than those that are not legal."""
    check_bounded([torch.tensor([[-1e6, 1e6]])], "ppo.learning_rate", MOST_LOGIT)
    with pytest.raises(ConfigError, match="^ppo.learning_rate: a lower one expected"):
        check_bounded([torch.tensor([[0.0, logit]])], "ppo.learning_rate", MOST_LOGIT)


def test_a_full_disk_is_no_bad_setting(capsys):
    def fail():
        raise OSError(errno.ENOSPC, "No space left on device", "runs/quick/checkpoint.pt")

    assert exit_status(fail, "") == 1
    assert capsys.readouterr().err.startswith("error: ")
