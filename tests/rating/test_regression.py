"""``make strength``: what it calls worse, the costs it keeps, and the command."""

from dataclasses import replace

import pytest
from dawn_agents.tournaments.rating.estimates import Estimate, Score
from dawn_agents.tournaments.strength.rating_scale import read_scale

from dawn_env.errors import BadInput
from scripts.laboratory import check_strength
from scripts.laboratory.check_strength import (
    cost_checks,
    rating_check,
    read_costs,
    score_check,
    version_check,
    write_costs,
)


@pytest.mark.parametrize("fallen, worse", [(-40, False), (50, False), (150, False), (180, True)])
def test_a_rating_is_worse_beyond_chance(fallen, worse):
    standing = Estimate(1000, 902, 1098)  # one standard error is 50, so that of the difference is 55
    found = Estimate(1000 - fallen, 1000 - fallen - 45, 1000 - fallen + 45)
    assert rating_check("somebody", standing, found).worse == worse


def test_other_verdicts():
    assert version_check("somebody", "1", "2").worse and not version_check("somebody", "1", "1").worse
    assert score_check("a", Score(100, 52, 0)).worse and not score_check("a", Score(100, 70, 0)).worse
    checks = cost_checks({"a": 2.0, "b": 5.0, "gone": 1.0}, {"a": 2.5, "b": 7.0, "new": 1.0})
    assert [(check.what, check.worse) for check in checks] == [("cost of a", False), ("cost of b", True)]


@pytest.mark.parametrize("text", ["", "[]", '{"format": 2}', '{"format": 1}', '{"format": 1, "costs": {"a": -1}}'])
def test_a_damaged_file_is_named(text, tmp_path):
    path = tmp_path / "speed.json"
    path.write_text(text)
    with pytest.raises(BadInput, match="speed.json"):
        read_costs(path)


def test_the_standing_costs_are_those_that_are_measured(monkeypatch):
    for name in ("batch_figures", "player_rate", "search_milliseconds"):
        value = {"batch_decisions_per_second": 1e6} if name == "batch_figures" else 1e3
        monkeypatch.setattr(check_strength.benchmark, name, lambda *_, value=value: value)
    assert set(check_strength.costs(1.0)) == set(read_costs())


def test_the_command_compares_and_says_what_is_worse(monkeypatch, tmp_path, capsys):
    words = ["--only", "ratings", "--players", "heuristic:level=2", "--games", "8"]
    assert check_strength.main(words) == 0
    assert "nothing is worse in 2 comparisons" in capsys.readouterr().out
    scale = read_scale()
    rungs = (rung._replace(version="0") if rung.name == words[3] else rung for rung in scale.rungs)
    monkeypatch.setattr(check_strength, "read_scale", lambda: replace(scale, rungs=tuple(rungs)))
    assert check_strength.main(words) == 1
    assert "worse: version of heuristic:level=2" in capsys.readouterr().out


def test_the_command_keeps_costs(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(check_strength, "costs", lambda seconds: {"heuristic": seconds})
    monkeypatch.setattr(check_strength, "write_costs", lambda *given: write_costs(*given, tmp_path / "speed.json"))
    monkeypatch.setattr(check_strength, "read_costs", lambda: read_costs(tmp_path / "speed.json"))
    assert check_strength.main(["--only", "speed", "--seconds", "2", "--record"]) == 0
    assert read_costs(tmp_path / "speed.json") == {"heuristic": 2.0}
    assert check_strength.main(["--only", "speed", "--seconds", "3"]) == 1
    assert "worse: cost of heuristic" in capsys.readouterr().out
