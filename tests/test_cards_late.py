"""Events of cards 81 to 110, one situation per ruling."""

import pytest
from scenario import scenario

pytestmark = pytest.mark.plain

COUNTRIES = ("East Germany", "Poland", "Czechoslovakia", "Hungary", "Romania", "Bulgaria")
ROMANIA = (
    "Timisoara", "Cluj-Napoca", "Targu Mures", "Iasi", "Babes-Bolyai University", "Romanian Writers",
    "Harghita/Covasna", "Brasov", "Romanian Orthodox Church", "Ploiesti", "Craiova", "Bucuresti", "Galati",
    "Constanta",
)  # fmt: skip
USELESS = ["leader-intellectual"] * 4 + ["leader-student", "leader-church"]  # nothing to lead with without their spaces
NO_RALLY = ["march-3", "march-4", "strike-3"] * 4 + ["strike-4"] * 3  # 15 cards of the Crowd (54)


def late(hand, support=None, **situation):
    """A situation of turn 9."""
    return scenario(hand, support, **{"turn": 9, **situation})


def played(hand, support=None, **situation):
    """The event of the only card of the hand has been started."""
    return late(hand, support, **situation).take("event")


def not_playable(card, own, other, **situation):
    """The event is offered to neither side, and the card used for operations is discarded."""
    for side in own, other:
        s = late(f"{side}: {card}", phasing=side, **situation)
        assert not {"event", "opponent-event"} & set(s.legal)
        s.take("check")
        while s.decision == "check":
            s.take("pass")
        assert s.zone(card) == "discard"


def holders(*communist):
    """Countries of the Democrat when the Communist holds only these."""
    return [country for country in COUNTRIES if country not in communist]


def legal(s):
    return {action.removeprefix("space:") for action in s.legal}


def ended(s, result, reason="automatic victory"):
    return s.over and (s.result, s.reason) == (result, reason)


# --- 81 The Baltic Way -------------------------------------------------------------------------

SAJUDIS = {"in_play": (33,), "ussr": 1}


def test_81_needs_sajudis():
    not_playable(81, "D", "C", turn=5)


def test_81_vp_control_and_marker():
    s = played("D: 81", {"Razgrad": (1, 2)}, **SAJUDIS)
    assert (s.decision, s.actor, legal(s)) == ("take-control", 0, {"Razgrad", "Harghita/Covasna"})
    s.take("space:Razgrad")
    assert s.support("Razgrad") == (6, 2)
    assert (s.vp, s.state.ussr, s.zone(81), s.decision) == (3, 2, "in_play", "none")
    assert 84 in s.position()["events_enabled"]


def test_81_controlled_space_is_no_choice():
    s = played("D: 81", {"Razgrad": (4, 0)}, **SAJUDIS)
    assert s.support("Harghita/Covasna") == (4, 0)


@pytest.mark.parametrize(
    "support, extra",
    [
        ({"Razgrad": (4, 0), "Harghita/Covasna": (5, 1)}, {}),
        ({"Razgrad": (4, 0)}, {"systematized": "Harghita/Covasna"}),
    ],
)
def test_81_without_a_space_keeps_vp_and_permission(support, extra):
    s = played("D: 81", support, **SAJUDIS, **extra)
    assert (s.vp, s.state.ussr, s.decision) == (3, 2, "none")
    assert 84 in s.position()["events_enabled"]
    assert s.position()["support"] == {name: list(points) for name, points in support.items()}


def test_81_played_by_the_communist_serves_the_democrat():
    s = late("C: 81", **SAJUDIS).take("opponent-event")
    assert s.actor == 0
    s.take("space:Razgrad")
    assert (s.vp, s.support("Razgrad"), s.decision) == (3, (4, 0), "check")


def test_81_vp_may_end_the_game_first():
    s = played("D: 81", vp=17, **SAJUDIS)
    assert ended(s, "democrat") and s.vp == 20 and s.support("Razgrad") == (0, 0)


def test_81_captures_the_ceausescus_at_once():
    s = played("D: 81", ceausescu_hideout="Harghita/Covasna", tyrant_done=True, crowd_done=True, **SAJUDIS)
    s.take("space:Harghita/Covasna")
    assert s.vp == 5 and "ceausescu_hideout" not in s.position()


def test_81_is_red_for_lenin_only_while_playable():
    s = played("D: 46 / C: 81", **SAJUDIS)
    assert s.decision == "lenin" and s.legal == ["card:81", "ops"]
    s = played("D: 46 / C: 81")
    assert "card:81" not in s.legal


def test_81_is_fetched_by_dash_only_while_playable():
    s = played("D: 36", discard=(81,), dice=[6], **SAJUDIS)
    assert s.decision == "take-control" and s.vp == 4
    s.finish()
    s = played("D: 36", discard=(81,), dice=[6])
    assert (s.decision, s.vp, s.zone(81)) == ("none", 1, "discard")
    s.finish()


# --- 82 Spitzel --------------------------------------------------------------------------------


def test_82_takes_two():
    s = played("C: 82", {"Leipzig": (3, 0), "Erfurt": (1, 0), "Gdansk": (2, 0)})
    assert (s.decision, s.actor, legal(s)) == ("remove", 1, {"Leipzig", "Erfurt"})
    s.take("space:Leipzig", "space:Leipzig")
    assert s.support("Leipzig") == (1, 0)
    assert (s.decision, s.zone(82)) == ("none", "removed")


def test_82_takes_what_is_there():
    s = played("C: 82", {"Leipzig": (1, 4)})
    assert s.support("Leipzig") == (0, 4) and s.decision == "none"


def test_82_without_target_is_removed():
    assert played("C: 82", {"Gdansk": (2, 0)}).zone(82) == "removed"


# --- 83 Modrow ---------------------------------------------------------------------------------


def test_83_places_at_most_two_in_a_space():
    s = played("C: 83", {"Leipzig": (3, 0)}, dice=[2]).take("space:Leipzig", "space:Leipzig")
    assert "Leipzig" not in legal(s) and "Gdansk" not in legal(s)
    s.take("space:Erfurt", "space:Halle")
    assert s.support("Leipzig") == (3, 2) and s.support("Erfurt") == s.support("Halle") == (0, 1)
    assert s.decision == "none"
    s.finish()


def test_83_equal_roll_fails():
    s = played("C: 83", {"Leipzig": (3, 0)}, dice=[1])
    assert s.decision == "none"
    s.finish()


def test_83_never_succeeds_against_six():
    six = dict.fromkeys(("Leipzig", "Halle", "Schwerin", "Rostock", "Magdeburg", "Berlin"), (3, 0))
    assert played("C: 83", six, dice=[6]).finish().decision == "none"


@pytest.mark.parametrize("die", [1, 6])
def test_83_blocks_honecker_whatever_the_roll(die):
    s = played("C: 83", {"Leipzig": (3, 0)}, dice=[die])
    if die == 6:
        s.take("space:Leipzig", "space:Leipzig", "space:Erfurt", "space:Erfurt")
    assert 15 not in s.position()["events_enabled"]
    assert s.zone(83) in ("in_play", "removed")
    s.finish()


def test_83_honecker_is_discarded():
    not_playable(15, "C", "D", in_play=(83,))


def test_83_leaves_the_extra_round():
    s = late("C: 1 83 / D: 100", {"Leipzig": (3, 0)}, in_play=(15,), round=7, dice=[1], stop=False).take(
        "card:83", "event", "event"
    )
    assert s.decision == "extra-round"
    s.finish()


# --- 84 Breakaway Baltic Republics -------------------------------------------------------------

BALTIC = {"in_play": (33, 81), "ussr": 2}


def test_84_needs_the_baltic_way():
    not_playable(84, "D", "C", in_play=(33,), ussr=1)


def test_84_space_counts_for_the_check():
    s = played("D: 84", {"Ruse": (0, 3)}, dice=[2], **BALTIC).take("space:Razgrad", "space:Ruse")
    assert s.support("Ruse") == (0, 2)  # 2 + 4 + 1 = 7 against 6
    assert (s.vp, s.state.ussr, s.zone(84), s.decision) == (5, 3, "in_play", "none")
    s.finish()


def test_84_check_may_be_declined():
    s = played("D: 84", {"Ruse": (0, 3)}, **BALTIC).take("space:Razgrad", "pass")
    assert s.decision == "none" and s.support("Ruse") == (0, 3)


def test_84_without_a_space():
    s = played("D: 84", {"Razgrad": (4, 0), "Harghita/Covasna": (4, 0), "Leipzig": (0, 1)}, **BALTIC)
    assert s.decision == "check" and s.vp == 5


def test_84_border_bonus_is_not_asked():
    s = played("D: 84", {"Leipzig": (0, 3)}, dice=[2], in_play=(33, 58, 81), ussr=2)
    s.take("space:Razgrad", "space:Leipzig")
    assert s.support("Leipzig") == (0, 2) and s.decision == "none"  # 2 + 4 + 1
    s.finish()


def test_84_bars_gorbachev_and_allows_the_coup():
    s = played("D: 84", **BALTIC).take("space:Razgrad")
    assert 14 not in s.position()["events_enabled"] and 109 in s.position()["events_enabled"]


def test_84_gorbachev_is_playable_by_neither():
    not_playable(14, "D", "C", in_play=(33, 81, 84), ussr=3)


def test_84_captures_the_ceausescus_at_once():
    s = played("D: 84", ceausescu_hideout="Harghita/Covasna", tyrant_done=True, crowd_done=True, **BALTIC)
    s.take("space:Harghita/Covasna")
    assert s.vp == 7 and "ceausescu_hideout" not in s.position()


def test_84_is_red_for_lenin_only_while_playable():
    assert "card:84" in played("D: 46 / C: 84", **BALTIC).legal
    assert "card:84" not in played("D: 46 / C: 84", in_play=(33,), ussr=1).legal


# --- 85 Tank Column/Tank Man -------------------------------------------------------------------


def test_85_moves_one_box_without_an_attempt():
    for side, boxes in ("D", (1, 0)), ("C", (0, 1)):
        s = played(f"{side}: 85")
        assert tuple(s.state.track) == boxes and not s.state.tried_turn.any()
        assert s.zone(85) == "removed"


def test_85_clears_the_mark_of_a_failed_attempt():
    tried = {"box": 0, "tried_box": True, "tried_turn": True}
    s = played("D: 85", tiananmen={"D": tried, "C": tried})
    assert s.state.tried_box.tolist() == [0, 1] and s.state.tried_turn.tolist() == [1, 1]


def test_85_third_box_draws():
    s = played("D: 85", boxes=(2, 0), chance={"draws": [43, 4, 7]})
    assert (s.decision, s.actor, s.legal) == ("keep-card", 0, ["card:4", "card:43", "card:7"])
    s.take("card:4")
    assert [s.zone(card) for card in (4, 7, 43)] == ["D", "discard", "discard"]
    s.finish()


def test_85_fourth_box_removes_two():
    s = played("C: 85", {"Leipzig": (2, 0), "Gdansk": (2, 0)}, boxes=(0, 3)).take("space:Leipzig", "space:Gdansk")
    assert s.support("Leipzig") == s.support("Gdansk") == (1, 0) and s.decision == "none"


def test_85_second_to_arrive_gets_nothing():
    s = played("D: 85", {"Leipzig": (0, 2), "Gdansk": (0, 2)}, boxes=(3, 4))
    assert s.decision == "none"
    assert played("D: 85", boxes=(2, 3)).decision == "none"


def test_85_ends_the_award_of_the_other():
    """The Communist's one-point card counts 1 again after the Democrat reached box 2."""
    s = late("D: 85 / C: 82", {"Schwerin": (1, 0)}, boxes=(1, 2), dice=[5], stop=False)
    s.take("event", "check", "space:Schwerin")
    assert s.support("Schwerin") == (1, 0)


def test_85_seventh_box_allows_the_chinese_solution():
    s = late("C: 85", boxes=(0, 6))
    assert 96 not in s.position()["events_enabled"]
    assert 96 in s.take("event").position()["events_enabled"]


def test_85_stays_in_the_last_box():
    s = played("D: 85", boxes=(8, 8))
    assert tuple(s.state.track) == (8, 8) and s.zone(85) == "removed"
    assert 67 not in s.position()["events_enabled"]


def test_85_drawn_by_the_kiss_is_the_democrats():
    s = played("D: 71 / C: 85", chance={"random_discards": [85]})
    assert tuple(s.state.track) == (1, 0) and s.zone(85) == "removed"
    s.finish()


# --- 86 "The Wall Must Go!" --------------------------------------------------------------------

# Dice: the phasing side first, and the other way round in every second round.


def test_86_success_by_two_rounds():
    s = played("D: 86", {"Leipzig": (0, 2), "Halle": (0, 2)}, dice=[6, 1, 1, 6])
    assert (s.vp, s.decision, s.actor, legal(s)) == (3, "remove", 1, {"Leipzig", "Halle"})
    s.take("space:Leipzig", "space:Leipzig")
    assert s.support("Leipzig") == (0, 0) and s.support("Halle") == (0, 1)
    assert (s.zone(86), s.decision) == ("in_play", "none")
    s.finish()


def test_86_spaces_count_and_ties_are_rolled_again():
    support = {"Leipzig": (3, 0), "Halle": (3, 0), "Dresden": (0, 4)}
    s = played("D: 86", support, dice=[4, 5, 4, 4, 1, 2, 5, 5])
    assert s.vp == 3 and s.support("Dresden") == (0, 1)
    s.finish()


def test_86_third_round_at_one_all():
    assert played("D: 86", dice=[6, 1, 6, 1, 2, 1]).finish().vp == 3
    assert played("D: 86", dice=[6, 1, 6, 1, 1, 2]).finish().vp == 0


def test_86_failure_leaves_the_wall():
    s = played("D: 86", {"Leipzig": (0, 2)}, dice=[1, 6, 6, 1], in_play=(9,))
    assert (s.vp, s.support("Leipzig"), s.zone(86), s.zone(9)) == (0, (0, 2), "removed", "in_play")
    s.finish()


def test_86_success_removes_the_wall():
    s = late("D: 86 / C: 82", {"Berlin": (3, 0), "Schwerin": (3, 0)}, dice=[6, 1, 1, 6, 6], in_play=(9,), stop=False)
    s.take("event")
    assert s.zone(9) == "removed"
    s.take("check", "space:Schwerin")
    assert s.support("Schwerin") == (3, 0)  # 6 + 1 - 1: no wall against the neighbour
    s.finish()


def test_86_later_wall_is_removed_without_effect():
    assert played("C: 9", in_play=(86,)).zone(9) == "removed"
    s = late("D: 9", in_play=(86,)).take("opponent-event")
    assert s.decision == "none" and s.zone(9) == "removed"


# --- 87 Kohl Proposes Reunification ------------------------------------------------------------


@pytest.mark.parametrize("gone", [(), (86,)])
def test_87_vp_only_without_the_fall_of_the_wall(gone):
    s = played("D: 87", {"Leipzig": (1, 1)}, removed=gone)
    assert (s.vp, s.decision, s.zone(87)) == (2, "none", "removed")


def test_87_placement_by_the_rules_of_operations():
    s = played("D: 87", {"Leipzig": (1, 0), "Dresden": (0, 4), "Gdansk": (0, 1)}, in_play=(86,))
    assert (s.vp, s.decision, s.legal) == (2, "ops", ["check", "place"])
    s.take("place")
    assert "Gdansk" not in legal(s)
    s.take("space:Dresden", "space:Leipzig")
    assert s.support("Dresden") == (1, 4) and s.support("Leipzig") == (2, 0) and s.decision == "none"


def test_87_two_checks_that_may_stop():
    s = played("D: 87", {"Leipzig": (0, 3), "Gdansk": (0, 3)}, in_play=(86,), dice=[4, 3])
    s.take("space:Leipzig", "space:Gdansk")
    assert s.support("Leipzig") == (0, 2) and s.support("Gdansk") == (0, 3) and s.decision == "none"
    s.finish()
    s = played("D: 87", {"Leipzig": (0, 3)}, in_play=(86,), dice=[4]).take("space:Leipzig", "pass")
    assert s.finish().decision == "none"


def test_87_may_be_declined():
    assert played("D: 87", {"Leipzig": (1, 3)}, in_play=(86,)).take("check", "pass").decision == "none"


def test_87_border_and_genscher_help():
    s = played("D: 87", {"Leipzig": (1, 0), "Dresden": (0, 9)}, in_play=(58, 63, 86)).take("place")
    s.take(*["space:Dresden"] * 4)
    assert s.support("Dresden") == (4, 9) and s.decision == "none"


# --- 88 Adamec ---------------------------------------------------------------------------------


def test_88_places_at_most_two_in_a_space():
    s = played("C: 88", {"Praha": (3, 0)}, dice=[3]).take("space:Praha", "space:Praha")
    assert "Praha" not in legal(s) and "Leipzig" not in legal(s)
    s.take("space:Brno", "space:Brno")
    assert s.support("Praha") == (3, 2) and s.support("Brno") == (0, 2)
    assert (s.decision, s.zone(88)) == ("none", "removed")
    s.finish()


def test_88_counts_worker_spaces_only():
    support = {"Brno": (3, 0), "Ostrava": (3, 0), "Praha": (3, 0), "Katowice": (3, 0), "Bratislava": (0, 3)}
    s = played("C: 88", support, dice=[4])
    assert s.decision == "none" and s.zone(88) == "removed"
    assert played("C: 88", support, dice=[5]).finish().decision == "place"


# --- 89 Domino Theory --------------------------------------------------------------------------


def test_89_needs_two_countries():
    not_playable(89, "D", "C", power=["Poland"], discard=(23,))


def test_89_no_scoring_card_is_no_effect():
    assert played("D: 89", power=["Poland", "Hungary"], discard=(4,)).zone(89) == "removed"


def test_89_may_be_declined():
    s = played("D: 89", power=["Poland", "Bulgaria"], discard=(23, 4))
    assert (s.decision, s.legal) == ("event-from-discard", ["card:23", "pass"])
    s.take("pass")
    assert (s.decision, s.zone(89), s.zone(23)) == ("none", "removed", "discard")


def test_89_the_democrat_starts_and_may_take_power():
    deal = {"D": ["march-3"] * 4 + ["strike-3"] * 2, "C": ["march-4"] * 4 + ["strike-4"] * 2}
    s = played(
        "D: 89", {"Miskolc": (3, 0), "Budapest": (0, 3)}, power=["Poland", "Bulgaria"], discard=(23,),
        chance={"power_deal": deal}, dice=[1, 4],
    ).take("card:23")  # fmt: skip
    assert (s.decision, s.actor) == ("stakes", 0)
    s.take("pass", "pass")
    assert (s.decision, s.actor) == ("attack", 0)
    s.take("power:march-3", "concede")
    assert s.position()["power"]["Hungary"]["holder"] == "D" and s.zone(23) == s.zone(89) == "removed"
    assert s.vp == 2  # +2 and equal scores
    s.finish()


def test_89_counts_as_one_more_play_for_power():
    s = played("D: 89", power=["Poland", "Bulgaria"], discard=(23,), dice=[1, 1])
    s.state.times_scored[COUNTRIES.index("Hungary")] = 2
    s.take("card:23", "retain")
    assert s.vp == -3 and s.zone(23) == "discard"
    s.finish()


def test_89_triggered_by_the_communist_in_romania_with_the_crowd():
    """The Democrat has the first word and the initiative; the operations come after the struggle."""
    deal = {"D": ["march-3"] * 4 + ["strike-3"] * 2, "C": ["march-4"] * 4 + ["strike-4"] * 2}
    s = late(
        "C: 89", {"Timisoara": (3, 0), "Brasov": (0, 3)}, power=["Poland", "Bulgaria"], discard=(95,), in_play=(54,),
        chance={"power_deal": deal, "power_draws": ["rally-1", *["petition-5"] * 3, *["petition-6"] * 3,
                *["leader-elite"] * 4, *["leader-intellectual"] * 4]}, dice=[1, 4],
    )  # fmt: skip
    s.take("opponent-event", "card:95")
    assert (s.decision, s.actor) == ("ops", 0)
    s.take("check", "pass")
    assert (s.decision, s.actor) == ("stakes", 0)
    s.take("pass", "pass")
    assert (s.decision, s.actor) == ("attack", 0)
    s.take("power:march-3", "concede")
    assert (s.decision, s.actor, s.zone(95), s.zone(54)) == ("ops", 1, "removed", "removed")
    s.finish()


# --- 90 Civic Forum ----------------------------------------------------------------------------


def test_90_checks_with_czech_writers():
    s = played("D: 90", {"Brno": (0, 3), "Ostrava": (0, 3), "Gdansk": (0, 1)}, dice=[3, 3])
    assert s.vp == 1 and "Gdansk" not in legal(s)
    s.take("space:Czech Writers", "space:Czech Writers", "space:Kosice", "space:Kosice")
    assert (s.decision, legal(s)) == ("check", {"Brno", "Ostrava", "pass"})
    s.take("space:Brno")
    assert s.support("Brno") == (0, 3)  # 3 + 4 - 1 (Ostrava)
    s.take("space:Brno")
    assert (s.decision, s.zone(90)) == ("none", "removed")
    s.finish()


def test_90_no_checks_without_czech_writers():
    s = played("D: 90", {"Czech Writers": (2, 1), "Brno": (0, 3)}).take(*["space:Kosice"] * 4)
    assert s.decision == "none" and s.support("Kosice") == (4, 0)


def test_90_check_may_be_declined():
    s = played("D: 90", {"Czech Writers": (2, 0), "Brno": (0, 3)}).take(*["space:Kosice"] * 4, "pass")
    assert s.decision == "none"


# --- 91 My First Banana ------------------------------------------------------------------------


def test_91_removes_and_checks_in_east_germany():
    s = played("D: 91", {"Leipzig": (0, 5), "Erfurt": (0, 1), "Gdansk": (0, 4)}, dice=[3, 4])
    assert legal(s) == {"Leipzig", "Erfurt"}
    s.take("space:Leipzig", "space:Leipzig")
    assert (s.decision, legal(s)) == ("check", {"Leipzig", "Erfurt", "pass"})
    s.take("space:Leipzig", "space:Leipzig")
    assert s.support("Leipzig") == (0, 2) and (s.decision, s.zone(91)) == ("none", "removed")
    s.finish()


def test_91_checks_may_stop():
    assert played("D: 91", {"Leipzig": (0, 5)}).take("pass").decision == "none"
    s = played("D: 91", {"Leipzig": (0, 5)}, dice=[1]).take("space:Leipzig", "pass")
    assert s.finish().decision == "none"


def test_91_without_target_is_removed():
    assert played("D: 91", {"Gdansk": (0, 4)}).zone(91) == "removed"


def test_91_border_bonus_on_both_checks_without_asking():
    s = played("D: 91", {"Leipzig": (0, 5)}, in_play=(58,), dice=[3, 3]).take("space:Leipzig", "space:Leipzig")
    assert s.support("Leipzig") == (0, 1) and s.decision == "none"
    s.finish()


# --- 92 Betrayal -------------------------------------------------------------------------------


def test_92_swaps_all():
    s = played("C: 92", {"Romanian Orthodox Church": (4, 1), "Bulgarian Orthodox Church": (1, 0)})
    assert (s.actor, legal(s)) == (1, {"Romanian Orthodox Church", "Bulgarian Orthodox Church"})
    s.take("space:Romanian Orthodox Church")
    assert s.support("Romanian Orthodox Church") == (0, 5) and s.support("Bulgarian Orthodox Church") == (1, 0)
    assert (s.decision, s.zone(92)) == ("none", "removed")


def test_92_cannot_be_declined():
    s = played("C: 92", {"Bulgarian Orthodox Church": (2, 0), "Polish Catholic Church": (5, 0)})
    assert s.support("Bulgarian Orthodox Church") == (0, 2) and s.support("Polish Catholic Church") == (5, 0)


def test_92_without_target_is_removed():
    assert played("C: 92", {"Bulgarian Orthodox Church": (0, 2)}).zone(92) == "removed"


# --- 93 Shock Therapy --------------------------------------------------------------------------


def test_93_success():
    s = played("D: 93", {"Lodz": (0, 3)}, power=["Poland", "Hungary"], dice=[4])
    assert (s.decision, s.legal) == ("country", ["country:Hungary", "country:Poland"])
    s.take("country:Poland")
    assert s.vp == 3 and (s.decision, s.actor) == ("place", 0)
    s.take("space:Lodz", "space:Lodz", "space:Gdansk")
    assert s.support("Lodz") == (2, 3) and s.support("Gdansk") == (1, 0)
    assert (s.decision, s.zone(93)) == ("none", "removed")
    s.finish()


def test_93_workers_and_farmers_count():
    support = {"Lodz": (0, 3), "Lublin": (0, 4), "Warszawa": (0, 3)}
    s = played("D: 93", support, power=["Poland"], dice=[4])
    assert (s.vp, s.decision, s.zone(93)) == (0, "none", "removed")
    assert played("D: 93", support, power=["Poland"], dice=[5]).finish().vp == 3


def test_93_without_power_has_no_effect():
    assert played("D: 93").zone(93) == "removed"


# --- 94 Union of Democratic Forces -------------------------------------------------------------


def test_94_removes_at_most_two_from_a_space_then_checks():
    s = played("D: 94", {"Plovdiv": (0, 6), "Pleven": (0, 3), "Burgas": (0, 1)}, dice=[3, 1])
    s.take("space:Plovdiv", "space:Plovdiv")
    assert legal(s) == {"Pleven", "Burgas"}
    s.take("space:Pleven", "space:Pleven")
    assert (s.decision, legal(s)) == ("check", {"Plovdiv", "Pleven", "Burgas", "pass"})
    s.take("space:Plovdiv", "space:Plovdiv")
    assert s.support("Plovdiv") == (0, 3) and (s.decision, s.zone(94)) == ("none", "removed")
    s.finish()


def test_94_stops_when_nothing_may_be_removed():
    s = played("D: 94", {"Plovdiv": (0, 6)})
    assert s.support("Plovdiv") == (0, 4) and s.decision == "check"
    assert s.take("pass").decision == "none"


def test_94_without_target_is_removed():
    assert played("D: 94", {"Gdansk": (0, 6)}).zone(94) == "removed"


# --- 95 Romania Scoring ------------------------------------------------------------------------


def test_95_starter_without_cards_loses():
    s = late("C: 95", {"Brasov": (0, 2)}, dice=[2, 4])
    assert s.support("Brasov") == (0, 1) and s.vp == 2
    assert s.position()["power"]["Romania"]["holder"] == "D" and s.zone(95) == "removed"
    s.finish()


def test_95_communist_retains_or_surrenders():
    s = late("C: 95", dice=[1, 3])
    assert (s.decision, s.actor) == ("power", 1)
    kept = s.copy()
    kept.step("retain")
    assert kept.vp == 1 - 2 and kept.state.times_scored[COUNTRIES.index("Romania")] == 1
    s.take("surrender")
    assert s.vp == 1 and s.zone(95) == "removed"
    s.finish()


def test_95_country_scoring():
    control = dict.fromkeys(("Timisoara", "Iasi", "Brasov", "Ploiesti"), (3, 0))
    s = late("D: 95", {**control, "Galati": (0, 3)}, chance={
        "power_deal": {"D": [*USELESS, *["rally-1"] * 6], "C": ["march-3"] * 4 + ["march-4"] * 2}}, dice=[1, 1],
    )  # fmt: skip
    s.take("pass", "pass", "retain")
    assert s.vp == 1 - 2 + (4 + 3)  # the rally raises both rolls to 3: Galati is lost
    s.finish()


# --- 96 The Chinese Solution -------------------------------------------------------------------

MASSACRE = {"boxes": (2, 7)}  # the Democrat in box 2 ends that award


def test_96_needs_the_massacre():
    not_playable(96, "C", "D", boxes=(7, 6))


def test_96_penalty_then_checks():
    s = played("C: 96", {"Schwerin": (9, 0), "Gdansk": (1, 0)}, power=["Poland"], dice=[2, 3, 4, 5, 6], **MASSACRE)
    assert s.decision == "country" and "country:Poland" not in s.legal and "pass" in s.legal
    s.take("country:East Germany")
    assert (s.vp, s.decision, legal(s)) == (3, "check", {"Schwerin", "pass"})
    s.take(*["space:Schwerin"] * 4)  # 1 + 3 on top of the die
    assert s.support("Schwerin") == (9 - 1 - 2 - 3, 0)
    s.take("space:Schwerin")
    assert s.support("Schwerin") == (0, 1) and (s.decision, s.zone(96)) == ("none", "removed")
    s.finish()


def test_96_second_award_raises_the_value():
    s = played("C: 96", {"Schwerin": (2, 0)}, boxes=(0, 7), dice=[2]).take("country:East Germany", "space:Schwerin")
    assert s.support("Schwerin") == (1, 0)
    s.finish()


def test_96_checks_may_stop_and_the_penalty_stays():
    s = played("C: 96", {"Schwerin": (2, 0)}, **MASSACRE).take("country:East Germany", "pass")
    assert (s.decision, s.vp) == ("none", 3)


def test_96_penalty_without_target_or_in_a_closed_country():
    s = played("C: 96", {"Gdansk": (2, 0)}, in_play=(49,), debt_burden="Poland", **MASSACRE)
    assert "country:Poland" in s.legal
    closed = s.copy()
    closed.step("country:Poland")
    assert (closed.decision, closed.vp) == ("none", 3)
    assert (s.take("country:Hungary").decision, s.vp) == ("none", 3)


def test_96_penalty_may_end_the_game():
    s = played("C: 96", {"Schwerin": (2, 0)}, vp=17, **MASSACRE).take("country:East Germany")
    assert ended(s, "democrat")


def test_96_declined_or_impossible_is_removed():
    s = played("C: 96", **MASSACRE).take("pass")
    assert (s.vp, s.zone(96)) == (0, "removed")
    s = played("C: 96", power=COUNTRIES, **MASSACRE)
    assert (s.vp, s.zone(96), s.decision) == (0, "removed", "none")


def test_96_helsinki_scores_per_check():
    s = played("C: 96", {"Polish Writers": (9, 0)}, in_play=(26,), dice=[1, 1], **MASSACRE).take("country:Poland")
    s.take("space:Polish Writers", "space:Polish Writers", "pass")
    assert s.vp == 3 + 2
    s.finish()


def test_96_eco_glasnost_scores_per_check():
    s = played("C: 96", {"Ruse": (9, 0)}, in_play=(39,), dice=[1, 1], **MASSACRE).take("country:Bulgaria")
    s.take("space:Ruse", "space:Ruse", "pass")
    assert s.vp == 3 + 2
    s.finish()


# --- 97 The Tyrant is Gone ---------------------------------------------------------------------

CROWD_DONE = {"crowd_done": True, "removed": (54,)}
FLED = {"crowd_done": True, "tyrant_done": True, "removed": (54, 97)}


def waiting(hand, support=None, **situation):
    """The Crowd and the Tyrant wait; the struggle's Crowd draws no Rally."""
    chance = {"power_draws": NO_RALLY, **situation.pop("chance", {})}
    return late(hand, support, **{"in_play": (54, 97), "chance": chance, **situation})


def test_97_needs_the_crowd():
    not_playable(97, "D", "C")


def test_97_at_once_after_the_crowd():
    s = played("D: 97", {"Cluj-Napoca": (0, 6), "Brasov": (1, 0), "Galati": (0, 3)}, **CROWD_DONE)
    assert s.support("Cluj-Napoca") == (0, 2)
    assert (s.decision, s.actor, legal(s)) == ("hideout", 0, {*ROMANIA} - {"Brasov"})
    s.take("space:Cluj-Napoca")
    assert s.position()["ceausescu_hideout"] == "Cluj-Napoca" and s.position()["tyrant_done"]
    assert (s.vp, s.zone(97), s.decision) == (0, "removed", "none")


def test_97_removes_what_is_there():
    assert played("D: 97", {"Cluj-Napoca": (1, 3)}, **CROWD_DONE).support("Cluj-Napoca") == (1, 0)


def test_97_destroyed_cluj_is_skipped():
    s = played("D: 97", {"Bucuresti": (0, 4)}, systematized="Cluj-Napoca", **CROWD_DONE)
    assert s.support("Bucuresti") == (0, 4) and legal(s) == {*ROMANIA} - {"Cluj-Napoca"}


def test_97_nowhere_to_flee():
    s = played("D: 97", dict.fromkeys(ROMANIA, (1, 0)), **CROWD_DONE)
    assert (s.vp, s.zone(97), s.decision) == (2, "removed", "none")
    assert "ceausescu_hideout" not in s.position()


def test_97_played_by_the_communist():
    s = late("C: 97", {"Cluj-Napoca": (0, 6)}, **CROWD_DONE).take("opponent-event")
    assert (s.decision, s.actor) == ("hideout", 0)
    s.take("space:Iasi")
    assert (s.decision, s.actor, s.zone(97)) == ("ops", 1, "removed")


def test_97_waits_with_the_crowd():
    s = played("D: 97", {"Cluj-Napoca": (0, 6)}, in_play=(54,))
    assert (s.zone(97), s.decision, s.support("Cluj-Napoca")) == ("in_play", "none", (0, 6))


@pytest.mark.parametrize("die, holder", [(1, "C"), (6, "D")])
def test_97_resolves_after_the_struggle(die, holder):
    s = waiting("C: 95", {"Cluj-Napoca": (0, 2)}, dice=[1, die]).take("pass")
    if s.decision == "check":
        s.take("pass")
    if s.decision == "power":
        s.take("retain")
    assert (s.decision, s.actor, s.support("Cluj-Napoca")) == ("hideout", 0, (0, 0))
    s.take("space:Iasi")
    assert s.position()["power"]["Romania"]["holder"] == holder
    assert (s.zone(54), s.zone(97), s.decision) == ("removed", "removed", "none")
    s.finish()


def test_97_resolves_when_the_communist_won():
    s = waiting("D: 95", dice=[1, 1]).take("retain")
    assert s.decision == "hideout"
    s.finish()


def test_97_comes_after_the_victory_test():
    s = waiting("C: 95", vp=18, dice=[1, 4])
    assert ended(s, "democrat") and "ceausescu_hideout" not in s.position()
    s.finish()


@pytest.mark.parametrize("card", [10, 41, 69, 101, 107])
def test_97_resolved_stops_the_ceausescu_cards(card):
    s = played(f"C: {card}", {"Timisoara": (3, 0)}, in_play=(73,), **FLED)
    assert (s.decision, s.zone(card), s.support("Timisoara")) == ("none", "removed", (3, 0))
    assert s.support("Cluj-Napoca") == (0, 0)


@pytest.mark.parametrize(
    "card, decision", [(10, "place"), (41, "remove"), (69, "destroy"), (101, "none"), (107, "check")]
)
def test_97_waiting_leaves_the_ceausescu_cards(card, decision):
    s = played(f"C: {card}", {"Timisoara": (3, 0), "Iasi": (3, 0)}, in_play=(54, 73, 97))
    assert s.decision == decision
    assert s.support("Cluj-Napoca") == ((0, 2) if card == 101 else (0, 0))


def test_97_capture_by_placement():
    s = late("D: 100", {"Iasi": (2, 0)}, ceausescu_hideout="Iasi", **FLED).take("place", "space:Iasi")
    assert s.vp == 2 and "ceausescu_hideout" not in s.position()


def test_97_capture_by_loss_of_communist_support():
    s = played("D: 110", {"Cluj-Napoca": (4, 1)}, dice=[6], ceausescu_hideout="Cluj-Napoca", **FLED)
    assert s.vp == 3 + 2 and "ceausescu_hideout" not in s.position()
    s.finish()


def test_97_capture_by_the_last_point_of_an_event_ends_the_game():
    s = played("D: 73", {"Timisoara": (2, 0)}, vp=18, ceausescu_hideout="Timisoara", **FLED)
    assert ended(s, "democrat") and s.vp == 20


def test_97_capture_by_a_check():
    s = late("D: 100", {"Iasi": (2, 1)}, ceausescu_hideout="Iasi", dice=[6], **FLED).take("check", "space:Iasi")
    assert s.vp == 2 and "ceausescu_hideout" not in s.position()
    s.finish()


def test_97_without_democratic_control_is_no_capture():
    s = late("D: 100", {"Iasi": (1, 0), "Brasov": (0, 1)}, ceausescu_hideout="Iasi", **FLED)
    s.take("check", "pass")
    assert s.vp == 0 and s.position()["ceausescu_hideout"] == "Iasi"


def test_97_capture_by_sajudis():
    s = played("D: 33", ceausescu_hideout="Harghita/Covasna", **FLED).take("space:Harghita/Covasna")
    assert s.vp == 1 + 2


def test_97_capture_in_a_struggle_waits_for_the_end_of_it():
    """The capture reaches 20, the Communist's Power scoring brings it down again."""
    s = late("C: 95", {"Brasov": (4, 2), "Timisoara": (0, 3)}, vp=18, dice=[2, 1], chance={
        "power_deal": {"D": [], "C": USELESS}}, ceausescu_hideout="Brasov", **FLED).take("pass")  # fmt: skip
    s.take("space:Brasov")
    assert (s.vp, s.over, s.decision) == (20, False, "power")
    s.take("retain")
    assert (s.vp, s.over) == (20 - 2 + 3 - 3, False)
    s.finish()


@pytest.mark.parametrize("hideout, vp, result", [({"ceausescu_hideout": "Iasi"}, -1, "communist"), ({}, 1, "democrat")])
def test_97_at_large_in_final_scoring(hideout, vp, result):
    s = late("D: 100", turn=10, round=7, vp=1, power=COUNTRIES, **hideout, **FLED).take("event")
    assert ended(s, result, "final scoring") and s.vp == vp


def test_97_at_large_at_the_party():
    s = played("D: 100", round=7, vp=1, power=COUNTRIES, ceausescu_hideout="Iasi", in_play=(104,), **FLED)
    assert ended(s, "democrat", "new year's eve party") and s.vp == 1


def test_97_does_not_resolve_in_the_last_struggle():
    party = {"round": 7, "in_play": (54, 97, 104), "power": holders("Romania")}
    s = waiting("D: 100", {"Cluj-Napoca": (0, 2)}, dice=[1, 1], **party)
    s.take("event", "country:Romania")
    while not s.over:
        s.take("pass" if "pass" in s.legal else "retain")
    assert s.reason == "new year's eve party" and s.support("Cluj-Napoca") == (0, 2)
    s.finish()


# --- 98 Politburo Intrigue ---------------------------------------------------------------------


def test_98_removes_at_most_two_then_checks():
    s = played("C: 98", {"Plovdiv": (4, 0), "Burgas": (2, 0), "Sliven": (1, 0)}, dice=[5])
    s.take("space:Plovdiv", "space:Plovdiv")
    assert legal(s) == {"Burgas", "Sliven"}
    s.take("space:Sliven")
    assert (s.decision, legal(s)) == ("check", {"Plovdiv", "Burgas", "pass"})
    s.take("space:Plovdiv")
    assert s.support("Plovdiv") == (1, 0) and (s.decision, s.zone(98)) == ("none", "removed")
    s.finish()


def test_98_check_may_be_declined():
    assert played("C: 98", {"Plovdiv": (4, 0)}).take("pass").support("Plovdiv") == (2, 0)


def test_98_debt_burden_stops_the_check_only():
    s = played("C: 98", {"Plovdiv": (4, 0)}, in_play=(49,), debt_burden="Bulgaria")
    assert s.decision == "none" and s.support("Plovdiv") == (2, 0)


def test_98_without_target_is_removed():
    assert played("C: 98").zone(98) == "removed"


# --- 99 Ligachev -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "card, action, vp", [(14, "event", 0), (14, "check", -3), (14, "tiananmen", -3), (100, "event", -3)]
)
def test_99_penalty(card, action, vp):
    s = late(f"D: {card}", in_play=(99,), chance={"dice": [1] if action == "tiananmen" else []}).take(action)
    assert (s.vp, s.zone(99)) == (vp, "removed")


def test_99_with_the_eighth_award():
    s = late("D: 100", in_play=(99,), boxes=(8, 0)).take("event-and-ops", "ops")
    assert (s.vp, s.zone(99)) == (-3, "removed")
    s = late("D: 14", in_play=(99,), boxes=(8, 0)).take("event-and-ops", "ops")
    assert (s.vp, s.zone(99)) == (0, "removed")


def test_99_forfeited_round():
    s = late("", phasing="D", in_play=(99,))
    assert (s.vp, s.zone(99)) == (-3, "removed")


def test_99_before_a_scoring_card():
    s = late("D: 95", in_play=(99,), vp=-17)
    assert ended(s, "communist") and s.vp == -20


def test_99_round_in_progress_is_free():
    s = late("D: 99").take("opponent-event")
    assert (s.vp, s.zone(99)) == (0, "in_play")


# --- 100 Stand Fast, 101 Elena -----------------------------------------------------------------


@pytest.mark.parametrize("control, left", [((0, 3), (0, 3)), ((1, 3), (1, 2))])
def test_100_checks_in_controlled_spaces(control, left):
    s = late("D: 110", {"Lodz": control}, in_play=(100,), stand_fast="C", dice=[4]).take("check", "space:Lodz", "pass")
    assert s.support("Lodz") == left
    s.finish()


def test_100_protects_its_player():
    assert played("C: 100").position()["stand_fast"] == "C"
    s = played("D: 71 / C: 100", chance={"random_discards": [100]})
    assert s.position()["stand_fast"] == "D"


def test_101_places_and_hinders():
    s = late("C: 101 / D: 110", {"Iasi": (0, 3)}, dice=[4], stop=False).take("event")
    assert s.support("Cluj-Napoca") == (0, 2) and s.zone(101) == "in_play"
    s.take("check", "space:Iasi")
    assert s.support("Iasi") == (0, 3)


def test_101_destroyed_cluj():
    s = played("C: 101", systematized="Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (0, 0) and s.zone(101) == "in_play"


# --- 102 National Salvation Front --------------------------------------------------------------


def test_102_takes_two_cards():
    deal = {"D": ["march-3"] * 4, "C": [*USELESS, "strike-3", "strike-3"]}
    s = late("C: 43", {"Burgas": (3, 0), "Varna": (0, 3)}, in_play=(102,), chance={"power_deal": deal}, dice=[1, 1])
    s.take("pass", "pass", "retain")
    assert s.zone(102) == "removed"
    s.finish()


def test_102_used_up_without_cards():
    s = late("C: 95", in_play=(102,), dice=[1, 1]).take("retain")
    assert s.zone(102) == "removed"
    s.finish()


def test_102_comes_after_the_roundtable():
    """The Democrat holds no card of his own: he takes two of six, and loses them again."""
    chance = {"power_deal": {"D": [], "C": USELESS}}
    s = late("C: 95", {"Brasov": (0, 3)}, in_play=(17, 102), chance=chance, dice=[1, 1]).take("pass")
    s.take("retain")
    assert (s.zone(17), s.zone(102)) == ("discard", "removed")
    s.finish()


def test_102_waits_through_other_struggles():
    assert late("C: 23", in_play=(102,), dice=[1, 1]).take("retain").zone(102) == "in_play"


# --- 103 to 110 --------------------------------------------------------------------------------


def test_103_clears_an_uncontrolled_elite_space():
    s = played("D: 103", {"Dresden": (0, 3), "Plzen": (0, 4), "Bydgoszcz": (0, 2), "Lodz": (0, 1)})
    assert legal(s) == {"Dresden", "Bydgoszcz"}
    assert s.take("space:Dresden").support("Dresden") == (0, 0) and s.zone(103) == "removed"


def test_103_without_target_is_removed():
    assert played("D: 103", {"Plzen": (0, 4)}).zone(103) == "removed"


@pytest.mark.parametrize("power, vp", [(("Poland", "Hungary"), -3), (("Poland", "Hungary", "Romania"), 3)])
def test_104_declared(power, vp):
    s = played("C: 104", power=power)
    assert (s.decision, s.actor) == ("party", 1)
    assert (s.take("end-game").vp, s.zone(104)) == (vp, "in_play")


def test_104_not_declared():
    s = played("C: 104").take("continue")
    assert (s.vp, s.zone(104)) == (0, "removed")


def test_104_played_by_the_democrat():
    s = late("D: 104").take("opponent-event")
    assert (s.decision, s.actor) == ("party", 1)


def test_104_no_last_struggle():
    s = played("D: 100", round=7, in_play=(104,), power=holders("Hungary"), vp=-1)
    assert (s.decision, s.actor, s.legal) == ("last-struggle", 0, ["country:Hungary", "pass"])
    assert ended(s.take("pass"), "communist", "new year's eve party")


def test_104_crowd_in_the_last_struggle_leaves_the_democrat_first():
    deal = {"D": ["petition-5"] * 3 + ["petition-6"] * 3, "C": ["march-5", "march-6"] * 2 + ["strike-5"] * 2}
    support = {"Timisoara": (3, 0), "Brasov": (0, 3)}
    s = late("D: 100", support, round=7, in_play=(54, 104), power=holders("Romania"), chance={
        "power_deal": deal, "power_draws": NO_RALLY}).take("event", "country:Romania", "pass")  # fmt: skip
    assert (s.decision, s.actor) == ("stakes", 0)
    s.take("pass", "pass")
    assert (s.decision, s.actor) == ("attack", 0)
    s.finish()


def test_104_held_scoring_card_comes_first():
    s = late("D: 100 95", round=7, in_play=(104,)).take("card:100", "event")
    assert ended(s, "communist", "held scoring card")


def test_105_places_and_checks_bratislava():
    s = played("D: 105", {"Bratislava": (0, 3)}, dice=[2]).take("space:Bratislava")
    assert s.support("Kosice") == s.support("Presov") == (2, 0) and s.support("Bratislava") == (0, 2)
    assert played("D: 105", {"Bratislava": (0, 3)}).take("pass").decision == "none"
    assert played("D: 105").support("Kosice") == (2, 0)


def test_106_needs_a_country():
    not_playable(106, "C", "D")


def test_106_places_and_checks():
    s = played("C: 106", {"Lodz": (3, 0)}, power=["Poland"], dice=[5]).take("space:Lodz", "space:Gdansk")
    assert s.decision == "check" and s.take("space:Lodz").support("Lodz") == (1, 1)
    s.finish()


def test_106_debt_burden_stops_the_check_only():
    s = played("C: 106", {"Lodz": (3, 0)}, power=["Poland"], in_play=(49,), debt_burden="Poland")
    assert s.take("space:Lodz", "space:Lodz").decision == "none"


def test_107_needs_tokes():
    not_playable(107, "C", "D")


def test_107_two_checks():
    s = played("C: 107", {"Iasi": (5, 0)}, in_play=(73,), dice=[2, 3]).take("space:Iasi", "space:Iasi")
    assert s.support("Iasi") == (2, 0) and s.zone(107) == "removed"
    assert played("C: 107", {"Iasi": (5, 0)}, in_play=(73,)).take("pass").decision == "none"


def test_108_removes_securitate():
    assert played("D: 108", in_play=(70,)).zone(70) == "removed"
    assert played("C: 70", in_play=(108,)).zone(70) == "removed"


COUP = {"in_play": (33, 81, 84), "ussr": 3}


def test_109_needs_breakaway():
    not_playable(109, "C", "D", in_play=(33, 81), ussr=2)


@pytest.mark.parametrize("before, after", [((3, 0), (2, 0)), ((0, 0), (0, 1))])
def test_109_elite_then_check(before, after):
    s = played("C: 109", {"Plzen": (1, 0), "Praha": before}, power=holders("Czechoslovakia"), dice=[2], **COUP)
    assert (s.vp, s.state.ussr, s.support("Plzen"), s.decision) == (-3, 4, (1, 5), "check")
    assert s.take("space:Praha").support("Praha") == after
    assert 110 not in s.position()["events_enabled"] and s.zone(109) == "removed"


def test_109_check_may_be_declined():
    s = played("C: 109", {"Praha": (3, 0)}, power=holders("Czechoslovakia"), **COUP).take("pass")
    assert s.decision == "none" and s.support("Praha") == (3, 0)


def test_109_destroyed_bucuresti():
    s = played("C: 109", power=holders("Romania"), systematized="Bucuresti", **COUP)
    assert s.decision == "none" and s.support("Bucuresti") == (0, 0) and s.support("Cluj-Napoca") == (0, 4)


def test_109_destroyed_cluj():
    s = played("C: 109", {"Bucuresti": (1, 0)}, power=holders("Romania"), systematized="Cluj-Napoca", **COUP)
    assert s.decision == "check" and s.support("Cluj-Napoca") == (0, 0)


def test_109_debt_burden_stops_the_check_only():
    situation = {"in_play": (33, 49, 81, 84), "ussr": 3, "debt_burden": "Poland", "power": holders("Poland")}
    s = played("C: 109", {"Warszawa": (3, 0)}, **situation)
    assert s.decision == "none" and s.support("Bydgoszcz") == (0, 4)


def test_109_uses_up_the_wall():
    situation = {"in_play": (9, 33, 81, 84), "ussr": 3, "power": holders("East Germany"), "dice": [1]}
    s = played("C: 109", {"Berlin": (3, 0)}, **situation).take("space:Berlin")
    assert s.zone(9) == "removed"
    s.finish()


def test_109_without_power():
    assert played("C: 109", power=COUNTRIES, **COUP).vp == -3


def test_110_after_the_coup():
    not_playable(110, "D", "C", in_play=(33, 81, 84), ussr=4)


def test_110_roll():
    assert played("D: 110", dice=[3]).finish().vp == 0
    assert played("D: 110", dice=[1], **COUP).finish().vp == 3


def test_110_removes_five_from_elite_spaces():
    s = played("D: 110", {"Dresden": (0, 4), "Plzen": (0, 4), "Berlin": (0, 3)}, dice=[4])
    assert legal(s) == {"Dresden", "Plzen"}
    s.take(*["space:Dresden"] * 4)
    assert s.support("Plzen") == (0, 3) and s.zone(110) == "removed"
