"""Cards 71 to 80, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario, targets
from situations import DEAL, MIXED, ONE_EACH, STRIKES

from dawn_env.state import PowerZone

pytestmark = pytest.mark.plain


# --- 71 Kiss of Death -----------------------------------------------------------------------------


def kissed(card, others="", **more):
    chance = {"random_discards": [card], **more.pop("chance", {})}
    return scenario(f"D: 71 / C: {card} {others}", chance=chance, **{"turn": 4} | more).take("event")


def test_71_democratic_event_happens():
    s = kissed(48, "1")
    assert s.zone(48) == "in_play" and s.zone(1) == "C" and s.zone(71) == "removed"
    s.finish()


def test_71_event_is_decided_by_the_democrat_and_the_card_removed():
    s = kissed(45, "1", support={"Berlin": (0, 3), "Brno": (0, 3), "Lodz": (0, 3)})
    assert s.actor == 0
    s.pick("Berlin", "Berlin", "Brno", "Brno")
    assert s.support("Lodz") == (0, 2) and s.zone(45) == "removed"
    s.finish()


def test_71_communist_event_does_not_happen():
    s = kissed(47, "1")
    assert s.zone(47) == "discard" and s.vp == 0 and s.zone(1) == "C"
    s.finish()


def test_71_neutral_event_is_the_democrats():
    s = kissed(8, "1")
    assert s.position()["prudence"] == {"D": 0, "C": -1} and s.zone(8) == "discard"
    s.finish()


@pytest.mark.parametrize("boxes, zone", [((0, 1), "discard"), ((0, 0), "discard"), ((1, 0), "removed")])
def test_71_reformer_needs_the_democrat_ahead(boxes, zone):
    s = kissed(67, boxes=boxes, discard=[50])
    assert s.zone(67) == zone and s.zone(50) == ("in_play" if zone == "removed" else "discard")
    s.finish()


def test_71_scoring_card_starts_a_struggle_of_the_democrat():
    support = {"Lutheran Church": (5, 0), "Berlin": (0, 3)}
    s = kissed(42, support=support, chance={"power_deal": ONE_EACH, "dice": [1, 4]})
    assert s.decision == "stakes" and s.actor == 0
    s.take("pass", "pass")
    assert s.decision == "attack" and s.actor == 0
    s.take("power:march-6")
    assert s.position()["power"]["East Germany"]["holder"] == "D" and s.zone(42) == "removed"
    s.finish()


def test_71_common_european_home_does_nothing():
    s = kissed(21)
    assert s.zone(21) == "discard" and s.vp == 0 and s.decision == "none"
    s.finish()


def test_71_missing_prerequisite():
    s = kissed(61, support={"Halle": (0, 1)})
    assert s.zone(61) == "discard"
    s.finish()


def test_71_empty_hand():
    assert scenario("D: 71", turn=4).take("event").zone(71) == "removed"


def test_71_played_by_the_communist_event_first():
    s = scenario("C: 50 71", {"Pecs": (0, 1)}, turn=4, chance={"random_discards": [50]})
    s.take("card:71", "opponent-event", "place")
    s.pick("Pecs", "Pecs", "Pecs")
    assert s.zone(50) == "in_play" and s.support("Pecs") == (0, 4) and s.zone(71) == "removed"
    s.finish()


def test_71_played_by_the_communist_operations_first():
    s = scenario("C: 50 71", {"Pecs": (0, 1)}, turn=4, chance={"random_discards": [50]}).take("card:71", "place")
    assert s.zone(50) == "C"
    s.pick("Pecs", "Pecs", "Pecs")
    assert s.zone(50) == "in_play" and s.zone(71) == "removed"
    s.finish()


def test_71_operations_follow_a_struggle_it_started():
    chance = {"random_discards": [42], "dice": [1, 1]}
    s = scenario("C: 42 71", {"Pecs": (0, 1)}, turn=4, chance=chance).take("card:71", "opponent-event", "surrender")
    assert s.decision == "ops" and s.actor == 1
    s.finish()


def test_71_prudence_lowers_the_operations_that_follow():
    s = scenario("C: 8 71", {"Pecs": (0, 1)}, turn=4, chance={"random_discards": [8]})
    s.take("card:71", "opponent-event", "place").pick("Pecs", "Pecs")
    assert s.support("Pecs") == (0, 3) and s.decision == "none"
    s.finish()


def test_71_goodbye_lenin_keeps_the_communists_operations():
    """Differs: an attempt inside the event does not end the round."""
    s = scenario("C: 46 71", {"Pecs": (0, 1)}, turn=4, dice=[1], chance={"random_discards": [46]})
    s.take("card:71", "opponent-event", "tiananmen")
    assert s.decision == "ops" and s.actor == 1 and s.position()["tiananmen"]["D"]["box"] == 1
    s.finish()


# --- 72 Peasant Parties Revolt --------------------------------------------------------------------


@pytest.mark.parametrize("farmer, moved", [("Erfurt", 1), ("Sliven", 0), ("Halle", 0)])
def test_72_moves_a_card_for_a_farmer_space_of_the_country(farmer, moved):
    support = {farmer: (4, 0), "Berlin": (0, 3)}
    cards = (6 if farmer != "Sliven" else 0) + moved
    deal = {"D": MIXED[:cards], "C": STRIKES[: 6 - moved]}
    if "strike-4" in deal["C"]:
        deal["D"] = ["march-4"] * 4 + ["march-3"] * 2 + ["petition-6"] * moved if cards else []
    s = scenario("C: 42", support, turn=4, in_play=[72], chance={"power_deal": deal}, dice=[1, 1])
    assert s.state.power_cards[PowerZone.HAND].sum() == cards
    assert s.state.power_cards[PowerZone.HAND + 1].sum() == 6 - moved
    s.take("pass", *["pass"] * (cards > 0), "power:strike-6", "surrender")
    assert s.zone(72) == "removed"
    s.finish()


def test_72_communist_without_cards_loses_none():
    deal = {"D": MIXED[:6]}
    s = scenario("C: 42", {"Erfurt": (4, 0)}, turn=4, in_play=[72], chance={"power_deal": deal}, dice=[1, 1])
    assert s.state.power_cards[PowerZone.HAND].sum() == 6
    assert s.take("pass", "surrender").zone(72) == "removed"
    s.finish()


def test_72_after_roundtable_talks():
    """6 and 6: Roundtable Talks take two, Peasant Parties one more."""
    deal = {"D": MIXED[:9], "C": STRIKES[:3]}
    s = scenario("C: 42", {"Erfurt": (4, 0), "Berlin": (0, 3)}, turn=4, in_play=[17, 72], chance={"power_deal": deal})
    assert s.state.power_cards[PowerZone.HAND].sum() == 9 and s.state.power_cards[PowerZone.HAND + 1].sum() == 3
    s.finish()


def test_72_waits():
    s = scenario("D: 72", turn=4, round=7, chance=DEAL).take("event")
    assert s.zone(72) == "in_play" and s.position()["turn"] == 5
    s.finish()


# --- 73 Laszlo Tokes ------------------------------------------------------------------------------


def test_73_places_two_then_operations_in_romania():
    s = scenario("D: 73", {"Gdansk": (1, 0), "Cluj-Napoca": (0, 4)}, turn=8).take("event")
    assert s.support("Timisoara") == (1, 0) and s.support("Harghita/Covasna") == (1, 0)
    assert s.decision == "ops" and s.legal == ["check", "place"] and 107 in s.position()["events_enabled"]
    s.take("place")
    assert s.legal == at("Timisoara", "Cluj-Napoca", "Craiova", "Harghita/Covasna", "Targu Mures")
    s.pick("Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (1, 4) and s.decision == "none"


def test_73_reaches_from_varna():
    s = scenario("D: 73", {"Varna": (1, 0)}, turn=4).take("event", "place")
    assert "space:Constanta" in s.legal and "space:Varna" not in s.legal


def test_73_two_checks_in_romania():
    support = {"Iasi": (0, 2), "Sofia": (0, 2)}
    s = scenario("D: 73", support, turn=4, dice=[5, 4]).take("event", "check")
    assert s.legal == ["pass", "space:Iasi"]
    s.pick("Iasi", "Iasi")
    assert s.support("Iasi") == (0, 1) and s.decision == "none"
    s.finish()


def test_73_may_do_nothing():
    s = scenario("D: 73", {"Iasi": (0, 2)}, turn=4).take("event", "check", "pass")
    assert s.support("Iasi") == (0, 2) and s.decision == "none"


def test_73_massacre_needs_it():
    assert "event" not in scenario("C: 107", {"Iasi": (1, 0)}, turn=8).legal
    assert "event" in scenario("C: 107", {"Iasi": (1, 0)}, turn=8, in_play=[73]).legal


@pytest.mark.parametrize("destroyed, other", [("Timisoara", "Harghita/Covasna"), ("Harghita/Covasna", "Timisoara")])
def test_73_destroyed_space_is_left_out(destroyed, other):
    s = scenario("D: 73", turn=4, in_play=[69], systematized=destroyed).take("event", "place")
    assert s.support(destroyed) == (0, 0) and s.support(other) == (1, 0) and f"space:{destroyed}" not in s.legal


# --- 74 FRG Embassies -----------------------------------------------------------------------------


@pytest.mark.parametrize("space, left", [("Halle", 0), ("Lodz", 0), ("Brno", 0), ("Gyor", 0), ("Iasi", 1), ("Ruse", 1)])
def test_74_raises_democratic_rolls_in_eastern_europe(space, left):
    s = scenario("D: 60", {space: (0, 1)}, turn=4, in_play=[74], dice=[4]).take("check", f"space:{space}")
    assert s.support(space) == (0, left)
    s.finish()


def test_74_is_no_ops_value():
    """Prudence takes the value to 1, not below: 5 + 1 + 1 against 6."""
    s = scenario("D: 66", {"Halle": (0, 1)}, turn=4, in_play=[74], prudence={"D": -2, "C": 0}, dice=[5])
    assert s.take("check", "space:Halle").support("Halle") == (0, 0)
    s.finish()


def test_74_leaves_the_communist_alone():
    s = scenario("C: 11", {"Halle": (1, 0)}, turn=4, in_play=[74], dice=[4]).take("check", "space:Halle")
    assert s.support("Halle") == (1, 0)
    s.finish()


def test_74_counts_in_events_and_the_free_check():
    s = scenario("D: 27", {"Halle": (0, 3)}, turn=4, in_play=[74], dice=[3]).take("event", "space:Halle")
    assert s.support("Halle") == (0, 1)
    s.finish()
    s = scenario("D: 74", {"Halle": (0, 1)}, turn=4, round=7, boxes=(6, 0), dice=[4], chance=DEAL)
    assert s.take("event", "space:Halle").support("Halle") == (0, 0)
    s.finish()


# --- 75 Exit Visas --------------------------------------------------------------------------------


def test_75_discards_then_draws_as_many():
    s = scenario("D: 22 45 47 75", turn=4, chance={"draws": [1, 2]}).take("card:75", "event")
    assert s.decision == "exit-visas" and s.legal == ["card:22", "card:45", "card:47", "pass"]
    s.take("card:22")
    assert s.position()["hands"]["D"] == [45, 47]
    s.take("card:47", "pass")
    assert s.position()["hands"]["D"] == [1, 2, 45] and s.zone(22) == s.zone(47) == "discard"
    assert s.vp == 0 and s.zone(75) == "removed"
    s.finish()


def test_75_all_cards():
    s = scenario("D: 45 47 75", turn=4, chance={"draws": [1, 2]}).take("card:75", "event", "card:45", "card:47")
    assert s.position()["hands"]["D"] == [1, 2]
    s.finish()


def test_75_none():
    s = scenario("D: 45 75", turn=4).take("card:75", "event", "pass")
    assert s.position()["hands"]["D"] == [45] and s.zone(75) == "removed"
    s.finish()


def test_75_empty_hand():
    assert scenario("D: 75", turn=4).take("event").zone(75) == "removed"


def test_75_reshuffle_takes_in_the_cards_just_discarded():
    s = scenario("D: 45 47 75", turn=4, draw_pile=[1], discard=[2], chance={"draws": [1, 45]})
    s.take("card:75", "event", "card:45", "card:47")
    assert s.position()["hands"]["D"] == [1, 45] and s.position()["draw_pile"] == [2, 47]
    s.finish()


def test_75_discarding_the_card_announced_under_stasi_frees_the_choice():
    s = scenario("C: 1 75 / D: 45 47 56", turn=4, in_play=[13], stasi_card=47, stop=False, chance={"draws": [3]})
    s.take("card:75", "opponent-event", "card:47", "pass")
    assert s.decision == "card" and s.actor == 0 and s.legal == ["card:3", "card:45", "card:56"]
    s.finish()


# --- 76 Warsaw Pact Summit ------------------------------------------------------------------------


def test_76_two_checks_with_a_bonus_of_two():
    """1 + 2 + 2 against an intellectual space (4)."""
    support = {"German Writers": (3, 0), "Charles University": (1, 0), "Halle": (3, 0)}
    s = scenario("C: 76", support, turn=4, dice=[1, 1]).take("event")
    assert s.decision == "ops" and s.legal == ["check", "place"]
    s.take("check")
    assert s.legal == ["pass", *at("German Writers", "Charles University")]
    s.pick("German Writers", "German Writers")
    assert s.support("German Writers") == (1, 0) and s.zone(76) == "removed" and s.decision == "none"
    s.finish()


def test_76_checks_may_be_declined():
    s = scenario("C: 76", {"German Writers": (3, 0)}, turn=4).take("event", "check", "pass")
    assert s.support("German Writers") == (3, 0) and s.zone(76) == "removed"


def test_76_four_points_in_spaces_without_democrats():
    s = scenario("C: 76", {"Halle": (1, 0), "Leipzig": (1, 2)}, turn=4).take("event", "place")
    assert len(targets(s)) == 73 and not {"Halle", "Leipzig"} & set(targets(s)) and "pass" not in s.legal
    s.pick(*["Polish Writers"] * 4)
    assert s.support("Polish Writers") == (0, 4) and s.decision == "none"


def test_76_helsinki_tear_gas_and_debt_burden_count():
    """1 + 2 + 2 - 0 + 1 (Tear Gas) against a student space takes three points away and puts one down."""
    support = {"Walter Ulbricht Academy": (3, 0), "Polish Writers": (1, 0)}
    s = scenario("C: 76", support, turn=4, in_play=[26, 30, 49], debt_burden="Poland", dice=[1]).take("event", "check")
    assert s.legal == ["pass", "space:Walter Ulbricht Academy"]
    s.pick("Walter Ulbricht Academy")
    assert s.support("Walter Ulbricht Academy") == (0, 1) and s.vp == 1 and s.zone(30) == "removed"
    s.finish()


# --- 77 Samizdat ----------------------------------------------------------------------------------


def test_77_sets_a_card_aside_and_draws():
    s = scenario("D: 22 45 77", turn=4, chance={"draws": [1]}).take("card:77", "event")
    assert s.decision == "samizdat" and s.legal == ["card:22", "card:45", "pass"]
    s.take("card:22")
    assert s.position()["samizdat"] == 22 and s.position()["hands"]["D"] == [1, 45] and s.zone(77) == "removed"
    s.finish()


def test_77_may_be_declined():
    s = scenario("D: 45 77", turn=4).take("card:77", "event", "pass")
    assert s.position()["hands"]["D"] == [45] and "samizdat" not in s.position()
    s.finish()


def test_77_card_returns_before_the_deal_and_counts():
    """A scoring card set aside is not held."""
    chance = {"draws": [1, *range(2, 16)]}
    s = scenario("D: 22 77", turn=4, round=7, chance=chance).take("card:77", "event", "card:22")
    hands = s.position()["hands"]
    assert not s.over and s.position()["turn"] == 5 and len(hands["D"]) == len(hands["C"]) == 8
    assert {1, 22} <= set(hands["D"]) and "samizdat" not in s.position()
    s.finish()


def test_77_in_the_last_turn_the_card_stays_aside():
    s = scenario("D: 22 77", turn=10, round=7, chance={"draws": [1]}).take("card:77", "event", "card:22")
    assert s.over and s.reason == "final scoring" and s.zone(22) == "nowhere"
    s.finish()


def test_77_reshuffles_an_empty_deck():
    s = scenario("D: 45 77", turn=4, draw_pile=[], discard=[2], chance={"draws": [2]})
    assert s.take("card:77", "event", "card:45").position()["hands"]["D"] == [2]
    s.finish()


def test_77_setting_aside_the_card_announced_under_stasi_frees_the_choice():
    s = scenario("C: 1 77 / D: 45 47", turn=4, in_play=[13], stasi_card=47, stop=False, chance={"draws": [3]})
    s.take("card:77", "opponent-event", "card:47")
    assert s.decision == "card" and s.actor == 0 and s.legal == ["card:3", "card:45"]
    s.finish()


def test_77_is_an_event_with_an_empty_hand_too():
    """Differs, the Democrat's last card."""
    s = scenario("D: 77", turn=4).take("event")
    assert s.zone(77) == "removed"
    s.finish()


def test_77_event_before_operations_with_an_empty_democratic_hand():
    """Differs, the Communist's round."""
    s = scenario("C: 77", {"Halle": (1, 0)}, turn=4).take("opponent-event")
    assert s.decision == "check" and s.actor == 1
    assert s.take("pass").zone(77) == "removed"


# --- 78 Workers Revolt ----------------------------------------------------------------------------


@pytest.mark.parametrize("die, after", [(4, (3, 0)), (3, (1, 2))])
def test_78_replaces_all_on_four(die, after):
    s = scenario("D: 78", {"Iasi": (1, 2)}, turn=4, dice=[die]).take("event")
    assert s.support("Iasi") == after and s.zone(78) == "discard"
    s.finish()


def test_78_worker_spaces_with_opponents_where_the_opponent_holds_power():
    support = {"Iasi": (0, 1), "Halle": (0, 2), "Lodz": (0, 1), "Gyor": (2, 0), "Berlin": (0, 3)}
    s = scenario("D: 78", support, turn=4, power=["Poland"]).take("event")
    assert s.decision == "revolt" and s.legal == at("Iasi", "Halle")


@pytest.mark.parametrize("die, after", [(5, (2, 0)), (4, (0, 2))])
def test_78_adjacent_opponents_lower_the_roll(die, after):
    support = {"Brasov": (0, 2), "Bucuresti": (0, 3), "Ploiesti": (3, 0)}
    s = scenario("D: 78", support, turn=4, dice=[die]).take("event")
    assert s.support("Brasov") == after
    s.finish()


def test_78_the_target_does_not_count():
    s = scenario("D: 78", {"Brasov": (0, 5)}, turn=4, dice=[4]).take("event")
    assert s.support("Brasov") == (5, 0)
    s.finish()


@pytest.mark.parametrize("die, after", [(5, (0, 2)), (4, (2, 0))])
def test_78_neighbours_across_the_border_count(die, after):
    support = {"Timisoara": (2, 0), "Szeged": (4, 0)}
    s = scenario("C: 78", support, turn=8, power=["Romania"], dice=[die]).take("event")
    assert s.support("Timisoara") == after
    s.finish()


def test_78_own_neighbours_give_nothing():
    s = scenario("D: 78", {"Brasov": (0, 2), "Iasi": (3, 0), "Ploiesti": (3, 0)}, turn=4, dice=[3]).take("event")
    assert s.support("Brasov") == (0, 2)
    s.finish()


@pytest.mark.parametrize("in_play", [[2], [49], [30], [26]])
def test_78_is_no_check(in_play):
    more = {"debt_burden": "Poland"} if in_play == [49] else {}
    s = scenario("C: 78", {"Gdansk": (2, 0)}, turn=4, power=["Poland"], in_play=in_play, dice=[4], **more).take("event")
    assert s.support("Gdansk") == (0, 2) and s.vp == 0
    s.finish()


def test_78_modifiers_of_checks_do_not_count():
    s = scenario("D: 78", {"Halle": (0, 2)}, turn=4, in_play=[59], dice=[4]).take("event")
    assert s.support("Halle") == (2, 0)
    s.finish()
    s = scenario("D: 78", {"Halle": (0, 2)}, turn=4, in_play=[74], dice=[3]).take("event")
    assert s.support("Halle") == (0, 2)
    s.finish()


def test_78_without_a_legal_space():
    s = scenario("C: 78", {"Gdansk": (2, 0)}, turn=4).take("event")
    assert s.zone(78) == "discard" and s.support("Gdansk") == (2, 0)
    s.finish()


# --- 79 The Third Way -----------------------------------------------------------------------------


def test_79_scores_and_adds_three_to_german_writers():
    s = scenario("C: 79", {"German Writers": (3, 0)}, turn=4).take("event")
    assert s.vp == -2 and s.support("German Writers") == (3, 3) and s.zone(79) == "removed"


# --- 80 Nepotism ----------------------------------------------------------------------------------


@pytest.mark.parametrize("die, points", [(1, 4), (2, 4), (3, 3), (4, 3), (5, 1), (6, 1)])
def test_80_places_by_the_die_in_balkan_worker_spaces(die, points):
    s = scenario("C: 80", {"Iasi": (4, 0)}, turn=4, dice=[die]).take("event")
    assert s.legal == at(*"Timisoara Iasi Brasov Ploiesti Galati Constanta Ruse Burgas Varna Plovdiv".split())
    s.pick(*["Iasi"] * points)
    assert s.support("Iasi") == (4, points) and s.zone(80) == "removed" and s.decision == "none"
    s.finish()
