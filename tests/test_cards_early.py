"""Events of the Early Year cards (1-40), one scripted situation per effect or ruling."""

import pytest
from scenario import scenario

from dawn_env.tables import COUNTRY_OF, SPACES, TYPE_OF

pytestmark = pytest.mark.plain


def spaces(table, number):
    return [name for name, value in zip(SPACES, table.tolist(), strict=True) if value == number]


HUNGARY, BULGARIA = spaces(COUNTRY_OF, 3), spaces(COUNTRY_OF, 5)
ELITES = ["Dresden", "Bydgoszcz", "Plzen", "Szombathely", "Cluj-Napoca", "Stara Zagora"]
BUREAUCRATS = ["Berlin", "Warszawa", "Praha", "Budapest", "Bucuresti", "Sofia"]
INTELLECTUALS = [f"{people} Writers" for people in ("German", "Polish", "Czech", "Hungarian", "Romanian", "Bulgarian")]
WORKERS, FARMERS = spaces(TYPE_OF, 2), spaces(TYPE_OF, 3)
SOLIDARITY = ["Szczecin", "Gdansk", "Poznan", "Wroclaw", "Lodz", "Katowice", "Krakow", "Bialystok", "Lublin"]
CULT = ["Timisoara", "Iasi", "Brasov", "Ploiesti", "Galati", "Constanta", "Targu Mures", "Craiova"]
POLISH_BATTLEGROUNDS = ["Gdansk", "Poznan", "Warszawa", "Wroclaw", "Lodz", "Krakow"]
RALLIES = ["rally-1"] * 6
FACES = RALLIES + ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4
MODROW = {"turn": 8, "in_play": [83]}  # Honecker is blocked
WALL_FELL = {"turn": 8, "in_play": [86]}
TYRANT_WENT = {"turn": 8, "crowd_done": True, "tyrant_done": True}


def at(*names):
    """Choices on the map, sorted as ``legal``."""
    return sorted(f"space:{name}" for name in names)


def cards(*numbers):
    return sorted(f"card:{number}" for number in numbers)


def draws(count, *without):
    """Scripted draws of harmless cards for the deal of the next turn."""
    return [card for card in range(1, 41) if card not in (5, 13, 22, 23, *without)][:count]


def board(s, *names):
    return {name: s.support(name) for name in names}


def total(s, side):
    return int(s.state.support["DC".index(side)].sum())


def prudence(d=0, c=0):
    return {"prudence": {"D": d, "C": c}}


def seventh(hand, **options):
    """The Democrat's last round of a turn, to run on into what follows."""
    return scenario(hand, round=7, phasing="D", stop=False, **options)


def extra_check(hand, support, die, *, in_play=()):
    """The same with a Communist check for box 6, one die, and the deal of turn 2."""
    used = [*in_play, *map(int, hand[2:].split())]
    return seventh(hand, support=support, in_play=in_play, boxes=(0, 6), dice=[die], chance={"draws": draws(16, *used)})


# --- 1 Legacy of Martial Law ---------------------------------------------------------------------


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


# --- 2 Solidarity Legalized ----------------------------------------------------------------------


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


# --- 3 Walesa ------------------------------------------------------------------------------------


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


# --- 4 Michnik -----------------------------------------------------------------------------------


def test_04_michnik():
    s = scenario("D: 4", {"Polish Writers": (0, 3)}).take("event")
    assert s.support("Polish Writers") == (3, 3) and s.zone(4) == "removed"


# --- 5 General Strike ----------------------------------------------------------------------------


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


# --- 6 Brought in for Questioning ----------------------------------------------------------------


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


# --- 7 State Run Media ---------------------------------------------------------------------------


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


# --- 8 Prudence ----------------------------------------------------------------------------------


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


# --- 9 The Wall ----------------------------------------------------------------------------------


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


# --- 10 Cult of Personality ----------------------------------------------------------------------


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


# --- 11 Dissident Arrested -----------------------------------------------------------------------


@pytest.mark.parametrize("name, left", [("German Writers", (0, 1)), ("Polish Writers", (1, 0))])
def test_11_dissident_arrested(name, left):
    s = scenario("C: 11", {"German Writers": (1, 1), "Polish Writers": (3, 0), "Charles University": (4, 0)})
    s.take("event")
    assert s.decision == "remove" and s.legal == at("German Writers", "Polish Writers")
    s.take(f"space:{name}")
    assert s.support(name) == left and s.decision == "none" and s.zone(11) == "discard"
    assert total(s, "D") == 8 - (1 if name == "German Writers" else 2)


def test_11_dissident_arrested_without_target():
    s = scenario("C: 11", {"Charles University": (4, 0)}).take("event")
    assert total(s, "D") == 4 and s.zone(11) == "discard"


# --- 12 Apparatchiks -----------------------------------------------------------------------------


def test_12_apparatchiks():
    s = scenario("C: 12", {"Berlin": (4, 0)}).take("event")
    assert s.legal == at(*BUREAUCRATS)
    s.take(*["space:Berlin"] * 3)
    assert s.support("Berlin") == (4, 3) and s.zone(12) == "removed"


# --- 13 Stasi ------------------------------------------------------------------------------------


def test_13_stasi_first_round_is_free_then_announced():
    s = scenario("C: 13 7 12 / D: 4 22 29", stop=False).take("card:13", "event")
    assert s.decision == "card" and s.actor == 0
    s.take("card:4", "event")
    assert s.decision == "stasi-card" and s.actor == 0 and s.legal == cards(22, 29)
    s.take("card:29", "card:12", "event", *["space:Berlin"] * 3)
    assert s.decision == "use" and s.actor == 0 and {"event", "check", "tiananmen"} <= set(s.legal)
    s.take("event")
    assert s.zone(29) == "removed"


def test_13_stasi_fired_in_the_democrats_round():
    s = scenario("D: 13 4 34 / C: 7 9", stop=False).take("card:13", "opponent-event")
    assert s.decision == "stasi-card" and s.legal == cards(4, 34)


def test_13_stasi_without_announcement_for_honeckers_round():
    s = seventh("D: 4 34 / C: 7 9", in_play=[13, 15], stasi_card=4).take("event", "extra-round")
    assert s.decision == "card" and s.actor == 1


def test_13_stasi_ends_with_the_turn():
    s = seventh("D: 4", in_play=[13], stasi_card=4, chance={"draws": draws(16, 4)}).take("event").finish()
    assert s.zone(13) == "removed" and "stasi_card" not in s.position()


def test_13_stasi_lost_card_frees_the_round():
    s = scenario("C: 6 / D: 4 34 29", in_play=[13], stasi_card=4, stop=False, chance={"random_discards": [4]})
    s.take("event").finish()
    assert s.decision == "card" and s.legal == cards(29, 34)


def test_13_stasi_empty_hand_announces_nothing():
    s = scenario("C: 7 9", phasing="D", in_play=[13], stop=False)
    assert s.decision == "card" and s.actor == 1 and "stasi_card" not in s.position()


def test_13_stasi_announced_home_is_for_operations():
    s = scenario("D: 1 21", in_play=[13], stasi_card=21)
    assert s.decision == "use" and "event" not in s.legal and "check" in s.legal


def test_13_stasi_announced_card_cancelled_with_home():
    s = scenario("D: 1 21", {"Poznan": (2, 0)}, in_play=[13], stasi_card=1)
    assert s.decision == "cancel-with-home" and s.legal == ["no", "yes"]
    s.take("yes", "check")
    assert s.zone(1) == s.zone(21) == "discard" and s.vp == 0 and s.support("Poznan") == (2, 0)


def test_13_stasi_announced_card_not_cancelled():
    s = scenario("D: 1 21", in_play=[13], stasi_card=1).take("no")
    assert s.decision == "use" and "opponent-event" in s.legal and s.zone(21) == "D"


# --- 14 Gorbachev Charms the West ----------------------------------------------------------------


def test_14_gorbachev_two_spaces_and_check():
    s = scenario("D: 14", {"Berlin": (0, 2), "Iasi": (0, 2), "Sofia": (1, 0)}, dice=[5]).take("event")
    assert s.decision == "remove" and s.legal == at("Berlin", "Iasi")
    s.take("space:Berlin", "space:Iasi")
    assert s.decision == "check" and s.legal == ["pass", *at("Berlin", "Iasi")]
    s.take("space:Iasi").finish()
    assert board(s, "Berlin", "Iasi") == {"Berlin": (0, 1), "Iasi": (2, 0)} and s.zone(14) == "discard"


def test_14_gorbachev_played_by_the_communist():
    s = scenario("C: 14", {"Krakow": (3, 0), "Iasi": (0, 2)}, dice=[3]).take("event", "space:Krakow").finish()
    assert s.support("Krakow") == (0, 0) and s.support("Iasi") == (0, 2)


def test_14_gorbachev_both_points_from_one_space():
    s = scenario("D: 14", {"Berlin": (0, 3), "Iasi": (0, 1)}).take("event", "space:Berlin", "space:Berlin")
    assert s.support("Berlin") == (0, 1)


def test_14_gorbachev_check_may_be_declined():
    s = scenario("D: 14", {"Berlin": (0, 3)}).take("event", "pass").finish()
    assert s.support("Berlin") == (0, 1) and s.decision == "none"


def test_14_gorbachev_check_targets_after_the_removal():
    assert scenario("D: 14", {"Berlin": (0, 2)}).take("event").decision == "none"


@pytest.mark.parametrize("side", "DC")
def test_14_gorbachev_after_breakaway_republics(side):
    s = scenario(f"{side}: 14", turn=8, ussr=3, in_play=[33, 81, 84])
    assert "event" not in s.legal and "check" in s.legal


# --- 15 Honecker ---------------------------------------------------------------------------------


def test_15_honecker_takes_any_non_scoring_discard():
    s = scenario("C: 15", discard=[4, 7, 22]).take("event")
    assert s.decision == "take-discard" and s.legal == [*cards(4, 7), "pass"]
    s.take("card:4")
    assert s.zone(4) == "C" and s.zone(15) == "in_play"


def test_15_honecker_may_take_none():
    s = scenario("C: 15", discard=[4, 7]).take("event", "pass")
    assert s.zone(4) == s.zone(7) == "discard" and s.zone(15) == "in_play"


@pytest.mark.parametrize(
    "hand, options, actions",
    [
        ("C: 15", {}, ["event"]),
        ("C: 15", {"discard": [22]}, ["event"]),
        ("C: 20 / D: 15", {}, ["event"]),
        ("C: 15", {"boxes": (0, 8)}, ["event-and-ops", "event"]),
        ("D: 15", {}, ["opponent-event"]),
    ],
)
def test_15_honecker_extra_round_without_eligible_discard(hand, options, actions):
    assert scenario(hand, **options).take(*actions).zone(15) == "in_play"


def test_15_honecker_extra_round_without_eligible_discard_is_offered():
    s = scenario("C: 15 12 / D: 4", round=7, stop=False).take("card:15", "event", "event")
    assert s.decision == "extra-round" and s.legal == ["extra-round", "pass"]
    s.take("extra-round")
    assert s.decision == "use" and s.actor == 1 and s.state.action_round == 8


def test_15_honecker_extra_round_declined():
    s = seventh("D: 4 / C: 12", in_play=[15], chance={"draws": draws(15, 4, 12, 15)}).take("event", "pass").finish()
    assert s.state.turn == 2 and s.zone(15) == "removed" and s.zone(12) == "C"


def test_15_honecker_is_removed_at_the_end_of_the_turn():
    s = seventh("D: 4 / C: 12", in_play=[15], chance={"draws": draws(16, 4, 12, 15)})
    s.take("event", "extra-round", "event", *["space:Berlin"] * 3).finish()
    assert s.state.turn == 2 and s.zone(15) == "removed"


def test_15_honecker_extra_round_with_empty_hand():
    s = seventh("D: 4", in_play=[15], chance={"draws": draws(16, 4, 15)}).take("event", "extra-round").finish()
    assert s.state.turn == 2


def test_15_honecker_extra_check_follows_the_extra_round():
    s = seventh("D: 4 / C: 12", in_play=[15], boxes=(0, 6))
    s.take("event", "extra-round", "event", *["space:Berlin"] * 3)
    assert s.decision == "check" and s.actor == 1 and s.legal == ["pass", *at("Polish Writers")]


def test_15_honecker_blocked_by_modrow():
    assert "event" not in scenario("C: 15", discard=[4], **MODROW).legal


def test_15_honecker_blocked_by_modrow_in_democratic_play():
    s = scenario("D: 15", **MODROW)
    assert "opponent-event" not in s.legal
    assert s.take("check").zone(15) == "discard"


@pytest.mark.parametrize("free", [(), ("Lutheran Church",)])
def test_15_honecker_round_already_gained_survives_modrow(free):
    support = {name: (5, 0) for name in free}
    s = scenario("C: 12 83 / D: 4", support, turn=8, round=7, in_play=[15], dice=[1], stop=False)
    s.take("card:83", "event", *([] if free else [*["space:Halle"] * 2, *["space:Rostock"] * 2]))
    s.take("event").finish()
    assert s.decision == "extra-round" and 15 not in s.position()["events_enabled"]


def test_15_honecker_cannot_take_deutsche_marks_that_brought_him():
    assert scenario("C: 20 / D: 15", discard=[31]).take("event").legal == [*cards(31), "pass"]


# --- 16 Nomenklatura -----------------------------------------------------------------------------


def test_16_nomenklatura_add():
    s = scenario("C: 16", {"Dresden": (1, 0)}).take("event")
    assert s.decision == "nomenklatura" and s.legal == ["add", "remove"]
    s.take("add")
    assert s.legal == at(*ELITES)
    s.take(*["space:Dresden"] * 3)
    assert s.support("Dresden") == (1, 3) and s.zone(16) == "removed"


def test_16_nomenklatura_remove():
    s = scenario("C: 16", {"Dresden": (6, 1), "Plzen": (2, 0), "Berlin": (3, 0)}).take("event", "remove")
    assert board(s, "Dresden", "Plzen", "Berlin") == {"Dresden": (0, 1), "Plzen": (0, 0), "Berlin": (3, 0)}
    assert s.decision == "none"


def test_16_nomenklatura_remove_needs_a_target():
    assert scenario("C: 16", {"Dresden": (0, 1), "Berlin": (3, 0)}).take("event").decision == "place"


def test_16_nomenklatura_without_the_destroyed_elite():
    s = scenario("C: 16", turn=4, in_play=[69], systematized="Cluj-Napoca").take("event")
    assert s.legal == at(*set(ELITES) - {"Cluj-Napoca"})


# --- 17 Roundtable Talks -------------------------------------------------------------------------


def test_17_roundtable_talks_is_set_aside():
    assert scenario("D: 17").take("event").zone(17) == "in_play"


@pytest.mark.parametrize("card, name", [(22, "Szczecin"), (23, "Gyor")])
def test_17_roundtable_talks_moves_two_cards(card, name):
    deal = {"D": ["march-6", "march-6"], "C": ["rally-1"] * 4}
    s = scenario(f"C: {card}", {name: (0, 3)}, in_play=[17], dice=[1, 1], chance={"power_deal": deal})
    assert s.decision == "stakes" and s.actor == 1
    assert s.state.power_cards[2:].sum(axis=1).tolist() == [2, 4]
    s.take("pass", "surrender").finish()
    assert s.zone(17) == "discard"


def test_17_roundtable_talks_is_used_up_without_communist_cards():
    s = scenario("D: 22", {"Szczecin": (3, 0)}, in_play=[17], dice=[1, 1], chance={"power_deal": {"D": RALLIES}})
    s.take("pass", "surrender").finish()
    assert s.zone(17) == "discard"


def test_17_roundtable_talks_outlasts_the_turn():
    s = seventh("D: 4", in_play=[17], chance={"draws": draws(16, 4, 17)}).take("event").finish()
    assert s.zone(17) == "in_play"


def test_17_roundtable_talks_in_the_struggle_of_new_years_eve():
    deal = {"D": ["march-6", "march-6"], "C": ["rally-1"] * 4}
    s = seventh("D: 29", support={"Szczecin": (0, 3)}, turn=8, in_play=[17, 104], chance={"power_deal": deal})
    s.take("event", "country:Poland").finish()
    assert s.state.power_cards[2:].sum(axis=1).tolist() == [2, 4] and s.zone(17) == "discard"


def test_17_roundtable_talks_comes_before_the_other_adjustments():
    """The Communist is dealt nothing, so only National Salvation Front (102), the last, moves cards."""
    deal = {"D": ["march-6"] * 2 + ["march-5"] * 2, "C": ["rally-1"] * 2}
    s = scenario("D: 95", {"Craiova": (4, 0)}, turn=8, in_play=[17, 72, 102], chance={"power_deal": deal}).finish()
    assert s.state.power_cards[2:].sum(axis=1).tolist() == [4, 2] and s.zone(17) == "discard"


# --- 18 Pozsgay Defends the Revolution -----------------------------------------------------------


def test_18_pozsgay_four_different_spaces():
    s = scenario("C: 18", {"Gyor": (3, 0), "Pecs": (1, 0)}).take("event")
    assert s.decision == "place" and s.legal == at(*set(HUNGARY) - {"Gyor"})
    s.take("space:Pecs")
    assert s.legal == at(*set(HUNGARY) - {"Gyor", "Pecs"})
    s.take("space:Budapest", "space:Miskolc", "space:Szeged")
    assert {s.support(name) for name in ("Budapest", "Miskolc", "Szeged")} == {(0, 1)}
    assert total(s, "C") == 4 and s.zone(18) == "removed"


def test_18_pozsgay_with_fewer_than_four_spaces():
    support = {name: (9, 0) for name in HUNGARY if name not in ("Gyor", "Pecs")}
    s = scenario("C: 18", support).take("event")
    assert total(s, "C") == 2 and s.support("Gyor") == s.support("Pecs") == (0, 1) and s.decision == "none"


def test_18_pozsgay_with_all_hungary_democratic():
    s = scenario("C: 18", {name: (9, 0) for name in HUNGARY}).take("event")
    assert total(s, "C") == 0 and s.decision == "none" and s.zone(18) == "removed"


# --- 19 Papal Visit ------------------------------------------------------------------------------


def test_19_papal_visit():
    s = scenario("D: 19", {"Czech Catholic Church": (1, 2)}).take("event")
    assert s.legal == at("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")
    s.take("space:Czech Catholic Church")
    assert s.support("Czech Catholic Church") == (4, 2) and total(s, "D") == 4
    assert s.decision == "none" and s.zone(19) == "removed"


# --- 20 Deutsche Marks ---------------------------------------------------------------------------


def test_20_deutsche_marks_communist_event_occurs():
    s = scenario("C: 20 / D: 4 7", {"Krakow": (3, 0)}).take("event")
    assert s.support("Krakow") == (1, 0) and s.decision == "none"
    assert s.zone(7) == s.zone(20) == "removed" and s.zone(4) == "D"


def test_20_deutsche_marks_democrat_breaks_the_tie():
    s = scenario("C: 20 / D: 4 7 22 34").take("event")
    assert s.decision == "give-card" and s.actor == 0 and s.legal == cards(7, 34)


@pytest.mark.parametrize("card", [34, 8, 21])
def test_20_deutsche_marks_operations_with_any_other_card(card):
    s = scenario(f"C: 20 / D: {card}", {"Szczecin": (1, 1)}).take("event")
    assert s.decision == "ops" and s.actor == 1 and s.legal == ["check", "place", "tiananmen"]
    s.take("check", "pass")
    assert s.zone(card) == "discard" and s.zone(20) == "removed" and s.vp == 0
    assert total(s, "D") == 1 and not s.state.prudence.any()


def test_20_deutsche_marks_placement_uses_the_value_and_adjacency():
    s = scenario("C: 20 / D: 34", {"Pleven": (0, 1)}).take("event", "place")
    assert s.legal == at("Pleven", "Sofia")
    s.take("space:Sofia", "space:Sofia")
    assert s.support("Sofia") == (0, 2) and s.decision == "none"


@pytest.mark.parametrize("effects, left", [({}, 1), ({"in_play": [25]}, 0)])
def test_20_deutsche_marks_two_checks_with_communist_modifiers(effects, left):
    s = scenario("C: 20 / D: 34", {"Szczecin": (1, 0), "Iasi": (1, 0)}, dice=[1, 4], **effects)
    s.take("event", "check", "space:Iasi", "space:Szczecin").finish()
    assert s.support("Szczecin") == (left, 0) and s.decision == "none"


def test_20_deutsche_marks_highest_printed_value():
    s = scenario("C: 20 / D: 4 34", boxes=(2, 0)).take("event")
    assert s.decision == "ops" and s.zone(4) == "D"


@pytest.mark.parametrize("hand", ["C: 20", "C: 20 / D: 22 23"])
def test_20_deutsche_marks_without_non_scoring_card(hand):
    s = scenario(hand).take("event")
    assert s.decision == "none" and s.zone(20) == "removed"


def test_20_deutsche_marks_event_without_effect_yields_no_ops():
    s = scenario("C: 20 / D: 10", {"Szczecin": (1, 1)}, **TYRANT_WENT).take("event")
    assert s.decision == "none" and s.zone(10) == "removed"


@pytest.mark.parametrize("card, options, die, box", [(34, {}, 4, 1), (34, {}, 3, 0), (15, MODROW, 2, 1)])
def test_20_deutsche_marks_tiananmen_attempt(card, options, die, box):
    """Honecker, blocked by Modrow, is a card of his own: +1. The die shows what is needed for 6 or just misses."""
    s = scenario(f"C: 20 / D: {card}", dice=[die], **options).take("event", "tiananmen").finish()
    assert s.state.track[1] == box and s.state.tried_turn[1] and s.zone(card) == "discard"


def test_20_deutsche_marks_one_attempt_a_turn():
    s = scenario("C: 20 / D: 34", {"Sofia": (0, 1)})
    s.state.tried_turn[1] = 1
    assert s.take("event").legal == ["check", "place"]


def test_20_deutsche_marks_no_attempt_on_the_last_box_and_no_award():
    s = scenario("C: 20 / D: 34", {"Sofia": (0, 1)}, boxes=(0, 8)).take("event")
    assert s.decision == "ops" and s.legal == ["check", "place"]


@pytest.mark.parametrize(
    "hand, chance, first",
    [
        ("D: 20 34 / C: 7", {}, "card:20"),
        ("D: 6 20 34 / C: 7", {"random_discards": [20]}, "card:6"),
    ],
)
def test_20_deutsche_marks_attempt_leaves_the_democrat_his_operations(hand, chance, first):
    s = scenario(hand, {"Sofia": (1, 1)}, dice=[1], chance=chance).take(first, "opponent-event")
    assert s.actor == 1 and "tiananmen" in s.legal
    s.take("tiananmen").finish()
    assert s.actor == 0 and s.decision == "ops" and s.legal == ["check", "place"]


def test_20_deutsche_marks_without_award_7():
    s = scenario("C: 20 / D: 34", boxes=(0, 7)).take("event")
    assert s.decision == "ops" and s.legal == ["check", "tiananmen"]


# --- 21 Common European Home ---------------------------------------------------------------------


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


# --- 22, 23 Poland and Hungary Scoring -----------------------------------------------------------


def scored(card, support, vp=0, played=0):
    """The Democrat starts without a card, so the Communist wins, and low dice leave the scoring alone."""
    count = len(support)
    s = scenario(f"D: {card}", support, vp=vp, dice=[1, 1], chance={"power_deal": {"C": FACES[: 6 + 2 * (count - 1)]}})
    s.state.times_scored[:] = played
    return s.take("pass")


@pytest.mark.parametrize(
    "names, points",
    [(["Szczecin"], 3), (["Gdansk"], 4), (["Szczecin", "Gdansk"], 7), (POLISH_BATTLEGROUNDS, 15)],
)
def test_22_poland_scoring_levels(names, points):
    s = scored(22, {name: (0, 4) for name in names}).take("surrender").finish()
    assert s.vp == -points


@pytest.mark.parametrize(
    "names, points",
    [
        (["Gyor"], 1),
        (["Budapest"], 2),
        (["Gyor", "Budapest"], 3),
        (["Miskolc", "Debrecen", "Budapest", "Szeged"], 8),
    ],
)
def test_23_hungary_scoring_levels(names, points):
    s = scored(23, {name: (0, 4) for name in names}).take("surrender").finish()
    assert s.vp == -points


@pytest.mark.parametrize("card, name, country, value", [(22, "Szczecin", "Poland", 3), (23, "Gyor", "Hungary", 1)])
@pytest.mark.parametrize("played", [0, 1])
def test_22_23_scoring_power_retained(card, name, country, value, played):
    s = scored(card, {name: (0, 4)}, played=played).take("retain").finish()
    assert s.vp == -value * (played + 1) - value and s.zone(card) == "discard"
    assert s.position()["power"][country] == {"holder": "C", "scored": played + 1}


@pytest.mark.parametrize("card, name, country, value", [(22, "Szczecin", "Poland", 3), (23, "Gyor", "Hungary", 1)])
def test_22_23_scoring_power_surrendered(card, name, country, value):
    s = scored(card, {name: (0, 4)}).take("surrender").finish()
    assert s.vp == -value and s.zone(card) == "removed"
    assert s.position()["power"][country]["holder"] == "D"


@pytest.mark.parametrize("card, name, country, value", [(22, "Szczecin", "Poland", 3), (23, "Gyor", "Hungary", 1)])
def test_22_23_scoring_power_lost(card, name, country, value):
    s = scenario(f"D: {card}", {name: (4, 0)}, dice=[1, 2], chance={"power_deal": {"D": RALLIES}})
    s.take("pass").finish()
    assert s.vp == 2 + value and s.zone(card) == "removed"
    assert s.position()["power"][country]["holder"] == "D"


@pytest.mark.parametrize("card", [22, 23])
@pytest.mark.parametrize("side, winner", [("D", "communist"), ("C", "democrat")])
def test_22_23_scoring_card_cannot_be_held(card, side, winner):
    hand = f"D: 29 {card}" if side == "D" else f"D: 29 / C: {card}"
    s = seventh(hand).take(*["card:29"] * (side == "D"), "event")
    assert s.result == winner and s.reason == "held scoring card"


# --- 24 St. Nicholas Church ----------------------------------------------------------------------


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


# --- 25 Perestroika ------------------------------------------------------------------------------


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


# --- 26 Helsinki Final Act -----------------------------------------------------------------------


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


# --- 27 Consumerism ------------------------------------------------------------------------------


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
    s = scenario("D: 27", {"Gyor": (0, 1), "Szczecin": (0, 3)}).take("event", "space:Gyor").finish()
    assert s.decision == "none" and s.support("Szczecin") == (0, 3)


@pytest.mark.parametrize("name, left", [("Halle", 0), ("Gyor", 1)])
def test_27_consumerism_with_open_border(name, left):
    s = scenario("D: 27", {name: (0, 2)}, turn=4, in_play=[58], dice=[3]).take("event", f"space:{name}").finish()
    assert s.support(name) == (0, left)


def test_27_consumerism_is_executed_by_the_democrat():
    s = scenario("C: 27", {"Gyor": (0, 1), "Szczecin": (0, 1)}).take("opponent-event")
    assert s.decision == "remove" and s.actor == 0


# --- 28 Factory Party Cells ----------------------------------------------------------------------


def test_28_factory_party_cells():
    s = scenario("C: 28", {"Gyor": (4, 0), "Halle": (4, 0), "Berlin": (4, 0), "Iasi": (0, 2)}).take("event")
    assert s.decision == "remove" and s.legal == at("Gyor", "Halle")
    s.take("space:Gyor", "space:Gyor")
    assert board(s, "Gyor", "Halle", "Berlin") == {"Gyor": (2, 0), "Halle": (3, 0), "Berlin": (4, 0)}
    assert s.zone(28) == "discard"


def test_28_factory_party_cells_stops_only_without_a_legal_space():
    s = scenario("C: 28", {"Gyor": (4, 0)}).take("event")
    assert s.support("Gyor") == (2, 0) and s.decision == "none"


# --- 29 Jan Palach Week --------------------------------------------------------------------------


def test_29_jan_palach_week():
    s = scenario("D: 29", {"Charles University": (0, 2)}).take("event")
    assert s.support("Charles University") == (6, 2) and s.zone(29) == "removed"


# --- 30 Tear Gas ---------------------------------------------------------------------------------


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


# --- 31 Intelligentsia ---------------------------------------------------------------------------


def test_31_intelligentsia():
    s = scenario("D: 31", {"German Writers": (0, 3)}).take("event")
    assert s.legal == at(*INTELLECTUALS)
    s.take("space:German Writers", "space:German Writers")
    assert s.legal == at(*INTELLECTUALS[1:])
    s.take("space:Polish Writers", "space:Czech Writers")
    assert s.support("German Writers") == (2, 3) and total(s, "D") == 4 and s.zone(31) == "discard"


# --- 32 Peasant Parties --------------------------------------------------------------------------


def test_32_peasant_parties():
    s = scenario("C: 32", {"Szeged": (5, 0)}).take("event")
    assert len(FARMERS) == 11 and s.legal == at(*FARMERS)
    s.take("space:Szeged", "space:Szeged")
    assert s.legal == at(*set(FARMERS) - {"Szeged"})
    s.take("space:Erfurt", "space:Sliven")
    assert s.support("Szeged") == (5, 2) and total(s, "C") == 4 and s.zone(32) == "removed"


# --- 33 Sajudis ----------------------------------------------------------------------------------


def test_33_sajudis():
    s = scenario("D: 33", {"Razgrad": (1, 2)}).take("event")
    assert s.vp == 1 and s.position()["ussr"] == 1
    assert s.decision == "take-control" and s.legal == at("Razgrad", "Harghita/Covasna")
    s.take("space:Razgrad")
    assert s.support("Razgrad") == (6, 2) and s.support("Harghita/Covasna") == (0, 0) and s.zone(33) == "in_play"


def test_33_sajudis_only_what_is_not_controlled():
    s = scenario("D: 33", {"Razgrad": (4, 0)}).take("event")
    assert s.support("Harghita/Covasna") == (4, 0) and s.support("Razgrad") == (4, 0)


@pytest.mark.parametrize("hand, actions", [("D: 33", ["event"]), ("C: 33", ["opponent-event", "pass"])])
def test_33_sajudis_with_both_controlled(hand, actions):
    s = scenario(hand, {"Razgrad": (4, 0), "Harghita/Covasna": (4, 0)}).take(*actions)
    assert s.vp == 1 and s.position()["ussr"] == 1 and total(s, "D") == 8 and s.zone(33) == "in_play"


def test_33_sajudis_with_one_controlled_and_one_destroyed():
    effects = {"turn": 4, "in_play": [69], "systematized": "Harghita/Covasna"}
    s = scenario("C: 33", {"Razgrad": (4, 0)}, **effects).take("opponent-event", "pass")
    assert s.vp == 1 and s.zone(33) == "in_play" and total(s, "D") == 4


def test_33_sajudis_captures_the_hideout_at_once():
    s = scenario("D: 33", ceausescu_hideout="Harghita/Covasna", **TYRANT_WENT).take("event", "space:Harghita/Covasna")
    assert s.vp == 3 and s.support("Harghita/Covasna") == (4, 0)


def test_33_sajudis_wins_before_the_placement():
    s = scenario("D: 33", vp=19).take("event")
    assert s.result == "democrat" and total(s, "D") == 0


@pytest.mark.parametrize("sajudis", [(), (33,)])
def test_33_sajudis_enables_the_baltic_way(sajudis):
    s = scenario("D: 81", turn=4, ussr=len(sajudis), in_play=sajudis)
    assert ("event" in s.legal) == bool(sajudis)


def test_33_sajudis_taken_by_goodbye_lenin():
    s = scenario("D: 46 / C: 33", turn=4).take("event", "card:33", "space:Razgrad")
    assert s.support("Razgrad") == (4, 0) and s.zone(33) == "in_play" and s.vp == 1


# --- 34 FIDESZ -----------------------------------------------------------------------------------


def test_34_fidesz():
    s = scenario("D: 34", {"Eotvos Lorand University": (0, 2)}).take("event")
    assert s.support("Eotvos Lorand University") == (5, 2) and s.zone(34) == "removed"


# --- 35 Heal Our Bleeding Wound ------------------------------------------------------------------


@pytest.mark.parametrize("hand, action", [("C: 35", "event"), ("D: 35", "opponent-event")])
@pytest.mark.parametrize("turn, vp", [(1, -3), (3, -3), (4, -1), (7, -1), (8, 3), (10, 3)])
def test_35_heal_our_bleeding_wound(hand, action, turn, vp):
    s = scenario(hand, turn=turn).take(action)
    assert s.vp == vp and s.zone(35) == "removed"


# --- 36 Dash for the West ------------------------------------------------------------------------


@pytest.mark.parametrize("die, vp", [(1, 0), (2, 1)])
def test_36_dash_for_the_west_rolls_against_controlled_spaces(die, vp):
    s = scenario("D: 36", {"Berlin": (0, 3), "Dresden": (0, 3), "Praha": (0, 3)}, discard=[4], dice=[die])
    s.take("event").finish()
    assert s.vp == vp and s.support("Polish Writers") == (3 * vp, 0) and s.zone(36) == "removed"
    assert s.zone(4) == ("removed" if vp else "discard")


def test_36_dash_for_the_west_pick_is_compulsory_and_limited():
    """No neutral, Communist, asterisk-free or unplayable card, nor this one."""
    s = scenario("D: 36", discard=[1, 3, 4, 8, 17, 34], dice=[1]).take("event").finish()
    assert s.decision == "event-from-discard" and s.legal == cards(4, 34)


def test_36_dash_for_the_west_without_eligible_card():
    s = scenario("D: 36", discard=[3, 17], dice=[1]).take("event").finish()
    assert s.vp == 1 and s.decision == "none" and s.zone(36) == "removed"


def test_36_dash_for_the_west_six_spaces_cannot_be_beaten():
    support = {name: (0, 4) for name in ("Berlin", "Dresden", "Halle", "Rostock", "Schwerin", "Erfurt")}
    assert scenario("D: 36", support, discard=[4], dice=[6]).take("event").finish().vp == 0


def test_36_dash_for_the_west_uses_the_ops_of_the_picked_card():
    """Hungarian Democratic Forum (40): 3 ops, less 1; checks need more than 6."""
    s = scenario("D: 36", {"Debrecen": (0, 1)}, discard=[40], dice=[1, 4], **prudence(d=-1)).take("event")
    s.take(*["space:Pecs"] * 3, "space:Debrecen").finish()
    assert s.support("Debrecen") == (0, 1) and s.zone(40) == "removed"


def test_36_dash_for_the_west_picked_lasting_card_is_set_aside():
    s = scenario("D: 36", discard=[2], dice=[1]).take("event").finish()
    assert s.zone(2) == "in_play" and s.support("Gdansk") == (1, 0)


def test_36_dash_for_the_west_wins_before_the_pick():
    s = scenario("D: 36", discard=[4], vp=19, dice=[1]).take("event").finish()
    assert s.result == "democrat" and s.support("Polish Writers") == (0, 0)


def test_36_dash_for_the_west_fired_by_communist_ops():
    s = scenario("C: 36", {"Sofia": (0, 1)}, discard=[4, 34], dice=[1]).take("opponent-event").finish()
    assert s.decision == "event-from-discard" and s.actor == 0
    s.take("card:34")
    assert s.support("Eotvos Lorand University") == (5, 0) and s.decision == "ops" and s.actor == 1


# --- 37 Nagy Reburied ----------------------------------------------------------------------------


@pytest.mark.parametrize("before", [(1, 3), (1, 0)])
def test_37_nagy_reburied(before):
    s = scenario("C: 37", {"Szombathely": before}).take("event")
    assert s.support("Szombathely") == (1, 0) and s.legal == at(*HUNGARY)
    s.take("space:Szombathely", "space:Szombathely")
    assert s.legal == at(*set(HUNGARY) - {"Szombathely"})
    s.take("space:Budapest", "space:Pecs")
    assert s.support("Szombathely") == (1, 2) and total(s, "C") == 4 and s.zone(37) == "removed"


# --- 38 The July Concept -------------------------------------------------------------------------


def test_38_the_july_concept():
    s = scenario("C: 38", {"Varna": (4, 0)}).take("event")
    assert s.legal == at(*BULGARIA)
    s.take(*["space:Varna"] * 3)
    assert s.support("Varna") == (4, 3) and s.zone(38) == "removed"


# --- 39 Eco-Glasnost -----------------------------------------------------------------------------


def test_39_eco_glasnost():
    s = scenario("D: 39", {"Ruse": (0, 2)}).take("event")
    assert s.support("Ruse") == (4, 2) and s.zone(39) == "in_play"


@pytest.mark.parametrize("die", [1, 6])
def test_39_eco_glasnost_pays_each_check_in_ruse(die):
    s = scenario("C: 7", {"Ruse": (4, 0), "Varna": (1, 0)}, in_play=[39], dice=[die, 1])
    assert s.take("check", "space:Ruse").vp == 1
    assert s.take("space:Varna").finish().vp == 1


def test_39_eco_glasnost_ignores_democratic_checks():
    s = scenario("D: 4", {"Ruse": (0, 4)}, in_play=[39], dice=[1]).take("check", "space:Ruse", "pass").finish()
    assert s.vp == 0


def test_39_eco_glasnost_pays_event_checks():
    s = scenario("C: 14", {"Ruse": (4, 0)}, in_play=[39], dice=[1]).take("event", "space:Ruse").finish()
    assert s.vp == 1


def test_39_eco_glasnost_pays_the_extra_check():
    assert extra_check("D: 29", {"Ruse": (4, 0)}, 1, in_play=[39]).take("event", "space:Ruse").finish().vp == 1


def test_39_eco_glasnost_ends_the_game_at_once():
    s = scenario("C: 7", {"Ruse": (4, 0)}, vp=19, in_play=[39], dice=[1]).take("check", "space:Ruse").finish()
    assert s.result == "democrat"


# --- 40 Hungarian Democratic Forum ---------------------------------------------------------------


def test_40_hungarian_democratic_forum_new_points_count_for_adjacency():
    s = scenario("D: 40", {"Budapest": (0, 1), "Szczecin": (0, 1)}, dice=[3]).take("event")
    assert s.decision == "place" and s.legal == at(*HUNGARY)
    s.take(*["space:Tatabanya"] * 3)
    assert s.decision == "check" and s.legal == ["pass", *at("Budapest")]
    s.take("space:Budapest").finish()
    assert s.support("Budapest") == (0, 0) and s.support("Tatabanya") == (3, 0) and s.zone(40) == "removed"


def test_40_hungarian_democratic_forum_check_may_be_declined():
    s = scenario("D: 40", {"Budapest": (0, 1)}).take("event", *["space:Pecs"] * 3, "pass").finish()
    assert s.support("Budapest") == (0, 1) and s.decision == "none"


def test_40_hungarian_democratic_forum_fired_by_communist_ops():
    s = scenario("C: 40", {"Budapest": (0, 1)}).take("opponent-event")
    assert s.decision == "place" and s.actor == 0
