"""The bid for sides (rule 13.0): secrecy, and what carries the offers; its table is in ``bid.txt``."""

import numpy as np
import pytest
from scripted_cases import situation

from dawn_env.actions import MOST_POINTS
from dawn_env.batch import Batch
from dawn_env.errors import IllegalAction, MalformedPosition
from dawn_env.formats import position_file
from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.players import RandomPlayer
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDE_NAMES

BID = {"bid": True}
OFFERED = ("offer:communist", "points:2", "offer:communist", "points:0")


# --- the table ---------------------------------------------------------------------------------------


def test_both_players_offer_a_side_and_points_before_anything_is_dealt():
    game = Game(1, BID)
    asked = []
    for action in ("offer:democrat", "points:3", "offer:communist", "points:0"):
        assert not game.chance and game.state.turn == 0
        asked.append((game.decision, game.actor))
        game.step(action)
    assert asked == [("offer-side", 0), ("offer-points", 0), ("offer-side", 1), ("offer-points", 1)]
    assert len(game.chance["draws"]) == 16 and game.decision == "setup"


# --- secrecy -----------------------------------------------------------------------------------------


OFFERS = [(side, points) for side in SIDE_NAMES for points in (0, 1, 7, 12)]


def test_the_second_player_is_asked_the_same_whatever_the_first_has_offered():
    """Ruling offers-in-turn."""
    asked = set()
    for side, points in OFFERS:
        game = Game(1, BID)
        game.step(f"offer:{side}")
        game.step(f"points:{points}")
        asked.add((game.decision, game.actor, tuple(game.legal), str(game.chance)))
        game.step("offer:democrat")
        asked.add((game.decision, game.actor, tuple(game.legal), str(game.chance)))
    assert len(asked) == 2


def test_offers_are_made_up_evenly():
    game = Game(1, BID)
    game.step("offer:democrat")
    game.step("points:9")
    made_up = {tuple(game.redeal(1, seed).state.offers[0].tolist()) for seed in range(400)}
    assert made_up == {(side, points) for side in range(2) for points in range(13)}
    assert (game.redeal(0, 3).state.offers == game.state.offers).all(), "their own offer is theirs"


def test_open_offers_stay_when_cards_are_dealt_anew():
    game = situation("bid").take(*OFFERED)
    for side in (DEMOCRAT, COMMUNIST):
        dealt = game.redeal(side, 3).state
        assert (dealt.offers == game.state.offers).all() and dealt.swapped == game.state.swapped


# --- what carries the offers -------------------------------------------------------------------------


def test_positions_carry_the_offers():
    game = situation("bid; dice 1 4").take(*OFFERED[:3], "points:2").finish().take("no")
    at = position_file.to_json(game.state)
    offer = {"side": "C", "points": 2}
    assert at["offers"] == {"first": offer, "second": offer} and at["first_plays"] == "DC"[game.state.swapped]
    again = Game.from_state(position_file.from_json(at)[0])
    assert again.state.swapped == game.state.swapped and again.options == game.options == GameOptions(bid=True)
    assert (again.state.extra_support == game.state.extra_support).all()


def test_there_is_no_position_before_the_bid():
    with pytest.raises(MalformedPosition, match="before the players have bid"):
        position_file.to_json(Game(1, BID).state)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("swapped", 1, "swapped: the game has not begun"),
        ("offers", [[0, 3], [1, -1]], "offers: 2 numbers"),
        ("offers", [[7, 3], [-1, -1]], "offers: of a side that there is not"),
        ("turn", 1, "turn: the game has not begun"),
        ("bid", 0, "frames: there is a bid, alone"),
    ],
)
def test_states_that_cannot_be_are_refused(field, value, problem):
    game = Game(5, BID)
    game.step("offer:communist")
    game.step("points:1")
    game.state[field] = value
    with pytest.raises(MalformedPosition, match=problem):
        Game.from_state(game.state)


def test_negative_offers_are_no_actions():
    game = Game(1, BID)
    game.step("offer:democrat")
    with pytest.raises(ValueError, match=r"'points:-1' is not legal at decision 'offer-points'"):
        game.step("points:-1")
    assert np.flatnonzero(game.mask).tolist() == list(range(234, 247))


def test_while_players_bid_messages_name_them():
    game, batch = Game(1, BID), Batch(1, 1, BID)
    with pytest.raises(IllegalAction, match="not legal at decision 'offer-side' of the first player; legal: offer"):
        game.step("pass")
    with pytest.raises(IllegalAction, match="at decision 'offer-side' of the first player; legal: "):
        batch.step(np.array([0]))


def test_random_players_make_offers_drawn_from_their_seeds():
    offers = [RandomPlayer(seed).bid(GameOptions.of(BID)) for seed in range(200)]
    assert offers == [RandomPlayer(seed).bid(GameOptions.of(BID)) for seed in range(200)]
    assert {offer.side for offer in offers} == {DEMOCRAT, COMMUNIST}
    assert {offer.points for offer in offers} == set(range(MOST_POINTS + 1))
