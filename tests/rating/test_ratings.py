"""Ratings and the sequential test, on results simulated from known strengths."""

import numpy as np
import pytest
from dawn_agents.tournaments.rating.pair_results import Meetings, PairResult
from dawn_agents.tournaments.rating.sprt import Sprt, expected_score, log_likelihood_ratio
from dawn_agents.tournaments.rating.tournament_ratings import rate

from dawn_env.errors import BadInput
from scripts.laboratory.simulation import KINDS, Simulated, coverage

STRENGTHS = {"random": 0.0, "b": 150.0, "c": -200.0, "d": 420.0}
ADVANTAGE, DRAW = 80.0, 0.1
ALPHA, BETA = 0.05, 0.1


def simulated(random, pairs, ratings=STRENGTHS):
    return Simulated(ratings, pairs, ADVANTAGE, DRAW).play(random)


def test_known_strengths_are_recovered():
    rated = rate(simulated(np.random.default_rng(1), 4000), "random")
    for name, strength in STRENGTHS.items():
        assert rated.ratings[name].value == pytest.approx(strength, abs=15)
    assert rated.advantage.value == pytest.approx(ADVANTAGE, abs=8)
    assert rated.draw.value == pytest.approx(DRAW, abs=0.01)


@pytest.mark.parametrize(
    "kind",
    [
        "60 pairs a meeting",
        "15 pairs a meeting",
        "games of a pair alike",
        "far apart",
        "without luck",
        "few pairs, without luck",
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(kind):
    """A small ``scripts.laboratory.simulation``: 60 tournaments, so 95% less three standard errors."""
    held = coverage(KINDS[kind], 60, seed=2)
    assert all(0.86 <= share <= 1 for share in held.values()) and 0.9 <= np.mean(list(held.values())) <= 0.995


def test_luck_narrows_intervals_and_moves_no_rating():
    simulated = Simulated({"a": 0.0, "b": 60.0, "c": -40.0}, 2000, luck=0.5)
    results = simulated.play(np.random.default_rng(4))
    with_luck, without = rate(results), rate(results, adjusted=True)
    for name in ("b", "c"):
        one, two = with_luck.ratings[name], without.ratings[name]
        assert two.value == pytest.approx(simulated.ratings[name], abs=25)
        assert two.high - two.low < 0.85 * (one.high - one.low)


def test_likelihood_of_superiority():
    rated = rate(simulated(np.random.default_rng(3), 60, {"a": 0.0, "b": 0.0, "c": 300.0}))
    np.testing.assert_allclose(rated.superiority + rated.superiority.T, 1)
    assert rated.names == ["a", "b", "c"] and rated.superiority[2, :2].min() > 0.99
    assert 0.01 < rated.superiority[0, 1] < 0.99


def test_winning_everything_gives_a_finite_rating_with_a_wide_interval():
    rated = rate([PairResult("best", "random", 1.0, 1.0)] * 50, "random")
    best = rated.ratings["best"]
    assert 500 < best.low < best.value < best.high < 5000 and best.high - best.low > 500
    assert rated.superiority[0, 1] > 0.99


def test_players_far_apart_stay_so_without_luck_after_a_few_pairs():
    """Luck that decided nothing, as one side won everything, must not draw ratings together."""
    simulated, random = KINDS["many players, one pair each, without luck"], np.random.default_rng(7)
    tournaments = [simulated.play(random) for _ in range(8)]
    plain, without = (
        np.mean([rate(results, "a", adjusted=adjusted).ratings["h"].value for results in tournaments])
        for adjusted in (False, True)
    )
    assert without == pytest.approx(plain, rel=0.06) and plain > 1300


def test_bad_luck_in_games_that_were_won_gives_a_finite_rating():
    """Without it, more games are won than were played."""
    won, lost = PairResult("a", "b", 1.0, 1.0, -0.4, 0.3), PairResult("a", "b", 1.0, 0.0, -0.4, -0.3)
    results = [won] * 4 + [lost] * 2
    even = np.full((2, 3), (0.5, 0.0, 0.5))
    assert Meetings(results, even).tallies.min() < 0
    estimate = rate(results, "b", adjusted=True).ratings["a"]
    assert np.isfinite(estimate[:3]).all() and 0 < estimate.value < 3000


def test_one_pair_without_luck_says_as_little_as_with_it():
    result = PairResult("a", "b", 1.0, 0.0, 0.3, -0.1)
    one, two = (rate([result], "b", adjusted=adjusted).ratings["a"] for adjusted in (False, True))
    assert two.high - two.low > 0.5 * (one.high - one.low)


def test_the_order_of_results_changes_nothing():
    results = simulated(np.random.default_rng(5), 20)
    one, other = rate(results), rate(results[::-1])
    for estimate, again in zip(one.ratings.values(), other.ratings.values(), strict=True):
        assert again[:3] == pytest.approx(estimate[:3], abs=1e-4)
    assert one.anchor == "b", "the first in the alphabet"


def test_nothing_to_rate_and_unknown_anchors_are_refused():
    with pytest.raises(BadInput, match="no pair"):
        rate([])
    with pytest.raises(BadInput, match="'z' has played no pair; players: a, b"):
        rate([PairResult("a", "b", 1.0, 0.0)], "z")


def run_test(elo, random):
    """Run the test, to its verdict, on pairs of a player who is ``elo`` stronger, and better as Democrat."""
    sprt, score = Sprt(0, 100, ALPHA, BETA), expected_score(elo)
    while not sprt.accepted:
        sprt.add(float((random.random(2) < (score + 0.1, score - 0.1)).sum()))
    return sprt


@pytest.mark.parametrize("elo, wrong, allowed", [(0, "H1", ALPHA), (100, "H0", BETA)])
def test_error_rates_hold(elo, wrong, allowed):
    random = np.random.default_rng(6)
    tests = [run_test(elo, random) for _ in range(200)]
    assert [sprt.accepted for sprt in tests].count(wrong) / 200 < allowed + 0.04


def test_the_verdict_is_kept_and_said():
    sprt = Sprt(0, 200)
    assert "undecided" in str(sprt)
    for _ in range(100):
        sprt.add(1.5)
    assert sprt.accepted == "H1" and sprt.counts.sum() < 100 and sprt.llr >= sprt.bounds[1]
    assert str(sprt).startswith("SPRT H1 accepted: H0 +0, H1 +200 Elo")
    counts = ", ".join(map(str, sprt.counts))
    assert str(sprt).endswith(f" {sprt.counts.sum()} pairs, with 0, 0.5, 1, 1.5, 2 points {counts} of them")


def test_the_ratio_is_that_of_the_likeliest_distributions():
    counts, (low, high) = np.array([10, 0, 20, 0, 30]), (expected_score(0), expected_score(100))

    def best(mean):
        middle = np.linspace(1e-6, 1 - 1e-6, 200001)
        top = mean - middle / 2
        bottom = 1 - middle - top
        inside = (top > 0) & (bottom > 0)
        return (10 * np.log(bottom[inside]) + 20 * np.log(middle[inside]) + 30 * np.log(top[inside])).max()

    assert log_likelihood_ratio(counts, 0, 100) == pytest.approx(best(high) - best(low), abs=0.01)


def test_bounds_and_bad_hypotheses():
    assert Sprt(0, 5, 0.05, 0.05).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    with pytest.raises(BadInput, match="elo0 must be below elo1"):
        Sprt(5, 5)
    with pytest.raises(BadInput, match="alpha and beta"):
        Sprt(0, 5, 0.0)
