"""The turn: deal, reshuffling, action rounds, announcements, what follows the last round."""

import pytest
from scenario import asked, spaces
from situations import end_of_turn, track

pytestmark = pytest.mark.plain


# --- turn: deal -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "first", "last"), [(3, 41, 81), (7, 82, 110)])
def test_decks_are_added_without_the_discards(turn, first, last):
    game = end_of_turn("D: 26 40", "card:26", "event", unscripted=True, turn=turn, draw_pile=[1], discard=[3, 4])
    at = game.position()
    dealt = {*at["draw_pile"], *at["hands"]["C"], *at["hands"]["D"]}
    assert {1, 40, *range(first, last + 1)} == dealt
    assert at["discard"] == [3, 4]


def test_no_deck_is_added_in_between():
    game = end_of_turn("D: 26 40", "card:26", "event", unscripted=True, turn=2)
    assert max(game.position()["draw_pile"]) <= 40


# --- turn: action rounds --------------------------------------------------------------------------


def test_extra_check_after_the_extra_round():
    game = end_of_turn(
        "D: 26 40 / C: 28", "card:26", "event", support={"Czech Writers": (2, 0)}, in_play=[15], boxes=(0, 6),
    ).take("extra-round")  # fmt: skip
    game.state.stop_at_round = 0
    game.resume()
    game.take("event")
    assert (game.state.action_round, *asked(game)) == (8, "check", "C")
    assert game.legal == ["pass", "space:Czech Writers"]


def test_extra_check_is_optional():
    game = end_of_turn("D: 26 40", "card:26", "event", support={"Czech Writers": (2, 0)}, boxes=(0, 6))
    assert (*asked(game), "pass" in game.legal) == ("check", "C", True)
    game.end_script()
    game.take("pass")
    assert (game.support("Czech Writers"), game.state.turn) == ((2, 0), 2)


def test_this_turn_effects_expire():
    lasting = [13, 25, 49, 50, 58, 59, 63, 74, 100, 101]
    game = end_of_turn(
        "D: 31", "event", *spaces(*["Czech Writers"] * 2, *["Polish Writers"] * 2), unscripted=True, turn=8,
        in_play=[*lasting, 24], prudence={"D": -1, "C": -2}, stand_fast="C", debt_burden="Hungary",
        tiananmen=track("C", box=2, tried_box=True, tried_turn=True) | {"D": track("D", box=8)["D"]}, award8_used=True,
    )  # fmt: skip
    at = game.position()
    assert {game.zone(card) for card in lasting} == {"removed"}
    assert (at["in_play"], at["award8_used"]) == ([24], False)
    assert not {"prudence", "stand_fast", "debt_burden"} & set(at)
    assert at["tiananmen"]["C"] == {"box": 2, "tried_box": True, "tried_turn": False}
