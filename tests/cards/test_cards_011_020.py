"""Cards 11 to 20, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario
from situations import BUREAUCRATS, ELITES, HUNGARY, MODROW, RALLIES, TYRANT_WENT, board, cards, draws, seventh, total

pytestmark = pytest.mark.plain


# --- 11 Dissident Arrested ------------------------------------------------------------------------


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


# --- 12 Apparatchiks ------------------------------------------------------------------------------


def test_12_apparatchiks():
    s = scenario("C: 12", {"Berlin": (4, 0)}).take("event")
    assert s.legal == at(*BUREAUCRATS)
    s.take(*["space:Berlin"] * 3)
    assert s.support("Berlin") == (4, 3) and s.zone(12) == "removed"


# --- 13 Stasi -------------------------------------------------------------------------------------


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
    """Ruling announcement-ends-with-the-hand."""
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


# --- 14 Gorbachev Charms the West -----------------------------------------------------------------


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


# --- 15 Honecker ----------------------------------------------------------------------------------


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
    """Ruling extra-round-for-empty-hand."""
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


# --- 16 Nomenklatura ------------------------------------------------------------------------------


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


# --- 17 Roundtable Talks --------------------------------------------------------------------------


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


# --- 18 Pozsgay Defends the Revolution ------------------------------------------------------------


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


# --- 19 Papal Visit -------------------------------------------------------------------------------


def test_19_papal_visit():
    s = scenario("D: 19", {"Czech Catholic Church": (1, 2)}).take("event")
    assert s.legal == at("Polish Catholic Church", "Czech Catholic Church", "Hungarian Catholic Church")
    s.take("space:Czech Catholic Church")
    assert s.support("Czech Catholic Church") == (4, 2) and total(s, "D") == 4
    assert s.decision == "none" and s.zone(19) == "removed"


# --- 20 Deutsche Marks ----------------------------------------------------------------------------


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
    """Honecker, blocked by Modrow, is the Communist's own: +1. The die shows what is needed for 6 or just misses."""
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
