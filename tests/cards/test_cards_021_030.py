"""Cards 21 to 30, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario
from situations import MODROW, board, cards, draws, extra_check, prudence, seventh, total

pytestmark = pytest.mark.plain


# --- 21 Common European Home ----------------------------------------------------------------------


def test_21_common_european_home_cancels_an_event():
    s = scenario("D: 21 37", {"Szczecin": (0, 1)}, dice=[4]).take("card:21", "event", "space:Szczecin").finish()
    assert s.support("Szczecin") == (0, 0) and total(s, "C") == 0 and s.vp == 0
    assert s.zone(21) == s.zone(37) == "discard"


def test_21_common_european_home_choice_of_the_pair():
    s = scenario("C: 4 7 8 21 22 34", {"Sofia": (0, 1)}).take("card:21", "event")
    assert s.decision == "home-card" and s.legal == cards(4, 34)
    s.take("card:34")
    assert s.legal == ["check", "place"]
    s.take("place", "space:Sofia", "space:Sofia")
    assert s.support("Sofia") == (0, 3) and total(s, "D") == 0


def test_21_common_european_home_pair_has_modifiers():
    s = scenario("C: 21 34", {"Sofia": (0, 1)}, in_play=[25]).take("card:21", "event", "place", *["space:Sofia"] * 3)
    assert s.support("Sofia") == (0, 4)


@pytest.mark.parametrize("side, vp", [("D", -1), ("C", 1)])
@pytest.mark.parametrize("use, dice", [("place", []), ("check", []), ("tiananmen", [1])])
def test_21_common_european_home_alone(side, vp, use, dice):
    s = scenario(f"{side}: 21", {"Sofia": (1, 0) if side == "D" else (0, 1)}, dice=dice)
    assert s.legal == ["check", "place", "tiananmen"]
    s.take(use, *["space:Sofia"] * (2 if use == "place" else 0)).finish()
    assert s.vp == vp and s.zone(21) == "discard"


@pytest.mark.parametrize("hand", ["D: 21", "D: 4 21", "D: 8 21", "D: 21 22"])
def test_21_common_european_home_needs_an_opponents_card(hand):
    assert "event" not in scenario(hand).take(*[] if hand == "D: 21" else ["card:21"]).legal


@pytest.mark.parametrize("hand, options", [("C: 3 21", {}), ("D: 15 21", MODROW)])
def test_21_common_european_home_needs_a_playable_event(hand, options):
    assert "event" not in scenario(hand, **options).take("card:21").legal


def test_21_common_european_home_points_come_before_operations():
    s = scenario("D: 21", {"Sofia": (1, 0)}, vp=-19).take("place")
    assert s.result == "communist" and s.support("Sofia") == (1, 0)


def test_21_common_european_home_leaves_a_round_without_card():
    s = scenario("C: 21 34 / D: 4 29 31", round=6, stop=False).take("card:21", "event")
    s.take("card:4", "event")
    assert s.state.action_round == 7 and s.actor == 0 and s.decision == "card"


def test_21_common_european_home_drawn_by_kiss_of_death():
    s = scenario("D: 71 / C: 8 21", turn=4, chance={"random_discards": [21]}).take("event").finish()
    assert s.zone(21) == "discard" and s.vp == 0 and s.decision == "none"


def test_21_common_european_home_not_chosen_by_reformer():
    s = scenario("D: 67", turn=4, boxes=(1, 0), discard=[4, 21, 31]).take("event")
    assert s.decision == "event-from-discard" and s.legal == cards(31, 4)


def test_21_common_european_home_without_award_8():
    s = scenario("D: 1 21", boxes=(8, 0)).take("card:21")
    assert "event-and-ops" not in s.legal and "event" in s.legal


# --- 24 St. Nicholas Church -----------------------------------------------------------------------


@pytest.mark.parametrize("before, after", [((1, 0), (5, 0)), ((1, 2), (7, 2)), ((0, 0), (5, 0)), ((6, 0), (6, 0))])
def test_24_st_nicholas_church(before, after):
    s = scenario("D: 24", {"Lutheran Church": before}).take("event")
    assert s.support("Lutheran Church") == after and s.decision == "none"
    assert 61 in s.position()["events_enabled"] and s.zone(24) not in ("discard", "draw_pile")


@pytest.mark.parametrize("church", [(), (24,)])
def test_24_st_nicholas_church_enables_monday_demonstrations(church):
    assert ("event" in scenario("D: 61", turn=4, in_play=church).legal) == bool(church)


def test_24_st_nicholas_church_taken_by_goodbye_lenin():
    s = scenario("D: 46 / C: 24", turn=4).take("event", "card:24")
    assert s.support("Lutheran Church") == (5, 0) and 61 in s.position()["events_enabled"]


# --- 25 Perestroika -------------------------------------------------------------------------------


def test_25_perestroika_is_set_aside():
    assert scenario("C: 25").take("event").zone(25) == "in_play"


def test_25_perestroika_raises_placement():
    s = scenario("C: 7", {"Sofia": (0, 1)}, in_play=[25]).take("place", *["space:Sofia"] * 3)
    assert s.support("Sofia") == (0, 4) and s.decision == "none"


def test_25_perestroika_has_no_upper_limit():
    s = scenario("C: 20", {"Sofia": (0, 1)}, in_play=[25]).take("place", *["space:Sofia"] * 5)
    assert s.support("Sofia") == (0, 6)


@pytest.mark.parametrize("effects, left", [({}, 1), ({"in_play": [25]}, 0), ({"in_play": [25], **prudence(c=-1)}, 1)])
def test_25_perestroika_raises_checks(effects, left):
    s = scenario("C: 7", {"Szczecin": (1, 0)}, dice=[4], **effects).take("check", "space:Szczecin").finish()
    assert s.support("Szczecin") == (left, 0)


def test_25_perestroika_raises_event_checks_in_the_opponents_round():
    s = scenario("D: 1", {"Poznan": (2, 0)}, in_play=[25], dice=[4]).take("opponent-event", "space:Poznan").finish()
    assert s.support("Poznan") == (0, 1)


def test_25_perestroika_leaves_democratic_checks():
    s = scenario("D: 34", {"Szczecin": (0, 1)}, in_play=[25], dice=[4]).take("check", "space:Szczecin").finish()
    assert s.support("Szczecin") == (0, 1)


def test_25_perestroika_raises_tiananmen_attempts():
    s = scenario("C: 7", in_play=[25], dice=[2]).take("tiananmen").finish()
    assert s.state.track[1] == 1


def test_25_perestroika_raises_the_extra_check_and_ends_with_the_turn():
    s = extra_check("D: 29", {"Szczecin": (1, 0)}, 4, in_play=[25]).take("event", "space:Szczecin").finish()
    assert s.support("Szczecin") == (0, 0) and s.zone(25) == "removed"


def test_25_perestroika_with_award_8_event_first():
    s = scenario("C: 25", {"Szczecin": (1, 0)}, boxes=(0, 8), dice=[3])
    s.take("event-and-ops", "event", "space:Szczecin").finish()
    assert s.support("Szczecin") == (0, 0) and s.zone(25) == "in_play"


# --- 26 Helsinki Final Act ------------------------------------------------------------------------


def test_26_helsinki_final_act_stays():
    assert scenario("D: 26").take("event").zone(26) == "in_play"


@pytest.mark.parametrize("name, vp", [("German Writers", 1), ("Charles University", 1), ("Szczecin", 0)])
@pytest.mark.parametrize("die", [1, 6])
def test_26_helsinki_final_act_pays_by_space_whatever_the_roll(name, vp, die):
    s = scenario("C: 7", {name: (9, 0)}, in_play=[26], dice=[die]).take("check", f"space:{name}", "pass").finish()
    assert s.vp == vp


def test_26_helsinki_final_act_pays_each_check():
    s = scenario("C: 7", {"German Writers": (9, 0)}, in_play=[26], dice=[1, 1])
    s.take("check", "space:German Writers", "space:German Writers").finish()
    assert s.vp == 2


def test_26_helsinki_final_act_ignores_democratic_and_declined_checks():
    s = scenario("D: 4", {"German Writers": (0, 9)}, in_play=[26], dice=[1])
    assert s.take("check", "space:German Writers", "pass").finish().vp == 0
    assert scenario("C: 7", {"German Writers": (9, 0)}, in_play=[26]).take("check", "pass").vp == 0


def test_26_helsinki_final_act_pays_event_checks():
    s = scenario("C: 1", {"Polish Writers": (4, 0)}, in_play=[26], dice=[1]).take("event", "space:Polish Writers")
    assert s.vp == 1


def test_26_helsinki_final_act_pays_the_extra_check():
    assert extra_check("D: 4", {}, 1, in_play=[26]).take("event", "space:Polish Writers").finish().vp == 1


def test_26_helsinki_final_act_ends_the_game_before_the_second_check():
    s = scenario("C: 7", {"German Writers": (9, 0)}, vp=19, in_play=[26], dice=[1])
    s.take("check", "space:German Writers").finish()
    assert s.result == "democrat" and s.reason == "automatic victory"


def test_26_helsinki_final_act_taken_by_goodbye_lenin():
    assert scenario("D: 46 / C: 26", turn=4).take("event", "card:26").zone(26) == "in_play"


# --- 27 Consumerism -------------------------------------------------------------------------------


def test_27_consumerism():
    s = scenario("D: 27", {"Gyor": (0, 2), "Debrecen": (0, 1), "Szczecin": (0, 1), "Budapest": (0, 2)}, dice=[4])
    s.take("event")
    assert s.decision == "remove" and s.legal == at("Gyor", "Debrecen", "Szczecin")
    s.take("space:Gyor")
    assert s.decision == "check" and s.legal == ["pass", *at("Gyor", "Debrecen")]
    s.take("space:Debrecen").finish()
    assert board(s, "Gyor", "Debrecen") == {"Gyor": (0, 1), "Debrecen": (0, 0)} and s.zone(27) == "discard"


def test_27_consumerism_check_may_be_declined():
    s = scenario("D: 27", {"Gyor": (0, 2)}).take("event", "pass").finish()
    assert s.support("Gyor") == (0, 1) and s.decision == "none"


def test_27_consumerism_without_worker_target():
    s = scenario("D: 27", {"Budapest": (0, 2), "Gyor": (2, 0)}).take("event").finish()
    assert s.decision == "none" and s.support("Budapest") == (0, 2)


def test_27_consumerism_no_check_when_nothing_is_left_in_the_country():
    """Ruling country-binds-the-event."""
    s = scenario("D: 27", {"Gyor": (0, 1), "Szczecin": (0, 3)}).take("event", "space:Gyor").finish()
    assert s.decision == "none" and s.support("Szczecin") == (0, 3)


@pytest.mark.parametrize("name, left", [("Halle", 0), ("Gyor", 1)])
def test_27_consumerism_with_open_border(name, left):
    s = scenario("D: 27", {name: (0, 2)}, turn=4, in_play=[58], dice=[3]).take("event", f"space:{name}").finish()
    assert s.support(name) == (0, left)


def test_27_consumerism_is_executed_by_the_democrat():
    s = scenario("C: 27", {"Gyor": (0, 1), "Szczecin": (0, 1)}).take("opponent-event")
    assert s.decision == "remove" and s.actor == 0


# --- 28 Factory Party Cells -----------------------------------------------------------------------


def test_28_factory_party_cells():
    s = scenario("C: 28", {"Gyor": (4, 0), "Halle": (4, 0), "Berlin": (4, 0), "Iasi": (0, 2)}).take("event")
    assert s.decision == "remove" and s.legal == at("Gyor", "Halle")
    s.take("space:Gyor", "space:Gyor")
    assert board(s, "Gyor", "Halle", "Berlin") == {"Gyor": (2, 0), "Halle": (3, 0), "Berlin": (4, 0)}
    assert s.zone(28) == "discard"


def test_28_factory_party_cells_stops_only_without_a_legal_space():
    s = scenario("C: 28", {"Gyor": (4, 0)}).take("event")
    assert s.support("Gyor") == (2, 0) and s.decision == "none"


# --- 29 Jan Palach Week ---------------------------------------------------------------------------


def test_29_jan_palach_week():
    s = scenario("D: 29", {"Charles University": (0, 2)}).take("event")
    assert s.support("Charles University") == (6, 2) and s.zone(29) == "removed"


# --- 30 Tear Gas ----------------------------------------------------------------------------------


def test_30_tear_gas_is_set_aside():
    assert scenario("C: 30").take("event").zone(30) == "in_play"


def test_30_tear_gas_serves_one_check():
    s = scenario("C: 9", {"Charles University": (9, 0)}, in_play=[30], dice=[1, 2])
    s.take("check", "space:Charles University").take("space:Charles University").finish()
    assert s.support("Charles University") == (7, 0) and s.zone(30) == "removed"


def test_30_tear_gas_is_used_up_by_a_failure():
    support = {"Charles University": (1, 0), "Czech Writers": (2, 0), "Praha": (3, 0)}
    s = scenario("C: 9", support, in_play=[30], dice=[1])
    s.take("check", "space:Charles University", "pass").finish()
    assert s.support("Charles University") == (1, 0) and s.zone(30) == "removed"


def test_30_tear_gas_waits_for_a_student_space():
    s = scenario("C: 9", {"Szczecin": (1, 0)}, in_play=[30], dice=[5]).take("check", "space:Szczecin", "pass").finish()
    assert s.support("Szczecin") == (1, 0) and s.zone(30) == "in_play"


def test_30_tear_gas_ignores_democratic_checks():
    s = scenario("D: 4", {"Charles University": (0, 3)}, in_play=[30], dice=[2])
    s.take("check", "space:Charles University", "pass").finish()
    assert s.support("Charles University") == (0, 2) and s.zone(30) == "in_play"


def test_30_tear_gas_serves_the_extra_check():
    s = extra_check("D: 29", {}, 1, in_play=[30]).take("event", "space:Charles University").finish()
    assert s.support("Charles University") == (4, 0) and s.zone(30) == "removed"


def test_30_tear_gas_outlasts_the_turn():
    s = seventh("D: 29", in_play=[30], chance={"draws": draws(16, 29, 30)}).take("event").finish()
    assert s.zone(30) == "in_play"


def test_30_tear_gas_together_with_the_wall():
    support = {"Walter Ulbricht Academy": (5, 0), "German Writers": (2, 0)}
    s = scenario("C: 9", support, dice=[1]).take("check", "space:Walter Ulbricht Academy", "pass").finish()
    assert s.support("Walter Ulbricht Academy") == (5, 0)
    s = scenario("C: 12", support, in_play=[9, 30], dice=[1]).take("check", "space:Walter Ulbricht Academy").finish()
    assert s.support("Walter Ulbricht Academy") == (3, 0) and s.zone(9) == s.zone(30) == "removed"
