"""Win probabilities: their calibration in played games, and fits that recover known weights."""

import json

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.players.win_probability import win_probability_network, win_probability_regression
from dawn_agents.players.win_probability.win_probability_network import FACTS, D, weights

from dawn_env.game import Game
from dawn_env.state import Result
from scripts.laboratory import fit_network, fit_regression
from scripts.laboratory.samples import Sampling, games_of, log_loss, sampled_games

BY_NETWORK = win_probability_network.win_probabilities
BY_REGRESSION = win_probability_regression.win_probabilities
SAMPLING = Sampling(most=80, often=0.1, often_in_struggles=0.1, errors=0.01)


@pytest.fixture(scope="module")
def positions():
    return fit_network.read(sampled_games(40, 3, fit_network._SAMPLING))


@pytest.mark.parametrize("foretold", [BY_REGRESSION, BY_NETWORK])
@pytest.mark.parametrize("result, expected", [(Result.DEMOCRAT, 1), (Result.COMMUNIST, 0), (Result.DRAW, 0.5)])
def test_a_finished_game_has_its_result_as_probability(foretold, result, expected):
    game = Game(1)
    game.state.result = result
    assert foretold(game.states) == [expected]


def test_probabilities_foretell_results():
    games = sampled_games(60, 5, SAMPLING)
    found = [(BY_NETWORK(states), BY_REGRESSION(states), np.full(len(states), result)) for _, states, result in games]
    network, regression, results = map(np.concatenate, zip(*found, strict=True))
    assert len(results) > 1500 and 0 < network.min() and network.max() < 1
    assert np.mean((network > 0.5) == (results > 0.5)) > 0.65
    assert 0.3 < log_loss(network, results) < np.log(2) and np.abs(network - regression).max() > 0.05


def test_games_of_a_player_are_sampled_as_told():
    """All games, each with its own result, as many positions as asked for; errors make them other games."""
    player = make_player("heuristic", 1)
    samples = list(games_of(player, 9, 4, Sampling(30, 0.05, 0.0)))
    assert sorted(game for game, _, _ in samples) == list(range(9))
    assert {result for _, _, result in samples} <= {0.0, 0.5, 1.0} and len({result for _, _, result in samples}) > 1
    for _, states, _ in samples:
        assert 0 < len(states) <= 30 and len(set(states["seed"])) == 1
        assert (np.diff(states["decisions"]) > 0).all() and (states["struggle"] < 0).all()
    again = list(games_of(player, 9, 4, Sampling(30, 0.05, 0.0)))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(samples, again, strict=True))
    wild = {game: states for game, states, _ in games_of(player, 9, 4, Sampling(30, 0.05, 0.0, errors=1.0))}
    assert not any(np.array_equal(wild[game]["support"], states["support"]) for game, states, _ in samples)


def test_the_network_learns_games_of_every_kind(tmp_path, monkeypatch, capsys):
    """Positions of both kinds, their games told apart; the file says how well each is foretold."""
    monkeypatch.setattr(fit_network, "FILE", tmp_path / "network.json")
    monkeypatch.setattr(fit_network, "_POLICIES", "heuristic")
    fit_network.main(["--games", "70", "--seed", "3"])
    made = json.loads((tmp_path / "network.json").read_text())["made"]
    assert made.count("log loss") == 2 and "70 games, seed 3" in made and capsys.readouterr().out.strip() in made
    parts = list(fit_network.play_games(70, 3))
    apart = [len(np.unique(part.games)) for part in parts]  # a short game may have left no position
    assert 60 < apart[0] <= 70 and apart[1] == 10
    assert len(np.unique(fit_network.joined(parts).games)) == sum(apart)


def test_what_the_network_sees(positions):
    assert positions.facts.min() >= 0 and positions.facts.max() < FACTS and positions.numbers.shape[1] == D
    assert (np.diff(positions.facts, axis=1) > 0).all(), "one fact of each kind, in the order of the kinds"
    hands = positions.numbers[:, win_probability_network._HANDS : win_probability_network._ODDS]
    assert set(np.unique(hands)) == {-1, 0, 1} and (hands > 0).sum(1).max() < 12
    assert np.abs(positions.numbers[:, win_probability_network._LEADS : win_probability_network._HANDS]).max() == 1
    assert np.array_equal(positions.numbers[:, win_probability_network._ODDS], positions.odds)


def test_what_is_learnt_leads_from_probabilities_to_the_result():
    positions = fit_network.Positions(
        *(np.zeros((4, 1)),) * 3, np.array([1.0, 1.0, 1.0, 0.0]), np.array([7, 7, 7, 8])
    )  # fmt: skip
    odds = np.array([9.0, 0.0, 0.0, 5.0])
    assert fit_network.returns(positions, odds, 0.5).tolist() == [0.625, 0.75, 1.0, 0.0]
    assert fit_network.returns(positions, odds, 1.0).tolist() == [1.0, 1.0, 1.0, 0.0]


def test_the_network_as_compiled_is_the_one_that_was_fitted(positions, tmp_path, monkeypatch):
    rows = np.arange(len(positions.odds))
    monkeypatch.setattr(fit_network, "_EPOCHS", 12)  # enough for the few games to leave no doubt that it learns
    network = fit_network.learn(positions, positions.results, rows, 1)
    monkeypatch.setattr("dawn_agents.players.win_probability.win_probability_network.FILE", tmp_path / "network.json")
    monkeypatch.setattr("scripts.laboratory.fit_network.FILE", tmp_path / "network.json")
    fit_network.write(network.weights(), "a test")
    weights.cache_clear()
    states = [states.copy() for _, states, _ in sampled_games(40, 3, fit_network._SAMPLING)]
    try:
        compiled = np.concatenate([BY_NETWORK(some) for some in states])
    finally:
        weights.cache_clear()
    odds = fit_network.odds_of(network, positions)
    assert compiled == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)
    assert np.abs(odds - positions.odds).max() > 0.01, "it has learnt something"
    assert log_loss(compiled, positions.results) < log_loss(1 / (1 + np.exp(-positions.odds)), positions.results)


def test_the_regression_fits():
    found = fit_regression.play_games(30, 3)
    fitted = fit_regression._win_probabilities(found, fit_regression._Regression(found).fitted())
    assert log_loss(fitted, found.results) < log_loss(np.full(len(fitted), 0.5), found.results) - 0.1
