"""The levels of the rule-based player: what errors are drawn from, how often they occur, and what they cost."""

import math

import numpy as np
import pytest
from dawn_agents.players.heuristic.play_levels import BEST, LEVELS, Level, add_errors, best_legal, errors_of, weights_of
from dawn_agents.players.heuristic_values.card_values import FORCED
from dawn_agents.players.heuristic_values.position_record import STYLES
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games

from dawn_env.batch import Batch
from dawn_env.options import GameOptions
from dawn_env.support.compiling import entry


def points(one: str, two: str, pairs: int, options: dict | None = None) -> float:
    """Share of the points that ``one`` makes in pairs of games."""
    players = make_player(one, 1), make_player(two, 2)
    games = [Pairing(seed, *order) for seed in range(pairs) for order in (players, players[::-1])]
    played = sorted(play_games(games, width=512, options=options))
    return np.mean([outcome.points[game % 2] for game, outcome in played])


@pytest.mark.parametrize("level", [2, 5, 8, BEST])
def test_two_levels_up_is_clearly_stronger(level):
    weaker = f"heuristic:level={level - 2}" if level > 2 else "random"
    assert points(f"heuristic:level={level}", weaker, 100) > 0.65


@pytest.mark.parametrize("options", [GameOptions(), GameOptions(mode="family")], ids=["standard", "family"])
def test_choices_follow_from_view_and_seed_alone(options):
    batch, player = Batch(24, 3, options), make_player("heuristic:level=3", 7)
    again, other = make_player("heuristic:level=3", 7), make_player("heuristic:level=3", 8)
    differ = 0
    for _ in range(150):
        actions = player.choose(batch.observations, batch.masks)
        assert batch.masks[np.arange(24), actions].all()
        rows = np.array([17, 4])
        assert (again.choose(batch.observations[rows], batch.masks[rows]) == actions[rows]).all()
        differ += (other.choose(batch.observations, batch.masks) != actions).sum()
        batch.step(actions)
    assert differ > 100


def test_in_family_mode_weaker_players_err_too():
    assert points("heuristic:level=1", "heuristic", 30, {"mode": "family"}) < 0.4


def test_the_best_level_is_the_player_itself():
    assert make_player(f"heuristic:level={BEST}").name == "heuristic"
    assert make_player("heuristic:level=10").options == {"style": "balanced"}
    assert make_player("heuristic:level=4").options == {"style": "balanced", "level": 4}
    assert LEVELS[BEST] == Level() and weights_of(Level(), STYLES["events"]) == STYLES["events"]


def test_each_level_errs_less_than_the_one_below():
    for level in range(1, BEST):
        below, above = LEVELS[level], LEVELS[level + 1]
        assert below.misjudges > above.misjudges and below.overlooks > above.overlooks
        assert below.forgets > above.forgets and below.foresight < above.foresight


@entry
def _count_choices(worth, errors, views, mask, scores, counts):
    for view in range(views):
        for option in range(len(worth)):
            scores[option] = worth[option]
        add_errors(mask, scores, errors[0], view * 7919)
        counts[best_legal(mask, scores)] += 1


def _choices(worth, errors, views):
    counts = np.zeros(len(worth))
    _count_choices(worth, errors, views, np.ones(len(worth), np.int8), worth.copy(), counts)
    return counts / views


def test_larger_blunders_are_rarer_exponentially():
    worth = np.array([0.0, -0.5, -1.0, -2.0], np.float32)
    expected = np.exp(worth / 0.5)
    assert _choices(worth, errors_of(Level(misjudges=0.5)), 20_000) == pytest.approx(
        expected / expected.sum(), abs=0.01
    )


def test_an_option_is_overlooked_as_often_as_declared():
    taken = _choices(np.array([9.0, 0.0], np.float32), errors_of(Level(overlooks=0.2)), 20_000)
    assert taken[1] == pytest.approx(0.2 * 0.8, abs=0.01)  # the better one not seen, the other one seen


def test_a_scoring_card_that_must_be_played_is_forgotten_as_often_as_declared():
    taken = _choices(np.array([FORCED - 2, 1.0, -FORCED + 9], np.float32), errors_of(Level(forgets=0.3)), 20_000)
    assert taken == pytest.approx([0.7, 0.0, 0.3], abs=0.01)


def test_no_errors_change_nothing():
    scores = np.array([1.0, FORCED, -FORCED, 3.0], np.float32)
    seen = scores.copy()
    add_errors(np.ones(4, np.int8), seen, errors_of(Level())[0], 1)
    assert (seen == scores).all() and math.isfinite(seen.sum())
