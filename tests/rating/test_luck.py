"""The correction of luck: repeated steps, honesty in small, and where it is measured."""

import numpy as np
import pytest
from dawn_agents.players.win_probability.position_features import STRUGGLE_FEATURES, J, write_struggle
from dawn_agents.players.win_probability.win_probability_regression import win_probabilities
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.tournaments.rating.chance_resampling import KINDS, PERIODS, ChanceKind, chance_corrections
from dawn_agents.tournaments.rating.luck_correction import is_measured, luck, shares, version

from dawn_env import engine
from dawn_env.errors import ChanceError, IllegalAction
from dawn_env.game import Game
from dawn_env.native import sources
from dawn_env.options import GameOptions
from dawn_env.players import RandomPlayer
from dawn_env.state import Decision, Result, new_states
from dawn_env.tables import DEMOCRAT
from scripts.laboratory import honesty


def played(pairs=1, options=None, first=0):
    players = RandomPlayer(1, "a"), RandomPlayer(2, "b")
    seeds = range(first, first + pairs)
    pairings = [Pairing(seed, *sides) for seed in seeds for sides in (players, players[::-1])]
    return [game for _, game in sorted(play_games(pairings, options=options))]


def chance(game):
    return win_probabilities(game.states)[0]


def taken(game, action, chance=None):
    after = game.copy()
    if chance:
        after.script(chance)
    after.step(action)
    return after


def probabilities_by_face(game, action):
    """After a step that rolls one die and has no other chance, whatever it shows; else nothing."""
    if set(taken(game, action).chance) != {"dice"}:
        return []
    try:
        return [chance(taken(game, action, {"dice": [face]})) for face in range(1, 7)]
    except ChanceError:
        return []


def test_six_repetitions_of_a_die_are_its_faces():
    (record, _), game, differing = played(), Game(0), 0
    for number, action in enumerate(record.actions[:150]):
        if faces := probabilities_by_face(game, action):
            found = chance_corrections(0, record.actions[: number + 1]) - chance_corrections(0, record.actions[:number])
            assert found.sum() == pytest.approx(chance(taken(game, action)) - np.mean(faces))
            differing += len(set(faces)) > 1
        game.step(action)
    assert differing > 3


def test_repetitions_of_a_deal_have_its_mean():
    states = new_states(400)
    engine.reset(states, np.arange(400))
    found = [chance_corrections(seed, ())[ChanceKind.FIRST_DEAL, 0] for seed in range(400)]
    assert abs(np.mean(found)) < 3 * np.std(found) / 20 and win_probabilities(states).std() > 0.01


def test_games_repeat_exactly_and_only_chance_counts():
    one, two = played()
    assert np.array_equal(chance_corrections(one.seed, one.actions), chance_corrections(one.seed, one.actions))
    found = chance_corrections(one.seed, one.actions)
    first_deal, of_mate = found[ChanceKind.FIRST_DEAL], chance_corrections(two.seed, two.actions)[ChanceKind.FIRST_DEAL]
    assert found.shape == (KINDS, PERIODS) and not first_deal[1:].any()
    assert first_deal[0] == of_mate[0] != 0, "the mate's deal"
    set_up = chance_corrections(one.seed, one.actions[:6])
    assert not np.delete(set_up, ChanceKind.FIRST_DEAL, axis=0).any(), "no chance in the set-up"
    assert luck(one.seed, one.actions) == pytest.approx((shares() * found).sum())


def test_a_game_that_cannot_be_is_named():
    (game, _) = played()
    with pytest.raises(IllegalAction, match=f"action {len(game.actions)} of game 0 is not legal there"):
        chance_corrections(game.seed, [*game.actions, 3])
    with pytest.raises(IllegalAction, match="action 0 of game 7 is not legal"):
        chance_corrections(7, [10**6])
    with pytest.raises(IllegalAction, match="action 0 of game 7 is not legal"):
        chance_corrections(7, [-1])


def test_the_end_of_a_game_is_its_result():
    (game, _) = played()
    state = Game(game.seed)
    for action in game.actions:
        assert 0 < chance(state) < 1
        state.step(action)
    assert state.state.result != Result.RUNNING and chance(state) == game.points[DEMOCRAT]


def test_struggles_are_seen():
    game, random, seen, numbers = Game(2), np.random.default_rng(2), 0, np.zeros(J)
    while not game.over:
        write_struggle(game.state, numbers)
        assert numbers.any() <= (game.state.struggle >= 0)
        if game.state.decision == Decision.ATTACK:
            seen += 1
            sign = 1 if game.state.attacker == DEMOCRAT else -1
            assert numbers[STRUGGLE_FEATURES.index("attacker")] == sign
        game.step(int(random.choice(np.flatnonzero(game.state.legal))))
    assert seen


@pytest.mark.parametrize("players", honesty.MEETINGS[:2])
def test_luck_has_no_mean(players):
    """A small version of ``scripts.laboratory.honesty``, paired deals included."""
    sample = honesty.draw_sample(*players, 150, seed=4)
    assert honesty.is_honest(sample) and sample.luck.std(axis=0).min() > 0
    assert not sample.of_pairs[:, ChanceKind.FIRST_DEAL].any(), "of which both have the same"


def test_luck_explains_results():
    sample = honesty.draw_sample("heuristic", "heuristic:style=events", 150, seed=5)
    assert sample.variance_ratio < 0.9


def test_other_games():
    family, bid, points = GameOptions(mode="family"), GameOptions(bid=True), GameOptions(extra_support=(0, 3))
    assert [is_measured(options) for options in (family, bid, points)] == [False, True, True]
    (game, mate) = played(options=bid)
    found = chance_corrections(game.seed, game.actions, bid)
    assert not found[ChanceKind.FIRST_DEAL].any() and found.any(), "a bid decides who gets which deal"
    assert chance_corrections(played(options=points)[0].seed, played(options=points)[0].actions, points).any()


@pytest.mark.parametrize("changed", ["luck_correction.py", "static_evaluation.py", "country_value.py"])
def test_the_version_changes_with_all_that_luck_depends_on(monkeypatch, changed):
    before, contents = version(), sources._read

    def read(path):
        digest, imports = contents(path)
        return digest[::-1] if path.endswith(changed) else digest, imports

    monkeypatch.setattr(sources, "_read", read)
    assert version.__wrapped__() != before


def test_the_command_tells_what_it_found(capsys):
    assert honesty.main(["--games", "8", "--seed", "3"]) in (0, 1)
    assert "variance ratio" in capsys.readouterr().out
