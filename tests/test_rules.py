"""The general rules, section by section: set-up, turn, play of a card, operations, values, victory, tracks, Romania.

Struggles are in ``test_struggles.py``. A name that ends in ``_dNN`` shows a place where another program
departs from the rules and this engine does not.
"""

import pytest
from scenario import Scenario, scenario

from dawn_env.game import Game
from dawn_env.tables import COMMUNIST, COUNTRIES, SETUP, SPACES

pytestmark = pytest.mark.plain

NEEDS = {"D": (5, 5, 6, 6, 7, 8, 9, 10), "C": (6, 6, 7, 7, 8, 7, 6, 5)}


def spaces(*names: str) -> list[str]:
    """Action texts of spaces."""
    return [f"space:{name}" for name in names]


def places(game: Scenario) -> set[str]:
    """Names of the spaces that are legal now."""
    return {text.removeprefix("space:") for text in game.legal if text.startswith("space:")}


def asked(game: Game) -> tuple[str, str]:
    """The decision and whose it is."""
    return game.decision, "DC"[game.actor]


def track(side: str, **marks) -> dict:
    """A ``tiananmen`` entry with marks for one side; ``box`` of the other side is 0."""
    blank = {"box": 0, "tried_box": False, "tried_turn": False}
    return {letter: {**blank, **(marks if letter == side else {})} for letter in "DC"}


# --- 2 set-up ------------------------------------------------------------------------------------


def test_new_game():
    game = Game(5)
    at = Scenario.from_state(game.state).position()
    assert [len(at["hands"][side]) for side in "DC"] == [8, 8]
    assert (len(at["draw_pile"]), at["vp"], at["turn"], at["ussr"]) == (24, 0, 0, 0)
    assert game.state.support.tolist() == SETUP.tolist()
    assert game.state.support.sum(axis=1).tolist() == [15, 20]
    assert {entry["holder"] for entry in at["power"].values()} == {"C"}


def test_extra_placement_batches_and_targets():
    game, order = Game(5), []
    while game.state.turn == 0:
        order.append(game.actor)
        free = {name for name, points in zip(SPACES, game.state.support[1 - game.actor], strict=True) if points == 0}
        assert places(game) == free
        game.step(game.legal[0])
    assert order == [1] * 2 + [0] * 3 + [1] * 3 + [0] * 4 + [1] * 2
    assert game.state.support.sum(axis=1).tolist() == [22, 27]
    assert (game.state.turn, game.state.action_round, *asked(game)) == (1, 1, "card", "C")


@pytest.mark.parametrize(("extra", "order"), [((2, 0), [0, 0]), ((0, 3), [1, 1, 1]), ((1, 1), [0, 1])])
def test_points_of_the_bid_d01(extra, order):
    game, actors = Game(5, {"extra_support": extra}), []
    while game.state.turn == 0:
        actors.append(game.actor)
        game.step(game.legal[0])
    assert actors[14:] == order
    assert game.state.support.sum(axis=1).tolist() == [22 + extra[0], 27 + extra[1]]


# --- 3 turn: deal --------------------------------------------------------------------------------


def end_of_turn(hand: str, *actions: str, unscripted=False, **extra) -> Scenario:
    """The Democrat's seventh round, often with Helsinki (26) as a play without effect, up to the next turn."""
    chance = extra.pop("chance", {})
    game = scenario(hand, extra.pop("support", {}), phasing="D", round=7, chance=chance, **extra)
    if unscripted:
        game.end_script()
    return game.take(*actions)


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
    game = end_of_turn(
        "D: 26 40 34 35 36 37 38 / C: 1 7 9 14 15 16 18 19", "card:26", "event", draw_pile=[2, 3], discard=[31],
        chance={"draws": [2, 3]},
    )  # fmt: skip
    at = game.position()
    assert (at["draw_pile"], at["discard"], len(at["hands"]["D"])) == ([31], [], 8)


def test_no_card_left_anywhere():
    game = end_of_turn("D: 26 40 / C: 7", "card:26", "event", draw_pile=[2], discard=[], chance={"draws": [2]})
    assert game.position()["hands"] == {"C": [2, 7], "D": [40]}


def test_the_card_being_played_is_not_reshuffled_d02():
    game = scenario("C: 14", boxes=(0, 2), dice=[6], draw_pile=[2, 3, 4], chance={"draws": [2, 3, 4]})
    game.take("tiananmen")
    assert asked(game) == ("keep-card", "C")
    assert game.legal == ["card:2", "card:3", "card:4"]
    game.take("card:3")
    at = game.position()
    assert (at["hands"]["C"], at["draw_pile"], at["discard"]) == ([3], [], [2, 4, 14])
    game.finish()


# --- 3 turn: action rounds -----------------------------------------------------------------------


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


def test_forfeit_counts_for_ligachev_d03():
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


def test_honecker_without_eligible_discard_d04():
    game = scenario("C: 15 28 / D: 26 40", round=7, discard=[], stop=False)
    game.take("card:15", "event")
    assert game.zone(15) == "in_play"
    game.take("card:26", "event")
    assert (*asked(game), game.legal) == ("extra-round", "C", ["extra-round", "pass"])


def test_modrow_does_not_cancel_a_granted_round():
    game = end_of_turn("D: 26 40 / C: 7 28", "card:26", "event", turn=8, in_play=[15, 83])
    assert asked(game) == ("extra-round", "C")


def test_extra_check_after_the_extra_round_d05():
    game = end_of_turn(
        "D: 26 40 / C: 28", "card:26", "event", support={"Czech Writers": (2, 0)}, in_play=[15], boxes=(0, 6),
    ).take("extra-round")  # fmt: skip
    game.state.stop_at_round = 0
    game.resume()
    game.take("event")
    assert (game.state.action_round, *asked(game)) == (8, "check", "C")
    assert game.legal == ["pass", "space:Czech Writers"]


def test_extra_check_is_optional_d06():
    game = end_of_turn("D: 26 40", "card:26", "event", support={"Czech Writers": (2, 0)}, boxes=(0, 6))
    assert (*asked(game), "pass" in game.legal) == ("check", "C", True)
    game.end_script()
    game.take("pass")
    assert (game.support("Czech Writers"), game.state.turn) == ((2, 0), 2)


def test_victory_by_the_extra_check_d06():
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


# --- 4 playing a card ----------------------------------------------------------------------------


def test_own_event():
    assert scenario("D: 4").take("event").zone(4) == "removed"
    game = scenario("D: 31").take("event", *spaces(*["Czech Writers"] * 2, *["Polish Writers"] * 2))
    assert (game.zone(31), game.support("Czech Writers")) == ("discard", (2, 0))


def test_own_asterisk_card_for_operations_is_discarded():
    game = scenario("D: 4", {"Gdansk": (1, 0)}).take("place", "space:Gdansk")
    assert (game.zone(4), game.support("Polish Writers")) == ("discard", (0, 0))


def test_opponents_event_first():
    game = scenario("C: 19", {"Gdansk": (0, 1)}).take("opponent-event", "space:Czech Catholic Church")
    assert (*asked(game), game.legal) == ("ops", "C", ["check", "place"])
    game.take("place", *spaces("Gdansk", "Gdansk"))
    assert (game.support("Czech Catholic Church"), game.support("Gdansk"), game.zone(19)) == ((3, 0), (0, 3), "removed")


def test_opponents_event_after_operations():
    game = scenario("C: 4", {"Gdansk": (0, 1)}).take("place", "space:Gdansk")
    assert (game.support("Gdansk"), game.support("Polish Writers"), game.zone(4)) == ((0, 2), (3, 0), "removed")


def test_opponents_event_that_cannot_occur():
    game = scenario("C: 3", {"Gdansk": (0, 1)})
    assert game.legal == ["check", "place", "tiananmen"]
    game.take("place", *spaces("Gdansk", "Gdansk", "Gdansk"))
    assert (game.zone(3), game.support("Gdansk")) == ("discard", (0, 4))


def test_attempt_drops_the_event():
    game = scenario("C: 4", dice=[1]).take("tiananmen")
    assert (game.zone(4), game.support("Polish Writers"), game.state.track.tolist()) == ("discard", (0, 0), [0, 0])


def test_common_european_home_cancels():
    game = scenario("C: 4 21 28", {"Gdansk": (0, 1)}).take("card:21")
    assert "event" in game.legal
    game.take("event", "place", "space:Gdansk")
    assert (game.zone(4), game.zone(21), game.zone(28), game.vp) == ("discard", "discard", "C", 0)
    assert (game.support("Gdansk"), game.support("Polish Writers")) == ((0, 2), (0, 0))


def test_common_european_home_asks_which_card():
    game = scenario("C: 4 21 28 31").take("card:21", "event")
    assert (*asked(game), game.legal) == ("home-card", "C", ["card:31", "card:4"])


@pytest.mark.parametrize(("side", "vp"), [("C", 1), ("D", -1)])
@pytest.mark.parametrize("use", ["check", "tiananmen"])
def test_common_european_home_alone(side, vp, use):
    game = scenario(f"{side}: 21", dice=[1] if use == "tiananmen" else []).take(use)
    assert (game.vp, game.zone(21)) == (vp, "discard")
    game.finish()


def test_common_european_home_pays_before_operations():
    game = scenario("C: 21", {"Gdansk": (0, 1)}, vp=19).take("place")
    assert (game.result, game.support("Gdansk")) == ("democrat", (0, 1))


def test_award_7_cancels_once_a_turn():
    game = scenario("C: 4 31 28 / D: 26 40", {"Gdansk": (0, 1)}, boxes=(6, 7), stop=False).take("card:4")
    assert "cancel-event" in game.legal
    game.take("cancel-event", "place", "space:Gdansk")
    assert (game.zone(4), game.support("Polish Writers")) == ("discard", (0, 0))
    game.take("card:26", "event", "card:31")
    assert "opponent-event" in game.legal and "cancel-event" not in game.legal


def test_award_7_after_operations():
    game = scenario("C: 4", {"Gdansk": (0, 1)}, boxes=(6, 7)).take("place", "space:Gdansk")
    assert (*asked(game), game.legal) == ("event-after", "C", ["cancel-event", "opponent-event"])
    game.take("cancel-event")
    assert (game.zone(4), game.support("Polish Writers"), game.state.award7_used) == ("discard", (0, 0), 1)


def test_award_7_need_not_be_used():
    game = scenario("C: 4", {"Gdansk": (0, 1)}, boxes=(6, 7)).take("place", "space:Gdansk", "opponent-event")
    assert (game.zone(4), game.support("Polish Writers"), game.state.award7_used) == ("removed", (3, 0), 0)


@pytest.mark.parametrize("boxes", [(7, 7), (8, 7), (0, 6)])
def test_award_7_needs_the_lead(boxes):
    assert "cancel-event" not in scenario("C: 4", boxes=boxes).legal


@pytest.mark.parametrize("first", ["event", "ops"])
def test_award_8_gives_event_and_operations(first):
    game = scenario("D: 4", {"Gdansk": (1, 0)}, boxes=(8, 7)).take("event-and-ops")
    assert (*asked(game), game.legal) == ("both-order", "D", ["event", "ops"])
    game.take(first, "place")
    assert game.support("Polish Writers") == ((3, 0) if first == "event" else (0, 0))
    assert ("space:Polish Writers" in game.legal) == (first == "event")
    game.take("space:Gdansk")
    assert (game.support("Polish Writers"), game.zone(4), game.state.award8_used) == ((3, 0), "removed", 1)


def test_award_8_once_a_turn_and_only_own_events():
    assert "event-and-ops" not in scenario("D: 4", boxes=(8, 0), award8_used=True).legal
    assert "event-and-ops" not in scenario("D: 10", boxes=(8, 0)).legal
    assert "event-and-ops" not in scenario("D: 3", boxes=(8, 0)).legal
    assert "event-and-ops" not in scenario("D: 4", boxes=(8, 8)).legal


def test_scoring_card_is_always_an_event():
    game = scenario("D: 23 4", dice=[1, 1]).take("card:23")
    assert (*asked(game), game.state.starter) == ("power", "C", 0)


PLAYABLE = [
    ("D", 3, {"in_play": [2]}), ("D", 61, {"in_play": [24]}), ("D", 81, {"in_play": [33]}),
    ("D", 84, {"in_play": [81]}), ("C", 109, {"in_play": [84]}), ("D", 97, {"in_play": [54]}),
    ("D", 97, {"crowd_done": True}), ("C", 107, {"in_play": [73]}), ("C", 96, {"boxes": (0, 7)}),
    ("D", 67, {"boxes": (3, 2)}), ("C", 67, {"boxes": (2, 3)}), ("D", 89, {"power": COUNTRIES[:2]}),
    ("C", 106, {"power": COUNTRIES[:1]}),
]  # fmt: skip
BARRED = [
    ("C", 14, {"in_play": [84]}), ("D", 14, {"in_play": [84]}), ("C", 15, {"in_play": [83]}), ("D", 110, {"ussr": 4}),
]  # fmt: skip
UNMET = [("C", 96, {"boxes": (0, 6)}), ("D", 67, {"boxes": (2, 2)}), ("D", 89, {"power": COUNTRIES[:1]})]


@pytest.mark.parametrize(("side", "card", "condition"), PLAYABLE)
def test_condition_of_an_event(side, card, condition):
    assert "event" in scenario(f"{side}: {card}", turn=8, **condition).legal
    assert "event" not in scenario(f"{side}: {card}", turn=8).legal


@pytest.mark.parametrize(("side", "card", "condition"), BARRED)
def test_barred_event(side, card, condition):
    assert "event" not in scenario(f"{side}: {card}", turn=8, **condition).legal
    assert "event" in scenario(f"{side}: {card}", turn=8).legal


@pytest.mark.parametrize(("side", "card", "condition"), UNMET)
def test_condition_that_just_fails(side, card, condition):
    assert "event" not in scenario(f"{side}: {card}", turn=8, **condition).legal


@pytest.mark.parametrize(("side", "card"), [("C", 89), ("D", 106)])
def test_unmet_condition_sends_the_card_to_the_discards_d07(side, card):
    game = scenario(f"{side}: {card}", turn=8, power=COUNTRIES[:1] if card == 89 else ()).take("check")
    assert game.zone(card) == "discard"


def test_void_events_count_as_played_d07():
    assert scenario("C: 9", turn=8, in_play=[86]).take("event").zone(9) == "removed"
    assert scenario("D: 77", turn=8).take("event").zone(77) == "removed"
    game = scenario("C: 69", {"Iasi": (1, 0)}, turn=8, crowd_done=True, tyrant_done=True).take("event")
    assert (game.zone(69), game.support("Iasi")) == ("removed", (1, 0))


def test_the_wall_ends_when_it_must_go_d07():
    game = scenario("D: 86", {"Erfurt": (4, 0)}, turn=8, in_play=[9], dice=[6, 1, 1, 6]).take("event")
    assert (game.zone(86), game.zone(9), game.vp) == ("in_play", "removed", 3)
    game.finish()


def test_award_8_is_not_for_card_21_d08():
    game = scenario("D: 21 10 4", boxes=(8, 0)).take("card:21")
    assert "event" in game.legal and "event-and-ops" not in game.legal


def test_card_21_needs_an_event_to_cancel_d08():
    game = scenario("C: 21 3 28").take("card:21")
    assert game.legal == ["check", "tiananmen"]


def test_questioned_scoring_card_is_only_discarded():
    game = scenario("C: 6 / D: 22 4", chance={"random_discards": [22]}).take("event")
    assert (game.zone(22), game.vp, game.state.struggle) == ("discard", 0, -1)


def test_questioned_communist_event_occurs():
    game = scenario("C: 6 / D: 47 4", {"Razgrad": (2, 0)}, turn=4, chance={"random_discards": [47]}).take("event")
    assert (game.zone(47), game.vp, game.support("Razgrad")) == ("removed", -2, (0, 0))


@pytest.mark.parametrize(("card", "zone"), [(21, "discard"), (7, "discard"), (26, "in_play"), (4, "removed")])
def test_kiss_of_death(card, zone):
    game = scenario(f"D: 71 / C: {card} 28", turn=4, chance={"random_discards": [card]}).take("event")
    assert (game.zone(card), game.vp) == (zone, 0)


def test_kiss_of_death_on_a_scoring_card():
    game = scenario("D: 71 / C: 22 28", turn=4, chance={"random_discards": [22]}, dice=[1, 1]).take("event")
    assert (*asked(game), game.state.starter) == ("power", "C", 0)


def test_placed_points_ignore_cost_and_reach():
    game = scenario("C: 12", {"Bucuresti": (5, 0)}).take("event", *spaces(*["Bucuresti"] * 3))
    assert game.support("Bucuresti") == (5, 3)


def test_enough_for_control():
    game = scenario("D: 24", {"Lutheran Church": (1, 2)}).take("event")
    assert game.support("Lutheran Church") == (7, 2)


def test_the_game_ends_between_event_and_operations():
    game = scenario("C: 33", {"Gdansk": (0, 1)}, vp=19).take("opponent-event")
    assert (game.result, game.reason, game.decision) == ("democrat", "automatic victory", "none")


def test_removal_is_compulsory_as_far_as_possible():
    game = scenario("C: 28", {"Poznan": (3, 0), "Lodz": (1, 0)}).take("event")
    assert (game.support("Poznan"), game.support("Lodz")) == ((1, 0), (0, 0))


# --- 5.1 placement -------------------------------------------------------------------------------


def test_placement_breaks_control_at_double_cost():
    game = scenario("C: 20", {"Budapest": (3, 0), "Pecs": (0, 1), "Szeged": (0, 1)}).take("place")
    game.take(*spaces("Budapest", "Budapest", "Budapest"))
    assert (game.support("Budapest"), game.zone(20)) == ((3, 3), "discard")


def test_reach_is_fixed_when_the_operation_starts():
    game = scenario("C: 20", {"Erfurt": (0, 1)}).take("place")
    assert places(game) == {"Erfurt", "Magdeburg"}
    game.take("space:Magdeburg")
    assert places(game) == {"Erfurt", "Magdeburg"}


def test_reach_crosses_borders():
    assert places(scenario("C: 20", {"Kosice": (0, 1)}).take("place")) == {"Kosice", "Presov", "Debrecen"}


def test_the_last_point_cannot_break_control():
    support = {"Pecs": (0, 1), "Szeged": (4, 0)}
    game = scenario("C: 12", support).take("place")
    assert places(game) == {"Pecs", "Szeged"}
    assert places(game.take("space:Pecs")) == set()  # the only space left is taken without asking
    assert game.support("Pecs") == (0, 3)


def test_placement_needs_an_affordable_space():
    assert "place" not in scenario("C: 30", {"Pecs": (5, 1), "Szeged": (4, 0)}).legal
    assert "place" in scenario("C: 12", {"Pecs": (5, 1), "Szeged": (4, 0)}).legal
    assert scenario("C: 12").legal == ["check", "event", "tiananmen"]


def test_genscher():
    support = {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}
    game = scenario("D: 31", support, turn=4, in_play=[63]).take("place", "space:Leipzig", "space:Leipzig")
    assert game.support("Leipzig") == (2, 3)
    game = scenario("D: 31", support, turn=4).take("place", "space:Leipzig")
    assert (game.support("Leipzig"), game.zone(31)) == ((1, 3), "discard")


def test_border_reopened_buys_a_first_point_at_two_d09():
    game = scenario("D: 4", {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}, turn=4, in_play=[58]).take("place")
    assert places(game) == {"Lutheran Church", "Leipzig"}
    game.take("space:Leipzig")
    assert (game.support("Leipzig"), game.zone(4)) == ((1, 3), "discard")


def test_border_reopened_budget():
    start = {"Lutheran Church": (1, 0), "Pecs": (1, 0)}
    outside = scenario("D: 31", start, turn=4, in_play=[58]).take("place", *spaces("Lutheran Church", "Pecs"))
    assert (outside.decision, outside.zone(31)) == ("none", "discard")
    inside = scenario("D: 31", start, turn=4, in_play=[58]).take("place", *spaces("Leipzig", "Leipzig"))
    assert places(inside) == {"Lutheran Church", "Leipzig"}
    inside.take("space:Leipzig")
    assert (inside.support("Leipzig"), inside.decision) == ((3, 0), "none")


# --- 5.2 checks ----------------------------------------------------------------------------------


def total(side: str, space: str, die=3, card=14, support=None, opposing=20, **extra) -> int:
    """Die plus all modifiers of a check against many points; read off what it moved."""
    at = {space: (opposing, 0) if side == "C" else (0, opposing), **(support or {})}
    game = scenario(f"{side}: {card}", at, dice=[die], turn=extra.pop("turn", 8), **extra)
    game.take("check", f"space:{space}")
    left = max(game.support(space))
    stability = {"Walter Ulbricht Academy": 1, "Czech Writers": 2}.get(space, 3)
    assert left < opposing, "the check must move something to be read"
    return opposing - left + 2 * stability


def test_check_adds_die_and_value():
    assert total("C", "Schwerin") == 7
    assert total("D", "Schwerin", die=6) == 10


def test_check_counts_neighbours_that_are_controlled():
    around = {"Poznan": (0, 3), "Bydgoszcz": (0, 4), "Warszawa": (2, 0)}
    assert total("C", "Gdansk", support=around) == 9
    assert total("D", "Gdansk", die=6, support=around) == 8


def test_the_wall_ignores_democrats_next_door():
    around = {"Rostock": (3, 0), "Berlin": (0, 3)}
    assert total("C", "Schwerin", support=around) == 7
    assert total("C", "Schwerin", support=around, in_play=[9]) == 8


@pytest.mark.parametrize(("space", "card", "used"), [
    ("Schwerin", 9, True), ("Szczecin", 9, False), ("Walter Ulbricht Academy", 30, True), ("Schwerin", 30, False),
])  # fmt: skip
def test_wall_and_tear_gas_serve_one_check(space, card, used):
    game = scenario("C: 14", {space: (9, 0)}, in_play=[card], dice=[1]).take("check", f"space:{space}")
    assert game.zone(card) == ("removed" if used else "in_play")


@pytest.mark.parametrize(("side", "space", "extra", "change"), [
    ("C", "Walter Ulbricht Academy", {"in_play": [30]}, 1),
    ("D", "Schwerin", {"in_play": [59]}, -1),
    ("D", "Szczecin", {"in_play": [59]}, 0),
    ("D", "Szczecin", {"in_play": [74]}, 1),
    ("D", "Brasov", {"in_play": [74]}, 0),
    ("C", "Szczecin", {"in_play": [74]}, 0),
    ("D", "Brasov", {"in_play": [101]}, -1),
    ("C", "Brasov", {"in_play": [101]}, 0),
    ("D", "Brasov", {"in_play": [100], "stand_fast": "C"}, -1),
    ("C", "Brasov", {"in_play": [100], "stand_fast": "C"}, 0),
    ("C", "Brasov", {"in_play": [100], "stand_fast": "D"}, -1),
    ("C", "Brasov", {"in_play": [25]}, 1),
    ("D", "Brasov", {"in_play": [50]}, 1),
    ("D", "Brasov", {"prudence": {"D": -1, "C": 0}}, -1),
])  # fmt: skip
def test_check_modifiers(side, space, extra, change):
    assert total(side, space, die=6, **extra) == 10 + change


def test_stand_fast_needs_control():
    support = {"Brasov": (18, 20)}
    game = scenario("D: 14", support, turn=8, in_play=[100], stand_fast="C", dice=[6]).take("check", "space:Brasov")
    assert game.support("Brasov") == (18, 16)


def test_excess_becomes_own_support():
    game = scenario("C: 14", {"Schwerin": (1, 0)}, dice=[6]).take("check", "space:Schwerin")
    assert game.support("Schwerin") == (0, 3)


def test_equal_to_twice_the_stability_does_nothing():
    game = scenario("C: 14", {"Schwerin": (1, 0)}, dice=[2]).take("check", "space:Schwerin")
    assert game.support("Schwerin") == (1, 0)


def test_two_checks_whatever_the_value_and_the_same_space_twice():
    game = scenario("C: 30", {"Czech Writers": (3, 0)}, dice=[4, 4]).take("check", "space:Czech Writers")
    assert (*asked(game), game.support("Czech Writers")) == ("check", "C", (2, 0))
    game.take("space:Czech Writers")
    assert (game.support("Czech Writers"), game.decision) == ((1, 0), "none")
    game.finish()


def test_targets_hold_opposing_points():
    game = scenario("C: 14", {"Gdansk": (1, 5), "Lodz": (0, 3)}).take("check")
    assert places(game) == {"Gdansk"}


@pytest.mark.parametrize(("extra", "barred"), [
    ({"in_play": [2]}, {"Gdansk"}), ({"in_play": [48]}, {"Leipzig"}),
    ({"in_play": [49], "debt_burden": "Poland"}, {"Gdansk", "Krakow"}),
])  # fmt: skip
@pytest.mark.parametrize("card", [15, 14])
def test_bans(extra, barred, card):
    targets = {"Gdansk", "Krakow", "Leipzig", "Brno"}
    for side, points in (("C", (1, 0)), ("D", (0, 1))):
        game = scenario(f"{side}: {card}", dict.fromkeys(targets, points), turn=4, **extra).take("check")
        assert places(game) == (targets - barred if side == "C" else targets)


def test_bans_hold_for_event_checks_and_award_6():
    game = scenario("C: 1", {"Gdansk": (2, 0), "Krakow": (1, 0)}, in_play=[2]).take("event", "space:Gdansk")
    assert places(game) == {"Krakow"}
    support = {"Gdansk": (1, 0), "Lodz": (1, 0)}
    game = end_of_turn("D: 26 40", "card:26", "event", support=support, boxes=(0, 6), in_play=[2])
    assert places(game) == {"Lodz"}


@pytest.mark.parametrize(("hand", "actions"), [
    ("C: 15", ["check"]), ("D: 27", ["event", "space:Poznan"]), ("D: 91", ["event", *spaces("Leipzig", "Leipzig")]),
])  # fmt: skip
def test_every_check_may_be_declined_d10(hand, actions):
    support = {"Poznan": (2, 4), "Krakow": (1, 4), "Leipzig": (1, 3), "Halle": (1, 3)}
    game = scenario(hand, support, turn=8).take(*actions)
    assert (game.decision, "pass" in game.legal) == ("check", True)
    assert game.take("pass").decision == "none"


def test_the_second_check_may_be_declined_d10():
    game = scenario("C: 15", {"Poznan": (4, 0)}, dice=[1]).take("check", "space:Poznan", "pass")
    assert (game.decision, game.zone(15)) == ("none", "discard")


@pytest.mark.parametrize(("card", "space", "vp"), [
    (26, "Czech Writers", 2), (26, "Charles University", 2), (26, "Brno", 0), (39, "Ruse", 2), (39, "Burgas", 0),
])  # fmt: skip
def test_riders_pay_for_every_check(card, space, vp):
    game = scenario("C: 15", {space: (9, 0)}, in_play=[card], dice=[1, 1])
    assert game.take("check", f"space:{space}", f"space:{space}").vp == vp
    other = scenario("D: 15", {space: (0, 9)}, in_play=[card], dice=[1])
    assert other.take("check", f"space:{space}").vp == 0


def test_victory_between_two_checks():
    game = scenario("C: 15", {"Czech Writers": (9, 0)}, in_play=[26], vp=19, dice=[1])
    game.take("check", "space:Czech Writers")
    assert (game.result, game.vp) == ("democrat", 20)
    game.finish()


GERMAN = {"Schwerin": (0, 9), "Magdeburg": (0, 9), "Poznan": (0, 9)}


def test_border_reopened_declared():
    game = scenario("D: 14", GERMAN, turn=4, in_play=[58], dice=[3, 3]).take("check", "space:Schwerin")
    assert (*asked(game), game.legal) == ("border-bonus", "D", ["no", "yes"])
    game.take("yes")
    assert (game.support("Schwerin"), game.legal) == ((0, 7), ["pass", "space:Magdeburg", "space:Schwerin"])
    game.take("space:Magdeburg")
    assert game.support("Magdeburg") == (0, 7)
    game.finish()


def test_border_reopened_not_declared():
    game = scenario("D: 14", GERMAN, turn=4, in_play=[58], dice=[3, 3]).take("check", "space:Schwerin", "no")
    assert (game.support("Schwerin"), places(game)) == ((0, 8), set(GERMAN))
    assert game.take("space:Schwerin").support("Schwerin") == (0, 7)


def test_border_reopened_first_check_elsewhere():
    game = scenario("D: 14", GERMAN, turn=4, in_play=[58], dice=[3, 3]).take("check", *spaces("Poznan", "Schwerin"))
    assert (game.support("Poznan"), game.support("Schwerin")) == ((0, 8), (0, 8))
    game.finish()


def test_border_reopened_lapses_without_target():
    start = {"Schwerin": (0, 1), "Poznan": (0, 9)}
    game = scenario("D: 14", start, turn=4, in_play=[58], dice=[6]).take("check", "space:Schwerin", "yes")
    assert (game.support("Schwerin"), game.decision) == ((4, 0), "none")


def test_border_reopened_helps_event_checks_unasked():
    start = {"Schwerin": (0, 9), "Leipzig": (0, 2)}
    game = scenario("D: 91", start, turn=8, in_play=[58], dice=[4, 4]).take("event", *spaces("Leipzig", "Leipzig"))
    game.take("space:Schwerin", "space:Schwerin")
    assert game.support("Schwerin") == (0, 5)


# --- 5.3 the Tiananmen Square track --------------------------------------------------------------


@pytest.mark.parametrize("side", ["D", "C"])
@pytest.mark.parametrize("box", range(1, 9))
def test_requirement_of_each_box(side, box):
    need = NEEDS[side][box - 1]
    at = {side: box - 1, "CD"[side == "C"]: 8}
    for die in {max(1, need - 5), need - 4}:
        game = scenario(f"{side}: 14", boxes=(at["D"], at["C"]), dice=[die]).take("tiananmen")
        assert game.state.track["DC".index(side)] == box - 1 + (die + 4 >= need)
        assert (game.zone(14), game.vp) == ("discard", 0)


def attempt(side: str, die: int, card: int, marks: dict, **extra) -> int:
    """The box reached by an attempt."""
    game = scenario(f"{side}: {card}", tiananmen=track(side, **marks), dice=[die], turn=4, **extra).take("tiananmen")
    return int(game.state.track["DC".index(side)])


@pytest.mark.parametrize(("side", "die", "card", "marks", "extra"), [
    ("C", 2, 15, {}, {}),
    ("D", 2, 15, {}, {}),  # opponent's colour: 5 >= 5
    ("C", 3, 67, {"tried_box": True}, {}),
    ("C", 3, 67, {}, {"in_play": [53]}),
    ("C", 3, 67, {"box": 1}, {}),  # award 1
    ("C", 3, 67, {}, {"in_play": [25]}),
    ("D", 2, 67, {}, {"in_play": [50]}),
])  # fmt: skip
def test_attempt_modifiers_that_just_suffice(side, die, card, marks, extra):
    start = marks.get("box", 0)
    assert attempt(side, die, card, marks, **extra) == start + 1
    assert attempt(side, die - 1, card, marks, **extra) == start


def test_failure_is_remembered_and_success_forgets():
    game = scenario("C: 67", dice=[1], turn=4).take("tiananmen")
    assert (game.state.tried_box[1], game.state.tried_turn[1]) == (1, 1)
    game = scenario("C: 67", tiananmen=track("C", tried_box=True), dice=[6], turn=4).take("tiananmen")
    assert (game.state.tried_box[1], game.state.tried_turn[1], game.state.track[1]) == (0, 1, 1)


def test_one_attempt_a_turn_and_none_from_the_last_box():
    assert "tiananmen" not in scenario("C: 28", tiananmen=track("C", tried_turn=True)).legal
    assert "tiananmen" not in scenario("C: 28", boxes=(0, 8)).legal
    assert "tiananmen" in scenario("D: 30", boxes=(7, 0)).legal  # hopeless, yet allowed


def test_award_2_raises_printed_ones():
    for boxes, points in (((2, 0), 2), ((2, 2), 1), ((1, 0), 1)):
        game = scenario("D: 4", {"Gdansk": (1, 0)}, boxes=boxes).take("place", *["space:Gdansk"] * points)
        assert (game.support("Gdansk"), game.decision) == ((1 + points, 0), "none")
    game = scenario("D: 31", {"Gdansk": (1, 0)}, boxes=(2, 0)).take("place", *["space:Gdansk"] * 2)
    assert game.decision == "none"


def test_awards_3_and_4_only_for_the_first():
    game = scenario("C: 14", boxes=(3, 2), dice=[6]).take("tiananmen")
    assert (game.state.track[1], game.decision) == (3, "none")
    support = {"Gdansk": (1, 0), "Krakow": (1, 0), "Lodz": (5, 0)}
    game = scenario("C: 14", support, boxes=(4, 3), dice=[6]).take("tiananmen")
    assert (game.state.track[1], game.decision) == (4, "none")


def test_award_4_removes_two_points():
    support = {"Gdansk": (1, 0), "Lodz": (5, 0)}
    game = scenario("C: 14", support, boxes=(0, 3), dice=[6]).take("tiananmen")
    assert (*asked(game), places(game)) == ("remove", "C", {"Gdansk", "Lodz"})
    game.take(*spaces("Lodz", "Lodz"))
    assert game.support("Lodz") == (3, 0)


def test_award_ends_when_the_opponent_arrives():
    game = scenario("C: 14 4 / D: 26 40", boxes=(8, 7), stop=False, dice=[1]).take("card:14")
    game.take("tiananmen", "card:26")
    assert "event-and-ops" not in game.legal


def test_tank_column_on_the_last_box_d11():
    game = scenario("C: 85", turn=8, boxes=(7, 8)).take("event")
    assert (game.state.track.tolist(), game.zone(85)) == ([7, 8], "removed")


def test_tank_column_besides_an_attempt():
    game = scenario("C: 85", turn=8, tiananmen=track("C", tried_box=True, tried_turn=True)).take("event")
    assert (game.state.track[1], game.state.tried_box[1], game.state.tried_turn[1]) == (1, 0, 1)


def test_attempt_inside_an_opponents_event_keeps_the_operations_d12():
    game = scenario("D: 20 4 / C: 28", {"Gdansk": (1, 0)}, dice=[6]).take("card:20", "opponent-event", "tiananmen")
    assert (game.state.track[1], game.state.tried_turn[1]) == (1, 1)
    assert (*asked(game), game.legal) == ("ops", "D", ["check", "place"])


def test_attempt_with_goodbye_lenin_keeps_the_operations_d12():
    game = scenario("C: 46", {"Gdansk": (0, 1)}, turn=4, dice=[6]).take("opponent-event", "tiananmen")
    assert (game.state.track[0], game.state.tried_turn.tolist()) == (1, [1, 0])
    assert (*asked(game), game.legal) == ("ops", "C", ["check", "place"])


# --- 6 operations values -------------------------------------------------------------------------


def points(side: str, card: int, space="Schwerin", **extra) -> int:
    """Points a placement has, spent in one space where each costs 1."""
    game = scenario(f"{side}: {card}", {space: (1, 0) if side == "D" else (0, 1)}, turn=8, **extra).take("place")
    while game.decision == "ops-place":
        game.take(f"space:{space}")
    return max(game.support(space)) - 1


@pytest.mark.parametrize(("side", "card", "extra", "value"), [
    ("C", 15, {}, 3), ("C", 15, {"in_play": [25]}, 4), ("D", 60, {"in_play": [50]}, 3), ("D", 60, {"in_play": [25]}, 2),
    ("C", 15, {"prudence": {"D": 0, "C": -1}}, 2), ("C", 15, {"prudence": {"D": 0, "C": -2}}, 1),
    ("C", 15, {"prudence": {"D": 0, "C": -5}}, 1), ("C", 30, {"prudence": {"D": 0, "C": -1}}, 1),
    ("C", 30, {"prudence": {"D": 0, "C": -1}, "in_play": [25]}, 1),
    ("C", 30, {"prudence": {"D": 0, "C": -1}, "boxes": (0, 2)}, 1),
    ("D", 4, {"prudence": {"D": -1, "C": 0}, "boxes": (2, 0), "in_play": [58]}, 2),
])  # fmt: skip
def test_value_is_summed_then_floored(side, card, extra, value):
    if side == "D" and card == 4:
        extra = {**extra, "space": "Erfurt"}
    assert points(side, card, **extra) == value


def test_border_reopened_inside_the_floor_d13():
    assert points("D", 4, in_play=[58], prudence={"D": -1, "C": 0}) == 1
    assert points("D", 4, in_play=[58]) == 2


def test_modifiers_of_the_user_count():
    support = {"Poznan": (0, 9), "Schwerin": (0, 1)}
    extra = {"in_play": [25], "prudence": {"D": -1, "C": 0}, "dice": [6]}
    game = scenario("C: 27", support, **extra).take("opponent-event", *spaces("Poznan", "Poznan"))
    assert game.support("Poznan") == (0, 6)  # 6 + 3 - 1 = 8: two more points
    game.take("place", *["space:Schwerin"] * 4)
    assert (game.support("Schwerin"), game.zone(27)) == ((0, 5), "discard")


def test_prudence_before_the_operations_counts_d14():
    chance = {"random_discards": [8]}
    game = scenario("C: 71 8", {"Schwerin": (0, 1)}, turn=4, chance=chance).take("card:71", "opponent-event")
    assert game.state.prudence.tolist() == [0, -1]
    game.take("place", *["space:Schwerin"] * 2)
    assert (game.support("Schwerin"), game.decision) == ((0, 3), "none")


def test_sinatra_first_with_award_8_raises_its_own_operations():
    game = scenario("D: 50", {"Schwerin": (1, 0)}, turn=4, boxes=(8, 0)).take("event-and-ops", "event", "place")
    game.take(*["space:Schwerin"] * 4)
    assert game.support("Schwerin") == (5, 0)


# --- 9 victory -----------------------------------------------------------------------------------


def test_automatic_victory_in_mid_event():
    game = scenario("D: 84", turn=8, in_play=[81], vp=15).take("event")
    assert (game.result, game.vp, game.support("Razgrad")) == ("democrat", 20, (0, 0))
    game = scenario("C: 79", turn=4, vp=-18).take("event")
    assert (game.result, game.support("German Writers")) == ("communist", (0, 0))


def test_nineteen_is_not_enough():
    assert not scenario("C: 79", turn=4, vp=-17).take("event").over


@pytest.mark.parametrize(("hands", "result"), [
    ("D: 26 22", "communist"), ("D: 26 40 / C: 23", "democrat"), ("D: 26 22 / C: 23", "draw"),
])  # fmt: skip
def test_held_scoring_cards(hands, result):
    game = end_of_turn(hands, "card:26", "event")
    assert (game.result, game.reason) == (result, "held scoring card")


def test_victory_in_step_3_comes_before_held_cards():
    game = end_of_turn(
        "D: 40 22", "card:40", "event", *spaces("Pecs", "Pecs", "Pecs"), support={"Czech Writers": (2, 0)},
        boxes=(0, 6), in_play=[26], vp=19, dice=[1],
    ).take("space:Czech Writers")  # fmt: skip
    assert (game.result, game.reason) == ("democrat", "automatic victory")


@pytest.mark.parametrize(("power", "extra", "vp"), [
    ((), {}, -24), (COUNTRIES, {}, 0), (COUNTRIES[:2], {}, -16),
    (COUNTRIES, {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True}, -2),
])  # fmt: skip
def test_final_scoring(power, extra, vp):
    game = end_of_turn("D: 26", "event", turn=10, power=power, stop=False, **extra)
    assert (game.vp, game.reason) == (vp, "final scoring")
    assert game.result == ("draw" if vp == 0 else "communist")


def test_final_scoring_has_no_limit():
    support = {name: (9, 0) for name in SPACES}
    game = end_of_turn("D: 26", "event", turn=10, support=support, power=COUNTRIES, vp=10)
    assert (game.vp, game.result) == (10 + 9 + 9 + 6 + 4 + 6 + 3 + 33, "democrat")


@pytest.mark.parametrize(("power", "vp"), [(COUNTRIES[:2], -3), (COUNTRIES[:3], 3)])
def test_new_years_eve_pays_by_power(power, vp):
    game = scenario("C: 104", turn=8, power=power)
    game.take("event")
    assert game.legal == ["continue", "end-game"]
    declined = game.copy()
    game.take("end-game")
    assert (game.vp, game.zone(104)) == (vp, "in_play")
    declined.step("continue")
    assert (declined.vp, declined.state.where[104] == game.state.where[104]) == (0, False)


def test_new_years_eve_without_last_struggle():
    game = end_of_turn("D: 26 40", "card:26", "event", turn=8, in_play=[104], vp=2)
    assert asked(game) == ("last-struggle", "D")
    assert game.legal == sorted([f"country:{name}" for name in COUNTRIES] + ["pass"])
    game.take("pass")
    assert (game.vp, game.result, game.reason) == (2, "democrat", "new year's eve party")


def test_new_years_eve_held_card_comes_first():
    game = end_of_turn("D: 26 22", "card:26", "event", turn=8, in_play=[104], vp=2)
    assert (game.result, game.reason) == ("communist", "held scoring card")


def test_new_years_eve_replaces_final_scoring():
    game = end_of_turn("D: 26", "event", turn=10, in_play=[104], support={"Brno": (0, 3)}, vp=1).take("pass")
    assert (game.vp, game.reason) == (1, "new year's eve party")


def test_new_years_eve_ignores_the_ceausescus_d17():
    extra = {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True}
    game = end_of_turn("D: 26", "event", turn=8, in_play=[104], vp=1, **extra).take("pass")
    assert (game.vp, game.result) == (1, "democrat")


def test_new_years_eve_leaves_the_tyrant_waiting_d18():
    deck = {"power_draws": ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"] * 3}
    game = end_of_turn(
        "D: 26", "event", turn=8, in_play=[104, 54, 97], support={"Cluj-Napoca": (0, 2)}, vp=9, chance=deck, dice=[1, 1]
    )
    game.take("country:Romania")
    while not game.over:
        game.take("pass" if "pass" in game.legal else "retain" if "retain" in game.legal else game.legal[0])
    assert (game.zone(97), game.support("Cluj-Napoca")) == ("in_play", (0, 2))
    assert game.reason == "new year's eve party"


# --- 10 the USSR track ---------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "card", "in_play", "vp", "step"), [
    ("D", 33, [], 1, 1), ("D", 81, [33], 3, 2), ("D", 84, [33, 81], 5, 3), ("C", 109, [33, 81, 84], -3, 4),
])  # fmt: skip
def test_ussr_track(side, card, in_play, vp, step):
    game = scenario(f"{side}: {card}", turn=8, in_play=in_play, ussr=step - 1, power=COUNTRIES).take("event")
    assert (game.vp, game.state.ussr) == (vp, step)


@pytest.mark.parametrize(("step", "die", "vp"), [(0, 3, 0), (0, 4, 3), (3, 1, 3), (2, 1, 0)])
def test_malta_summit_counts_the_steps(step, die, vp):
    in_play = [33, 81, 84][:step]
    assert scenario("D: 110", turn=8, ussr=step, in_play=in_play, dice=[die]).take("event").vp == vp


# --- 11 Romania ----------------------------------------------------------------------------------


def test_systematization_moves_and_joins():
    game = scenario("C: 69", {"Timisoara": (3, 2), "Bucuresti": (0, 1)}, turn=4).take("event", "space:Timisoara")
    assert (game.support("Timisoara"), game.support("Bucuresti")) == ((0, 0), (0, 3))
    extra = {"turn": 4, "systematized": "Timisoara", "in_play": [69]}
    assert places(scenario("D: 31", {"Szeged": (1, 0)}, **extra).take("place")) == {
        "Szeged", "Budapest", "Pecs", "Cluj-Napoca", "Craiova",
    }  # fmt: skip


def test_systematization_of_bucuresti_loses_all():
    game = scenario("C: 69", {"Bucuresti": (1, 4)}, turn=4).take("event", "space:Bucuresti")
    assert game.state.support.sum() == 0


@pytest.mark.parametrize(("gone", "target", "neighbour"), [
    ("Ploiesti", "Brasov", "Bucuresti"), ("Brasov", "Ploiesti", "Bucuresti"), ("Bucuresti", "Brasov", "Ploiesti"),
])  # fmt: skip
def test_adjacency_is_a_set_d19(gone, target, neighbour):
    extra = {"systematized": gone, "in_play": [69], "support": {neighbour: (0, 3)}}
    assert total("C", target, **extra) == 8
    assert total("D", target, die=6, **extra) == 9


def test_destroyed_battleground_lowers_the_need_for_control():
    others = {name: (4, 0) for name in ("Timisoara", "Cluj-Napoca", "Iasi", "Bucuresti", "Galati")}
    extra = {"turn": 10, "power": COUNTRIES, "support": others}
    assert end_of_turn("D: 26", "event", systematized="Brasov", in_play=[69], **extra).vp == 6 + 5
    assert end_of_turn("D: 26", "event", systematized="Craiova", in_play=[69], **extra).vp == 2 + 5


def test_coup_without_bucuresti_d20():
    held = [name for name in COUNTRIES if name != "Romania"]
    game = scenario(
        "C: 109", turn=8, in_play=[33, 81, 84, 69], ussr=3, power=held, systematized="Bucuresti"
    ).take("event")  # fmt: skip
    assert (game.support("Cluj-Napoca"), game.support("Bucuresti")) == ((0, 4), (0, 0))
    game.finish()


def test_events_skip_the_destroyed_space():
    game = scenario("D: 73", turn=4, in_play=[69], systematized="Timisoara").take("event")
    assert (game.support("Timisoara"), game.support("Harghita/Covasna")) == ((0, 0), (1, 0))


CROWD_DRAWS = ["rally-1"] * 2 + ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"]


@pytest.mark.parametrize(("extra", "points"), [
    ({}, 6), ({"in_play": [54, 50]}, 7), ({"prudence": {"D": -1, "C": 0}}, 5), ({"prudence": {"D": -9, "C": 0}}, 0),
])  # fmt: skip
def test_the_crowd_d21(extra, points):
    setting = {"in_play": [54], **extra}
    game = scenario("C: 95", {"Craiova": (1, 0)}, turn=8, chance={"power_deal": {"D": SIX}, "power_draws": CROWD_DRAWS},
                    dice=[1, 1], **setting)  # fmt: skip
    place_all(game, "Craiova")
    assert game.support("Craiova") == (1 + points, 0)


SIX = ["petition-6"] * 3 + ["petition-5"] * 3


def place_all(game: Scenario, space: str) -> None:
    """Spend the operation in one space if a placement is offered."""
    if "place" in game.legal:
        game.take("place")
        while game.decision == "ops-place":
            game.take(f"space:{space}")


def test_the_crowd_reaches_over_the_border_but_places_in_romania():
    chance = {"power_draws": CROWD_DRAWS}
    game = scenario("C: 95", {"Szeged": (1, 0)}, turn=8, in_play=[54], chance=chance, dice=[1, 1])
    game.take("place")
    assert (game.support("Timisoara"), game.support("Szeged"), game.decision) == ((6, 0), (1, 0), "power")


def test_no_place_to_flee_to_d22():
    support = {name: (1, 0) for name in SPACES[49:63]}
    game = scenario("D: 97", support, turn=8, crowd_done=True).take("event")
    assert (game.vp, game.state.hideout, game.decision) == (2, -1, "none")


def test_the_tyrant_waits_for_the_crowd():
    game = scenario("D: 97", {"Cluj-Napoca": (0, 5)}, turn=8, in_play=[54]).take("event")
    assert (game.zone(97), game.support("Cluj-Napoca"), game.decision) == ("in_play", (0, 5), "none")


def test_the_tyrant_flees_at_once_after_the_crowd():
    game = scenario("D: 97", {"Cluj-Napoca": (0, 5), "Iasi": (1, 0)}, turn=8, crowd_done=True).take("event")
    assert (game.support("Cluj-Napoca"), *asked(game)) == ((0, 1), "hideout", "D")
    assert "Iasi" not in places(game) and len(places(game)) == 13


@pytest.mark.parametrize(("card", "in_play"), [(33, []), (81, [33]), (84, [33, 81])])
def test_capture_by_enough_for_control_d23(card, in_play):
    extra = {"ceausescu_hideout": "Harghita/Covasna", "crowd_done": True, "tyrant_done": True}
    game = scenario(f"D: {card}", turn=8, in_play=in_play, ussr=len(in_play), **extra)
    game.take("event", "space:Harghita/Covasna")
    assert (game.vp, game.state.hideout) == ({33: 1, 81: 3, 84: 5}[card] + 2, -1)


def test_capture_when_communist_points_leave():
    extra = {"ceausescu_hideout": "Iasi", "crowd_done": True, "tyrant_done": True}
    game = scenario("D: 56", {"Iasi": (3, 2)}, turn=8, **extra).take("event")
    assert (game.vp, game.state.hideout) == (2, -1)


@pytest.mark.parametrize("card", [10, 41, 69, 101, 107])
def test_ceausescu_events_after_the_tyrant(card):
    tyrant_went = {"turn": 8, "crowd_done": True, "tyrant_done": True}
    game = scenario(f"C: {card}", {"Iasi": (2, 0)}, in_play=[73], **tyrant_went).take("event")
    assert (game.zone(card), game.support("Iasi"), game.support("Cluj-Napoca")) == ("removed", (2, 0), (0, 0))


def test_ceausescu_loses_bucuresti_when_the_round_ends():
    support = {"Craiova": (1, 0), "Timisoara": (4, 0), "Bucuresti": (0, 2)}
    game = scenario("C: 41", support, turn=4).take("event", *spaces(*["Timisoara"] * 3), "pass")
    assert (game.support("Bucuresti"), game.support("Timisoara")) == ((0, 1), (1, 0))
    away = scenario("C: 41", {"Craiova": (4, 0), "Bucuresti": (0, 2)}, turn=4).take("event", "pass")
    assert away.support("Bucuresti") == (0, 2)


# --- nothing after the instant of victory -----------------------------------------------------------


@pytest.mark.parametrize("use", ["tiananmen", "check", "place"])
@pytest.mark.parametrize(
    ("hand", "extra"),
    [("D: 21 / C: 7", {"vp": -19}), ("C: 21 / D: 7", {"vp": 19}), ("D: 12 / C: 7", {"vp": -17, "in_play": [99]})],
)
def test_nothing_happens_after_a_victory_by_the_price_of_a_use(hand, extra, use):
    game = scenario(hand, {"Lodz": (2, 2)}, turn=8, **extra)
    before = game.copy()
    game.take(use)
    assert game.over and game.reason == "automatic victory" and abs(game.vp) == 20
    assert (game.state.track == before.state.track).all() and not game.state.tried_turn.any()
    assert (game.state.support == before.state.support).all() and not game.state.award7_used


def test_nothing_happens_after_a_victory_by_ligachev_before_award_8():
    game = scenario("D: 4", turn=8, vp=-17, boxes=(8, 0), in_play=[99]).take("event-and-ops")
    assert game.over and not game.state.award8_used


CAPTURE_WINS = {"turn": 8, "crowd_done": True, "tyrant_done": True, "vp": 18}


def test_a_check_that_wins_by_a_capture_places_nothing_more():
    game = scenario("D: 31", {"Iasi": (3, 1)}, dice=[6], ceausescu_hideout="Iasi", **CAPTURE_WINS)
    game.take("check", "space:Iasi")
    assert (game.result, game.vp, game.support("Iasi")) == ("democrat", 20, (3, 0))


def test_no_round_begins_after_a_victory_by_ceausescus_loss():
    support = {"Bucuresti": (3, 1), "Craiova": (1, 0)}
    game = scenario("C: 12 / D: 9", support, dice=[1], stop=False, ceausescu_hideout="Bucuresti", **CAPTURE_WINS)
    game.state.ceausescu_due = 1
    game.take("check", "space:Craiova", "pass")
    assert (game.result, game.vp, game.state.phasing) == ("democrat", 20, COMMUNIST)
