"""Cards 1 to 10, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario
from situations import MODROW, RALLIES, TYRANT_WENT, board, cards, draws, extra_check, prudence, seventh, total

pytestmark = pytest.mark.plain


# --- 1 Legacy of Martial Law ----------------------------------------------------------------------


def test_01_legacy_of_martial_law_swap_and_check():
    support = {"Poznan": (3, 0), "Gdansk": (1, 2), "Bydgoszcz": (0, 4), "Warszawa": (0, 3)}
    s = scenario("C: 1", support, dice=[3]).take("event")
    assert s.decision == "replace" and s.legal == at("Poznan", "Gdansk")
    s.take("space:Poznan", "space:Gdansk").finish()
    assert board(s, "Poznan", "Gdansk") == {"Poznan": (2, 1), "Gdansk": (0, 2)}
    assert s.zone(1) == "removed"


def test_01_legacy_of_martial_law_same_space_twice():
    s = scenario("C: 1", {"Poznan": (2, 0)}, dice=[6]).take("event", "space:Poznan").finish()
    assert s.support("Poznan") == (0, 2)


def test_01_legacy_of_martial_law_only_poland():
    s = scenario("C: 1", {"Poznan": (2, 0), "Leipzig": (3, 0), "Brno": (1, 0)}).take("event")
    assert s.decision == "check" and s.legal == ["pass", *at("Poznan")]


def test_01_legacy_of_martial_law_check_may_be_declined():
    s = scenario("C: 1", {"Poznan": (2, 0)}).take("event", "pass").finish()
    assert s.support("Poznan") == (1, 1) and s.decision == "none"


def test_01_legacy_of_martial_law_check_targets_after_the_swap():
    s = scenario("C: 1", {"Poznan": (1, 0)}).take("event").finish()
    assert s.support("Poznan") == (0, 1) and s.decision == "none"


def test_01_legacy_of_martial_law_swap_in_barred_gdansk():
    s = scenario("C: 1", {"Gdansk": (2, 0)}, in_play=[2]).take("event").finish()
    assert s.support("Gdansk") == (1, 1) and s.decision == "none"


def test_01_legacy_of_martial_law_without_target_is_removed():
    s = scenario("C: 1", {"Leipzig": (2, 0)}).take("event").finish()
    assert s.zone(1) == "removed" and s.support("Leipzig") == (2, 0)


# --- 2 Solidarity Legalized -----------------------------------------------------------------------

SOLIDARITY = ["Szczecin", "Gdansk", "Poznan", "Wroclaw", "Lodz", "Katowice", "Krakow", "Bialystok", "Lublin"]


def test_02_solidarity_legalized_only_uncontrolled_spaces():
    s = scenario("D: 2", {"Szczecin": (0, 3), "Gdansk": (1, 0), "Poznan": (3, 0), "Lublin": (1, 1)}).take("event")
    added = {name: (1, 0) for name in SOLIDARITY}
    assert board(s, *SOLIDARITY) == added | {
        "Szczecin": (0, 3), "Gdansk": (2, 0), "Poznan": (3, 0), "Lublin": (2, 1),
    }  # fmt: skip
    assert total(s, "D") == 12 and s.zone(2) == "in_play"


def test_02_solidarity_legalized_lasts_without_a_space_to_fill():
    support = {name: (4, 0) for name in SOLIDARITY}
    s = scenario("D: 2", support).take("event")
    assert total(s, "D") == 36 and s.zone(2) == "in_play"


def test_02_solidarity_legalized_fired_by_communist_ops():
    s = scenario("C: 2", {"Sofia": (0, 1)}).take("opponent-event")
    assert s.support("Gdansk") == (1, 0) and s.zone(2) == "in_play" and s.decision == "ops"


def test_02_solidarity_legalized_bars_operations_in_gdansk():
    s = scenario("C: 7", {"Gdansk": (1, 0), "Krakow": (1, 0)}, in_play=[2]).take("check")
    assert s.legal == ["pass", *at("Krakow")]


def test_02_solidarity_legalized_bars_event_checks_in_gdansk():
    s = scenario("C: 1", {"Gdansk": (2, 0), "Krakow": (1, 0)}, in_play=[2]).take("event", "space:Gdansk")
    assert s.legal == ["pass", *at("Krakow")]


def test_02_solidarity_legalized_bars_extra_check_in_gdansk():
    s = seventh("D: 4", support={"Gdansk": (1, 0)}, in_play=[2], boxes=(0, 6)).take("event")
    assert s.decision == "check" and s.legal == ["pass", *at("Polish Writers")]


def test_02_solidarity_legalized_leaves_other_removals_in_gdansk():
    s = scenario("C: 7", {"Gdansk": (2, 0)}, in_play=[2]).take("event")
    assert s.support("Gdansk") == (0, 0)


def test_02_solidarity_legalized_leaves_democratic_checks_in_gdansk():
    s = scenario("D: 4", {"Gdansk": (0, 1)}, in_play=[2]).take("check")
    assert "space:Gdansk" in s.legal


def test_02_solidarity_legalized_taken_by_goodbye_lenin():
    s = scenario("D: 46 / C: 2", turn=4).take("event", "card:2")
    assert s.support("Gdansk") == (1, 0) and s.zone(2) == "in_play"


# --- 3 Walesa -------------------------------------------------------------------------------------


def test_03_walesa_placement_and_two_checks():
    s = scenario("D: 3", {"Warszawa": (0, 5), "Leipzig": (0, 1)}, in_play=[2], dice=[4, 3]).take("event")
    assert s.decision == "place" and len(s.legal) == 14
    s.take(*["space:Krakow"] * 4)
    assert s.legal == ["pass", *at("Warszawa")]
    s.take("space:Warszawa", "space:Warszawa").finish()
    assert board(s, "Krakow", "Warszawa") == {"Krakow": (4, 0), "Warszawa": (0, 4)}
    assert s.zone(3) == "removed"


@pytest.mark.parametrize("dice", [[], [4]])
def test_03_walesa_each_check_may_be_declined(dice):
    s = scenario("D: 3", {"Warszawa": (0, 5)}, in_play=[2], dice=dice).take("event", *["space:Krakow"] * 4)
    s.take(*["space:Warszawa"] * len(dice), "pass").finish()
    assert s.decision == "none" and s.zone(3) == "removed"


def test_03_walesa_needs_solidarity():
    assert "event" not in scenario("D: 3").legal


def test_03_walesa_played_by_communist_without_solidarity():
    s = scenario("C: 3")
    assert "opponent-event" not in s.legal
    s.take("check")
    assert s.zone(3) == "discard" and total(s, "D") == 0


# --- 4 Michnik ------------------------------------------------------------------------------------


def test_04_michnik():
    s = scenario("D: 4", {"Polish Writers": (0, 3)}).take("event")
    assert s.support("Polish Writers") == (3, 3) and s.zone(4) == "removed"


# --- 5 General Strike -----------------------------------------------------------------------------


def test_05_general_strike_is_set_aside():
    assert scenario("D: 5").take("event").zone(5) == "in_play"


@pytest.mark.parametrize("die, zone", [(3, "in_play"), (4, "removed")])
def test_05_general_strike_needs_six(die, zone):
    s = scenario("C: 7 9", {"Krakow": (4, 0)}, in_play=[5], dice=[die])
    assert s.decision == "strike-card" and s.legal == cards(7, 9)
    s.take("card:7").finish()
    assert s.zone(5) == zone and s.zone(7) == "discard" and s.support("Krakow") == (4, 0)
    assert s.decision == "none"


def test_05_general_strike_ignores_opponents_event_and_asterisk():
    s = scenario("C: 4 9", in_play=[5], dice=[1]).take("card:4").finish()
    assert s.zone(4) == "discard" and total(s, "D") == 0


def test_05_general_strike_with_empty_hand_is_forfeited():
    s = scenario("D: 4 1", phasing="C", in_play=[5]).finish()
    assert s.decision == "none" and s.zone(5) == "in_play"


def test_05_general_strike_scoring_card_is_played_without_roll():
    s = scenario("C: 7 22", {"Szczecin": (0, 3)}, in_play=[5], dice=[1, 1], chance={"power_deal": {"C": RALLIES}})
    s.take("card:22", "pass", "retain").finish()
    assert s.zone(5) == "in_play" and s.zone(7) == "C" and s.vp == -7


def test_05_general_strike_only_scoring_cards():
    s = scenario("C: 22", {"Szczecin": (0, 3)}, in_play=[5], chance={"power_deal": {"C": RALLIES}}).finish()
    assert s.decision == "stakes"


def test_05_general_strike_starts_in_the_next_round_and_uses_it_up():
    s = scenario("C: 5 7 12 / D: 4 34 29", dice=[4], stop=False)
    s.take("card:5", "opponent-event")
    s.take("card:4", "event")
    assert s.decision == "strike-card"
    s.take("card:7").finish()
    assert s.zone(5) == "removed" and s.decision == "card" and s.actor == 0
    s.take("card:34", "event")
    assert s.decision == "use" and s.actor == 1


@pytest.mark.parametrize(
    "card, effects, die, zone",
    [
        (7, {"in_play": [5, 25]}, 3, "removed"),
        (7, {"in_play": [5], **prudence(c=-1)}, 4, "in_play"),
        (9, {"in_play": [5], **prudence(c=-1)}, 5, "removed"),
        (9, {"in_play": [5], "boxes": (0, 2)}, 4, "removed"),
    ],
)
def test_05_general_strike_counts_ops_modifiers(card, effects, die, zone):
    s = scenario(f"C: {card} 12", dice=[die], **effects).take(f"card:{card}").finish()
    assert s.zone(5) == zone


def test_05_general_strike_discarded_home_costs_nothing():
    s = scenario("C: 21 7", in_play=[5], dice=[1]).take("card:21").finish()
    assert s.vp == 0 and s.zone(21) == "discard"


def test_05_general_strike_outlasts_the_turn():
    s = scenario("C: 7 / D: 4", round=7, in_play=[5], dice=[1], stop=False, chance={"draws": draws(16, 4, 7)})
    s.take("event").finish()
    assert s.state.turn == 2 and s.decision == "strike-card" and len(s.legal) == 8


def test_05_general_strike_in_honeckers_round():
    s = seventh("D: 4 / C: 7 9", in_play=[5, 15]).take("event", "extra-round")
    assert s.decision == "strike-card"


def test_05_general_strike_without_award_8():
    assert scenario("C: 7 9", in_play=[5], boxes=(0, 8)).legal == cards(7, 9)


# --- 6 Brought in for Questioning -----------------------------------------------------------------


def questioned(card, hand, **options):
    return scenario(f"C: 6 / D: {hand}", chance={"random_discards": [card]}, **options).take("event")


def test_06_brought_in_for_questioning_fires_communist_event_with_its_ops():
    s = questioned(1, "1 4", support={"Poznan": (2, 0)}, dice=[5]).take("space:Poznan").finish()
    assert s.support("Poznan") == (0, 1) and s.zone(1) == "removed" and s.zone(6) == "discard"


@pytest.mark.parametrize("card", [4, 8, 21, 22])
def test_06_brought_in_for_questioning_discards_anything_else(card):
    s = questioned(card, f"{card} 34").finish()
    assert s.zone(card) == "discard" and s.zone(34) == "D"
    assert s.vp == 0 and s.decision == "none" and not s.state.prudence.any() and total(s, "D") == 0


def test_06_brought_in_for_questioning_blocked_event():
    s = questioned(15, "15 4", **MODROW).finish()
    assert s.zone(15) == "discard" and s.decision == "none"


def test_06_brought_in_for_questioning_lasting_event_is_set_aside():
    assert questioned(9, "9 4").finish().zone(9) == "in_play"


def test_06_brought_in_for_questioning_honecker_cannot_take_either_card():
    s = questioned(15, "15 4", discard=[31])
    assert s.decision == "take-discard" and s.legal == [*cards(31), "pass"]


def test_06_brought_in_for_questioning_empty_hand():
    s = scenario("C: 6").take("event").finish()
    assert s.zone(6) == "discard" and s.decision == "none"


def test_06_brought_in_for_questioning_spares_the_card_being_played():
    s = scenario("D: 6 4", {"Sofia": (1, 0)}, chance={"random_discards": [4]}).take("card:6", "opponent-event").finish()
    assert s.zone(4) == "discard" and s.decision == "ops" and s.actor == 0


def test_06_brought_in_for_questioning_spares_samizdat():
    s = scenario("C: 6", turn=4, samizdat=4).take("event").finish()
    assert s.zone(4) == "nowhere" and s.position()["samizdat"] == 4


# --- 7 State Run Media ----------------------------------------------------------------------------


def test_07_state_run_media_at_most_two_a_space():
    s = scenario("C: 7", {"Krakow": (5, 0), "Leipzig": (5, 0), "Iasi": (1, 0), "Brno": (0, 2)})
    s.take("event", "space:Krakow", "space:Krakow")
    assert s.decision == "remove" and s.legal == at("Leipzig", "Iasi")
    s.take("space:Iasi")
    assert board(s, "Krakow", "Leipzig", "Iasi") == {"Krakow": (3, 0), "Leipzig": (4, 0), "Iasi": (0, 0)}
    assert s.zone(7) == "removed" and s.support("Brno") == (0, 2)


def test_07_state_run_media_stops_only_without_a_legal_space():
    s = scenario("C: 7", {"Krakow": (5, 0)}).take("event")
    assert s.support("Krakow") == (3, 0) and s.decision == "none"


# --- 8 Prudence -----------------------------------------------------------------------------------


@pytest.mark.parametrize("side, against", [("D", "C"), ("C", "D")])
def test_08_prudence_hits_the_opponent(side, against):
    s = scenario(f"{side}: 8").take("event")
    assert s.position()["prudence"] == {"D": 0, "C": 0} | {against: -1} and s.zone(8) == "discard"


def test_08_prudence_adds_up():
    assert scenario("D: 8", **prudence(c=-1)).take("event").position()["prudence"] == {"D": 0, "C": -2}


def test_08_prudence_fires_nothing_when_played_for_ops():
    assert "prudence" not in scenario("D: 8").take("check").position()


def test_08_prudence_lowers_placement():
    s = scenario("C: 7", {"Sofia": (0, 1)}, **prudence(c=-1)).take("place", "space:Sofia")
    assert total(s, "C") == 2 and s.decision == "none"


@pytest.mark.parametrize("card, change, die, left", [(9, -1, 6, 0), (7, -2, 6, 0), (7, -1, 5, 1)])
def test_08_prudence_leaves_at_least_one(card, change, die, left):
    s = scenario(f"C: {card}", {"Szczecin": (1, 0)}, dice=[die], **prudence(c=change)).take("check", "space:Szczecin")
    assert s.support("Szczecin") == (left, 0)


def test_08_prudence_lowers_event_checks_in_the_opponents_round():
    s = scenario("C: 27", {"Gyor": (0, 2)}, dice=[4], **prudence(d=-1)).take("opponent-event", "space:Gyor").finish()
    assert s.support("Gyor") == (0, 1)


@pytest.mark.parametrize("change, box", [(0, 1), (-1, 0)])
def test_08_prudence_lowers_tiananmen_attempts(change, box):
    s = scenario("C: 7", dice=[3], **prudence(c=change)).take("tiananmen").finish()
    assert s.state.track[1] == box


def test_08_prudence_sums_before_the_floor():
    s = scenario("C: 9", {"Szczecin": (1, 0)}, in_play=[25], dice=[6], **prudence(c=-2)).take("check", "space:Szczecin")
    assert s.support("Szczecin") == (0, 0)


def test_08_prudence_lowers_the_extra_check_and_ends_with_the_turn():
    s = extra_check("D: 8", {"Szczecin": (1, 0)}, 5).take("event", "space:Szczecin").finish()
    assert s.support("Szczecin") == (1, 0) and s.state.turn == 2 and "prudence" not in s.position()


# --- 9 The Wall -----------------------------------------------------------------------------------

WALL_FELL = {"turn": 8, "in_play": [86]}


def test_09_the_wall_is_set_aside():
    assert scenario("C: 9").take("event").zone(9) == "in_play"


@pytest.mark.parametrize("wall, left", [((), 1), ((9,), 0)])
def test_09_the_wall_drops_only_democratic_neighbours(wall, left):
    support = {"Halle": (1, 0), "Magdeburg": (3, 0), "Leipzig": (0, 3)}
    s = scenario("C: 7", support, in_play=wall, dice=[4]).take("check", "space:Halle").finish()
    assert s.support("Halle") == (left, 0) and s.zone(9) != "in_play"


def test_09_the_wall_serves_one_check():
    support = {"Halle": (1, 0), "Magdeburg": (3, 0)}
    s = scenario("C: 7", support, in_play=[9], dice=[1, 5]).take("check", "space:Halle", "space:Halle").finish()
    assert s.support("Halle") == (1, 0) and s.zone(9) == "removed"


def test_09_the_wall_is_used_up_without_effect():
    s = scenario("C: 7", {"Halle": (1, 0)}, in_play=[9], dice=[1]).take("check", "space:Halle", "pass").finish()
    assert s.zone(9) == "removed"


def test_09_the_wall_waits_for_east_germany():
    s = scenario("C: 7", {"Szczecin": (1, 0)}, in_play=[9], dice=[1]).take("check", "space:Szczecin", "pass").finish()
    assert s.zone(9) == "in_play"


def test_09_the_wall_ignores_democratic_checks():
    s = scenario("D: 4", {"Halle": (0, 1)}, in_play=[9], dice=[1]).take("check", "space:Halle", "pass").finish()
    assert s.zone(9) == "in_play"


def test_09_the_wall_serves_the_extra_check():
    s = extra_check("D: 29", {"Halle": (1, 0)}, 1, in_play=[9]).take("event", "space:Halle").finish()
    assert s.zone(9) == "removed"


def test_09_the_wall_outlasts_the_turn():
    s = seventh("D: 29", in_play=[9], chance={"draws": draws(16, 9, 29)}).take("event").finish()
    assert s.state.turn == 2 and s.zone(9) == "in_play"


def test_09_the_wall_after_its_fall_is_played_and_removed():
    """Ruling wall-still-playable."""
    assert scenario("C: 9", **WALL_FELL).take("event").zone(9) == "removed"


def test_09_the_wall_after_its_fall_fired_by_democratic_ops():
    s = scenario("D: 9", **WALL_FELL).take("opponent-event")
    assert s.zone(9) == "removed"


def test_09_the_wall_after_its_fall_given_for_deutsche_marks():
    s = scenario("C: 20 / D: 9", {"Szczecin": (1, 0)}, **WALL_FELL).take("event")
    assert s.zone(9) == "removed" and s.decision == "none"


def test_09_the_wall_waiting_falls_too():
    s = scenario("D: 86", turn=8, in_play=[9], dice=[6, 1, 1, 6]).take("event").finish()
    assert s.zone(9) == "removed" and s.vp == 3


# --- 10 Cult of Personality -----------------------------------------------------------------------

CULT = ["Timisoara", "Iasi", "Brasov", "Ploiesti", "Galati", "Constanta", "Targu Mures", "Craiova"]


def test_10_cult_of_personality():
    s = scenario("C: 10", {"Timisoara": (5, 0)}).take("event")
    assert s.decision == "place" and s.legal == at(*CULT)
    s.take("space:Timisoara", "space:Timisoara")
    assert "space:Timisoara" not in s.legal and "pass" not in s.legal
    s.take("space:Craiova", "space:Craiova")
    assert board(s, "Timisoara", "Craiova") == {"Timisoara": (5, 2), "Craiova": (0, 2)}
    assert s.zone(10) == "removed"


def test_10_cult_of_personality_after_the_tyrant():
    s = scenario("C: 10", **TYRANT_WENT).take("event")
    assert s.decision == "none" and total(s, "C") == 0 and s.zone(10) == "removed"


def test_10_cult_of_personality_while_the_tyrant_waits():
    s = scenario("C: 10", turn=8, in_play=[54, 97]).take("event")
    assert s.decision == "place"


def test_10_cult_of_personality_without_the_destroyed_space():
    s = scenario("C: 10", turn=4, in_play=[69], systematized="Iasi").take("event")
    assert s.legal == at(*set(CULT) - {"Iasi"})
