"""Cards 51 to 60, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario, targets
from situations import CZECHOSLOVAKIA, DEAL, EAST_GERMANY, MARCHES, ONE_EACH, STRIKES

from dawn_env.state import PowerZone
from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


# --- 51 40th Anniversary Celebration --------------------------------------------------------------


@pytest.mark.parametrize("vp, points", [(-1, 4), (0, 2), (3, 2)])
def test_51_four_points_for_a_leading_communist_else_two(vp, points):
    s = scenario("C: 51", {"Halle": (4, 0)}, turn=4, vp=vp).take("event")
    assert s.legal == at(*EAST_GERMANY)
    s.pick(*["Halle"] * points)
    assert s.support("Halle") == (4, points) and s.vp == vp - 1 and s.zone(51) == "removed" and s.decision == "none"


# --- 52 Normalization -----------------------------------------------------------------------------


def test_52_empties_plzen_and_praha():
    """Ruling order-not-asked."""
    s = scenario("C: 52", {"Plzen": (2, 0), "Praha": (3, 1), "Brno": (1, 0)}, turn=4).take("event")
    assert [s.support(name) for name in ("Plzen", "Praha", "Brno")] == [(0, 0), (0, 1), (1, 0)]
    assert s.zone(52) == "removed"


def test_52_without_points_is_removed():
    assert scenario("C: 52", turn=4).take("event").zone(52) == "removed"


# --- 53 Li Peng -----------------------------------------------------------------------------------


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


# --- 54 The Crowd Turns Against Ceausescu ---------------------------------------------------------


def crowd(*, rallies, support, hand="C: 95", power_deal=None, **more):
    """The next struggle in Romania with The Crowd (54) waiting."""
    draws = ["rally-1"] * rallies + (["leader-intellectual"] * 4 + ["leader-elite"] * 4 + ["strike-3"] * 4)
    draws = (draws + ["march-3"] * 4)[:15]
    chance = {"power_deal": power_deal or {}, "power_draws": draws}
    more.setdefault("in_play", [54])
    return scenario(hand, support, turn=8, chance=chance, **more)


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
    assert s.legal == at("Timisoara", "Cluj-Napoca", "Craiova")
    s.pick("Cluj-Napoca", "Cluj-Napoca", "Craiova", "Craiova", "Timisoara")
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
    s.take("place").pick(*["Craiova"] * 4, "Timisoara", "Timisoara")
    assert s.state.power_cards[PowerZone.HAND].sum() == 6 and s.state.power_cards[PowerZone.HAND + 1].sum() == 6
    s.finish()


@pytest.mark.parametrize("outside, inside", [("Szeged", "Timisoara"), ("Varna", "Constanta")])
def test_54_reaches_across_the_border(outside, inside):
    s = crowd(rallies=1, support={outside: (1, 0), "Iasi": (1, 0)}).take("place")
    assert s.legal == at(inside, "Iasi", "Targu Mures", "Brasov", "Galati")
    s.finish()


def test_54_points_in_reach_do_not_grow_during_the_placement():
    s = crowd(rallies=2, support={"Szeged": (1, 0)}, dice=[1, 1]).take("place")
    assert s.support("Timisoara") == (6, 0) and s.support("Cluj-Napoca") == (0, 0)
    s.finish()


def test_54_two_checks_with_that_value():
    """3 + 4 against Bucuresti (6), then 3 + 4 against Brasov (6)."""
    support = {"Iasi": (1, 0), "Bucuresti": (0, 3), "Brasov": (0, 1), "Sofia": (0, 1)}
    s = crowd(rallies=1, support=support, power_deal={"C": STRIKES}, dice=[4, 4]).take("check")
    assert targets(s) == {"Brasov", "Bucuresti"}
    s.pick("Bucuresti")
    assert s.support("Bucuresti") == (0, 2) and s.decision == "check"
    s.pick("Brasov")
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
    s.pick("Babes-Bolyai University")
    assert s.support("Babes-Bolyai University") == (0, 1)
    s.pick("Babes-Bolyai University")
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
    s.take("place").pick(*["Iasi"] * points)
    assert s.support("Iasi") == (1 + points, 0) and s.decision == "stakes"
    s.finish()


def test_54_value_is_not_lifted_to_one():
    """No rally and Prudence: 0, so a 3 beats a student space and a 2 does not."""
    support = {"Babes-Bolyai University": (0, 1), "Iasi": (1, 0)}
    s = crowd(rallies=0, support=support, prudence={"D": -1, "C": 0}, power_deal={"C": STRIKES}, dice=[2, 3])
    s.pick("Babes-Bolyai University")
    assert s.support("Babes-Bolyai University") == (0, 1)
    assert s.pick("Babes-Bolyai University").support("Babes-Bolyai University") == (0, 0)
    s.finish()


def test_54_checks_follow_sinatra():
    """2 + 3 + 1 fails against Bucuresti (6), 3 + 3 + 1 succeeds."""
    s = crowd(rallies=1, support={"Iasi": (1, 0), "Bucuresti": (0, 3)}, in_play=[54, 50], power_deal={"C": STRIKES},
              dice=[2, 3])  # fmt: skip
    s.take("check").pick("Bucuresti")
    assert s.support("Bucuresti") == (0, 3)
    assert s.pick("Bucuresti").support("Bucuresti") == (0, 2)
    s.finish()


def test_54_destroyed_space_is_out_of_reach():
    s = crowd(rallies=1, support={"Szeged": (1, 0)}, in_play=[54, 69], systematized="Timisoara").take("place")
    assert s.legal == at("Cluj-Napoca", "Craiova")
    s.finish()


def test_54_passes_without_reach_and_targets():
    s = crowd(rallies=3, support={}, dice=[1, 1])
    assert s.decision == "power"
    s.take("retain")
    assert s.zone(54) == "removed" and s.position()["crowd_done"]
    s.finish()


def test_54_happens_although_the_attacker_holds_no_cards_and_is_then_removed():
    s = crowd(rallies=1, support={"Timisoara": (3, 0)}, power_deal={"D": MARCHES}, dice=[1, 1])
    s.take("place").pick("Craiova", "Craiova", "Craiova").take("pass", "surrender")
    assert s.zone(54) == "removed" and s.position()["crowd_done"] and s.support("Craiova") == (3, 0)
    s.finish()


def test_54_scoring_sees_the_new_control():
    """Bucuresti, alone in the Communist's hands, is lost by it: they have no Presence left."""
    s = crowd(rallies=2, support={"Craiova": (1, 0), "Bucuresti": (0, 3)}, power_deal={"C": STRIKES}, dice=[1, 1])
    s.take("place").pick(*["Bucuresti"] * 5).take("pass", "power:strike-6", "surrender")
    assert s.support("Bucuresti") == (5, 3) and s.vp == 0
    s.finish()


def test_54_leaders_see_the_new_control():
    """Placed into Galati, the worker leader of the Democrat answers."""
    deal = {"D": ["leader-worker", *MARCHES[:5]], "C": STRIKES}
    s = crowd(rallies=1, support={"Craiova": (4, 0), "Timisoara": (2, 0), "Bucuresti": (0, 3)}, power_deal=deal)
    s.take("place").pick("Timisoara", "Timisoara", "Timisoara").take("pass", "pass", "power:strike-6")
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


# --- 56 Foreign Television ------------------------------------------------------------------------


def test_56_removes_four_at_most_two_each_not_from_dresden():
    support = {name: (0, 3) for name in ("Berlin", "Sofia", "Bucuresti", "Dresden")}
    s = scenario("D: 56", support, turn=4).take("event")
    assert s.legal == at("Berlin", "Sofia", "Bucuresti")
    s.pick("Sofia", "Sofia")
    assert s.legal == at("Berlin", "Bucuresti")
    s.pick("Berlin", "Bucuresti")
    assert [s.support(name)[1] for name in support] == [2, 1, 2, 3] and s.zone(56) == "removed"


def test_56_ends_early_when_no_space_is_left():
    s = scenario("D: 56", {"Berlin": (0, 5), "Dresden": (0, 4)}, turn=4).take("event")
    assert s.support("Berlin") == (0, 3) and s.support("Dresden") == (0, 4)


# --- 57 Central Committee Reshuffle ---------------------------------------------------------------


def test_57_places_three_in_a_country_of_his_power():
    s = scenario("C: 57", {"Praha": (4, 0)}, turn=4, power=["Poland"]).take("event")
    assert s.legal == sorted(f"country:{name}" for name in COUNTRIES if name != "Poland")
    s.take("country:Czechoslovakia")
    assert s.legal == at(*CZECHOSLOVAKIA)
    s.pick("Praha", "Praha", "Praha")
    assert s.support("Praha") == (4, 3) and s.zone(57) == "removed" and s.decision == "none"


def test_57_without_such_a_country_is_removed():
    s = scenario("C: 57", turn=8, power=COUNTRIES).take("event")
    assert s.zone(57) == "removed" and not s.position()["support"]


# --- 58 Austria-Hungary Border Reopened -----------------------------------------------------------


def test_58_extra_point_in_east_germany():
    s = scenario("D: 60", {"Leipzig": (1, 0)}, turn=4, in_play=[58]).take("place")
    s.pick("Leipzig", "Halle", "Leipzig")
    assert s.support("Leipzig") == (3, 0) and s.support("Halle") == (1, 0) and s.decision == "none"


def test_58_point_elsewhere_forfeits_the_bonus():
    s = scenario("D: 60", {"Dresden": (1, 0)}, turn=4, in_play=[58]).take("place").pick("Wroclaw", "Leipzig")
    assert s.decision == "none" and s.support("Leipzig") == (1, 0)


def test_58_elsewhere_is_closed_once_only_the_bonus_is_left():
    s = scenario("D: 60", {"Dresden": (1, 0)}, turn=4, in_play=[58]).take("place").pick("Leipzig", "Leipzig")
    assert s.legal == at("Dresden", "Leipzig", "Karl-Marx-Stadt")


def test_58_last_two_points_may_pay_for_one():
    support = {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}
    s = scenario("D: 60", support, turn=4, in_play=[58]).take("place").pick("Lutheran Church", "Leipzig")
    assert s.support("Leipzig") == (1, 3) and s.decision == "none"


def test_58_value_of_one_buys_a_controlled_space():
    """Differs 1."""
    support = {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}
    s = scenario("D: 66", support, turn=4, in_play=[58]).take("place")
    assert s.legal == at("Lutheran Church", "Leipzig")
    s.pick("Leipzig")
    assert s.support("Leipzig") == (1, 3) and s.decision == "none"


def test_58_is_summed_before_the_minimum_in_placement():
    """Differs 2."""
    s = scenario("D: 66", {"Leipzig": (1, 0)}, turn=4, in_play=[58], prudence={"D": -1, "C": 0})
    s.take("place").pick("Leipzig")
    assert s.support("Leipzig") == (2, 0) and s.decision == "none"


def test_58_is_summed_before_the_minimum_in_checks():
    """Differs 2: 5 + 1 against 6."""
    s = scenario("D: 66", {"Halle": (0, 1)}, turn=4, in_play=[58], prudence={"D": -1, "C": 0}, dice=[5])
    s.take("check", "space:Halle", "yes", "pass")
    assert s.support("Halle") == (0, 1)
    s.finish()


def test_58_with_award_two_and_prudence():
    s = scenario("D: 66", {"Leipzig": (1, 0)}, turn=4, boxes=(2, 0), in_play=[58], prudence={"D": -1, "C": 0})
    s.take("place").pick("Leipzig", "Leipzig")
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
    assert s.support("Halle") == (0, 1) and targets(s) == {"Halle", "Lodz", "Rostock"}
    assert s.take("space:Rostock").support("Rostock") == (0, 1)
    s.finish()


def test_58_first_target_elsewhere_no_bonus_for_the_second():
    s = scenario("D: 60", CHECKED, turn=4, in_play=[58], dice=[4, 4]).take("check", "space:Lodz", "space:Halle")
    assert s.support("Halle") == (0, 1) and s.decision == "none"
    s.finish()


def test_58_committed_without_target_left_the_second_check_lapses():
    """Ruling bonus-binds-checks."""
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


# --- 59 Grenztruppen ------------------------------------------------------------------------------


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


# --- 60 Toxic Waste -------------------------------------------------------------------------------


def test_60_three_points_in_worker_spaces():
    s = scenario("D: 60", {"Halle": (0, 5)}, turn=4).take("event")
    legal = targets(s)
    assert {"Halle", "Gdansk", "Brno", "Gyor", "Timisoara", "Varna"} <= set(legal)
    assert not {"Berlin", "Szeged", "Lutheran Church", "Plzen", "Polish Writers"} & set(legal)
    s.pick("Halle", "Halle", "Halle")
    assert s.support("Halle") == (3, 5) and s.zone(60) == "removed" and s.decision == "none"
