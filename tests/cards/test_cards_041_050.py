"""Cards 41 to 50, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario, targets
from situations import DEAL, EAST_GERMANY

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


# --- 41 Ceausescu ---------------------------------------------------------------------------------


def test_41_removes_three_then_checks():
    s = scenario("C: 41", {"Timisoara": (2, 0), "Iasi": (2, 0), "Bucuresti": (0, 2)}, turn=4, dice=[4])
    s.take("event").pick("Timisoara", "Timisoara", "Iasi")
    assert s.support("Timisoara") == (0, 0) and s.support("Iasi") == (0, 0)
    assert s.support("Bucuresti") == (0, 2) and s.zone(41) == "removed"
    s.finish()


def test_41_check_uses_card_value_and_may_be_declined():
    s = scenario("C: 41", {"Brasov": (5, 0)}, turn=4).take("event")
    assert s.decision == "check" and s.legal == ["pass", "space:Brasov"]
    s.take("pass")
    assert s.support("Brasov") == (2, 0)
    s.finish()


@pytest.mark.parametrize("space", ["Timisoara", "Babes-Bolyai University", "Romanian Orthodox Church", "Bucuresti"])
def test_41_bucuresti_loses_a_point_when_cluj_has_a_democratic_neighbour(space):
    support = {"Bucuresti": (0, 2)}
    support[space] = (4, support.get(space, (0, 0))[1])
    s = scenario("C: 41", support, turn=4).take("event", "pass")
    assert s.support("Bucuresti") == (1 if space == "Bucuresti" else 0, 1)


@pytest.mark.parametrize("space", ["Craiova", "Cluj-Napoca", "Brasov"])
def test_41_other_spaces_cost_nothing_in_bucuresti(space):
    s = scenario("C: 41", {space: (4, 0), "Bucuresti": (0, 2)}, turn=4).take("event", "pass")
    assert s.support("Bucuresti") == (0, 2)


def test_41_without_democrats_in_romania_the_end_of_round_is_still_tested():
    s = scenario("C: 41", {"Szeged": (1, 0), "Bucuresti": (0, 2)}, turn=4, in_play=[69], systematized="Timisoara")
    s.take("event")
    assert s.support("Bucuresti") == (0, 1)


def test_41_destroyed_neighbour_makes_way_for_its_neighbours():
    s = scenario("C: 41", {"Craiova": (4, 0), "Bucuresti": (0, 2)}, turn=4, in_play=[69], systematized="Timisoara")
    s.take("event", "pass")
    assert s.support("Bucuresti") == (0, 1)


def test_41_nothing_leaves_bucuresti_when_cluj_is_destroyed():
    s = scenario("C: 41", {"Timisoara": (4, 0), "Bucuresti": (0, 2)}, turn=4, in_play=[69], systematized="Cluj-Napoca")
    s.take("event", "pass")
    assert s.support("Bucuresti") == (0, 2)


def test_41_nothing_happens_in_a_destroyed_or_empty_bucuresti():
    s = scenario("C: 41", {"Timisoara": (4, 0)}, turn=4, in_play=[69], systematized="Bucuresti").take("event", "pass")
    assert s.support("Bucuresti") == (0, 0)
    s = scenario("C: 41", {"Timisoara": (4, 0)}, turn=4).take("event", "pass")
    assert s.support("Bucuresti") == (0, 0)


def test_41_played_by_the_democrat_operations_first_are_seen_by_the_end_of_round():
    s = scenario("D: 41", {"Timisoara": (1, 0), "Bucuresti": (0, 2)}, turn=4).take("place")
    s.pick("Timisoara", "Timisoara", "Timisoara").take("pass")
    assert s.support("Timisoara") == (1, 0) and s.support("Bucuresti") == (0, 1)


def test_41_played_by_the_democrat_operations_after_are_seen_by_the_end_of_round():
    s = scenario("D: 41", {"Szeged": (1, 0), "Bucuresti": (0, 2)}, turn=4).take("opponent-event", "place")
    assert s.support("Bucuresti") == (0, 2)
    s.pick("Timisoara", "Timisoara", "Timisoara")
    assert s.support("Timisoara") == (3, 0) and s.support("Bucuresti") == (0, 1)


def test_41_is_armed_through_another_card_too():
    s = scenario("C: 67", {"Timisoara": (4, 0), "Bucuresti": (0, 2)}, turn=4, boxes=(0, 1), discard=[41])
    s.take("event", "pass")
    assert s.support("Timisoara") == (1, 0) and s.support("Bucuresti") == (0, 1) and s.zone(41) == "removed"


def test_41_is_void_but_removed_after_the_tyrant_is_gone():
    support = {"Timisoara": (4, 0), "Bucuresti": (0, 2)}
    s = scenario("C: 41", support, turn=8, removed=[54, 97], crowd_done=True, tyrant_done=True).take("event")
    assert s.support("Timisoara") == (4, 0) and s.support("Bucuresti") == (0, 2) and s.zone(41) == "removed"


def test_41_works_while_the_tyrant_waits():
    s = scenario("C: 41", {"Timisoara": (4, 0), "Bucuresti": (0, 2)}, turn=8, in_play=[54, 97]).take("event", "pass")
    assert s.support("Timisoara") == (1, 0) and s.support("Bucuresti") == (0, 1)


# --- 44 Inflationary Currency ---------------------------------------------------------------------


POLAND = {"Warszawa": (0, 2), "Lodz": (0, 1)}


def test_44_removes_two_then_checks_in_the_country():
    s = scenario("D: 44", {**POLAND, "Sofia": (0, 2)}, turn=4, dice=[4]).take("event", "country:Poland")
    assert targets(s) == {"Lodz", "Warszawa"}
    s.pick("Warszawa", "Warszawa")
    assert s.decision == "check" and s.legal == ["pass", "space:Lodz"]
    s.pick("Lodz")
    assert s.support("Lodz") == (0, 0) and s.zone(44) == "removed"
    s.finish()


def test_44_check_may_be_declined():
    s = scenario("D: 44", POLAND, turn=4).take("event", "country:Poland").pick("Warszawa", "Lodz").take("pass")
    assert s.support("Warszawa") == (0, 1)


def test_44_cancelled_by_a_card_of_three_or_more():
    s = scenario("D: 44 / C: 1 20 25", POLAND, turn=4).take("event", "country:Poland")
    s.pick("Warszawa", "Lodz")
    assert s.decision == "cancel-check" and s.actor == 1 and s.legal == ["card:20", "card:25", "pass"]
    s.take("card:25")
    assert s.zone(25) == "discard" and s.zone(44) == "removed" and s.support("Warszawa") == (0, 1)
    assert s.decision == "none"


def test_44_not_cancelled():
    s = scenario("D: 44 / C: 25", POLAND, turn=4).take("event", "country:Poland")
    assert s.pick("Warszawa", "Lodz").take("pass").decision == "check"


@pytest.mark.parametrize(
    "more, asked", [({"in_play": [25]}, True), ({"prudence": {"D": 0, "C": -1}}, False), ({}, False)]
)
def test_44_discard_is_measured_with_its_owners_modifiers(more, asked):
    """Ruling cancel-only-when-able."""
    card = 28 if "prudence" in more else 1
    s = scenario(f"D: 44 / C: {card}", POLAND, turn=4, **more).take("event", "country:Poland")
    assert (s.pick("Warszawa", "Lodz").decision == "cancel-check") == asked


def test_44_scoring_card_never_cancels():
    s = scenario("D: 44 / C: 22", POLAND, turn=4, in_play=[25]).take("event", "country:Poland")
    assert s.pick("Warszawa", "Lodz").decision == "check"


def test_44_country_without_opposing_points_may_be_named_and_the_opponent_is_asked():
    s = scenario("D: 44 / C: 25", POLAND, turn=4).take("event", "country:Bulgaria")
    assert s.decision == "cancel-check"
    assert s.take("pass").decision == "none" and s.zone(44) == "removed"


def test_44_only_countries_where_the_opponent_holds_power():
    s = scenario("D: 44", POLAND, turn=8, power=["Poland", "Romania"]).take("event")
    assert s.legal == sorted(f"country:{name}" for name in COUNTRIES if name not in ("Poland", "Romania"))


def test_44_without_such_a_country_is_played_and_removed():
    s = scenario("C: 44", {"Gdansk": (1, 0)}, turn=4).take("event")
    assert s.zone(44) == "removed" and s.support("Gdansk") == (1, 0)


@pytest.mark.parametrize(
    "country, banned, free, more",
    [
        ("Poland", "Gdansk", "Lodz", {"in_play": [2]}),
        ("East Germany", "Leipzig", "Halle", {"in_play": [48]}),
        ("Poland", None, None, {"in_play": [49], "debt_burden": "Poland"}),
    ],
)
def test_44_communist_is_bound_by_bans_of_checks(country, banned, free, more):
    support = {banned or "Gdansk": (2, 0), free or "Lodz": (2, 0)}
    s = scenario("C: 44", support, turn=4, power=[country], **more).take("event").pick(*support)
    assert (targets(s) if s.decision == "check" else None) == ({free} if free else None)


# --- 45 Soviet Troop Withdrawals ------------------------------------------------------------------


def test_45_removes_five_at_most_two_each_from_eastern_europe():
    support = {name: (0, 3) for name in ("Berlin", "Warszawa", "Brno", "Sofia", "Bucuresti")}
    s = scenario("D: 45", support, turn=4).take("event").pick("Berlin", "Berlin")
    assert s.legal == at("Warszawa", "Brno")
    s.pick("Warszawa", "Warszawa")
    assert s.support("Brno") == (0, 2) and s.support("Berlin") == (0, 1) and s.zone(45) == "removed"


def test_45_ends_early_when_no_space_is_left():
    s = scenario("D: 45", {"Berlin": (0, 5), "Brno": (0, 1), "Sofia": (0, 3)}, turn=4).take("event")
    assert s.support("Berlin") == (0, 3) and s.support("Brno") == (0, 0) and s.support("Sofia") == (0, 3)


# --- 46 Goodbye Lenin! ----------------------------------------------------------------------------


def test_46_shows_red_cards_and_takes_one():
    s = scenario("D: 46 / C: 1 2 26 81", turn=4).take("event")
    assert s.decision == "lenin" and s.legal == ["card:2", "card:26", "ops"]
    assert [card for card in (1, 2, 26, 81) if s.state.known[card]] == [2, 26, 81]
    s.take("card:26")
    assert s.zone(26) == "in_play" and s.zone(46) == "removed" and s.position()["hands"]["C"] == [1, 2, 81]
    assert s.decision == "none"


def test_46_card_with_met_prerequisite_can_be_taken():
    s = scenario("D: 46 / C: 81 84", turn=8, in_play=[33], ussr=1).take("event")
    assert s.legal == ["card:81", "ops"]


def test_46_taken_event_is_executed_by_the_democrat_without_operations():
    s = scenario("D: 46 / C: 73", turn=4).take("event", "card:73")
    assert s.actor == 0 and s.support("Timisoara") == (1, 0)
    s.take("place")
    s.pick("Timisoara", "Timisoara")
    assert s.decision == "none" and s.zone(73) == "in_play"


def test_46_placement_with_the_card_value():
    s = scenario("D: 46", {"Budapest": (1, 0)}, turn=4, in_play=[50]).take("event", "place")
    s.pick(*["Budapest"] * 4)
    assert s.support("Budapest") == (5, 0) and s.zone(46) == "removed"


def test_46_two_checks_that_may_be_declined():
    s = scenario("D: 46", {"Sofia": (0, 2)}, turn=4, dice=[4]).take("event", "check", "space:Sofia", "pass")
    assert s.support("Sofia") == (0, 1)
    s.finish()


def test_46_may_be_refused():
    """Ruling red-card-or-operations."""
    s = scenario("D: 46 / C: 2", {"Sofia": (0, 2)}, turn=4).take("event", "ops", "check", "pass")
    assert s.zone(46) == "removed" and s.zone(2) == "C" and s.support("Sofia") == (0, 2)


def test_46_tiananmen_attempt_counts_as_own_event():
    s = scenario("D: 46", turn=4, dice=[1]).take("event", "tiananmen")
    track = s.position()["tiananmen"]["D"]
    assert track["box"] == 1 and track["tried_turn"] and s.zone(46) == "removed"
    s.finish()


@pytest.mark.parametrize("box, tried", [(0, True), (8, False)])
def test_46_no_attempt_twice_or_from_the_last_box(box, tried):
    tracks = {side: {"box": box if side == "D" else 0, "tried_box": False, "tried_turn": tried} for side in "DC"}
    s = scenario("D: 46", {"Budapest": (1, 0)}, turn=4, tiananmen=tracks).take("event")
    assert s.legal == ["check", "place"]


def test_46_attempt_in_the_communists_round_leaves_him_his_operations():
    """Differs 1."""
    s = scenario("C: 46", {"Sofia": (0, 2)}, turn=4, dice=[1]).take("opponent-event", "tiananmen")
    assert s.actor == 1 and s.decision == "ops" and s.legal == ["check", "place"]
    s.take("place").pick("Sofia", "Sofia", "Sofia")
    assert s.support("Sofia") == (0, 5) and s.zone(46) == "removed"
    s.finish()


def test_46_in_the_communists_round_gives_the_democrat_the_full_choice():
    s = scenario("C: 2 46", {"Budapest": (1, 0)}, turn=4).take("card:46", "opponent-event")
    assert s.actor == 0 and s.legal == ["card:2", "ops"]
    assert s.take("ops").legal == ["check", "place", "tiananmen"]


# --- 47 Bulgarian Turks Expelled ------------------------------------------------------------------


@pytest.mark.parametrize("points", [3, 0])
def test_47_scores_and_empties_razgrad(points):
    s = scenario("C: 47", {"Razgrad": (points, 1)}, turn=4).take("event")
    assert s.vp == -2 and s.support("Razgrad") == (0, 1) and s.zone(47) == "removed"


# --- 48 "We are the People!" ----------------------------------------------------------------------


def test_48_moves_four_at_most_two_to_a_space():
    s = scenario("D: 48", {"Lutheran Church": (6, 0), "Dresden": (0, 4)}, turn=4).take("event")
    assert s.decision == "move" and s.actor == 0
    assert s.legal == ["pass", *at(*set(EAST_GERMANY) - {"Lutheran Church"})]
    s.pick("Leipzig")
    assert s.support("Lutheran Church") == (5, 0) and s.support("Leipzig") == (1, 0)
    s.pick("Leipzig")
    assert "space:Leipzig" not in s.legal and "space:Lutheran Church" not in s.legal
    s.pick("Dresden", "Dresden")
    assert s.support("Dresden") == (2, 4) and s.support("Lutheran Church") == (2, 0)
    assert s.decision == "none" and s.zone(48) == "in_play"


def test_48_four_different_spaces():
    s = scenario("D: 48", {"Lutheran Church": (4, 0)}, turn=4).take("event")
    s.pick("Halle", "Berlin", "Erfurt", "Halle")
    assert s.support("Halle") == (2, 0) and s.support("Lutheran Church") == (0, 0) and s.decision == "none"


def test_48_not_more_than_are_there():
    s = scenario("D: 48", {"Lutheran Church": (2, 1)}, turn=4).take("event").pick("Halle", "Berlin")
    assert s.support("Lutheran Church") == (0, 1) and s.decision == "none"


def test_48_may_stop_at_any_time():
    """Ruling people-move-one-by-one."""
    s = scenario("D: 48", {"Lutheran Church": (5, 0)}, turn=4).take("event", "space:Rostock", "pass")
    assert s.support("Lutheran Church") == (4, 0) and s.support("Rostock") == (1, 0) and s.zone(48) == "in_play"


def test_48_points_already_there_do_not_count_towards_the_two():
    s = scenario("D: 48", {"Lutheran Church": (3, 0), "Leipzig": (5, 0)}, turn=4).take("event")
    s.pick("Leipzig", "Leipzig")
    assert "space:Leipzig" not in s.legal
    s.pick("Halle")
    assert s.support("Leipzig") == (7, 0) and s.support("Lutheran Church") == (0, 0)


def test_48_flag_outlives_the_turn():
    s = scenario("D: 48", turn=4, round=7, chance=DEAL).take("event")
    assert s.position()["turn"] == 5 and s.zone(48) == "in_play"
    s.finish()


def test_48_moving_none_sets_the_flag():
    s = scenario("D: 48", {"Lutheran Church": (5, 0)}, turn=4).take("event", "pass")
    assert s.support("Lutheran Church") == (5, 0) and s.zone(48) == "in_play"


def test_48_without_points_in_lutheran_church_sets_the_flag():
    s = scenario("D: 48", {"Leipzig": (1, 0)}, turn=4).take("event")
    assert s.decision == "none" and s.zone(48) == "in_play"


def test_48_in_the_communists_round_is_the_democrats_and_binds_the_operations_after_it():
    s = scenario("C: 48", {"Lutheran Church": (2, 0)}, turn=4).take("opponent-event")
    assert s.actor == 0
    s.pick("Leipzig").take("pass")
    assert s.actor == 1 and s.decision == "check" and targets(s) == {"Lutheran Church"}


def test_48_operations_before_the_event_may_still_check_leipzig():
    s = scenario("C: 48", {"Leipzig": (1, 0)}, turn=4).take("check")
    assert targets(s) == {"Leipzig"}


def test_48_bars_communist_checks_in_leipzig():
    s = scenario("C: 11", {"Leipzig": (1, 0), "Berlin": (1, 0)}, turn=4, in_play=[48]).take("check")
    assert targets(s) == {"Berlin"}


def test_48_bars_the_free_check_at_the_end_of_the_turn():
    support = {"Leipzig": (1, 0), "Berlin": (1, 0)}
    s = scenario("D: 50", support, turn=4, round=7, boxes=(0, 6), in_play=[48]).take("event")
    assert s.actor == 1 and s.decision == "check" and targets(s) == {"Berlin"}


def test_48_does_not_bar_democratic_checks():
    s = scenario("D: 60", {"Leipzig": (0, 1), "Berlin": (0, 1)}, turn=4, in_play=[48]).take("check")
    assert targets(s) == {"Berlin", "Leipzig"}


def test_48_does_not_bar_a_removal():
    s = scenario("C: 7", {"Leipzig": (2, 0)}, turn=4, in_play=[48]).take("event")
    assert s.support("Leipzig") == (0, 0)


def test_48_does_not_bar_workers_revolt():
    s = scenario("C: 78", {"Leipzig": (2, 0)}, turn=4, in_play=[48], power=["East Germany"], dice=[4]).take("event")
    assert s.support("Leipzig") == (0, 2)
    s.finish()


# --- 49 Foreign Currency Debt Burden --------------------------------------------------------------


def test_49_scores_and_bans_a_country():
    s = scenario("D: 49", turn=4, power=["Poland"]).take("event")
    assert s.vp == 1 and s.legal == sorted(f"country:{name}" for name in COUNTRIES if name != "Romania")
    s.take("country:Poland")
    assert s.position()["debt_burden"] == "Poland" and s.zone(49) == "in_play"


def test_49_bars_communist_operations():
    support = {"Lodz": (1, 0), "Berlin": (1, 0)}
    s = scenario("C: 11", support, turn=4, in_play=[49], debt_burden="Poland").take("check")
    assert targets(s) == {"Berlin"}


def test_49_check_of_an_event_bound_to_the_country_is_lost():
    s = scenario("C: 1", {"Poznan": (3, 0)}, turn=4, in_play=[49], debt_burden="Poland").take("event")
    assert s.support("Poznan") == (2, 1) and s.decision == "none"


def test_49_bars_the_free_check():
    support = {"Lodz": (1, 0), "Berlin": (1, 0)}
    s = scenario("D: 49", support, turn=4, round=7, boxes=(0, 6)).take("event", "country:East Germany")
    assert s.actor == 1 and s.decision == "check" and targets(s) == {"Lodz"}


def test_49_does_not_bar_the_democrat():
    s = scenario("D: 60", {"Lodz": (0, 1)}, turn=4, in_play=[49], debt_burden="Poland").take("check")
    assert targets(s) == {"Lodz"}


# --- until the end of the turn: 49, 50, 58, 59, 63, 74 --------------------------------------------


@pytest.mark.parametrize("card", [49, 50, 58, 63, 74])
def test_lasting_card_of_the_democrat_ends_with_the_turn(card):
    s = scenario(f"D: {card}", turn=4, round=7, chance=DEAL).take("event")
    if card == 49:
        s.take("country:Poland")
    assert s.position()["turn"] == 5 and s.zone(card) == "removed" and "debt_burden" not in s.position()
    s.finish()


def test_59_ends_with_the_turn():
    s = scenario("D: 59", turn=4, round=7, chance=DEAL).take("check")
    assert s.position()["turn"] == 5 and s.zone(59) == "removed"
    s.finish()


@pytest.mark.parametrize("card", [50, 58, 59, 63, 74])
def test_lasting_card_stays_in_play_during_the_turn(card):
    side = "C" if card == 59 else "D"
    assert scenario(f"{side}: {card}", turn=4).take("event").zone(card) == "in_play"


# --- 50 The Sinatra Doctrine ----------------------------------------------------------------------


@pytest.mark.parametrize("prudence, points", [(0, 2), (-1, 1), (-2, 1)])
def test_50_placement_summed_before_the_minimum(prudence, points):
    s = scenario("D: 66", {"Pecs": (1, 0)}, turn=4, in_play=[50], prudence={"D": prudence, "C": 0}).take("place")
    s.pick(*["Pecs"] * points)
    assert s.support("Pecs") == (1 + points, 0) and s.decision == "none"


def test_50_counts_in_checks():
    s = scenario("D: 60", {"Tatabanya": (0, 1)}, turn=4, in_play=[50], dice=[4]).take("check", "space:Tatabanya")
    assert s.support("Tatabanya") == (0, 0)
    s.finish()


def test_50_counts_in_tiananmen_attempts():
    s = scenario("D: 66", turn=4, in_play=[50], dice=[2]).take("tiananmen")
    assert s.position()["tiananmen"]["D"]["box"] == 1
    s.finish()


def test_50_counts_in_the_communists_round():
    s = scenario("C: 73", turn=4, in_play=[50]).take("opponent-event", "place")
    s.pick(*["Timisoara"] * 3)
    assert s.support("Timisoara") == (4, 0) and s.actor == 1


def test_50_counts_in_the_free_check():
    s = scenario("D: 50", {"Tatabanya": (0, 1)}, turn=4, round=7, boxes=(6, 0), dice=[4], chance=DEAL)
    s.take("event", "space:Tatabanya")
    assert s.support("Tatabanya") == (0, 0)
    s.finish()


def test_50_counts_for_the_discard_against_inflationary_currency():
    s = scenario("C: 44 / D: 60", {"Gdansk": (3, 0)}, turn=4, power=["Poland"], in_play=[50]).take("event")
    assert s.decision == "cancel-check" and s.actor == 0 and s.legal == ["card:60", "pass"]


def test_50_leaves_the_communist_alone():
    s = scenario("C: 11", {"Pecs": (0, 1)}, turn=4, in_play=[50]).take("place").pick("Pecs", "Pecs")
    assert s.support("Pecs") == (0, 3) and s.decision == "none"
