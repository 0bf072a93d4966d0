"""The play of a card: event, operations, cancelling, awards 7 and 8, conditions."""

import pytest
from scenario import asked, scenario, spaces

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


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
    """Ruling home-needs-an-event."""
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
def test_unmet_condition_sends_the_card_to_the_discards(side, card):
    """Ruling condition-or-no-effect."""
    game = scenario(f"{side}: {card}", turn=8, power=COUNTRIES[:1] if card == 89 else ()).take("check")
    assert game.zone(card) == "discard"


def test_void_events_count_as_played():
    """Ruling condition-or-no-effect."""
    assert scenario("C: 9", turn=8, in_play=[86]).take("event").zone(9) == "removed"
    assert scenario("D: 77", turn=8).take("event").zone(77) == "removed"
    game = scenario("C: 69", {"Iasi": (1, 0)}, turn=8, crowd_done=True, tyrant_done=True).take("event")
    assert (game.zone(69), game.support("Iasi")) == ("removed", (1, 0))


def test_the_wall_ends_when_it_must_go():
    game = scenario("D: 86", {"Erfurt": (4, 0)}, turn=8, in_play=[9], dice=[6, 1, 1, 6]).take("event")
    assert (game.zone(86), game.zone(9), game.vp) == ("in_play", "removed", 3)
    game.finish()


def test_award_8_is_not_for_card_21():
    game = scenario("D: 21 10 4", boxes=(8, 0)).take("card:21")
    assert "event" in game.legal and "event-and-ops" not in game.legal


def test_card_21_needs_an_event_to_cancel():
    """Ruling home-needs-an-event."""
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
    """Ruling text-is-compulsory."""
    game = scenario("C: 28", {"Poznan": (3, 0), "Lodz": (1, 0)}).take("event")
    assert (game.support("Poznan"), game.support("Lodz")) == ((1, 0), (0, 0))
