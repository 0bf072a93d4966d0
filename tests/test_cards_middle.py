"""Events of the cards 41 to 80, one by one, from the reference."""

import pytest
from scenario import scenario

from dawn_env.state import PowerZone
from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain

EAST_GERMANY = [
    "Schwerin", "Rostock", "Berlin", "Lutheran Church", "Magdeburg", "Halle", "Leipzig", "Erfurt", "Karl-Marx-Stadt",
    "Dresden", "German Writers", "Walter Ulbricht Academy",
]  # fmt: skip
CZECHOSLOVAKIA = [
    "Plzen", "Ceske Budejovice", "Praha", "Charles University", "Czech Writers", "Brno", "Ostrava", "Bratislava",
    "Czech Catholic Church", "Presov", "Kosice",
]  # fmt: skip
ROMANIA = [
    "Timisoara", "Cluj-Napoca", "Targu Mures", "Iasi", "Babes-Bolyai University", "Romanian Writers",
    "Harghita/Covasna", "Brasov", "Romanian Orthodox Church", "Ploiesti", "Craiova", "Bucuresti", "Galati", "Constanta",
]  # fmt: skip
BATTLEGROUNDS = {
    "East Germany": ["Berlin", "Lutheran Church", "Magdeburg", "Leipzig", "Karl-Marx-Stadt", "Dresden"],
    "Bulgaria": ["Sofia", "Ruse", "Burgas", "Varna", "Plovdiv"],
    "Czechoslovakia": ["Praha", "Charles University", "Czech Writers", "Brno", "Ostrava", "Bratislava"],
}
OTHER_SPACE = {"East Germany": "Halle", "Bulgaria": "Sliven", "Czechoslovakia": "Kosice"}
SCORING = {42: "East Germany", 43: "Bulgaria", 55: "Czechoslovakia"}
FACES = ["march-4"] * 4 + ["march-3"] * 4 + ["strike-4"] * 4 + ["strike-3"] * 4 + ["petition-6"] * 2
MARCHES = ["march-6", "march-6", "march-5", "march-5", "march-4", "march-4"]
STRIKES = ["strike-6", "strike-6", "strike-5", "strike-5", "strike-4", "strike-4"]
DEAL = {"draws": list(range(1, 17))}


def spaces(names):
    return sorted(f"space:{name}" for name in names)


def targets(game):
    """Spaces that may be picked now, without the option to pass."""
    return [action.removeprefix("space:") for action in game.legal if action.startswith("space:")]


def picks(game, *names):
    return game.take(*(f"space:{name}" for name in names))


def crowd(*, rallies, support, hand="C: 95", power_deal=None, **more):
    """The next struggle in Romania with The Crowd (54) waiting."""
    draws = ["rally-1"] * rallies + (["leader-intellectual"] * 4 + ["leader-elite"] * 4 + ["strike-3"] * 4)
    draws = (draws + ["march-3"] * 4)[:15]
    chance = {"power_deal": power_deal or {}, "power_draws": draws}
    more.setdefault("in_play", [54])
    return scenario(hand, support, turn=8, chance=chance, **more)


# --- 41 Ceausescu ----------------------------------------------------------------------------------


def test_41_removes_three_then_checks():
    s = scenario("C: 41", {"Timisoara": (2, 0), "Iasi": (2, 0), "Bucuresti": (0, 2)}, turn=4, dice=[4])
    picks(s.take("event"), "Timisoara", "Timisoara", "Iasi")
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
    picks(s, "Timisoara", "Timisoara", "Timisoara").take("pass")
    assert s.support("Timisoara") == (1, 0) and s.support("Bucuresti") == (0, 1)


def test_41_played_by_the_democrat_operations_after_are_seen_by_the_end_of_round():
    s = scenario("D: 41", {"Szeged": (1, 0), "Bucuresti": (0, 2)}, turn=4).take("opponent-event", "place")
    assert s.support("Bucuresti") == (0, 2)
    picks(s, "Timisoara", "Timisoara", "Timisoara")
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


# --- 42, 43, 55: scoring ---------------------------------------------------------------------------


def scored(card, held):
    """VP of the Democrat's spaces alone; the Communist starts without cards, loses and gives Power away."""
    cards = FACES[: 6 + 2 * (len(held) - 1)]
    support = {space: (5, 0) for space in held}
    s = scenario(f"C: {card}", support, turn=4, chance={"power_deal": {"D": cards}}, dice=[1, 1])
    s.take("pass", "surrender").finish()
    assert s.zone(card) == "removed" and s.position()["power"][SCORING[card]]["holder"] == "D"
    return s.vp


@pytest.mark.parametrize("card, value", [(42, 3), (43, 1), (55, 2)])
def test_scoring_presence(card, value):
    assert scored(card, BATTLEGROUNDS[SCORING[card]][:1]) == value + 1
    assert scored(card, [OTHER_SPACE[SCORING[card]]]) == value


@pytest.mark.parametrize("card, value", [(42, 6), (43, 2), (55, 4)])
def test_scoring_domination(card, value):
    country = SCORING[card]
    assert scored(card, [*BATTLEGROUNDS[country][:2], OTHER_SPACE[country]]) == value + 2


@pytest.mark.parametrize("card, value", [(42, 9), (43, 3), (55, 6)])
def test_scoring_control(card, value):
    held = BATTLEGROUNDS[SCORING[card]]
    assert scored(card, held) == value + len(held)


@pytest.mark.parametrize("card, value", [(42, 3), (43, 1), (55, 2)])
@pytest.mark.parametrize("before", [0, 2])
def test_scoring_power_retained(card, value, before):
    """Each time the Communist retains Power its value counts once more; the card is discarded."""
    s = scenario(f"C: {card}", turn=4, dice=[1, 1])
    s.state.times_scored[COUNTRIES.index(SCORING[card])] = before
    s.take("retain").finish()
    assert s.vp == -value * (before + 1) and s.zone(card) == "discard"
    assert s.position()["power"][SCORING[card]] == {"holder": "C", "scored": before + 1}


@pytest.mark.parametrize("card, country", SCORING.items())
def test_scoring_power_taken_removes_the_card(card, country):
    space = BATTLEGROUNDS[country][0]
    s = scenario(f"D: {card}", {space: (5, 0)}, turn=4, chance={"power_deal": {"D": MARCHES}}, dice=[1, 4])
    s.take("pass", "power:march-6").finish()
    assert s.zone(card) == "removed" and s.position()["power"][country]["holder"] == "D"


@pytest.mark.parametrize("card", SCORING)
def test_scoring_card_may_not_be_held(card):
    s = scenario(f"D: 66 / C: {card}", turn=4, round=7, stop=False).take("check")
    assert s.over and s.result == "democrat" and s.reason == "held scoring card"


# --- 44 Inflationary Currency ----------------------------------------------------------------------

POLAND = {"Warszawa": (0, 2), "Lodz": (0, 1)}


def test_44_removes_two_then_checks_in_the_country():
    s = scenario("D: 44", {**POLAND, "Sofia": (0, 2)}, turn=4, dice=[4]).take("event", "country:Poland")
    assert targets(s) == ["Lodz", "Warszawa"]
    picks(s, "Warszawa", "Warszawa")
    assert s.decision == "check" and s.legal == ["pass", "space:Lodz"]
    picks(s, "Lodz")
    assert s.support("Lodz") == (0, 0) and s.zone(44) == "removed"
    s.finish()


def test_44_check_may_be_declined():
    s = picks(scenario("D: 44", POLAND, turn=4).take("event", "country:Poland"), "Warszawa", "Lodz").take("pass")
    assert s.support("Warszawa") == (0, 1)


def test_44_cancelled_by_a_card_of_three_or_more():
    s = scenario("D: 44 / C: 1 20 25", POLAND, turn=4).take("event", "country:Poland")
    picks(s, "Warszawa", "Lodz")
    assert s.decision == "cancel-check" and s.actor == 1 and s.legal == ["card:20", "card:25", "pass"]
    s.take("card:25")
    assert s.zone(25) == "discard" and s.zone(44) == "removed" and s.support("Warszawa") == (0, 1)
    assert s.decision == "none"


def test_44_not_cancelled():
    s = scenario("D: 44 / C: 25", POLAND, turn=4).take("event", "country:Poland")
    assert picks(s, "Warszawa", "Lodz").take("pass").decision == "check"


@pytest.mark.parametrize(
    "more, asked", [({"in_play": [25]}, True), ({"prudence": {"D": 0, "C": -1}}, False), ({}, False)]
)
def test_44_discard_is_measured_with_its_owners_modifiers(more, asked):
    card = 28 if "prudence" in more else 1
    s = scenario(f"D: 44 / C: {card}", POLAND, turn=4, **more).take("event", "country:Poland")
    assert (picks(s, "Warszawa", "Lodz").decision == "cancel-check") == asked


def test_44_scoring_card_never_cancels():
    s = scenario("D: 44 / C: 22", POLAND, turn=4, in_play=[25]).take("event", "country:Poland")
    assert picks(s, "Warszawa", "Lodz").decision == "check"


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
    s = picks(scenario("C: 44", support, turn=4, power=[country], **more).take("event"), *support)
    assert (targets(s) if s.decision == "check" else None) == ([free] if free else None)


# --- 45 Soviet Troop Withdrawals -------------------------------------------------------------------


def test_45_removes_five_at_most_two_each_from_eastern_europe():
    support = {name: (0, 3) for name in ("Berlin", "Warszawa", "Brno", "Sofia", "Bucuresti")}
    s = picks(scenario("D: 45", support, turn=4).take("event"), "Berlin", "Berlin")
    assert s.legal == spaces(["Warszawa", "Brno"])
    picks(s, "Warszawa", "Warszawa")
    assert s.support("Brno") == (0, 2) and s.support("Berlin") == (0, 1) and s.zone(45) == "removed"


def test_45_ends_early_when_no_space_is_left():
    s = scenario("D: 45", {"Berlin": (0, 5), "Brno": (0, 1), "Sofia": (0, 3)}, turn=4).take("event")
    assert s.support("Berlin") == (0, 3) and s.support("Brno") == (0, 0) and s.support("Sofia") == (0, 3)


# --- 46 Goodbye Lenin! -----------------------------------------------------------------------------


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
    picks(s, "Timisoara", "Timisoara")
    assert s.decision == "none" and s.zone(73) == "in_play"


def test_46_placement_with_the_card_value():
    s = scenario("D: 46", {"Budapest": (1, 0)}, turn=4, in_play=[50]).take("event", "place")
    picks(s, *["Budapest"] * 4)
    assert s.support("Budapest") == (5, 0) and s.zone(46) == "removed"


def test_46_two_checks_that_may_be_declined():
    s = scenario("D: 46", {"Sofia": (0, 2)}, turn=4, dice=[4]).take("event", "check", "space:Sofia", "pass")
    assert s.support("Sofia") == (0, 1)
    s.finish()


def test_46_may_be_refused():
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
    picks(s.take("place"), "Sofia", "Sofia", "Sofia")
    assert s.support("Sofia") == (0, 5) and s.zone(46) == "removed"
    s.finish()


def test_46_in_the_communists_round_gives_the_democrat_the_full_choice():
    s = scenario("C: 2 46", {"Budapest": (1, 0)}, turn=4).take("card:46", "opponent-event")
    assert s.actor == 0 and s.legal == ["card:2", "ops"]
    assert s.take("ops").legal == ["check", "place", "tiananmen"]


# --- 47 Bulgarian Turks Expelled -------------------------------------------------------------------


@pytest.mark.parametrize("points", [3, 0])
def test_47_scores_and_empties_razgrad(points):
    s = scenario("C: 47", {"Razgrad": (points, 1)}, turn=4).take("event")
    assert s.vp == -2 and s.support("Razgrad") == (0, 1) and s.zone(47) == "removed"


# --- 48 "We are the People!" -----------------------------------------------------------------------


def test_48_moves_four_at_most_two_to_a_space():
    s = scenario("D: 48", {"Lutheran Church": (6, 0), "Dresden": (0, 4)}, turn=4).take("event")
    assert s.decision == "move" and s.actor == 0
    assert s.legal == ["pass", *spaces(set(EAST_GERMANY) - {"Lutheran Church"})]
    picks(s, "Leipzig")
    assert s.support("Lutheran Church") == (5, 0) and s.support("Leipzig") == (1, 0)
    picks(s, "Leipzig")
    assert "space:Leipzig" not in s.legal and "space:Lutheran Church" not in s.legal
    picks(s, "Dresden", "Dresden")
    assert s.support("Dresden") == (2, 4) and s.support("Lutheran Church") == (2, 0)
    assert s.decision == "none" and s.zone(48) == "in_play"


def test_48_four_different_spaces():
    s = scenario("D: 48", {"Lutheran Church": (4, 0)}, turn=4).take("event")
    picks(s, "Halle", "Berlin", "Erfurt", "Halle")
    assert s.support("Halle") == (2, 0) and s.support("Lutheran Church") == (0, 0) and s.decision == "none"


def test_48_not_more_than_are_there():
    s = picks(scenario("D: 48", {"Lutheran Church": (2, 1)}, turn=4).take("event"), "Halle", "Berlin")
    assert s.support("Lutheran Church") == (0, 1) and s.decision == "none"


def test_48_may_stop_at_any_time():
    s = scenario("D: 48", {"Lutheran Church": (5, 0)}, turn=4).take("event", "space:Rostock", "pass")
    assert s.support("Lutheran Church") == (4, 0) and s.support("Rostock") == (1, 0) and s.zone(48) == "in_play"


def test_48_points_already_there_do_not_count_towards_the_two():
    s = scenario("D: 48", {"Lutheran Church": (3, 0), "Leipzig": (5, 0)}, turn=4).take("event")
    picks(s, "Leipzig", "Leipzig")
    assert "space:Leipzig" not in s.legal
    picks(s, "Halle")
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
    picks(s, "Leipzig").take("pass")
    assert s.actor == 1 and s.decision == "check" and targets(s) == ["Lutheran Church"]


def test_48_operations_before_the_event_may_still_check_leipzig():
    s = scenario("C: 48", {"Leipzig": (1, 0)}, turn=4).take("check")
    assert targets(s) == ["Leipzig"]


def test_48_bars_communist_checks_in_leipzig():
    s = scenario("C: 11", {"Leipzig": (1, 0), "Berlin": (1, 0)}, turn=4, in_play=[48]).take("check")
    assert targets(s) == ["Berlin"]


def test_48_bars_the_free_check_at_the_end_of_the_turn():
    support = {"Leipzig": (1, 0), "Berlin": (1, 0)}
    s = scenario("D: 50", support, turn=4, round=7, boxes=(0, 6), in_play=[48]).take("event")
    assert s.actor == 1 and s.decision == "check" and targets(s) == ["Berlin"]


def test_48_does_not_bar_democratic_checks():
    s = scenario("D: 60", {"Leipzig": (0, 1), "Berlin": (0, 1)}, turn=4, in_play=[48]).take("check")
    assert targets(s) == ["Berlin", "Leipzig"]


def test_48_does_not_bar_a_removal():
    s = scenario("C: 7", {"Leipzig": (2, 0)}, turn=4, in_play=[48]).take("event")
    assert s.support("Leipzig") == (0, 0)


def test_48_does_not_bar_workers_revolt():
    s = scenario("C: 78", {"Leipzig": (2, 0)}, turn=4, in_play=[48], power=["East Germany"], dice=[4]).take("event")
    assert s.support("Leipzig") == (0, 2)
    s.finish()


# --- 49 Foreign Currency Debt Burden ---------------------------------------------------------------


def test_49_scores_and_bans_a_country():
    s = scenario("D: 49", turn=4, power=["Poland"]).take("event")
    assert s.vp == 1 and s.legal == sorted(f"country:{name}" for name in COUNTRIES if name != "Romania")
    s.take("country:Poland")
    assert s.position()["debt_burden"] == "Poland" and s.zone(49) == "in_play"


def test_49_bars_communist_operations():
    support = {"Lodz": (1, 0), "Berlin": (1, 0)}
    s = scenario("C: 11", support, turn=4, in_play=[49], debt_burden="Poland").take("check")
    assert targets(s) == ["Berlin"]


def test_49_check_of_an_event_bound_to_the_country_is_lost():
    s = scenario("C: 1", {"Poznan": (3, 0)}, turn=4, in_play=[49], debt_burden="Poland").take("event")
    assert s.support("Poznan") == (2, 1) and s.decision == "none"


def test_49_bars_the_free_check():
    support = {"Lodz": (1, 0), "Berlin": (1, 0)}
    s = scenario("D: 49", support, turn=4, round=7, boxes=(0, 6)).take("event", "country:East Germany")
    assert s.actor == 1 and s.decision == "check" and targets(s) == ["Lodz"]


def test_49_does_not_bar_the_democrat():
    s = scenario("D: 60", {"Lodz": (0, 1)}, turn=4, in_play=[49], debt_burden="Poland").take("check")
    assert targets(s) == ["Lodz"]


# --- until the end of the turn: 49, 50, 58, 59, 63, 74 ----------------------------------------------


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


# --- 50 The Sinatra Doctrine -----------------------------------------------------------------------


@pytest.mark.parametrize("prudence, points", [(0, 2), (-1, 1), (-2, 1)])
def test_50_placement_summed_before_the_minimum(prudence, points):
    s = scenario("D: 66", {"Pecs": (1, 0)}, turn=4, in_play=[50], prudence={"D": prudence, "C": 0}).take("place")
    picks(s, *["Pecs"] * points)
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
    picks(s, *["Timisoara"] * 3)
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
    s = picks(scenario("C: 11", {"Pecs": (0, 1)}, turn=4, in_play=[50]).take("place"), "Pecs", "Pecs")
    assert s.support("Pecs") == (0, 3) and s.decision == "none"


# --- 51 40th Anniversary Celebration ---------------------------------------------------------------


@pytest.mark.parametrize("vp, points", [(-1, 4), (0, 2), (3, 2)])
def test_51_four_points_for_a_leading_communist_else_two(vp, points):
    s = scenario("C: 51", {"Halle": (4, 0)}, turn=4, vp=vp).take("event")
    assert s.legal == spaces(EAST_GERMANY)
    picks(s, *["Halle"] * points)
    assert s.support("Halle") == (4, points) and s.vp == vp - 1 and s.zone(51) == "removed" and s.decision == "none"


# --- 52 Normalization ------------------------------------------------------------------------------


def test_52_empties_plzen_and_praha():
    s = scenario("C: 52", {"Plzen": (2, 0), "Praha": (3, 1), "Brno": (1, 0)}, turn=4).take("event")
    assert [s.support(name) for name in ("Plzen", "Praha", "Brno")] == [(0, 0), (0, 1), (1, 0)]
    assert s.zone(52) == "removed"


def test_52_without_points_is_removed():
    assert scenario("C: 52", turn=4).take("event").zone(52) == "removed"


# --- 53 Li Peng ------------------------------------------------------------------------------------


@pytest.mark.parametrize("side, card, in_play, box", [("C", 11, [53], 1), ("C", 11, [], 0), ("D", 60, [53], 0)])
def test_53_helps_communist_attempts_only(side, card, in_play, box):
    die = 2 if side == "C" else 1
    s = scenario(f"{side}: {card}", turn=4, in_play=in_play, dice=[die]).take("tiananmen")
    assert s.position()["tiananmen"][side]["box"] == box
    s.finish()


def test_53_stays_in_play_beyond_the_turn():
    assert scenario("C: 53", turn=4).take("event").zone(53) == "in_play"
    s = scenario("D: 64", turn=4, round=7, in_play=[53], chance=DEAL).take("event")
    assert s.zone(53) == "in_play" and s.position()["turn"] == 5
    s.finish()


# --- 54 The Crowd Turns Against Ceausescu ----------------------------------------------------------

ONE_EACH = {"D": MARCHES, "C": STRIKES}
CROWD = {
    "power_deal": ONE_EACH,
    "power_draws": ["rally-1"]
    + ["leader-elite"] * 4
    + ["leader-intellectual"] * 4
    + ["strike-3"] * 4
    + ["march-3"] * 2,
}
FACING = {"Timisoara": (3, 0), "Bucuresti": (0, 3)}


def test_54_waits_and_makes_the_tyrant_playable():
    s = scenario("D: 54", FACING, turn=8).take("event")
    assert s.zone(54) == "in_play" and 97 in s.position()["events_enabled"] and s.decision == "none"
    assert s.support("Timisoara") == (3, 0)


def test_54_waits_through_turns_and_other_struggles():
    s = scenario("D: 54", turn=4, round=7, chance=DEAL).take("event")
    assert s.position()["turn"] == 5 and s.zone(54) == "in_play"
    s = scenario("C: 42", turn=4, in_play=[54], dice=[1, 1]).take("retain")
    assert s.zone(54) == "in_play" and "crowd_done" not in s.position()
    s.finish()


def test_54_places_three_points_per_rally_in_romania_before_the_stakes():
    support = {**FACING, "Cluj-Napoca": (0, 4)}
    deal = {"D": MARCHES, "C": [*STRIKES, "petition-5", "petition-5"]}
    s = crowd(rallies=2, support=support, power_deal=deal)
    assert s.decision == "ops" and s.actor == 0 and s.legal == ["check", "place"]
    s.take("place")
    assert s.legal == spaces(["Timisoara", "Cluj-Napoca", "Craiova"])
    picks(s, "Cluj-Napoca", "Cluj-Napoca", "Craiova", "Craiova", "Timisoara")
    assert s.support("Cluj-Napoca") == (2, 4) and s.support("Craiova") == (2, 0) and s.support("Timisoara") == (4, 0)
    assert s.decision == "stakes" and s.actor == 1
    s.finish()


def test_54_first_point_breaks_control_and_the_next_costs_one():
    support = {"Timisoara": (3, 0), "Cluj-Napoca": (0, 4)}
    s = crowd(rallies=1, support=support, power_deal=ONE_EACH).take("place", "space:Cluj-Napoca", "space:Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (2, 4) and s.decision == "stakes"
    s.finish()


def test_54_cards_drawn_go_to_the_discard_and_hands_stay():
    s = crowd(rallies=2, support=FACING, power_deal=ONE_EACH)
    assert s.state.power_cards[PowerZone.DISCARD].sum() == 15
    picks(s.take("place"), *["Craiova"] * 4, "Timisoara", "Timisoara")
    assert s.state.power_cards[PowerZone.HAND].sum() == 6 and s.state.power_cards[PowerZone.HAND + 1].sum() == 6
    s.finish()


@pytest.mark.parametrize("outside, inside", [("Szeged", "Timisoara"), ("Varna", "Constanta")])
def test_54_reaches_across_the_border(outside, inside):
    s = crowd(rallies=1, support={outside: (1, 0), "Iasi": (1, 0)}).take("place")
    assert s.legal == spaces([inside, "Iasi", "Targu Mures", "Brasov", "Galati"])
    s.finish()


def test_54_points_in_reach_do_not_grow_during_the_placement():
    s = crowd(rallies=2, support={"Szeged": (1, 0)}, dice=[1, 1]).take("place")
    assert s.support("Timisoara") == (6, 0) and s.support("Cluj-Napoca") == (0, 0)
    s.finish()


def test_54_two_checks_with_that_value():
    """3 + 4 against Bucuresti (6), then 3 + 4 against Brasov (6)."""
    support = {"Iasi": (1, 0), "Bucuresti": (0, 3), "Brasov": (0, 1), "Sofia": (0, 1)}
    s = crowd(rallies=1, support=support, power_deal={"C": STRIKES}, dice=[4, 4]).take("check")
    assert targets(s) == ["Brasov", "Bucuresti"]
    picks(s, "Bucuresti")
    assert s.support("Bucuresti") == (0, 2) and s.decision == "check"
    picks(s, "Brasov")
    assert s.support("Brasov") == (0, 0) and s.decision == "stakes"
    s.finish()


def test_54_checks_may_be_declined():
    s = crowd(rallies=1, support=FACING, power_deal=ONE_EACH).take("check", "pass")
    assert s.support("Bucuresti") == (0, 3) and s.decision == "stakes"
    s.finish()


def test_54_without_rallies_checks_of_value_zero():
    support = {"Babes-Bolyai University": (0, 1), "Iasi": (1, 0)}
    s = crowd(rallies=0, support=support, power_deal={"C": STRIKES}, dice=[2, 3])
    assert s.decision == "check" and s.legal == ["pass", "space:Babes-Bolyai University"]
    picks(s, "Babes-Bolyai University")
    assert s.support("Babes-Bolyai University") == (0, 1)
    picks(s, "Babes-Bolyai University")
    assert s.support("Babes-Bolyai University") == (0, 0)
    s.finish()


@pytest.mark.parametrize("in_play, left, dice", [([54], 0, [4, 1, 1]), ([54, 101], 1, [4])])
def test_54_elena_counts(in_play, left, dice):
    s = crowd(rallies=1, support={"Ploiesti": (0, 1)}, in_play=in_play, dice=dice).take("space:Ploiesti")
    assert s.support("Ploiesti") == (0, left)
    s.finish()


@pytest.mark.parametrize(
    "rallies, in_play, prudence, points", [(1, [54, 50], 0, 4), (1, [54], -1, 2), (0, [54, 50], 0, 1), (1, [54], 0, 3)]
)
def test_54_value_follows_sinatra_and_prudence(rallies, in_play, prudence, points):
    """Differs."""
    s = crowd(
        rallies=rallies,
        support={"Iasi": (1, 0), "Bucuresti": (0, 3)},
        in_play=in_play,
        prudence={"D": prudence, "C": 0},
        power_deal={"C": STRIKES},
    )
    picks(s.take("place"), *["Iasi"] * points)
    assert s.support("Iasi") == (1 + points, 0) and s.decision == "stakes"
    s.finish()


def test_54_value_is_not_lifted_to_one():
    """No rally and Prudence: 0, so a 3 beats a student space and a 2 does not."""
    support = {"Babes-Bolyai University": (0, 1), "Iasi": (1, 0)}
    s = crowd(rallies=0, support=support, prudence={"D": -1, "C": 0}, power_deal={"C": STRIKES}, dice=[2, 3])
    picks(s, "Babes-Bolyai University")
    assert s.support("Babes-Bolyai University") == (0, 1)
    assert picks(s, "Babes-Bolyai University").support("Babes-Bolyai University") == (0, 0)
    s.finish()


def test_54_checks_follow_sinatra():
    """2 + 3 + 1 fails against Bucuresti (6), 3 + 3 + 1 succeeds."""
    s = crowd(rallies=1, support={"Iasi": (1, 0), "Bucuresti": (0, 3)}, in_play=[54, 50], power_deal={"C": STRIKES},
              dice=[2, 3])  # fmt: skip
    picks(s.take("check"), "Bucuresti")
    assert s.support("Bucuresti") == (0, 3)
    assert picks(s, "Bucuresti").support("Bucuresti") == (0, 2)
    s.finish()


def test_54_destroyed_space_is_out_of_reach():
    s = crowd(rallies=1, support={"Szeged": (1, 0)}, in_play=[54, 69], systematized="Timisoara").take("place")
    assert s.legal == spaces(["Cluj-Napoca", "Craiova"])
    s.finish()


def test_54_passes_without_reach_and_targets():
    s = crowd(rallies=3, support={}, dice=[1, 1])
    assert s.decision == "power"
    s.take("retain")
    assert s.zone(54) == "removed" and s.position()["crowd_done"]
    s.finish()


def test_54_happens_although_the_attacker_holds_no_cards_and_is_then_removed():
    s = crowd(rallies=1, support={"Timisoara": (3, 0)}, power_deal={"D": MARCHES}, dice=[1, 1])
    picks(s.take("place"), "Craiova", "Craiova", "Craiova").take("pass", "surrender")
    assert s.zone(54) == "removed" and s.position()["crowd_done"] and s.support("Craiova") == (3, 0)
    s.finish()


def test_54_scoring_sees_the_new_control():
    """Bucuresti, alone in the Communist's hands, is lost by it: he has no Presence left."""
    s = crowd(rallies=2, support={"Craiova": (1, 0), "Bucuresti": (0, 3)}, power_deal={"C": STRIKES}, dice=[1, 1])
    picks(s.take("place"), *["Bucuresti"] * 5).take("pass", "power:strike-6", "surrender")
    assert s.support("Bucuresti") == (5, 3) and s.vp == 0
    s.finish()


def test_54_leaders_see_the_new_control():
    """Placed into Galati, the worker leader of the Democrat answers."""
    deal = {"D": ["leader-worker", *MARCHES[:5]], "C": STRIKES}
    s = crowd(rallies=1, support={"Craiova": (4, 0), "Timisoara": (2, 0), "Bucuresti": (0, 3)}, power_deal=deal)
    picks(s.take("place"), "Timisoara", "Timisoara", "Timisoara").take("pass", "pass", "power:strike-6")
    assert s.decision == "defend" and s.legal == ["concede", "power:leader-worker"]
    s.finish()


def test_54_started_by_the_democrat_the_stakes_begin_with_him():
    s = crowd(rallies=1, support=FACING, hand="D: 95", power_deal=ONE_EACH).take("check", "pass")
    assert s.decision == "stakes" and s.actor == 0
    s.finish()


def test_54_started_by_the_kiss_of_death_in_the_communists_round():
    """The Democrat has the first word on the stakes."""
    s = scenario("C: 71 95", FACING, turn=8, in_play=[54], chance=CROWD | {"random_discards": [95]})
    s.take("card:71", "opponent-event")
    assert s.decision == "ops" and s.actor == 0
    s.take("check", "pass")
    assert s.decision == "stakes" and s.actor == 0
    s.finish()


def test_54_reads_the_struggle_of_new_years_eve():
    s = crowd(
        rallies=1, support=FACING, in_play=[54, 104], hand="D: 66", round=7, power_deal=ONE_EACH,
    ).take("check", "pass", "country:Romania")  # fmt: skip
    assert s.decision == "ops" and s.actor == 0
    s.take("check", "pass")
    assert s.decision == "stakes" and s.actor == 0
    s.finish()


def test_54_does_not_repeat():
    s = scenario("C: 95", {}, turn=8, removed=[54], crowd_done=True, dice=[1, 1]).take("retain")
    s.finish()


# --- 56 Foreign Television -------------------------------------------------------------------------


def test_56_removes_four_at_most_two_each_not_from_dresden():
    support = {name: (0, 3) for name in ("Berlin", "Sofia", "Bucuresti", "Dresden")}
    s = scenario("D: 56", support, turn=4).take("event")
    assert s.legal == spaces(["Berlin", "Sofia", "Bucuresti"])
    picks(s, "Sofia", "Sofia")
    assert s.legal == spaces(["Berlin", "Bucuresti"])
    picks(s, "Berlin", "Bucuresti")
    assert [s.support(name)[1] for name in support] == [2, 1, 2, 3] and s.zone(56) == "removed"


def test_56_ends_early_when_no_space_is_left():
    s = scenario("D: 56", {"Berlin": (0, 5), "Dresden": (0, 4)}, turn=4).take("event")
    assert s.support("Berlin") == (0, 3) and s.support("Dresden") == (0, 4)


# --- 57 Central Committee Reshuffle ----------------------------------------------------------------


def test_57_places_three_in_a_country_of_his_power():
    s = scenario("C: 57", {"Praha": (4, 0)}, turn=4, power=["Poland"]).take("event")
    assert s.legal == sorted(f"country:{name}" for name in COUNTRIES if name != "Poland")
    s.take("country:Czechoslovakia")
    assert s.legal == spaces(CZECHOSLOVAKIA)
    picks(s, "Praha", "Praha", "Praha")
    assert s.support("Praha") == (4, 3) and s.zone(57) == "removed" and s.decision == "none"


def test_57_without_such_a_country_is_removed():
    s = scenario("C: 57", turn=8, power=COUNTRIES).take("event")
    assert s.zone(57) == "removed" and not s.position()["support"]


# --- 58 Austria-Hungary Border Reopened ------------------------------------------------------------


def test_58_extra_point_in_east_germany():
    s = scenario("D: 60", {"Leipzig": (1, 0)}, turn=4, in_play=[58]).take("place")
    picks(s, "Leipzig", "Halle", "Leipzig")
    assert s.support("Leipzig") == (3, 0) and s.support("Halle") == (1, 0) and s.decision == "none"


def test_58_point_elsewhere_forfeits_the_bonus():
    s = picks(scenario("D: 60", {"Dresden": (1, 0)}, turn=4, in_play=[58]).take("place"), "Wroclaw", "Leipzig")
    assert s.decision == "none" and s.support("Leipzig") == (1, 0)


def test_58_elsewhere_is_closed_once_only_the_bonus_is_left():
    s = picks(scenario("D: 60", {"Dresden": (1, 0)}, turn=4, in_play=[58]).take("place"), "Leipzig", "Leipzig")
    assert s.legal == spaces(["Dresden", "Leipzig", "Karl-Marx-Stadt"])


def test_58_last_two_points_may_pay_for_one():
    support = {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}
    s = picks(scenario("D: 60", support, turn=4, in_play=[58]).take("place"), "Lutheran Church", "Leipzig")
    assert s.support("Leipzig") == (1, 3) and s.decision == "none"


def test_58_value_of_one_buys_a_controlled_space():
    """Differs 1."""
    support = {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}
    s = scenario("D: 66", support, turn=4, in_play=[58]).take("place")
    assert s.legal == spaces(["Lutheran Church", "Leipzig"])
    picks(s, "Leipzig")
    assert s.support("Leipzig") == (1, 3) and s.decision == "none"


def test_58_is_summed_before_the_minimum_in_placement():
    """Differs 2."""
    s = scenario("D: 66", {"Leipzig": (1, 0)}, turn=4, in_play=[58], prudence={"D": -1, "C": 0})
    picks(s.take("place"), "Leipzig")
    assert s.support("Leipzig") == (2, 0) and s.decision == "none"


def test_58_is_summed_before_the_minimum_in_checks():
    """Differs 2: 5 + 1 against 6."""
    s = scenario("D: 66", {"Halle": (0, 1)}, turn=4, in_play=[58], prudence={"D": -1, "C": 0}, dice=[5])
    s.take("check", "space:Halle", "yes", "pass")
    assert s.support("Halle") == (0, 1)
    s.finish()


def test_58_with_award_two_and_prudence():
    s = scenario("D: 66", {"Leipzig": (1, 0)}, turn=4, boxes=(2, 0), in_play=[58], prudence={"D": -1, "C": 0})
    picks(s.take("place"), "Leipzig", "Leipzig")
    assert s.support("Leipzig") == (3, 0) and s.decision == "none"


CHECKED = {"Halle": (0, 1), "Rostock": (0, 1), "Lodz": (0, 1)}


def test_58_declared_for_both_checks():
    s = scenario("D: 60", CHECKED, turn=4, in_play=[58], dice=[4, 4]).take("check", "space:Halle")
    assert s.decision == "border-bonus" and s.actor == 0 and s.legal == ["no", "yes"]
    s.take("yes")
    assert s.support("Halle") == (0, 0) and s.legal == ["pass", "space:Rostock"]
    s.take("space:Rostock")
    assert s.support("Rostock") == (0, 0)
    s.finish()


def test_58_declared_the_second_check_may_be_declined():
    s = scenario("D: 60", CHECKED, turn=4, in_play=[58], dice=[4]).take("check", "space:Halle", "yes", "pass")
    assert s.support("Halle") == (0, 0) and s.decision == "none"
    s.finish()


def test_58_not_declared_no_bonus_and_no_commitment():
    s = scenario("D: 60", CHECKED, turn=4, in_play=[58], dice=[4, 4]).take("check", "space:Halle", "no")
    assert s.support("Halle") == (0, 1) and targets(s) == ["Halle", "Lodz", "Rostock"]
    assert s.take("space:Rostock").support("Rostock") == (0, 1)
    s.finish()


def test_58_first_target_elsewhere_no_bonus_for_the_second():
    s = scenario("D: 60", CHECKED, turn=4, in_play=[58], dice=[4, 4]).take("check", "space:Lodz", "space:Halle")
    assert s.support("Halle") == (0, 1) and s.decision == "none"
    s.finish()


def test_58_committed_without_target_left_the_second_check_lapses():
    support = {"Halle": (0, 1), "Lodz": (0, 1)}
    s = scenario("D: 60", support, turn=4, in_play=[58], dice=[4]).take("check", "space:Halle", "yes")
    assert s.support("Halle") == (0, 0) and s.decision == "none"
    s.finish()


@pytest.mark.parametrize("in_play, left", [([58], 1), ([], 2)])
def test_58_single_check_of_an_event_needs_no_declaration(in_play, left):
    s = scenario("D: 27", {"Halle": (0, 3)}, turn=4, in_play=in_play, dice=[3]).take("event", "space:Halle")
    assert s.support("Halle") == (0, left)
    s.finish()


def test_58_counts_in_the_communists_round():
    s = scenario("C: 27", {"Halle": (0, 3)}, turn=4, in_play=[58], dice=[3]).take("opponent-event", "space:Halle")
    assert s.support("Halle") == (0, 1) and s.actor == 1
    s.finish()


@pytest.mark.parametrize("space, left", [("Halle", 0), ("Lodz", 1)])
def test_58_counts_in_the_free_check(space, left):
    s = scenario("D: 58", CHECKED, turn=4, round=7, boxes=(6, 0), dice=[4], chance=DEAL).take("event", f"space:{space}")
    assert s.support(space) == (0, left)
    s.finish()


def test_58_no_bonus_on_tiananmen_attempts():
    s = scenario("D: 66", turn=4, in_play=[58], dice=[2]).take("tiananmen")
    assert s.position()["tiananmen"]["D"]["box"] == 0
    s.finish()


# --- 59 Grenztruppen -------------------------------------------------------------------------------


@pytest.mark.parametrize("space, left", [("Halle", 1), ("Lodz", 0)])
def test_59_lowers_democratic_rolls_in_east_germany(space, left):
    s = scenario("D: 60", {space: (0, 1)}, turn=4, in_play=[59], dice=[5]).take("check", f"space:{space}")
    assert s.support(space) == (0, left)
    s.finish()


def test_59_modifies_the_die_and_not_the_value():
    """2 + 1 - 1 against a student space (2)."""
    space = "Walter Ulbricht Academy"
    s = scenario("D: 66", {space: (0, 1)}, turn=4, in_play=[59], prudence={"D": -1, "C": 0}, dice=[2])
    assert s.take("check", f"space:{space}").support(space) == (0, 1)
    s.finish()


def test_59_leaves_the_communist_alone():
    s = scenario("C: 11", {"Halle": (1, 0)}, turn=4, in_play=[59], dice=[5]).take("check", "space:Halle")
    assert s.support("Halle") == (0, 0)
    s.finish()


def test_59_counts_in_the_free_check():
    s = scenario("D: 65", {"Halle": (0, 1)}, turn=4, round=7, boxes=(6, 0), in_play=[59], dice=[5],
                 chance={"draws": list(range(1, 16))})  # fmt: skip
    assert s.take("event", "space:Halle").support("Halle") == (0, 1)
    s.finish()


# --- 60 Toxic Waste --------------------------------------------------------------------------------


def test_60_three_points_in_worker_spaces():
    s = scenario("D: 60", {"Halle": (0, 5)}, turn=4).take("event")
    legal = targets(s)
    assert {"Halle", "Gdansk", "Brno", "Gyor", "Timisoara", "Varna"} <= set(legal)
    assert not {"Berlin", "Szeged", "Lutheran Church", "Plzen", "Polish Writers"} & set(legal)
    picks(s, "Halle", "Halle", "Halle")
    assert s.support("Halle") == (3, 5) and s.zone(60) == "removed" and s.decision == "none"


# --- 61 The Monday Demonstrations ------------------------------------------------------------------


def test_61_needs_st_nicholas_church():
    assert "event" not in scenario("D: 61", {"Halle": (1, 1)}, turn=4).legal
    s = scenario("C: 61", {"Sofia": (0, 2), "Lutheran Church": (1, 0)}, turn=4)
    assert s.legal == ["check", "place", "tiananmen"]
    s.take("check", "pass")
    assert s.zone(61) == "discard" and s.support("Lutheran Church") == (1, 0)


def test_61_takes_control_of_both_spaces():
    s = scenario("D: 61", {"Lutheran Church": (1, 0), "Leipzig": (1, 2)}, turn=4, in_play=[24]).take("event", "pass")
    assert s.support("Lutheran Church") == (5, 0) and s.support("Leipzig") == (5, 2) and s.zone(61) == "removed"


def test_61_controlled_space_gets_none():
    s = scenario("D: 61", {"Lutheran Church": (7, 0), "Leipzig": (4, 1)}, turn=4, in_play=[24]).take("event", "pass")
    assert s.support("Lutheran Church") == (7, 0) and s.support("Leipzig") == (4, 1)


def test_61_five_checks_in_east_germany():
    """Leipzig, now controlled, helps against Berlin: 1 + 4 + 1 against 6 fails, 2 + 4 + 1 succeeds."""
    support = {"Berlin": (0, 6), "Schwerin": (0, 1), "Lodz": (0, 1)}
    s = scenario("D: 61", support, turn=4, in_play=[24], dice=[1, 2, 2, 2, 2]).take("event")
    assert s.legal == ["pass", *spaces(["Berlin", "Schwerin"])]
    picks(s, *["Berlin"] * 5)
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


# --- 62 Yakovlev Counsels Gorbachev ----------------------------------------------------------------


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


# --- 63 Genscher -----------------------------------------------------------------------------------


def test_63_single_cost_in_east_germany():
    s = scenario("D: 60", {"Lutheran Church": (1, 0), "Leipzig": (0, 5)}, turn=4, in_play=[63]).take("place")
    assert s.legal == spaces(["Lutheran Church", "Leipzig"])
    picks(s, "Leipzig", "Leipzig")
    assert s.support("Leipzig") == (2, 5)


def test_63_double_cost_elsewhere():
    s = scenario("D: 60", {"Gdansk": (1, 0), "Warszawa": (0, 5)}, turn=4, in_play=[63])
    picks(s.take("place"), "Warszawa")
    assert s.support("Warszawa") == (1, 5) and s.decision == "none"


def test_63_counts_in_an_event_that_places_with_the_value():
    s = scenario("C: 46", {"Lutheran Church": (1, 0), "Leipzig": (0, 9)}, turn=4, in_play=[63])
    picks(s.take("opponent-event", "place"), *["Leipzig"] * 3)
    assert s.support("Leipzig") == (3, 9) and s.actor == 1


def test_63_leaves_the_communist_alone():
    s = scenario("C: 11", {"Halle": (0, 1), "Leipzig": (5, 0)}, turn=4, in_play=[63])
    picks(s.take("place"), "Leipzig")
    assert s.support("Leipzig") == (5, 1) and s.decision == "none"


# --- 64 Legacy of 1968 -----------------------------------------------------------------------------


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


# --- 65 Presidential Visit -------------------------------------------------------------------------


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


# --- 66 New Forum ----------------------------------------------------------------------------------


def test_66_three_different_spaces():
    s = scenario("D: 66", {"Dresden": (0, 4)}, turn=4).take("event")
    assert s.legal == spaces(EAST_GERMANY)
    picks(s, "Dresden")
    assert s.legal == spaces(set(EAST_GERMANY) - {"Dresden"})
    picks(s, "Halle")
    assert s.legal == spaces(set(EAST_GERMANY) - {"Dresden", "Halle"})
    picks(s, "Erfurt")
    assert s.support("Dresden") == (1, 4) and s.support("Erfurt") == (1, 0) and s.zone(66) == "removed"


# --- 67 Reformer Rehabilitated ---------------------------------------------------------------------


def test_67_picks_any_card_that_can_occur_and_may_not_pass():
    """No scoring card, no Common European Home, none without its prerequisite. Differs: no pass."""
    s = scenario("D: 67", turn=4, boxes=(1, 0), discard=[12, 21, 22, 45, 61]).take("event")
    assert s.decision == "event-from-discard" and s.actor == 0 and s.legal == ["card:12", "card:45"]


def test_67_opponents_card_is_executed_by_the_opponent():
    s = scenario("D: 67", turn=4, boxes=(1, 0), discard=[12, 45]).take("event", "card:12")
    assert s.actor == 1 and s.decision == "place"
    picks(s, "Berlin", "Berlin", "Berlin")
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


# --- 68 Klaus and Komarek --------------------------------------------------------------------------


@pytest.mark.parametrize("before, after", [(3, 1), (2, 0), (1, 0), (0, 0)])
def test_68_up_to_two_leave_praha_and_two_come(before, after):
    s = scenario("D: 68", {"Praha": (0, before)}, turn=4).take("event")
    assert s.support("Praha") == (2, after) and s.zone(68) == "removed"


# --- 69 Systematization ----------------------------------------------------------------------------


def test_69_destroys_a_space_and_moves_its_communists():
    s = scenario("C: 69", {"Cluj-Napoca": (2, 3), "Bucuresti": (1, 2)}, turn=4).take("event")
    assert s.decision == "destroy" and s.legal == spaces(ROMANIA)
    picks(s, "Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (0, 0) and s.support("Bucuresti") == (1, 5)
    assert s.position()["systematized"] == "Cluj-Napoca" and s.zone(69) != "discard"


def test_69_bucuresti_loses_all():
    s = picks(scenario("C: 69", {"Bucuresti": (1, 4)}, turn=4).take("event"), "Bucuresti")
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
    assert s.legal == spaces(reach)


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
    s = scenario("D: 73", {"Iasi": (0, 1)}, turn=4, in_play=[69], systematized="Timisoara")
    s.take("event", "check", "pass")
    assert s.support("Timisoara") == (0, 0) and s.support("Harghita/Covasna") == (1, 0)


@pytest.mark.parametrize("destroyed, value", [("Timisoara", 6 + 5), (None, 2 + 5), ("Constanta", 2 + 5)])
def test_69_control_needs_the_battlegrounds_left(destroyed, value):
    held = ["Cluj-Napoca", "Iasi", "Brasov", "Bucuresti", "Galati"]
    more = {"in_play": [69], "systematized": destroyed} if destroyed else {}
    s = scenario(
        "C: 95", {name: (5, 0) for name in held}, turn=8, chance={"power_deal": {"D": FACES[:14]}}, dice=[1, 1], **more
    )
    assert s.take("pass", "surrender").vp == value
    s.finish()


def test_69_is_void_and_removed_after_the_tyrant_is_gone():
    """Differs 1."""
    s = scenario("C: 69", {"Iasi": (1, 0)}, turn=8, removed=[54, 97], crowd_done=True, tyrant_done=True).take("event")
    assert s.zone(69) == "removed" and "systematized" not in s.position() and s.support("Iasi") == (1, 0)


def test_69_works_while_the_tyrant_waits():
    s = picks(scenario("C: 69", turn=8, in_play=[54, 97]).take("event"), "Iasi")
    assert s.position()["systematized"] == "Iasi"


# --- 70 Securitate ---------------------------------------------------------------------------------


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


# --- 71 Kiss of Death ------------------------------------------------------------------------------


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
    picks(s, "Berlin", "Berlin", "Brno", "Brno")
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
    picks(s, "Pecs", "Pecs", "Pecs")
    assert s.zone(50) == "in_play" and s.support("Pecs") == (0, 4) and s.zone(71) == "removed"
    s.finish()


def test_71_played_by_the_communist_operations_first():
    s = scenario("C: 50 71", {"Pecs": (0, 1)}, turn=4, chance={"random_discards": [50]}).take("card:71", "place")
    assert s.zone(50) == "C"
    picks(s, "Pecs", "Pecs", "Pecs")
    assert s.zone(50) == "in_play" and s.zone(71) == "removed"
    s.finish()


def test_71_operations_follow_a_struggle_it_started():
    chance = {"random_discards": [42], "dice": [1, 1]}
    s = scenario("C: 42 71", {"Pecs": (0, 1)}, turn=4, chance=chance).take("card:71", "opponent-event", "surrender")
    assert s.decision == "ops" and s.actor == 1
    s.finish()


def test_71_prudence_lowers_the_operations_that_follow():
    s = scenario("C: 8 71", {"Pecs": (0, 1)}, turn=4, chance={"random_discards": [8]})
    picks(s.take("card:71", "opponent-event", "place"), "Pecs", "Pecs")
    assert s.support("Pecs") == (0, 3) and s.decision == "none"
    s.finish()


def test_71_goodbye_lenin_keeps_the_communists_operations():
    """Differs: an attempt inside the event does not end the round."""
    s = scenario("C: 46 71", {"Pecs": (0, 1)}, turn=4, dice=[1], chance={"random_discards": [46]})
    s.take("card:71", "opponent-event", "tiananmen")
    assert s.decision == "ops" and s.actor == 1 and s.position()["tiananmen"]["D"]["box"] == 1
    s.finish()


# --- 72 Peasant Parties Revolt ---------------------------------------------------------------------


@pytest.mark.parametrize("farmer, moved", [("Erfurt", 1), ("Sliven", 0), ("Halle", 0)])
def test_72_moves_a_card_for_a_farmer_space_of_the_country(farmer, moved):
    support = {farmer: (4, 0), "Berlin": (0, 3)}
    cards = (6 if farmer != "Sliven" else 0) + moved
    deal = {"D": FACES[:cards], "C": STRIKES[: 6 - moved]}
    if "strike-4" in deal["C"]:
        deal["D"] = ["march-4"] * 4 + ["march-3"] * 2 + ["petition-6"] * moved if cards else []
    s = scenario("C: 42", support, turn=4, in_play=[72], chance={"power_deal": deal}, dice=[1, 1])
    assert s.state.power_cards[PowerZone.HAND].sum() == cards
    assert s.state.power_cards[PowerZone.HAND + 1].sum() == 6 - moved
    s.take("pass", *["pass"] * (cards > 0), "power:strike-6", "surrender")
    assert s.zone(72) == "removed"
    s.finish()


def test_72_communist_without_cards_loses_none():
    deal = {"D": FACES[:6]}
    s = scenario("C: 42", {"Erfurt": (4, 0)}, turn=4, in_play=[72], chance={"power_deal": deal}, dice=[1, 1])
    assert s.state.power_cards[PowerZone.HAND].sum() == 6
    assert s.take("pass", "surrender").zone(72) == "removed"
    s.finish()


def test_72_after_roundtable_talks():
    """6 and 6: Roundtable Talks take two, Peasant Parties one more."""
    deal = {"D": FACES[:9], "C": STRIKES[:3]}
    s = scenario("C: 42", {"Erfurt": (4, 0), "Berlin": (0, 3)}, turn=4, in_play=[17, 72], chance={"power_deal": deal})
    assert s.state.power_cards[PowerZone.HAND].sum() == 9 and s.state.power_cards[PowerZone.HAND + 1].sum() == 3
    s.finish()


def test_72_waits():
    s = scenario("D: 72", turn=4, round=7, chance=DEAL).take("event")
    assert s.zone(72) == "in_play" and s.position()["turn"] == 5
    s.finish()


# --- 73 Laszlo Tokes -------------------------------------------------------------------------------


def test_73_places_two_then_operations_in_romania():
    s = scenario("D: 73", {"Gdansk": (1, 0), "Cluj-Napoca": (0, 4)}, turn=8).take("event")
    assert s.support("Timisoara") == (1, 0) and s.support("Harghita/Covasna") == (1, 0)
    assert s.decision == "ops" and s.legal == ["check", "place"] and 107 in s.position()["events_enabled"]
    s.take("place")
    assert s.legal == spaces(["Timisoara", "Cluj-Napoca", "Craiova", "Harghita/Covasna", "Targu Mures"])
    picks(s, "Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (1, 4) and s.decision == "none"


def test_73_reaches_from_varna():
    s = scenario("D: 73", {"Varna": (1, 0)}, turn=4).take("event", "place")
    assert "space:Constanta" in s.legal and "space:Varna" not in s.legal


def test_73_two_checks_in_romania():
    support = {"Iasi": (0, 2), "Sofia": (0, 2)}
    s = scenario("D: 73", support, turn=4, dice=[5, 4]).take("event", "check")
    assert s.legal == ["pass", "space:Iasi"]
    picks(s, "Iasi", "Iasi")
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


# --- 74 FRG Embassies ------------------------------------------------------------------------------


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


# --- 75 Exit Visas ---------------------------------------------------------------------------------


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


# --- 76 Warsaw Pact Summit -------------------------------------------------------------------------


def test_76_two_checks_with_a_bonus_of_two():
    """1 + 2 + 2 against an intellectual space (4)."""
    support = {"German Writers": (3, 0), "Charles University": (1, 0), "Halle": (3, 0)}
    s = scenario("C: 76", support, turn=4, dice=[1, 1]).take("event")
    assert s.decision == "ops" and s.legal == ["check", "place"]
    s.take("check")
    assert s.legal == ["pass", *spaces(["German Writers", "Charles University"])]
    picks(s, "German Writers", "German Writers")
    assert s.support("German Writers") == (1, 0) and s.zone(76) == "removed" and s.decision == "none"
    s.finish()


def test_76_checks_may_be_declined():
    s = scenario("C: 76", {"German Writers": (3, 0)}, turn=4).take("event", "check", "pass")
    assert s.support("German Writers") == (3, 0) and s.zone(76) == "removed"


def test_76_four_points_in_spaces_without_democrats():
    s = scenario("C: 76", {"Halle": (1, 0), "Leipzig": (1, 2)}, turn=4).take("event", "place")
    assert len(targets(s)) == 73 and not {"Halle", "Leipzig"} & set(targets(s)) and "pass" not in s.legal
    picks(s, *["Polish Writers"] * 4)
    assert s.support("Polish Writers") == (0, 4) and s.decision == "none"


def test_76_helsinki_tear_gas_and_debt_burden_count():
    """1 + 2 + 2 - 0 + 1 (Tear Gas) against a student space takes three points away and puts one down."""
    support = {"Walter Ulbricht Academy": (3, 0), "Polish Writers": (1, 0)}
    s = scenario("C: 76", support, turn=4, in_play=[26, 30, 49], debt_burden="Poland", dice=[1]).take("event", "check")
    assert s.legal == ["pass", "space:Walter Ulbricht Academy"]
    picks(s, "Walter Ulbricht Academy")
    assert s.support("Walter Ulbricht Academy") == (0, 1) and s.vp == 1 and s.zone(30) == "removed"
    s.finish()


# --- 77 Samizdat -----------------------------------------------------------------------------------


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


# --- 78 Workers Revolt -----------------------------------------------------------------------------


@pytest.mark.parametrize("die, after", [(4, (3, 0)), (3, (1, 2))])
def test_78_replaces_all_on_four(die, after):
    s = scenario("D: 78", {"Iasi": (1, 2)}, turn=4, dice=[die]).take("event")
    assert s.support("Iasi") == after and s.zone(78) == "discard"
    s.finish()


def test_78_worker_spaces_with_opponents_where_the_opponent_holds_power():
    support = {"Iasi": (0, 1), "Halle": (0, 2), "Lodz": (0, 1), "Gyor": (2, 0), "Berlin": (0, 3)}
    s = scenario("D: 78", support, turn=4, power=["Poland"]).take("event")
    assert s.decision == "revolt" and s.legal == spaces(["Iasi", "Halle"])


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


# --- 79 The Third Way ------------------------------------------------------------------------------


def test_79_scores_and_adds_three_to_german_writers():
    s = scenario("C: 79", {"German Writers": (3, 0)}, turn=4).take("event")
    assert s.vp == -2 and s.support("German Writers") == (3, 3) and s.zone(79) == "removed"


# --- 80 Nepotism -----------------------------------------------------------------------------------


@pytest.mark.parametrize("die, points", [(1, 4), (2, 4), (3, 3), (4, 3), (5, 1), (6, 1)])
def test_80_places_by_the_die_in_balkan_worker_spaces(die, points):
    s = scenario("C: 80", {"Iasi": (4, 0)}, turn=4, dice=[die]).take("event")
    assert s.legal == spaces("Timisoara Iasi Brasov Ploiesti Galati Constanta Ruse Burgas Varna Plovdiv".split())
    picks(s, *["Iasi"] * points)
    assert s.support("Iasi") == (4, points) and s.zone(80) == "removed" and s.decision == "none"
    s.finish()
