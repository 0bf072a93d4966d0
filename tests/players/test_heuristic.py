"""The rule-based player: strength, what it must never do, the choices it is known for, and the board it works on.

After a change that is meant to change choices, write the checksum anew and commit it:

    PYTHONPATH=tests/support python tests/players/test_heuristic.py --write
"""

import hashlib
import sys

import numpy as np
import pytest
from batches import batches
from dawn_agents.players.heuristic.action_scores import advise, value_board, working_position
from dawn_agents.players.heuristic_values import board_value
from dawn_agents.players.heuristic_values.observation_reader import read
from dawn_agents.players.heuristic_values.position_record import STYLES
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from paths import DATA

from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.observation import F
from dawn_env.tables import S

CHOICES = DATA / "heuristic_choices.txt"
"""SHA-256 of what all styles choose in ``CHOICE_STEPS`` positions of each of ``CHOICE_GAMES`` games."""
CHOICE_GAMES, CHOICE_STEPS = 32, 260


def outcomes(democrat: str, communist: str, games: int):
    players = make_player(democrat, 1), make_player(communist, 2)
    return [outcome for _, outcome in play_games([Pairing(1 + game, *players) for game in range(games)])]


def random_views(games: int, steps: int):
    for batch in batches(games, 5, make_player("random", 3), steps):
        yield batch.observations, batch.masks


def test_it_never_loses_by_a_held_scoring_card():
    played = outcomes("heuristic", "heuristic", 300) + outcomes("random", "heuristic", 100)
    for outcome in played:
        assert outcome.reason != "held scoring card" or outcome.democrat == "random", outcome.seed
        assert not (outcome.reason == "held scoring card" and outcome.result == "democrat"), outcome.seed


def test_styles_play_differently():
    moves = []
    for style in STYLES:
        (outcome,) = outcomes(f"heuristic:style={style}", f"heuristic:style={style}", 1)
        moves.append(tuple(outcome.actions))
    assert len(set(moves)) > len(STYLES) / 2


def choices_checksum() -> str:
    """Three moves in ten are random, the others those of the first style, so that many kinds of position occur."""
    players = [make_player(f"heuristic:style={style}") for style in STYLES]
    batch, rng, digest = Batch(CHOICE_GAMES, 8), np.random.default_rng(3), hashlib.sha256()
    for _ in range(CHOICE_STEPS):
        choices = [player.choose(batch.observations, batch.masks) for player in players]
        digest.update(np.array(choices, np.int16).tobytes())
        anything = (rng.random(batch.masks.shape) * batch.masks).argmax(1)
        batch.step(np.where(rng.random(CHOICE_GAMES) < 0.3, anything, choices[0]))
    return digest.hexdigest()


def test_choices_are_the_ones_known():
    assert choices_checksum() == CHOICES.read_text().strip(), "other choices: the docstring has the command"


def position_of(observation: np.ndarray) -> np.record:
    p = working_position(STYLES["balanced"])[0]
    read(observation, p)
    value_board(p)
    return p


def test_a_gain_is_what_the_board_is_worth_more_afterwards():
    rng = np.random.default_rng(1)
    for observations, _ in random_views(1, 60):
        p = position_of(observations[0])
        before = board_value.board_value(p)
        space, mine, theirs = int(rng.integers(S)), int(rng.integers(-2, 4)), int(rng.integers(-3, 2))
        for side, sign in ((0, 1), (1, -1)):
            gain = board_value.gain(p, side, space, mine, theirs)
            board_value.apply_change(p, side, space, mine, theirs)
            assert sign * (board_value.board_value(p) - before) == pytest.approx(gain)
            board_value.undo_changes(p)
            assert board_value.board_value(p) == pytest.approx(before)


def test_trying_and_taking_back_leaves_the_sums_as_they_were():
    *_, (observations, _) = random_views(4, 200)
    for observation in observations:
        p = position_of(observation)
        fresh = p.copy()
        for space in range(S):
            board_value.apply_change(p, space % 2, space, 2, -1)
        board_value.undo_changes(p)
        board_value.board_value(p)
        for name in ("support", "types", "types_again"):
            assert (p[name] == fresh[name]).all()
        for name in ("spaces", "grounds", "small", "worth"):
            assert p[name] == pytest.approx(fresh[name])


def test_what_is_remembered_changes_no_opinion():
    views, experienced = [*random_views(32, 200)], working_position(STYLES["balanced"])
    for observations, masks in views:
        advise(observations, masks, experienced)
    for observations, masks in views[::10]:
        fresh = working_position(STYLES["balanced"])
        assert (advise(observations, masks, experienced) == advise(observations, masks, fresh)).all()


def test_advice_names_the_choice_of_the_player_which_is_legal():
    player, positions = make_player("heuristic"), working_position(STYLES["balanced"])
    for observations, masks in random_views(64, 300):
        advised = advise(observations, masks, positions)
        opinions = advised[:, F : F + A]
        assert (advised[:, :F] == observations).all()
        assert ((opinions == -128) == (masks == 0)).all()
        assert (opinions.max(1) == 0).all()
        assert (opinions[np.arange(len(masks)), player.choose(observations, masks)] == 0).all()


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    CHOICES.write_text(choices_checksum() + "\n")
