"""The standing scale and evaluations on it: known answers, extremes, files, and the command lines."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dawn_agents.commands import evaluate
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.strength.rating_scale import YARDSTICK, ZERO, read_scale
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.tournaments.strength.strength_report import sentence, to_json
from paths import ROOT
from strength_simulation import LADDER, NAMES, coverage, draw_points, simulated_evaluation, simulated_scale, truth

from dawn_env.errors import BadInput
from dawn_env.tables import COMMUNIST, DEMOCRAT
from scripts.laboratory import measure_scale
from scripts.laboratory.measure_scale import RUNGS, steps, write_scale

GOAL = Goal(precision=60, budget=400)


@pytest.fixture(scope="module")
def scale():
    return simulated_scale(np.random.default_rng(1))


# --- known answers -----------------------------------------------------------------------------------


def test_a_scale_measured_from_games_is_the_true_one_within_its_intervals(scale):
    assert scale.names == NAMES
    inside = []
    for place, (name, rated) in enumerate(scale.ratings().items()):
        expected = truth(scale, LADDER[:, place])
        for estimate, rating in zip(rated, (expected.mean(), *expected), strict=True):
            assert abs(estimate.value - rating) < 100, name
            inside.append(estimate.low - 0.1 <= rating <= estimate.high + 0.1)
    assert np.mean(inside) > 0.85  # they depend on each other
    assert [estimate.value for estimate in scale.ratings()[ZERO]] == pytest.approx([0, 0, 0])
    assert all(estimate.high - estimate.low < 1e-6 for estimate in scale.ratings()[YARDSTICK])


def test_intervals_hold_the_truth_as_often_as_they_say_and_are_small_enough_within_400_games():
    """Scales are measured anew. 93 to 97 % of 1,000 do: ``python tests/support/strength_simulation.py 1000``."""
    found = coverage(60, GOAL, 7)
    assert (found["coverage"] > 0.89).all() and (found["coverage"] < 0.995).all()
    assert found["missed"] == 0 and found["most"] <= 400


@pytest.mark.parametrize("won", [True, False], ids=["wins all", "loses all"])
def test_those_who_win_or_lose_everything_are_placed_beyond_the_scale(scale, won):
    evaluation = StrengthEstimate(scale)
    while following := evaluation.next(GOAL):
        tallies = np.zeros_like(evaluation.tallies)
        tallies[:, following.opponent, 2 if won else 0] = following.pairs
        evaluation.add(tallies)
    rating, low, high, _ = evaluation.estimate(None)
    assert evaluation.games == GOAL.budget and not evaluation.reached(GOAL)
    strongest = scale.ratings()[NAMES[-1]].both.value
    assert low > strongest + 300 if won else high < -300
    assert np.isfinite([low, rating, high]).all() and low < rating < high
    assert evaluation.tallies.sum(axis=(0, 2)).argmax() == (len(NAMES) - 1 if won else 0)
    told, beyond, bound = to_json(evaluation, "bot", "bot", GOAL, 0), "above" if won else "below", low if won else high
    assert sentence(evaluation, "bot").startswith(f"bot: {beyond} {bound:+.0f} Elo on the standing scale, {beyond} ")
    for part in (told, told["democrat"], told["communist"]):
        assert part["beyond"] == beyond and part["rating"] is None is part["high" if won else "low"]
    assert told["low" if won else "high"] == bound


@pytest.mark.parametrize(("of_communist", "beyond"), [((6, 2, 4), "below"), ((0, 0, 12), "above and below")])
def test_a_side_that_lost_everything_bounds_the_mean_of_both(scale, of_communist, beyond):
    evaluation = StrengthEstimate(scale)
    tallies = np.zeros_like(evaluation.tallies)
    tallies[DEMOCRAT, 1], tallies[COMMUNIST, 1] = (12, 0, 0), of_communist
    evaluation.add(tallies)
    told, high = to_json(evaluation, "bot", "bot", GOAL, 0), evaluation.estimate(None).high
    assert (told["rating"], told["low"], told["beyond"]) == (None, None, beyond)
    assert told["high"] == (high if beyond == "below" else None)
    text = f"below {high:+.0f} Elo" if beyond == "below" else "no bound"
    assert sentence(evaluation, "bot").startswith(f"bot: {text} on the standing scale, below ")
    assert "all games as Democrat were lost" in sentence(evaluation, "bot")
    assert ("and as Communist were won" in sentence(evaluation, "bot")) == (beyond != "below")


@pytest.mark.parametrize(
    ("rival", "pairs", "words"),
    [(0, 1, "about as strong as"), (0, 100, "weaker than"), (-1, 1, "about as strong as"), (-1, 100, "stronger than")],
)
def test_those_at_an_end_of_the_scale_are_beyond_it_only_if_their_whole_interval_is(scale, rival, pairs, words):
    evaluation = StrengthEstimate(scale)
    tallies = np.zeros_like(evaluation.tallies)
    tallies[:, rival] = np.array([7, 0, 3] if rival == 0 else [3, 0, 7]) * pairs
    evaluation.add(tallies)
    rating = scale.ratings()[NAMES[rival]].both.value
    said = sentence(evaluation, "bot")
    assert said.endswith(f"; {words} {NAMES[rival]} ({rating:+z.0f})")


@pytest.mark.parametrize("place", [0, 3, 7, 11, 13])
def test_opponents_are_chosen_near_the_players_strength(scale, place):
    evaluation = simulated_evaluation(np.random.default_rng(3), scale, LADDER[:, place], GOAL)
    games = evaluation.tallies.sum(axis=(0, 2))
    distance = np.abs(LADDER.mean(axis=0) - LADDER[:, place].mean())
    assert (games * distance).sum() / games.sum() < 300


def test_a_player_who_is_good_with_one_side_only_gets_two_ratings(scale):
    strength = np.array([1000.0, 400.0])
    evaluation = simulated_evaluation(np.random.default_rng(4), scale, strength, Goal(precision=30, budget=4000))
    expected, (_, democrat, communist) = truth(scale, strength), evaluation.rated()
    assert democrat.low < expected[0] < democrat.high and communist.low < expected[1] < communist.high
    assert democrat.low > communist.high + 300


def test_the_uncertainty_of_the_scale_is_part_of_that_of_a_rating(scale):
    """However many games are played against one player, the rating is known no better than theirs."""
    far = scale.of([ZERO, NAMES[1]])
    evaluation, rng = StrengthEstimate(far), np.random.default_rng(6)
    tallies = np.zeros_like(evaluation.tallies)
    for side, points in enumerate(
        (draw_points(rng, 0, LADDER[1, 0], 10**6), 1 - draw_points(rng, LADDER[0, 0], 0, 10**6))
    ):
        np.add.at(tallies[side, 0], np.round(2 * points).astype(int), 1)
    evaluation.add(tallies)
    rated, known = evaluation.estimate(None), scale.ratings()[ZERO].both
    assert rated.high - rated.low == pytest.approx(known.high - known.low, rel=0.05)
    assert abs(rated.value) < 5


def test_budgets_are_kept_and_no_game_means_no_claim(scale):
    evaluation = StrengthEstimate(scale)
    assert not evaluation.reached(GOAL) and evaluation.next(Goal(60, 1)) is None
    assert evaluation.next(Goal(60, 2)).pairs == 1
    low, high = evaluation.estimate(None)[1:3]
    assert low < -400 and high > 2200


# --- the file ----------------------------------------------------------------------------------------


def test_a_scale_is_read_as_it_was_written(scale, tmp_path):
    path = tmp_path / "folder" / "scale.json"
    write_scale(replace(scale, origin={"date": "2026-11-22", "seed": 1}), path)
    read = read_scale(path)
    assert read.rungs == tuple(rung._replace(seconds=round(rung.seconds, 4)) for rung in scale.rungs)
    assert read.origin == {"date": "2026-11-22", "seed": 1}
    np.testing.assert_allclose(read.mean, scale.mean, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(read.covariance, scale.covariance, rtol=1e-5, atol=1e-9)
    told = json.loads(path.read_text())
    first, last = told["players"][0], told["players"][-1]
    assert (first["name"], first["rating"], first["democrat"]["rating"]) == (ZERO, 0, 0)
    assert last["low"] < last["rating"] < last["high"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file or directory; scripts/laboratory/measure_scale.py makes the scale"),
        ("{", "no scale of ratings: "),
        ("[1]", "no scale of ratings: format None, but format 1 is needed"),
        ('{"format": 2}', "no scale of ratings: format 2, but format 1 is needed"),
        ('{"format": 1}', "damaged scale of ratings: KeyError: 'players'"),
        ('{"format": 1, "players": [], "parameters": [1], "covariance": []}', "damaged scale of ratings: ValueError: "),
    ],
)
def test_files_that_hold_no_scale_are_refused_in_one_line(text, message, tmp_path):
    path = tmp_path / "scale.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadInput) as refused:
        read_scale(path)
    assert str(refused.value).startswith(f"{path}: {message}") and "\n" not in str(refused.value)


# --- the scale that comes with the project -----------------------------------------------------------


def test_the_standing_scale_rises_without_a_step_of_more_than_200_and_falls_on_no_side_beyond_chance():
    standing = read_scale()
    assert standing.names == list(RUNGS)
    for step in steps(standing):
        assert 0 < step[0] <= 200 and min(step) > -20
    assert standing.origin["command"].startswith("python -m scripts.laboratory.measure_scale ")
    assert standing.origin["date"] >= "2026-11-22"


def test_the_players_of_the_standing_scale_are_those_of_today():
    for rung in read_scale().rungs:
        assert make_player(rung.name).version == rung.version, "measure the scale anew"


# --- command lines -----------------------------------------------------------------------------------


def told(arguments: list[str], path: Path) -> dict:
    assert evaluate.main([*arguments, "--json", str(path)]) == 0
    found = json.loads(path.read_text())
    assert found.pop("provenance")["command"].startswith("dawn evaluate ")
    return found


def test_evaluate_rates_a_player_on_the_standing_scale(tmp_path, capsys):
    found = told(["random", "--precision", "150", "--games", "60", "--workers", "1"], tmp_path / "found.json")
    assert found["games"] <= 60 and found["low"] < found["rating"] < found["high"]
    assert found["low"] < 60 and found["high"] > -60
    for side in ("democrat", "communist"):
        assert found[side]["low"] < found[side]["rating"] < found[side]["high"]
        assert found[side]["games"] == found["games"] / 2 and 0 <= found[side]["score"] <= 1
    assert sum(met["democrat"]["games"] for met in found["opponents"]) == found["games"] / 2
    assert "random" not in [met["name"] for met in found["opponents"]]
    said = capsys.readouterr().out.strip().splitlines()[-1]
    assert said.startswith("random: ") and " on the standing scale, " in said


def test_an_evaluation_can_be_repeated_and_goes_on_where_it_was_cut_off(tmp_path):
    arguments = ["heuristic:level=2", "--precision", "1", "--seed", "5", "--workers", "1"]
    whole = told([*arguments, "--games", "48"], tmp_path / "whole.json")
    kept = [*arguments, "--db", str(tmp_path / "games.db")]
    told([*kept, "--games", "16"], tmp_path / "part.json")
    assert told([*kept, "--games", "48"], tmp_path / "again.json") == whole
    assert told([*kept, "--games", "48"], tmp_path / "more.json") == whole


def test_a_player_of_one_side_is_measured_on_that_side(tmp_path, capsys):
    policy = ROOT / "agents" / "dawn_agents" / "players" / "pretrained" / "communist.zip"
    arguments = [f"policy:{policy}", "--side", "communist", "--games", "24", "--workers", "1"]
    found = told(arguments, tmp_path / "found.json")
    assert found["games"] == found["communist"]["games"] <= 24 and found["forfeits"] == 0
    assert found["democrat"] == {"rating": None, "low": None, "high": None, "beyond": "", "games": 0, "score": None}
    assert found["rating"] == found["communist"]["rating"] > 1000
    said = capsys.readouterr().out
    assert "forfeited" not in said and "as Communist alone" in said
    found = told([arguments[0], "--games", "8", "--workers", "1"], tmp_path / "found.json")
    assert found["forfeits"] == found["democrat"]["games"] == 4
    said = capsys.readouterr().out
    assert "4 games of 8 were forfeited and count as losses: " in said and "cannot play the democrat" in said
    assert "; --side communist measures the Communist alone" in said


def test_a_player_that_can_never_play_the_game_is_not_measured(capsys):
    policy = ROOT / "agents" / "dawn_agents" / "players" / "pretrained" / "communist.zip"
    assert evaluate.main([f"policy:{policy}", "--side", "democrat"]) == 2
    said, error = capsys.readouterr()
    assert said == "" and "cannot play the democrat" in error and error.count("\n") == 1


def test_ladder_measures_a_scale(tmp_path, capsys):
    path = tmp_path / "scale.json"
    arguments = ["--players", "random", "heuristic:level=3", "heuristic", "--pairs", "8", "--workers", "1"]
    assert measure_scale.main([*arguments, "--scale", str(path), "--db", str(tmp_path / "games.db")]) == 0
    assert read_scale(path).names == ["random", "heuristic:level=3", "heuristic"]
    said = capsys.readouterr().out
    assert "The standing scale" in said and "largest step" in said and said.startswith("3 of 3 meetings to play")
    first = json.loads(path.read_text())
    changed = json.loads(path.read_text())
    changed["players"][0]["version"] = "0"  # the two meetings of random
    changed["players"][0]["seconds"] = changed["players"][2]["seconds"] = 9.0
    path.write_text(json.dumps(changed))
    assert measure_scale.main([*arguments, "--scale", str(path), "--db", str(tmp_path / "again.db")]) == 0
    assert capsys.readouterr().out.startswith("2 of 3 meetings to play")
    again = json.loads(path.read_text())
    assert again["players"][0]["seconds"] < 9.0 == again["players"][2]["seconds"]
    assert again["meetings"] == first["meetings"] and again["parameters"] == first["parameters"]
    arguments = ["--players", "random", "greedy", "--pairs", "1", "--workers", "1"]
    assert measure_scale.main([*arguments, "--scale", str(path), "--db", str(tmp_path / "other.db")]) == 2
    assert "a scale needs random and heuristic; heuristic has played no pair" in capsys.readouterr().err
