"""Cards 61 to 70, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario
from situations import CZECHOSLOVAKIA, DEAL, EAST_GERMANY, MARCHES, MIXED, ONE_EACH, ROMANIA, STRIKES

from dawn_env.state import PowerZone

pytestmark = pytest.mark.plain


# --- 61 The Monday Demonstrations -----------------------------------------------------------------


def test_61_needs_st_nicholas_church():
    assert "event" not in scenario("D: 61", {"Halle": (1, 1)}, turn=4).legal
    s = scenario("C: 61", {"Sofia": (0, 2), "Lutheran Church": (1, 0)}, turn=4)
    assert s.legal == ["check", "place", "tiananmen"]
    s.take("check", "pass")
    assert s.zone(61) == "discard" and s.support("Lutheran Church") == (1, 0)


def test_61_takes_control_of_both_spaces():
    """Ruling order-not-asked."""
    s = scenario("D: 61", {"Lutheran Church": (1, 0), "Leipzig": (1, 2)}, turn=4, in_play=[24]).take("event", "pass")
    assert s.support("Lutheran Church") == (5, 0) and s.support("Leipzig") == (5, 2) and s.zone(61) == "removed"


def test_61_controlled_space_gets_none():
    s = scenario("D: 61", {"Lutheran Church": (7, 0), "Leipzig": (4, 1)}, turn=4, in_play=[24]).take("event", "pass")
    assert s.support("Lutheran Church") == (7, 0) and s.support("Leipzig") == (4, 1)


def test_61_five_checks_in_east_germany():
    """Leipzig, now controlled, helps against Berlin: 1 + 4 + 1 against 6 fails, 2 + 4 + 1 succeeds."""
    support = {"Berlin": (0, 6), "Schwerin": (0, 1), "Lodz": (0, 1)}
    s = scenario("D: 61", support, turn=4, in_play=[24], dice=[1, 2, 2, 2, 2]).take("event")
    assert s.legal == ["pass", *at("Berlin", "Schwerin")]
    s.pick(*["Berlin"] * 5)
    assert s.support("Berlin") == (0, 2) and s.decision == "none"
    s.finish()


def test_61_checks_may_be_declined():
    s = scenario("D: 61", {"Berlin": (0, 6)}, turn=4, in_play=[24], dice=[2]).take("event", "space:Berlin", "pass")
    assert s.support("Berlin") == (0, 5) and s.decision == "none"
    s.finish()


@pytest.mark.parametrize("in_play, left", [([24, 58], 0), ([24, 59, 58], 1), ([24, 74], 0), ([24], 1)])
def test_61_border_grenztruppen_and_embassies_count(in_play, left):
    s = scenario("D: 61", {"Rostock": (0, 1)}, turn=4, in_play=in_play, dice=[2]).take("event", "space:Rostock")
    assert s.support("Rostock") == (0, left)
    s.finish()


# --- 62 Yakovlev Counsels Gorbachev ---------------------------------------------------------------


def test_62_raises_both_rolls_of_the_winning_democrat():
    support = {"Lutheran Church": (5, 0), "Erfurt": (0, 2)}
    s = scenario("C: 42", support, turn=4, in_play=[62], chance={"power_deal": {"D": MARCHES}}, dice=[1, 3])
    s.take("pass")
    assert s.support("Erfurt") == (0, 1) and s.vp == 2 + 4
    assert s.position()["power"]["East Germany"]["holder"] == "D" and s.zone(62) == "removed"
    s.finish()


def test_62_does_nothing_for_the_communist_and_is_removed():
    support = {"Berlin": (0, 3), "Erfurt": (2, 0)}
    s = scenario("D: 42", support, turn=4, in_play=[62], chance={"power_deal": {"C": STRIKES}}, dice=[1, 1])
    s.take("pass", "surrender")
    assert s.support("Erfurt") == (2, 0) and s.vp == -4 and s.zone(62) == "removed"
    s.finish()


def test_62_waits_across_turns():
    s = scenario("D: 62", turn=4, round=7, chance=DEAL).take("event")
    assert s.zone(62) == "in_play" and s.position()["turn"] == 5
    s.finish()


# --- 63 Genscher ----------------------------------------------------------------------------------


def test_63_single_cost_in_east_germany():
    s = scenario("D: 60", {"Lutheran Church": (1, 0), "Leipzig": (0, 5)}, turn=4, in_play=[63]).take("place")
    assert s.legal == at("Lutheran Church", "Leipzig")
    s.pick("Leipzig", "Leipzig")
    assert s.support("Leipzig") == (2, 5)


def test_63_double_cost_elsewhere():
    s = scenario("D: 60", {"Gdansk": (1, 0), "Warszawa": (0, 5)}, turn=4, in_play=[63])
    s.take("place").pick("Warszawa")
    assert s.support("Warszawa") == (1, 5) and s.decision == "none"


def test_63_counts_in_an_event_that_places_with_the_value():
    s = scenario("C: 46", {"Lutheran Church": (1, 0), "Leipzig": (0, 9)}, turn=4, in_play=[63])
    s.take("opponent-event", "place").pick(*["Leipzig"] * 3)
    assert s.support("Leipzig") == (3, 9) and s.actor == 1


def test_63_leaves_the_communist_alone():
    s = scenario("C: 11", {"Halle": (0, 1), "Leipzig": (5, 0)}, turn=4, in_play=[63])
    s.take("place").pick("Leipzig")
    assert s.support("Leipzig") == (5, 1) and s.decision == "none"


# --- 64 Legacy of 1968 ----------------------------------------------------------------------------


def test_64_one_point_in_each_space_the_communist_does_not_control():
    support = {"Praha": (0, 3), "Brno": (0, 2), "Czech Writers": (2, 0), "Plzen": (1, 5)}
    s = scenario("D: 64", support, turn=4).take("event")
    expected = {name: (1, 0) for name in CZECHOSLOVAKIA}
    expected |= {"Praha": (0, 3), "Brno": (1, 2), "Czech Writers": (3, 0), "Plzen": (1, 5)}
    assert {name: s.support(name) for name in CZECHOSLOVAKIA} == expected and s.zone(64) == "removed"


def test_64_all_spaces_communist_is_no_effect_and_goes_on():
    """Differs."""
    s = scenario("D: 64", {name: (0, 5) for name in CZECHOSLOVAKIA}, turn=4).take("event")
    assert s.zone(64) == "removed" and all(s.support(name) == (0, 5) for name in CZECHOSLOVAKIA)


# --- 65 Presidential Visit ------------------------------------------------------------------------


def test_65_communist_is_dealt_up_to_seven():
    s = scenario("D: 65", turn=4, round=7, chance={"draws": list(range(1, 16))}).take("event")
    hands = s.position()["hands"]
    assert len(hands["C"]) == 7 and len(hands["D"]) == 8 and s.zone(65) == "removed"
    s.finish()


def test_65_waits_for_the_deal():
    assert scenario("D: 65", turn=4).take("event").zone(65) == "in_play"


def test_65_in_the_last_turn_has_no_effect():
    s = scenario("D: 65", turn=10, round=7).take("event")
    assert s.over and s.reason == "final scoring"


def test_65_redraw_of_the_fifth_award_is_unaffected():
    s = scenario("D: 65", turn=4, round=7, boxes=(0, 5), chance={"draws": list(range(1, 17))}).take("event")
    assert s.decision == "swap-card" and s.actor == 1
    s.take("card:1")
    assert len(s.position()["hands"]["C"]) == 7
    s.finish()


# --- 66 New Forum ---------------------------------------------------------------------------------


def test_66_three_different_spaces():
    s = scenario("D: 66", {"Dresden": (0, 4)}, turn=4).take("event")
    assert s.legal == at(*EAST_GERMANY)
    s.pick("Dresden")
    assert s.legal == at(*set(EAST_GERMANY) - {"Dresden"})
    s.pick("Halle")
    assert s.legal == at(*set(EAST_GERMANY) - {"Dresden", "Halle"})
    s.pick("Erfurt")
    assert s.support("Dresden") == (1, 4) and s.support("Erfurt") == (1, 0) and s.zone(66) == "removed"


# --- 67 Reformer Rehabilitated --------------------------------------------------------------------


def test_67_picks_any_card_that_can_occur_and_may_not_pass():
    """No scoring card, no Common European Home, none without its prerequisite. Differs: no pass."""
    s = scenario("D: 67", turn=4, boxes=(1, 0), discard=[12, 21, 22, 45, 61]).take("event")
    assert s.decision == "event-from-discard" and s.actor == 0 and s.legal == ["card:12", "card:45"]


def test_67_opponents_card_is_executed_by_the_opponent():
    s = scenario("D: 67", turn=4, boxes=(1, 0), discard=[12, 45]).take("event", "card:12")
    assert s.actor == 1 and s.decision == "place"
    s.pick("Berlin", "Berlin", "Berlin")
    assert s.zone(12) == "removed" and s.zone(67) == "removed" and s.decision == "none"


def test_67_opponent_uses_his_own_modifiers():
    support = {"Poznan": (1, 0), "Lodz": (1, 0)}
    s = scenario("D: 67", support, turn=4, boxes=(1, 0), discard=[1], in_play=[25], dice=[4])
    s.take("event", "space:Poznan", "space:Lodz")
    assert s.support("Lodz") == (0, 0) and s.zone(1) == "removed"
    s.finish()


def test_67_neutral_card_is_executed_by_the_picker():
    s = scenario("C: 67", turn=4, boxes=(0, 1), discard=[8]).take("event")
    assert s.position()["prudence"] == {"D": -1, "C": 0} and s.zone(8) == "discard"


def test_67_prudence_stacks():
    s = scenario("C: 67", turn=4, boxes=(0, 1), discard=[8], prudence={"D": -1, "C": 0}).take("event")
    assert s.position()["prudence"] == {"D": -2, "C": 0}


def test_67_lasting_card_comes_into_play():
    assert scenario("D: 67", turn=4, boxes=(1, 0), discard=[50]).take("event").zone(50) == "in_play"


def test_67_blocked_event_cannot_be_picked():
    in_play = [33, 81, 84]
    s = scenario("D: 67", turn=8, boxes=(1, 0), discard=[12, 14, 45], in_play=in_play, ussr=3).take("event")
    assert s.legal == ["card:12", "card:45"]


@pytest.mark.parametrize("side, boxes", [("D", (0, 0)), ("D", (1, 1)), ("D", (1, 2)), ("C", (2, 1)), ("C", (3, 3))])
def test_67_only_ahead_on_the_track(side, boxes):
    s = scenario(f"{side}: 67", {"Halle": (1, 1)}, turn=4, boxes=boxes, discard=[45])
    assert "event" not in s.legal
    assert s.take("check", "pass").zone(67) == "discard"


def test_67_without_a_legal_card_is_removed():
    assert scenario("D: 67", turn=4, boxes=(1, 0), discard=[21, 22]).take("event").zone(67) == "removed"


# --- 68 Klaus and Komarek -------------------------------------------------------------------------


@pytest.mark.parametrize("before, after", [(3, 1), (2, 0), (1, 0), (0, 0)])
def test_68_up_to_two_leave_praha_and_two_come(before, after):
    s = scenario("D: 68", {"Praha": (0, before)}, turn=4).take("event")
    assert s.support("Praha") == (2, after) and s.zone(68) == "removed"


# --- 69 Systematization ---------------------------------------------------------------------------


def test_69_destroys_a_space_and_moves_its_communists():
    s = scenario("C: 69", {"Cluj-Napoca": (2, 3), "Bucuresti": (1, 2)}, turn=4).take("event")
    assert s.decision == "destroy" and s.legal == at(*ROMANIA)
    s.pick("Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (0, 0) and s.support("Bucuresti") == (1, 5)
    assert s.position()["systematized"] == "Cluj-Napoca" and s.zone(69) != "discard"


def test_69_bucuresti_loses_all():
    s = scenario("C: 69", {"Bucuresti": (1, 4)}, turn=4).take("event").pick("Bucuresti")
    assert s.support("Bucuresti") == (0, 0) and s.position()["support"] == {}


@pytest.mark.parametrize(
    "destroyed, own, reach",
    [
        ("Timisoara", "Szeged", ["Szeged", "Budapest", "Pecs", "Cluj-Napoca", "Craiova"]),
        ("Constanta", "Varna", ["Varna", "Ruse", "Burgas", "Bucuresti", "Galati"]),
        ("Timisoara", "Craiova", ["Craiova", "Romanian Orthodox Church", "Bucuresti", "Szeged", "Cluj-Napoca"]),
    ],
)
def test_69_joins_the_neighbours(destroyed, own, reach):
    s = scenario("D: 60", {own: (1, 0)}, turn=4, in_play=[69], systematized=destroyed).take("place")
    assert s.legal == at(*reach)


@pytest.mark.parametrize("die, left", [(3, 1), (4, 0)])
@pytest.mark.parametrize(
    "destroyed, own, target",
    [("Brasov", "Ploiesti", "Bucuresti"), ("Ploiesti", "Brasov", "Bucuresti"), ("Bucuresti", "Ploiesti", "Brasov")],
)
def test_69_neighbours_count_once(destroyed, own, target, die, left):
    """Differs 2: die + 2 + 1 against 6."""
    support = {own: (3, 0), target: (0, 1)}
    s = scenario("D: 60", support, turn=4, in_play=[69], systematized=destroyed, dice=[die])
    assert s.take("check", f"space:{target}").support(target) == (0, left)
    s.finish()


@pytest.mark.parametrize("card, side", [(80, "C"), (60, "D")])
def test_69_destroyed_space_cannot_be_chosen(card, side):
    s = scenario(f"{side}: {card}", turn=4, in_play=[69], systematized="Timisoara", dice=[1] if card == 80 else [])
    assert "space:Timisoara" not in s.take("event").legal and "space:Iasi" in s.legal
    s.finish()


def test_69_named_space_is_skipped():
    """Ruling destroyed-space-does-nothing."""
    s = scenario("D: 73", {"Iasi": (0, 1)}, turn=4, in_play=[69], systematized="Timisoara")
    s.take("event", "check", "pass")
    assert s.support("Timisoara") == (0, 0) and s.support("Harghita/Covasna") == (1, 0)


@pytest.mark.parametrize("destroyed, value", [("Timisoara", 6 + 5), (None, 2 + 5), ("Constanta", 2 + 5)])
def test_69_control_needs_the_battlegrounds_left(destroyed, value):
    held = ["Cluj-Napoca", "Iasi", "Brasov", "Bucuresti", "Galati"]
    more = {"in_play": [69], "systematized": destroyed} if destroyed else {}
    s = scenario(
        "C: 95", {name: (5, 0) for name in held}, turn=8, chance={"power_deal": {"D": MIXED[:14]}}, dice=[1, 1], **more
    )
    assert s.take("pass", "surrender").vp == value
    s.finish()


def test_69_is_void_and_removed_after_the_tyrant_is_gone():
    """Differs 1."""
    s = scenario("C: 69", {"Iasi": (1, 0)}, turn=8, removed=[54, 97], crowd_done=True, tyrant_done=True).take("event")
    assert s.zone(69) == "removed" and "systematized" not in s.position() and s.support("Iasi") == (1, 0)


def test_69_works_while_the_tyrant_waits():
    s = scenario("C: 69", turn=8, in_play=[54, 97]).take("event").pick("Iasi")
    assert s.position()["systematized"] == "Iasi"


# --- 70 Securitate --------------------------------------------------------------------------------


def seen(country_card, in_play):
    """Whether the Communist knows the Democrat's power struggle hand."""
    support = {"Timisoara": (3, 0), "Bucuresti": (0, 3), "Sofia": (0, 3), "Ruse": (3, 0)}
    s = scenario(f"C: {country_card}", support, turn=8, in_play=in_play, chance={"power_deal": ONE_EACH})
    hand = s.state.power_cards[PowerZone.HAND].tolist()
    s.end_script()
    return all(s.redeal(1, seed).state.power_cards[PowerZone.HAND].tolist() == hand for seed in range(8))


@pytest.mark.parametrize("card, in_play, open_hand", [(95, [70], True), (95, [], False), (43, [70], False)])
def test_70_opens_the_democrats_hand_in_romania(card, in_play, open_hand):
    assert seen(card, in_play) == open_hand


def test_70_stays_in_play():
    assert scenario("C: 70", turn=4).take("event").zone(70) == "in_play"
    s = scenario("C: 95", turn=8, in_play=[70], dice=[1, 1]).take("retain")
    assert s.zone(70) == "in_play"
    s.finish()


def test_70_is_ended_by_the_army():
    assert scenario("D: 108", turn=8, in_play=[70]).take("event").zone(70) == "removed"


def test_70_after_the_army_has_no_effect_and_is_removed():
    assert scenario("C: 70", turn=8, in_play=[108]).take("event").zone(70) == "removed"
