"""Ratings and the sequential test, on results simulated from known strengths."""

from itertools import combinations

import numpy as np
import pytest

from agents.tournament.errors import TournamentError
from agents.tournament.ratings import ELO, rate
from agents.tournament.results import PairResult
from agents.tournament.sprt import Hypotheses, Sprt, expected_score, log_likelihood_ratio

STRENGTHS = {"random": 0.0, "b": 150.0, "c": -200.0, "d": 420.0}
ADVANTAGE, DRAW = 80.0, 0.1


def odds(difference):
    """Chances of Communist, draw, Democrat by the formula in docs/tournaments.md."""
    d = difference / ELO
    weights = np.array([np.exp(-d / 2), DRAW, np.exp(d / 2)])
    return weights / weights.sum()


def simulated(random, pairs, strengths=STRENGTHS):
    results = []
    for one, two in combinations(sorted(strengths), 2):
        lead = strengths[one] - strengths[two]
        as_democrat = random.choice(3, pairs, p=odds(lead + ADVANTAGE)) / 2
        as_communist = 1 - random.choice(3, pairs, p=odds(-lead + ADVANTAGE)) / 2
        results += [PairResult(one, two, *scores) for scores in zip(as_democrat, as_communist, strict=True)]
    return results


def test_known_strengths_are_recovered():
    rated = rate(simulated(np.random.default_rng(1), 4000), "random", samples=100)
    for name, strength in STRENGTHS.items():
        assert rated.ratings[name].value == pytest.approx(strength, abs=15)
    assert rated.advantage.value == pytest.approx(ADVANTAGE, abs=8)
    assert rated.draw.value == pytest.approx(DRAW, abs=0.01)


def test_intervals_hold_the_truth_as_often_as_they_say():
    random, inside = np.random.default_rng(2), []
    for repetition in range(40):
        rated = rate(simulated(random, 60), "random", samples=100, seed=repetition)
        truths = [(rated.ratings[name], STRENGTHS[name]) for name in "bcd"] + [(rated.advantage, ADVANTAGE)]
        inside += [estimate.low <= truth <= estimate.high for estimate, truth in truths]
    assert 0.89 <= np.mean(inside) <= 0.99


def test_likelihood_of_superiority():
    rated = rate(simulated(np.random.default_rng(3), 60, {"a": 0.0, "b": 0.0, "c": 300.0}), samples=200)
    np.testing.assert_allclose(rated.superiority + rated.superiority.T, 1)
    assert rated.names == ["a", "b", "c"] and rated.superiority[2, :2].min() > 0.99
    assert 0.01 < rated.superiority[0, 1] < 0.99


def test_winning_everything_gives_a_finite_rating_with_a_wide_interval():
    rated = rate([PairResult("best", "random", 1.0, 1.0)] * 50, "random", samples=300)
    best = rated.ratings["best"]
    assert 500 < best.low < best.value < best.high < 5000 and best.high - best.low > 500
    assert rated.superiority[0, 1] > 0.99


def test_more_pairs_make_narrower_intervals():
    widths = []
    for pairs in (40, 640):
        estimate = rate(simulated(np.random.default_rng(4), pairs), "random", samples=200).ratings["b"]
        widths.append(estimate.high - estimate.low)
    assert widths[0] / widths[1] == pytest.approx(4, rel=0.3)


def test_the_same_seed_gives_the_same_intervals():
    results = simulated(np.random.default_rng(5), 20)
    one, same, other = (rate(results, samples=30, seed=seed) for seed in (1, 1, 2))
    assert one.ratings == same.ratings != other.ratings
    assert one.anchor == "b", "the first in the alphabet"


def test_nothing_to_rate_and_unknown_anchors_are_refused():
    with pytest.raises(TournamentError, match="no pair"):
        rate([])
    with pytest.raises(TournamentError, match="'z' has played no pair; players: a, b"):
        rate([PairResult("a", "b", 1.0, 0.0)], "z")


# --- the sequential test -----------------------------------------------------------------------


def run_test(hypotheses, elo, random, most=5000):
    """Pairs with an expected score of exactly ``elo``, better as Democrat than as Communist."""
    sprt, score = Sprt(hypotheses), expected_score(elo)
    while not sprt.accepted and sprt.counts.sum() < most:
        sprt.add(float((random.random(2) < (score + 0.1, score - 0.1)).sum()))
    return sprt


@pytest.mark.parametrize("elo, wrong", [(0, "H1"), (100, "H0")])
def test_error_rates_hold(elo, wrong):
    random, hypotheses = np.random.default_rng(6), Hypotheses(0, 100, 0.05, 0.1)
    accepted = [run_test(hypotheses, elo, random).accepted for _ in range(300)]
    allowed = hypotheses.alpha if wrong == "H1" else hypotheses.beta
    assert set(accepted) <= {"H0", "H1"} and accepted.count(wrong) / 300 < allowed + 0.03


def test_the_verdict_is_kept_and_said():
    sprt = Sprt(Hypotheses(0, 200))
    assert "undecided" in str(sprt)
    for _ in range(100):
        sprt.add(1.5)
    assert sprt.accepted == "H1" and sprt.counts.sum() < 100 and sprt.llr >= sprt.hypotheses.bounds[1]
    assert str(sprt).startswith("SPRT H1 accepted: H0 +0, H1 +200 Elo")


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
    assert Hypotheses(0, 5, 0.05, 0.05).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    with pytest.raises(TournamentError, match="elo0 must be below elo1"):
        Hypotheses(5, 5)
    with pytest.raises(TournamentError, match="alpha and beta"):
        Hypotheses(0, 5, 0.0)
