"""The benchmark suite: budgets, scores that depend on players and seed alone, results, reports, commands."""

import copy
import importlib
import json
import os
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from dawn_agents import machine_speed
from dawn_agents.commands import suite as command
from dawn_agents.players.afterstate.value_files import SHIPPED as VALUES
from dawn_agents.players.registry import looks_ahead, make_player
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.rating.estimates import Estimate
from dawn_agents.training.dataset.dataset_files import checksum
from dawn_agents.training.environments import TRACKS, BudgetSpent, Environments
from dawn_agents.training.learner import RECIPES, Learner, full_name, learner_class
from dawn_agents.training.suite import suite_run
from dawn_agents.training.suite.player_scoring import _in_words
from dawn_agents.training.suite.result_checks import problems
from dawn_agents.training.suite.result_files import interquartile_mean, read_result, summarise
from dawn_agents.training.suite.suite_report import by_task, cells, headings, markdown
from dawn_agents.training.suite.suite_run import run_task, score_players
from dawn_agents.training.suite.task_declarations import LANGUAGE, TASKS, task_called
from dawn_agents.training.suite.trained_players import track_refusal, ways_to_play
from dawn_agents.work.process_pool import Processes
from learning_agents import Greedy, network
from paths import ROOT
from processes import python

from dawn_env import __version__
from dawn_env.errors import BadInput
from dawn_env.observation.view_layouts import STANDARD_LAYOUT

OPPONENTS = ("random", "heuristic:level=1", "heuristic:level=3")  # of those of the task; to load all takes longer
TINY = replace(task_called("learn-1M"), decisions=400, opponents=OPPONENTS, evaluation_games=4, curve_games=2)


def run_tiny(agent, out, *more, task=TINY, **settings):
    """Run a learner of ``learning_agents`` with three checkpoints in place of ten."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suite_run, "CHECKPOINTS", 3)
        return run_task(task, f"learning_agents:{agent}", [1], out, *more, **settings)


def played(value, low=None, high=None, beyond=""):
    return Estimate.of_known({"value": value, "low": low, "high": high, "beyond": beyond})


# --- declarations and statistics -------------------------------------------------------------------


def test_published_tasks_have_not_changed():
    """Who changes a task gives it another version, and another line here."""
    declared = {task.label: (task.decisions, task.seconds, task.milliseconds, task.score) for task in TASKS.values()}
    assert declared == {
        "learn-1M v1": (10**6, None, None, "elo"), "learn-10M v1": (10**7, None, None, "elo"),
        "hour v1": (None, 3600.0, None, "elo"), "imitate-1k v1": (None, None, None, "elo"),
        "imitate-10k v1": (None, None, None, "elo"), "plan-10ms v1": (None, None, 10.0, "elo"),
        "plan-100ms v1": (None, None, 100.0, "elo"), "exploit v1": (10**7, None, None, "percent"),
        "family-1M v1": (10**6, None, None, "percent"), "text-100 v1": (None, None, None, "elo"),
    }  # fmt: skip
    assert {task.evaluation_seed for task in TASKS.values()} == {1989}
    with pytest.raises(BadInput, match="one of learn-1M, "):
        task_called("learn-2M")


def test_the_mean_is_of_the_middle_half_and_its_interval_holds_the_truth():
    scores = [played(value, value - 1, value + 1) for value in (0, 10, 20, 30, 1000, 25, 15, -900)]
    found = interquartile_mean(scores)
    assert found.value == pytest.approx(np.mean([10, 15, 20, 25]))
    random, inside = np.random.default_rng(1), 0
    for _ in range(200):
        truths = 100 + 50 * random.standard_normal(10)
        measured = truths + 20 * random.standard_normal(10)
        found = interquartile_mean([played(value, value - 39.2, value + 39.2) for value in measured])
        inside += found.low <= 100 <= found.high
    assert 170 < inside


def test_a_seed_that_lost_everything_makes_a_bound():
    lost = played(None, None, -300.0, "below")
    found = interquartile_mean([lost, lost, lost])
    assert found.known("value") == lost.known("value") and found.text() == "below -300"
    mixed = interquartile_mean([lost, played(10.0, 0.0, 20.0), played(20.0, 10.0, 30.0)])
    assert mixed.beyond == "below" and -100 < mixed.high < 30
    won = played(None, 700.0, None, "above")
    assert interquartile_mean([won]).text() == "above +700"
    assert interquartile_mean([won, lost]).text() == "no bound"
    unknown = played(None, None, None, "above and below")
    assert interquartile_mean([unknown, won, played(1.0, 0.0, 2.0)]).known("value") == unknown.known("value")
    assert played(5.4, -1.0, 12.0).text(" %") == "+5 % (-1 to +12)"


# --- budgets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["batch", "vector", "sb3", "games"])
def test_every_decision_counts_and_no_more_than_the_budget_are_taken(kind):
    environments = Environments(decisions=23)
    env = environments.make(5, kind=kind)
    if kind != "batch":
        env.reset()
    masks = (lambda: env.masks) if kind in ("batch", "games") else env.action_masks
    for _ in range(4):
        env.step(masks().argmax(1))
    assert environments.spent == 20 and environments.share == 20 / 23
    before = masks().copy()
    with pytest.raises(BudgetSpent, match="allows 23 decisions; 20 are taken"):
        env.step(masks().argmax(1))
    assert (masks() == before).all() and environments.spent == 20


@pytest.mark.parametrize("kind", ["batch", "vector", "sb3", "games"])
def test_games_go_on_from_their_state(kind):
    def masks_of(env):
        return getattr(env, "games", env).masks

    def play(env, steps):
        for _ in range(steps):
            env.step(masks_of(env).argmax(1))
        return masks_of(env).copy()

    first, second = Environments(), Environments()
    one, other = (made.make(3, kind=kind) for made in (first, second))
    if kind != "batch":
        one.reset(seed=4) if kind == "vector" else one.reset(4) if kind == "games" else one.reset()
        other.reset()
    play(one, 10)
    kept = first.state()
    expected = play(one, 50)
    play(other, 7)
    second.restore(kept)
    assert (play(other, 50) == expected).all()


def test_time_is_a_budget_too():
    with pytest.raises(BudgetSpent, match="seconds of training"):
        Environments(seconds=1e-6).take(1)


def test_shipped_opponents_are_for_the_track_with_knowledge():
    environments = Environments()
    environments.track = TRACKS[0]
    with pytest.raises(BadInput, match="'pretrained' is knowledge"):
        environments.make(2, opponents="pretrained")
    env = environments.make(2, opponents=["random"])
    with pytest.raises(BadInput, match="is knowledge"):
        env.set_opponents(["heuristic"])
    with pytest.raises(BadInput, match="is knowledge"):
        env.reset(options={"opponents": ["heuristic"]})
    games = environments.make(2, kind="games")
    with pytest.raises(BadInput, match="'pretrained' is knowledge"):
        games.set_opponents([make_player("random"), make_player("pretrained")])
    exploit = Environments(allowed=task_called("exploit").opponents)
    exploit.track = TRACKS[0]
    exploit.make(2, opponents="pretrained")
    environments.track = TRACKS[1]
    environments.make(2, opponents="pretrained")
    with pytest.raises(BadInput, match="no environment"):
        Environments(dataset=ROOT).make(2)


# --- players and agents ----------------------------------------------------------------------------


def test_ways_to_play():
    assert ways_to_play("heuristic") == {"plain": "heuristic"}
    assert ways_to_play("pretrained:sample=true,temperature=0.5") == {
        "sampled": "pretrained:sample=true,temperature=0.5", "greedy": "pretrained",
    }  # fmt: skip
    assert ways_to_play("sb3:a.zip") == {"sampled": "sb3:a.zip", "greedy": "sb3:sample=false,a.zip"}


@pytest.mark.parametrize(
    "agent, why",
    [("learning_agents:network", "a class derived from Learner expected"), ("nothing", "no learner is called"),
     ("learning_agents:Greedy:x=1", "takes no options"), ("learning_agents:os", "class derived from Learner expected"),
     ("nothere:Agent", r"no learner and no module in \S+ is called 'nothere'")],
)  # fmt: skip
def test_learners_that_are_none_are_refused(agent, why, tmp_path):
    with pytest.raises(ValueError, match=why):
        run_task(TINY, agent, [1], tmp_path)


@pytest.mark.parametrize(
    "agent, why",
    [("Cheating", "opponent 'pretrained' is knowledge"), ("Borrowing", "player 'heuristic:level=8' is knowledge"),
     ("Greedier", "no player within its budget"), ("Odd", "player is a int; expected: policies by side"),
     ("Tracked", "track: 'tabula rasa' or 'knowledge' expected, not 'my own'")],
)  # fmt: skip
def test_learners_that_cannot_be_scored_are_refused(agent, why, tmp_path):
    with pytest.raises(BadInput, match=why):
        run_tiny(agent, tmp_path)


def test_recipes_have_short_names(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    for name, agent in RECIPES.items():
        assert full_name(name) == agent and issubclass(learner_class(name), Learner)
    assert full_name("mine:Agent") == "mine:Agent"
    with pytest.raises(ValueError, match="did you mean 'masked_dqn'. known: .*value_response, or MODULE:CLASS"):
        full_name("masked_dqm")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="run this in a clone"):
        full_name("masked_dqn")


# --- whole runs ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    out = tmp_path_factory.mktemp("suite") / "run"
    return run_tiny("Greedy", out, label="greedy"), out


def test_a_run_ends_with_a_result_of_the_last_player_within_the_budget(result):
    told, out = result
    assert told == read_result(out / "result.json") and told["trial"]
    (run,) = told["runs"]
    assert run["decisions"] == 400 and len(run["curve"]) == 3
    assert {way: score["games"] for way, score in run["scores"].items()} == {"sampled": 4, "greedy": 4}
    assert len(run["files"]) == 1 and run["files"][0]["path"] == "seed-1/checkpoint-3.pt"
    assert [problem.partition(":")[0] for problem in problems(told, out)] == [
        "a trial", "training seeds", "seed 1", "seed 1, checkpoint 1, sampled", "seed 1, sampled", "seed 1, greedy",
    ]  # fmt: skip
    assert "seed 1: 3 checkpoints; at least 10 are expected" in problems(told, out)


def test_scores_are_the_same_whoever_plays_the_games(result, tmp_path):
    """Score as a player trained elsewhere would be: two processes, another folder."""
    told, out = result
    with Processes(2) as place:
        again = run_tiny("Greedy", tmp_path / "again", place, label="greedy")
    one, other = told["runs"][0], again["runs"][0]
    assert untimed(other["scores"]) == untimed(one["scores"])
    for point, same in zip(one["curve"], other["curve"], strict=True):
        assert untimed(point["scores"]) == untimed(same["scores"])
    file = f"torchscript:{out}/seed-1/checkpoint-3.pt"
    elsewhere = score_players(TINY, [file], tmp_path / "elsewhere", label="greedy", track="tabula rasa")
    assert untimed(elsewhere["runs"][0]["scores"]) == untimed(one["scores"])


def test_players_that_read_and_write_have_a_task_of_their_own(tmp_path):
    task = replace(task_called("text-100"), opponents=OPPONENTS, evaluation_games=2)
    told = score_players(task, ["text"], tmp_path / "text", track=LANGUAGE)
    score = told["runs"][0]["scores"]["plain"]
    assert (score["legal"], score["tokens"], score["forfeits"]) == (1.0, None, 0)
    row = dict(zip(headings([told]), cells(told), strict=True))
    assert (row["legal answers"], row["tokens a decision"]) == ("100.0%", "-")
    assert f"| {row['Elo']} |" in markdown([told])
    assert [problem for problem in problems(told, tmp_path) if "trial" not in problem and "games" not in problem] == []
    del score["legal"]
    assert any("the share of legal answers, and tokens expected" in problem for problem in problems(told, tmp_path))
    assert dict(zip(headings([told]), cells(told), strict=True))["legal answers"] == "-"
    for wrong, player, track in ((task, "text", "knowledge"), (TINY, "random", LANGUAGE)):
        with pytest.raises(BadInput, match="^track: .* for the track language$"):
            score_players(wrong, [player], tmp_path / "wrong", track=track)
    with pytest.raises(BadInput, match="has no training"):
        run_task(task, "learning_agents:Greedy", [1], tmp_path / "wrong")


def test_illegal_answers_and_tokens_are_counted_by_decision():
    counted = ("illegal_answers", 2.0), ("input_tokens", 900.0), ("output_tokens", 100.0)
    game = Outcome(1, "llm", "random", "draw", "final scoring", 0, 10, 12, (0.5, 0), (8, 4), "", costs=(counted, ()))
    mirror = game._replace(democrat="random", communist="llm", moves=(4, 12), costs=((), ()))
    assert _in_words([game, mirror], "llm") == {"legal": 20 / 22, "tokens": 50.0}
    assert _in_words([mirror], "llm") == {"legal": 1.0, "tokens": None}


def untimed(scores):
    """Scores by way of playing without the time that they took."""
    return {way: {**score, "milliseconds": 0} for way, score in scores.items()}


def test_what_is_done_is_not_done_again(result):
    told, out = result
    kept = {path: path.stat().st_mtime_ns for path in [*out.rglob("*.db"), *out.rglob("*.pt")]}
    contents = [path.read_bytes() for path in kept]
    again = run_tiny("Greedy", out, label="greedy")
    assert [path.read_bytes() for path in kept] == contents and len(list(out.rglob("*.db"))) == 8
    assert all(path.stat().st_mtime_ns == kept[path] for path in kept if path.suffix == ".pt")
    assert {**again, "machine": 0} == {**told, "machine": 0}
    with pytest.raises(BadInput, match=r"another run of the suite \(decisions: 400 there, 500 here\); choose another"):
        run_tiny("Greedy", out, task=replace(TINY, decisions=500))


def test_a_run_does_not_go_on_with_another_agent_of_the_same_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    agent = "from learning_agents import Once\n\nclass Agent(Once):\n    player = lambda _: '{}'\n"
    for number, player in enumerate(("random", "heuristic:level=1")):
        (tmp_path / "changing_agent.py").write_text(agent.format(player))
        monkeypatch.delitem(sys.modules, "changing_agent", raising=False)
        importlib.invalidate_caches()
        if number == 0:
            run_task(TINY, "changing_agent:Agent", [1], tmp_path / "out")
    with pytest.raises(BadInput, match=r"SHA-256 of changing_agent.py: '\w+' there, '\w+' here"):
        run_task(TINY, "changing_agent:Agent", [1, 2], tmp_path / "out")
    (tmp_path / "changing_agent.py").write_text(agent.format("greedy"))
    with pytest.raises(BadInput, match="changing_agent.py has changed since it was imported"):
        run_task(TINY, "changing_agent:Agent", [1], tmp_path / "new")
    importlib.reload(sys.modules["changing_agent"])
    assert run_task(TINY, "changing_agent:Agent", [1], str(tmp_path / "new"))["runs"][0]["players"]["plain"] == "greedy"


def test_a_task_takes_its_name_and_a_class_as_its_agent(tmp_path):
    with pytest.raises(BadInput, match="^task: one of"):
        run_task("learn-2M", Greedy, [1], tmp_path)
    assert run_task(TINY, Greedy, [1], tmp_path)["agent"] == "learning_agents:Greedy"


def test_a_killed_run_goes_on_from_what_its_agent_saved(tmp_path):
    words = ["run", "learn-1M", "--workers=1", "--agent=learning_agents:Resuming", "--seeds=1", "--decisions=400"]
    words += ["--games=2", "--curve-games=2", f"--out={tmp_path}"]
    first = python("-m", "dawn_agents", "suite", *words, cwd=ROOT / "tests" / "support")
    assert first.returncode == -9 and not (tmp_path / "result.json").exists()
    assert command.main(words) == 0
    told = read_result(tmp_path / "result.json")
    assert told["runs"][0]["decisions"] == 400 and len(told["runs"][0]["curve"]) == 10
    assert [point["decisions"] for point in told["runs"][0]["curve"]] == list(range(40, 401, 40))


def test_family_mode_and_players_by_name(tmp_path):
    family = replace(task_called("family-1M"), evaluation_games=4, curve_games=2)
    told = run_tiny("Family", tmp_path / "family", task=family)
    assert told["score"] == "percent" and cells(told)[-1] == "-"
    named = run_tiny("Named", tmp_path / "named")
    assert set(named["summary"]) == {"plain"} and named["runs"][0]["files"] == []


# --- files and reports -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "player",
    ["heuristic:level=3", "distilled", "search", "value", "value:deals=8", "value:reply=true", "json:heuristic",
     "json:value", "text:greedy", "value:guide=pretrained,runs/mine", "dawn_agents.players:Any"],
)  # fmt: skip
def test_players_with_knowledge_of_ours_are_refused_where_none_may_be(player):
    assert f"player {player!r} is knowledge" in track_refusal(player, TRACKS[0])
    assert not track_refusal(player, TRACKS[1])


@pytest.mark.parametrize(
    "player",
    ["random", "text", "text:random", "value:runs/mine", "value:guide=runs/mine,runs/mine", "value:a=b", "my:Own"],
)
def test_players_of_a_learner_without_knowledge_are_taken(player):
    assert not track_refusal(player, TRACKS[0])


def test_a_malformed_specification_is_refused_on_the_track_without_knowledge():
    assert "deals" in track_refusal("value:deals=many,runs/mine", TRACKS[0])


def test_players_that_look_ahead_and_learners_with_a_model_stand_apart():
    plain, ahead = published(), published() | {"looks_ahead": True, "model_based": True}
    tables = by_task([ahead, plain])
    assert tables == {"learn-1M v1": [plain], "learn-1M v1, looking ahead": [ahead]}
    assert "tabula rasa, model-based" in cells(ahead) and "tabula rasa" in cells(plain)
    assert markdown([plain, ahead]).count("copies of the engine") == 1
    assert looks_ahead("search:ms=10") and not looks_ahead("pretrained")
    assert looks_ahead("docs.examples.is_mcts:Player:ms=10")


def test_results_that_were_tampered_with_are_found(result, tmp_path):
    told, out = result
    changed = copy.deepcopy(told)
    changed["runs"][0]["scores"]["greedy"] |= {"value": 3000.0, "low": 2900.0, "high": 3100.0, "beyond": ""}
    changed["runs"][0]["decisions"] = 10**7
    changed["runs"][0]["players"]["greedy"] = "search:ms=10"
    changed["runs"][0]["files"][0]["sha256"] = "0" * 64
    found = "\n".join(problems(changed, out))
    assert "player 'search:ms=10' is knowledge" in found
    assert "summary: not that" in found and "10,000,000 decisions" in found and "not the file that was scored" in found
    del changed["runs"][0]["seed"]
    (tmp_path / "result.json").write_text(json.dumps(changed))
    with pytest.raises(BadInput, match=r"result of the suite: runs\.0\.seed: missing$"):
        read_result(tmp_path / "result.json")
    (tmp_path / "result.json").write_text("{")
    with pytest.raises(BadInput, match="no result of the suite"):
        read_result(tmp_path / "result.json")


def test_commands_report_and_check(result, tmp_path, capsys):
    _, out = result
    assert command.main(["report", str(out / "result.json"), "--html", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "<svg" in page and "a trial: its budget or its games" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "greedy (a trial)" in capsys.readouterr().out
    assert command.main(["check", str(out / "result.json")]) == 2
    assert "a trial" in capsys.readouterr().err
    assert command.main(["list"]) == 0 and "learn-10M v1" in capsys.readouterr().out


RESULTS = ROOT / "docs" / "suite" / "results"


def published(name="learn-1M-maskable-ppo"):
    return read_result(RESULTS / f"{name}.json")


def each_score(result):
    for run in result["runs"]:
        yield from run["scores"].values()
        for point in run["curve"]:
            yield from point["scores"].values()


def all_scores(**changes):
    def change(result):
        for score in each_score(result):
            score.update(changes)

    return change


def all_runs(**changes):
    def change(result):
        for run in result["runs"]:
            run.update(changes)

    return change


def whole(**changes):
    return lambda result: result.update(changes)


def one_file(path, sha256="0" * 64):
    return lambda result: result["runs"][0]["files"].append({"path": path, "sha256": sha256})


def swapped(result):
    for score in each_score(result):
        score["low"], score["high"] = score["high"], score["low"]


def reversed_curves(result):
    for run in result["runs"]:
        run["curve"].reverse()


RULE_BASED = "dawn_agents.players.heuristic_player:HeuristicPlayer"
SHIPPED = checksum(PRETRAINED / "democrat.zip")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (all_scores(value=5000.0, low=4990.0, high=5010.0), "beyond what 400 games can show"),
        (all_scores(value=1e11, low=-1e11, high=1.5e11), "beyond what 400 games can show"),
        (swapped, "is not between"),
        (all_scores(value=9999.0), "is not between"),
        (all_scores(value=None, low=None, high=None), "value, low and high expected"),
        (all_scores(value=None, low=None, high=None, beyond="above"), "the one bound that beyond names"),
        (all_scores(opponents=[]), "that add up to 400"),
        (all_scores(opponents=[{"name": "random", "version": "1", "games": 3}]), "that add up to 400"),
        (all_scores(opponents=2 * [{"name": "random", "version": "1", "games": 200}]), "each named once"),
        (all_scores(opponents=[{"name": "me", "version": "1", "games": 400}]), "opponents that are not the task's: me"),
        (all_scores(milliseconds=0), "a decision takes time"),
        (all_runs(curve=[]), "decisions, seconds and a learning curve expected together"),
        (all_runs(decisions=None), "decisions, seconds and a learning curve expected together"),
        (all_runs(decisions=999999), "decisions of the last checkpoint are not those of the training"),
        (reversed_curves, "decisions of the checkpoints do not ascend"),
        (all_runs(files=[]), "is made from files, and none is named"),
        (whole(score="percent"), "score: elo is that of the task, not percent"),
        (whole(scale={}), "date and engine of the standing scale expected"),
        (whole(track="none"), "a player that did not learn has no decisions"),
        (all_runs(players={"sampled": "heuristic", "greedy": "heuristic"}), "'heuristic' is knowledge"),
        (
            all_runs(players=dict.fromkeys(("sampled", "greedy"), RULE_BASED)),
            "is knowledge: it cannot be scored on the track",
        ),
        (one_file("seed-1/policies/democrat.zip", SHIPPED), "is made from a shipped file, which is knowledge"),
        (one_file("democrat.zip", checksum(VALUES / "democrat.zip")), "is made from a shipped file"),
        (one_file("/etc/passwd"), "a path below the folder of the result expected"),
        (one_file("../other.zip"), "a path below the folder of the result expected"),
        (one_file("a\0b"), "a path below the folder of the result expected"),
        (one_file("pipe"), "pipe: no regular file"),
        (one_file("link"), "link: a path below the folder of the result expected"),
        (whole(track="knowledge", runs=published("plan-10ms-search")["runs"]), "search tries actions"),
        (whole(model_based=True, track="none"), "a player that did not learn used no model"),
        (all_runs(players={"other": "random"}), "players and scores of sampled and greedy play expected"),
    ],
)  # fmt: skip
def test_impossible_results_are_found(change, words, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    told = published()
    assert problems(told, tmp_path) == []
    change(told)
    assert words in "\n".join(problems(told, tmp_path))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda result: result["runs"][0]["curve"][0]["scores"].pop("greedy"), "the same ways of playing"),
        (lambda result: result["runs"][1]["scores"].pop("greedy"), "the same ways of playing"),
        (lambda result: result["summary"].update(extra=result["summary"]["greedy"]), "the same ways of playing"),
        (lambda result: result["summary"]["greedy"].update(value=None), "value, low and high expected"),
        (all_scores(value=None, low=None, high=None), "value, low and high expected"),
        (all_scores(high=1e308), "1000000000000"),
        (all_runs(decisions=10**4000), "1000000000000"),
    ],
)  # fmt: skip
def test_reports_refuse_results_with_gaps_in_a_line(change, words, tmp_path, capsys):
    told, file = published(), tmp_path / "result.json"
    change(told)
    file.write_text(json.dumps(told))
    assert command.main(["report", str(file)]) == 2
    assert words in capsys.readouterr().err


def test_a_lone_seed_needs_a_player_that_did_not_learn(tmp_path):
    told = published()
    told["runs"] = told["runs"][:1]
    told["summary"] = summarise(told)
    assert problems(told, tmp_path) == ["training seeds: 1; at least 3 are expected"]
    assert problems(published("learn-1M-heuristic"), tmp_path) == []


def test_a_new_scale_changes_the_share_of_the_way_and_no_file(monkeypatch):
    told = read_result(ROOT / "docs" / "suite" / "results" / "plan-10ms-search.json")
    higher = {"pretrained": SimpleNamespace(both=Estimate(2 * told["summary"]["plain"]["value"], 0, 0))}
    monkeypatch.setattr(
        "dawn_agents.training.suite.suite_report.read_scale", lambda: SimpleNamespace(ratings=lambda: higher)
    )
    assert cells(told)[-1].startswith("50 % (") and problems(told, ROOT) == []


def test_planners_are_held_to_their_time(tmp_path):
    task = replace(task_called("plan-10ms"), opponents=OPPONENTS, evaluation_games=4)
    told = score_players(task, ["heuristic"], tmp_path)
    assert problems(told, tmp_path)[1:] == ["seed 1, plain: 4 games; the task has 200"]
    told["runs"][0]["scores"]["plain"]["milliseconds"] = 13.0
    assert "13.0 ms a decision; the budget is 10" in "\n".join(problems(told, tmp_path))


def test_players_of_another_game_are_not_scored(tmp_path):
    example = torch.zeros(2, STANDARD_LAYOUT.size), torch.ones(2, STANDARD_LAYOUT.actions, dtype=torch.bool)
    torch.jit.trace(network(), example).save(str(tmp_path / "standard.pt"))
    with pytest.raises(BadInput, match="cannot play the family game"):
        score_players(task_called("family-1M"), [f"torchscript:{tmp_path}/standard.pt"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_report_notes_forfeits(result):
    told = copy.deepcopy(result[0])
    for score in told["runs"][0]["scores"].values():
        score["forfeits"] = 3
    assert cells(told)[0] == "greedy (a trial) (forfeits: 6)"


def test_programs_are_scored_as_planners(tmp_path):
    """Their deals follow from the task, too, and their files are noted."""
    task = replace(task_called("plan-10ms"), opponents=OPPONENTS, evaluation_games=2)
    program = f"process:{sys.executable} {ROOT / 'docs' / 'examples' / 'bot.py'}"
    one, two = (score_players(task, [program], tmp_path / name) for name in ("one", "two"))
    assert one["summary"] == two["summary"] and set(one["summary"]) == {"plain"}
    score = one["runs"][0]["scores"]["plain"]
    assert score["games"] == 2 and score["forfeits"] == 0 and 0 < score["milliseconds"]


def test_an_hour_has_two_cores_and_tells_the_speed_of_the_machine(tmp_path, monkeypatch):
    task = replace(task_called("hour"), seconds=3, opponents=OPPONENTS, evaluation_games=2, curve_games=2)
    begin, threads = Greedy.begin, []

    def begin_and_note(learner, seed):
        threads.append(learner.config.run.threads)
        begin(learner, seed)

    monkeypatch.setattr(Greedy, "begin", begin_and_note)
    told = run_tiny("Greedy", tmp_path, task=task)
    assert threads == [2]
    assert told["runs"][0]["seconds"] > 0 and told["machine"]["batch_decisions_per_second"] > 1000


def test_the_commit_is_not_that_of_a_repository_around_the_installation(monkeypatch):
    monkeypatch.setattr(machine_speed, "ROOT", ROOT / "tests")  # a folder in a repository
    assert machine_speed.machine()["version"] == __version__
