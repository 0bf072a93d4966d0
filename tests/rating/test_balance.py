"""The balance of the game: known answers, fair bids, the games behind them, and the command line."""

import json

import numpy as np
import pytest
from dawn_agents.tournaments.entrants import enter
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.work.executor import LocalExecutor
from paths import ROOT

from dawn_env.bids import BALANCE, Offer, fair_offer
from dawn_env.tables import COMMUNIST, DEMOCRAT
from scripts.laboratory import measure_balance
from scripts.laboratory.measure_balance import Balance, Trial, balance_of, options_of, play, read_balance


def simulated(rng: np.random.Generator, advantage: float, worth: float, games: int = 200) -> Balance:
    """Games with a logistic chance for the Democrat, in Elo and Elo a point; one in twenty is drawn."""
    tallies = {}
    for points in range(-8, 9, 2):
        chance = 1 / (1 + 10 ** (-(advantage + worth * points) / 400))
        lost, drawn, won = rng.multinomial(games, [0.95 * (1 - chance), 0.05, 0.95 * chance]).tolist()
        tallies[points] = (lost, drawn, won)
    return Balance("simulated", "1", tallies)


def test_the_fair_points_are_within_their_interval_as_often_as_it_says():
    rng, hits, count = np.random.default_rng(1), 0, 150
    for _ in range(count):
        fair = rng.uniform(-5, 5)
        low, high = simulated(rng, -25 * fair, 25).interval
        hits += low <= fair <= high
    assert 0.91 < hits / count < 0.99


@pytest.mark.parametrize(
    ("advantage", "offer"),
    [(-60, Offer(DEMOCRAT, 3)), (60, Offer(COMMUNIST, 3)), (0, Offer(DEMOCRAT, 0)), (-105, Offer(DEMOCRAT, 5))],
)
def test_the_fair_bid_gives_points_to_the_side_that_needs_them(advantage, offer):
    found = simulated(np.random.default_rng(2), advantage, 20, 100_000)
    assert found.offer == offer and found.fair == pytest.approx(-advantage / 20, abs=0.1)
    assert found.worth == pytest.approx(20, abs=2) and found.advantage == pytest.approx(advantage, abs=5)
    assert found.curve(np.array([found.fair])) == pytest.approx([0.5])


def test_what_no_points_tried_make_even_is_marked():
    found = simulated(np.random.default_rng(3), 600, 10, 2000)
    assert found.fair == -8 and found.range.startswith("≤ -8.0 to ")


def test_games_are_kept_played_once_and_the_same_whatever_the_pieces(tmp_path):
    (entrant,) = enter(["heuristic:level=2"])
    trials = [Trial(entrant, points, 6, 4) for points in (-4, 3)]
    assert list(play(trials, tmp_path / "one", LocalExecutor())) == [0, 6, 0, 6]
    assert list(play(trials, tmp_path / "one", LocalExecutor())) == [6, 6]
    part = [Trial(entrant, points, 2, 4) for points in (-4, 3)]
    assert sum(play(part, tmp_path / "two", LocalExecutor())) == 4
    assert list(play(trials, tmp_path / "two", LocalExecutor())) == [2, 4, 2, 4]
    found = [balance_of(entrant, trials, tmp_path / folder) for folder in ("one", "two")]
    assert found[0] == found[1] and sum(found[0].tallies[3]) == 6
    with ResultDatabase(tmp_path / "one" / "communist-4.db") as store:
        assert store.options == options_of(-4) and options_of(-4).extra_support == (0, 4)
        assert all(record["result"] != "running" for record in store.records())


def test_balance_measures_and_writes(tmp_path, capsys):
    files = {"--db": "games", "--json": "balance.json", "--plot": "balance.svg"}
    where = [word for option, name in files.items() for word in (option, str(tmp_path / name))]
    arguments = ["--players", "random", "heuristic", "--points", "-5", "0", "5", "--games", "12", "--workers", "1"]
    assert measure_balance.main([*arguments, *where]) == 0
    told, balances = read_balance(tmp_path / "balance.json")
    assert [one.name for one in balances] == ["random", "heuristic"]
    assert [sum(games) for games in balances[1].tallies.values()] == [12, 12, 12]
    assert "--points -5 0 5 --games 12" in told["command"]
    assert json.loads(json.dumps(balances[0].to_json())) == told["players"][0]
    assert (tmp_path / "balance.svg").read_text().startswith("<svg") and "fair bid" in capsys.readouterr().out


def test_players_bid_what_was_measured():
    _, balances = read_balance()
    measured = {one.name.partition(":")[0]: one.offer for one in balances}  # the strongest of a name comes last
    assert measured == dict(BALANCE), "dawn_env/bids.py has other offers than scripts/laboratory/balance.json"
    assert fair_offer("search:sims=50") == BALANCE["search"] and fair_offer("nobody") == Offer(DEMOCRAT, 0)
    assert (ROOT / "docs" / "images" / "balance.svg").exists()
