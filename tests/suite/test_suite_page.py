"""The commands of ``docs/how-to/suite.md`` do what the page says, each with a tiny budget."""

import importlib
import shlex
from dataclasses import replace

from dawn_agents.commands import dataset, suite
from dawn_agents.tournaments.rating.estimates import Estimate
from dawn_agents.training.learner import learner_class
from dawn_agents.training.suite import suite_run
from dawn_agents.training.suite.result_checks import problems
from dawn_agents.training.suite.result_files import read_result
from dawn_agents.training.suite.suite_run import run_task
from dawn_agents.training.suite.task_declarations import task_called
from page_blocks import blocks, command_lines
from paths import ROOT

MAINS = {"suite": suite.main, "dataset": dataset.main}
PAGE = ROOT / "docs" / "how-to" / "suite.md"
EXTRA = ["--games=2", "--curve-games=2", "--workers=1"]
TINY = {
    "selfplay_ppo": {"GAMES": 32, "LENGTH": 32}, "cleanrl_learner": {"GAMES": 32, "LENGTH": 32},
    "maskable_ppo": {"GAMES": 32, "LENGTH": 32}, "masked_dqn": {"GAMES": 32, "START": 40, "LENGTH": 32},
    "imitation": {"GAMES": 4},
}  # fmt: skip
"""Sizes of the recipes with which a budget of three updates is enough; others take theirs from these."""
SETTINGS = {
    "league_ppo": {"games": {"at_once": 32}, "ppo": {"steps": 32}},
    "league_ppo_scratch": {"games": {"at_once": 32}, "ppo": {"steps": 32}},
    "league_ppo_family": {"games": {"at_once": 32}, "ppo": {"steps": 32}},
    "best_response": {"games": {"at_once": 32}, "ppo": {"steps": 32}},
    "value_response": {"games": {"at_once": 32}, "afterstate": {"steps": 32}},
    "afterstate": {"games": {"at_once": 32}, "afterstate": {"steps": 32}},
}
"""The same of learners with settings."""
DECISIONS = 3 * 32 * 32 + 1


def commands():
    """Return the arguments of every ``dawn`` command of the page, except in blocks marked as not run."""
    shell = [block.code for block in blocks(PAGE) if not (block.language or block.why)]
    return [words[1:] for code in shell for words in command_lines(code) if words[0] == ".venv/bin/dawn"]


def tiny(words, folder):
    """The same command with a tiny budget, its files in another folder."""
    words = [word.replace("runs/", f"{folder}/") for word in words]
    if words[:2] == ["suite", "run"]:
        budget = "--dataset-games=2" if words[2] == "imitate-1k" else f"--decisions={DECISIONS}"
        words += [budget, "--seeds=1", *EXTRA]
    elif words[:2] == ["suite", "score"]:
        words += EXTRA
    elif words[:2] == ["dataset", "make"]:
        words += ["--games=2", "--workers=1"]
    return [found for word in words for found in (sorted(map(str, ROOT.glob(word))) if "*" in word else [word])]


def test_the_commands_of_the_page_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    """A trial is no valid result, and ``check`` says so."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(suite_run, "CHECKPOINTS", 2)
    for recipe, sizes in TINY.items():
        module = importlib.import_module(f"docs.examples.{recipe}")
        for name, size in sizes.items():
            monkeypatch.setattr(module, name, size)
    for name, tables in SETTINGS.items():
        learner = learner_class(name)
        changed = {table: dict(learner.settings.get(table, {})) | sizes for table, sizes in tables.items()}
        monkeypatch.setattr(learner, "settings", dict(learner.settings) | changed)
    done = set()
    for words in commands():
        status = MAINS[words[0]](tiny(words, tmp_path)[1:])
        expected = 2 if words[:2] == ["suite", "check"] else 0
        told = capsys.readouterr()
        assert status == expected, f"{shlex.join(words)}\n{told.out}{told.err}"
        assert expected == 0 or "a trial" in told.err
        done.add(tuple(words[:2]))
    assert {("suite", action) for action in ("run", "score", "report", "check")} < done
    assert ("dataset", "make") in done and (tmp_path / "suite" / "report.html").read_text().count("<svg")
    assert read_result(tmp_path / "suite" / "cloning" / "result.json")["runs"][0]["decisions"] == 0, "games alone"


def test_the_learner_on_the_page_is_one(tmp_path, monkeypatch):
    (code,) = [block.code for block in blocks(PAGE) if "class MyLearner" in block.code]
    (tmp_path / "learner_of_the_page.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    task = replace(task_called("learn-1M"), decisions=2000, evaluation_games=2, curve_games=2)
    told = run_task(task, "learner_of_the_page:MyLearner", [1], tmp_path / "run")
    assert told["runs"][0]["decisions"] == 1984 and set(told["summary"]) == {"sampled", "greedy"}


def test_the_reference_results_are_valid():
    """And recipes tell the scores of theirs."""
    told, complete = 0, []
    for path in (ROOT / "docs" / "suite" / "results").glob("*.json"):
        result = read_result(path)
        found = problems(result, path.parent)
        assert all("training seeds" in problem for problem in found), path.name
        complete += [] if found else [str(path)]
        recipe = ROOT / f"{result['agent'].partition(':')[0].replace('.', '/')}.py"
        if recipe.is_file():
            words = " ".join(recipe.read_text(encoding="utf-8").split())
            unit = " %" if result["score"] == "percent" else ""
            assert all(Estimate.of_known(score).text(unit) in words for score in result["summary"].values()), path.name
            told += 1
    assert told >= 2 and suite.main(["check", *complete]) == 0
