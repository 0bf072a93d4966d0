"""The turn: deal, reshuffling, action rounds, announcements, what follows the last round."""

import pytest
from scenario import asked, scenario, spaces
from situations import end_of_turn, track

pytestmark = pytest.mark.plain


# --- turn: deal -----------------------------------------------------------------------------------


def test_deal_alternates_and_skips_the_full_hand():
    draws = [1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13]
    game = end_of_turn("D: 26 40 / C: 7 9 14 15", "card:26", "event", chance={"draws": draws})
    hands = game.position()["hands"]
    assert hands["C"] == [1, 3, 5, 7, 8, 9, 14, 15]
    assert hands["D"] == [2, 4, 6, 10, 11, 12, 13, 40]
    assert (game.state.turn, game.state.action_round, game.state.phasing) == (2, 1, 1)
    game.finish()


def test_a_hand_above_the_target_is_kept():
    cards = "7 9 14 15 16 18 25 28 30"
    draws = [1, 2, 3, 4, 5, 6, 8]
    game = end_of_turn(f"D: 26 40 / C: {cards}", "card:26", "event", chance={"draws": draws})
    hands = game.position()["hands"]
    assert (len(hands["C"]), len(hands["D"])) == (9, 8)
    game.finish()


def test_presidential_visit_shortens_one_deal():
    game = end_of_turn("D: 26 40", "card:26", "event", unscripted=True, turn=4, in_play=[65])
    hands = game.position()["hands"]
    assert (len(hands["C"]), len(hands["D"]), game.zone(65)) == (7, 8, "removed")


def test_samizdat_card_returns_before_the_deal():
    game = end_of_turn("D: 26 40", "card:26", "event", unscripted=True, turn=4, samizdat=42)
    hands = game.position()["hands"]
    assert 42 in hands["D"] and len(hands["D"]) == 8
    assert not game.over


def test_award_5_redraw():
    game = end_of_turn("D: 26 40 / C: 7 9", "card:26", "event", boxes=(5, 0), chance={"draws": REDRAW})
    assert asked(game) == ("swap-card", "D")
    hand = game.position()["hands"]["D"]
    assert game.legal == sorted([f"card:{card}" for card in hand if card != 22] + ["pass"])
    game.take("card:40")
    assert (game.zone(40), game.zone(39)) == ("discard", "D")
    game.finish()


REDRAW = [1, 22, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 39]
"""The deal of 13, then the replacement; the second card goes to the Democrat: a scoring card."""


@pytest.mark.parametrize("boxes", [(4, 0), (5, 5), (0, 0)])
def test_no_redraw_without_award_5(boxes):
    game = end_of_turn("D: 26 40", "card:26", "event", unscripted=True, boxes=boxes)
    assert (game.decision, game.state.turn) == ("none", 2)


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


def test_reshuffle_in_mid_deal():
    game = end_of_turn(
        "D: 26 40 34 35 36 37 / C: 7 9 14 15 16 18", "card:26", "event", draw_pile=[1, 2], discard=[31, 32, 33, 27],
        chance={"draws": [1, 2, 31, 32, 33]},
    )  # fmt: skip
    at = game.position()
    assert at["hands"]["C"] == [1, 7, 9, 14, 15, 16, 18, 31]
    assert at["hands"]["D"] == [2, 32, 33, 34, 35, 36, 37, 40]
    assert (at["draw_pile"], at["discard"]) == ([27], [])
    game.finish()


def test_the_last_card_of_a_deal_reshuffles_at_once():
    """Ruling refill-at-once."""
    game = end_of_turn(
        "D: 26 40 34 35 36 37 38 / C: 1 7 9 14 15 16 18 19", "card:26", "event", draw_pile=[2, 3], discard=[31],
        chance={"draws": [2, 3]},
    )  # fmt: skip
    at = game.position()
    assert (at["draw_pile"], at["discard"], len(at["hands"]["D"])) == ([31], [], 8)


def test_no_card_left_anywhere():
    """Ruling refill-at-once."""
    game = end_of_turn("D: 26 40 / C: 7", "card:26", "event", draw_pile=[2], discard=[], chance={"draws": [2]})
    assert game.position()["hands"] == {"C": [2, 7], "D": [40]}


def test_the_card_being_played_is_not_reshuffled():
    game = scenario("C: 14", boxes=(0, 2), dice=[6], draw_pile=[2, 3, 4], chance={"draws": [2, 3, 4]})
    game.take("tiananmen")
    assert asked(game) == ("keep-card", "C")
    assert game.legal == ["card:2", "card:3", "card:4"]
    game.take("card:3")
    at = game.position()
    assert (at["hands"]["C"], at["draw_pile"], at["discard"]) == ([3], [], [2, 4, 14])
    game.finish()


# --- turn: action rounds --------------------------------------------------------------------------


def test_rounds_alternate():
    game = scenario("C: 28 7 / D: 26 40", round=3, stop=False)
    game.take("card:28", "event")
    assert (game.state.action_round, *asked(game)) == (3, "card", "D")
    game.take("card:26", "event")
    assert (game.state.action_round, *asked(game)) == (4, "use", "C")


def test_passing_is_not_allowed():
    game = scenario("C: 28 7")
    assert game.legal == ["card:28", "card:7"]
    game.take("card:28")
    assert "pass" not in game.legal


def test_an_empty_hand_forfeits_the_round():
    game = scenario("C: 28 7", {"Gdansk": (0, 1)}, round=1, stop=False)
    game.take("card:28", "event")
    assert (game.state.action_round, *asked(game)) == (2, "use", "C")


@pytest.mark.parametrize(("die", "extra", "ends"), [(3, [], True), (2, [], False), (2, [25], True)])
def test_general_strike_round(die, extra, ends):
    game = scenario("C: 28 22", {"Poznan": (1, 0)}, in_play=[5, *extra], dice=[die])
    assert (*asked(game), game.legal) == ("strike-card", "C", ["card:22", "card:28"])
    game.take("card:28")
    assert game.zone(5) == ("removed" if ends else "in_play")
    assert (game.zone(28), game.support("Poznan"), game.state.phasing) == ("discard", (1, 0), 0)
    game.finish()


def test_general_strike_allows_a_scoring_card():
    game = scenario("C: 28 22", in_play=[5], dice=[1, 1])
    game.take("card:22", "retain")
    assert (game.zone(5), game.vp, game.zone(22)) == ("in_play", -3, "discard")
    game.finish()


def test_general_strike_lasts_over_the_turn():
    game = end_of_turn("D: 26 40", "card:26", "event", unscripted=True, in_play=[5], stop=False)
    assert (game.state.turn, *asked(game)) == (2, "strike-card", "C")


def test_general_strike_applies_to_the_extra_round():
    game = end_of_turn("D: 26 40 / C: 7 28", "card:26", "event", "extra-round", in_play=[5, 15], stop=False)
    assert (game.state.action_round, *asked(game)) == (8, "strike-card", "C")


def test_stasi_announcement_binds():
    game = scenario("D: 26 4 40 / C: 7 28", round=2, in_play=[13], stop=False)
    game.take("card:26", "event")
    assert (*asked(game), game.legal) == ("stasi-card", "D", ["card:4", "card:40"])
    game.take("card:40")
    assert (game.state.action_round, *asked(game)) == (3, "card", "C")
    game.take("card:28", "event")
    assert asked(game) == ("use", "D")
    game.take("event", "space:Budapest", "space:Budapest", "space:Budapest")
    assert game.zone(40) == "removed"


def test_stasi_card_that_left_the_hand_frees_the_choice():
    game = scenario(
        "D: 26 4 40 31 / C: 6 28", round=2, in_play=[13], stop=False, chance={"random_discards": [40]}
    ).take("card:26", "event", "card:40", "card:6", "event")
    assert (*asked(game), game.legal) == ("card", "D", ["card:31", "card:4"])


def test_stasi_with_common_european_home():
    game = scenario("D: 10 21 4", {"Gdansk": (1, 0)}, in_play=[13], stasi_card=10)
    assert (*asked(game), game.legal) == ("cancel-with-home", "D", ["no", "yes"])
    game.take("yes", "place", *spaces("Gdansk", "Gdansk", "Gdansk"))
    assert (game.zone(10), game.zone(21), game.vp) == ("discard", "discard", 0)


def test_stasi_home_itself_is_for_operations():
    game = scenario("D: 10 21 4", {"Gdansk": (1, 0)}, in_play=[13], stasi_card=21)
    assert game.legal == ["check", "place", "tiananmen"]


def test_no_announcement_for_the_extra_round():
    game = end_of_turn("D: 26 40 / C: 7 28", "card:26", "event", in_play=[13, 15])
    assert asked(game) == ("extra-round", "C")


def test_forfeit_counts_for_ligachev():
    """Ruling forfeit-is-no-event."""
    game = scenario("C: 28 7", turn=8, round=1, in_play=[99], stop=False).take("card:28", "event")
    assert (game.vp, game.zone(99), game.state.action_round) == (-3, "removed", 2)


@pytest.mark.parametrize(("actions", "vp"), [(["card:14", "event"], 0), (["card:14", "check"], -3), (["card:31"], -3)])
def test_ligachev(actions, vp):
    game = scenario("D: 14 31", {"Gdansk": (1, 0)}, turn=8, in_play=[99]).take(*actions)
    if actions == ["card:31"]:
        game.take("event")
    assert (game.vp, game.zone(99)) == (vp, "removed")


def test_ligachev_comes_before_the_effect():
    game = scenario("D: 33", turn=8, in_play=[99], vp=-17).take("event")
    assert (game.over, game.result, game.vp) == (True, "communist", -20)


def test_honecker_without_eligible_discard():
    game = scenario("C: 15 28 / D: 26 40", round=7, discard=[], stop=False)
    game.take("card:15", "event")
    assert game.zone(15) == "in_play"
    game.take("card:26", "event")
    assert (*asked(game), game.legal) == ("extra-round", "C", ["extra-round", "pass"])


def test_modrow_does_not_cancel_a_granted_round():
    game = end_of_turn("D: 26 40 / C: 7 28", "card:26", "event", turn=8, in_play=[15, 83])
    assert asked(game) == ("extra-round", "C")


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


def test_victory_by_the_extra_check():
    game = end_of_turn(
        "D: 40 31", "card:40", "event", *spaces("Pecs", "Pecs", "Pecs"), support={"Czech Writers": (2, 0)},
        boxes=(0, 6), in_play=[26], vp=19, dice=[1],
    )  # fmt: skip
    assert asked(game) == ("check", "C")
    game.take("space:Czech Writers")
    assert (game.result, game.reason, game.vp) == ("democrat", "automatic victory", 20)


def test_extra_check_uses_effects_of_the_turn():
    game = end_of_turn(
        "D: 26 40", "card:26", "event", support={"Schwerin": (0, 2)}, turn=4, boxes=(6, 0), in_play=[50, 59],
        dice=[5], chance={"draws": list(range(1, 16))},
    ).take("space:Schwerin")  # fmt: skip
    assert game.support("Schwerin") == (0, 1)  # 5 + 2 + 1 - 1 = 7
    game.finish()


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
