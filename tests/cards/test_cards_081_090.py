"""Cards 81 to 90, one scripted situation per effect or ruling."""

import pytest
from scenario import at, targets
from situations import ended, late, not_playable, played

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


# --- 81 The Baltic Way ----------------------------------------------------------------------------


SAJUDIS = {"in_play": (33,), "ussr": 1}


def test_81_needs_sajudis():
    not_playable(81, "D", "C", turn=5)


def test_81_vp_control_and_marker():
    s = played("D: 81", {"Razgrad": (1, 2)}, **SAJUDIS)
    assert (s.decision, s.actor, targets(s)) == ("take-control", 0, {"Razgrad", "Harghita/Covasna"})
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


# --- 82 Spitzel -----------------------------------------------------------------------------------


def test_82_takes_two():
    s = played("C: 82", {"Leipzig": (3, 0), "Erfurt": (1, 0), "Gdansk": (2, 0)})
    assert (s.decision, s.actor, targets(s)) == ("remove", 1, {"Leipzig", "Erfurt"})
    s.take("space:Leipzig", "space:Leipzig")
    assert s.support("Leipzig") == (1, 0)
    assert (s.decision, s.zone(82)) == ("none", "removed")


def test_82_takes_what_is_there():
    s = played("C: 82", {"Leipzig": (1, 4)})
    assert s.support("Leipzig") == (0, 4) and s.decision == "none"


def test_82_without_target_is_removed():
    assert played("C: 82", {"Gdansk": (2, 0)}).zone(82) == "removed"


# --- 83 Modrow ------------------------------------------------------------------------------------


def test_83_places_at_most_two_in_a_space():
    s = played("C: 83", {"Leipzig": (3, 0)}, dice=[2]).take("space:Leipzig", "space:Leipzig")
    assert "Leipzig" not in targets(s) and "Gdansk" not in targets(s)
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


# --- 84 Breakaway Baltic Republics ----------------------------------------------------------------


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


# --- 85 Tank Column/Tank Man ----------------------------------------------------------------------


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


# --- 86 "The Wall Must Go!" -----------------------------------------------------------------------


# Dice: the phasing side first, and the other way round in every second round.


def test_86_success_by_two_rounds():
    s = played("D: 86", {"Leipzig": (0, 2), "Halle": (0, 2)}, dice=[6, 1, 1, 6])
    assert (s.vp, s.decision, s.actor, targets(s)) == (3, "remove", 1, {"Leipzig", "Halle"})
    s.take("space:Leipzig", "space:Leipzig")
    assert s.support("Leipzig") == (0, 0) and s.support("Halle") == (0, 1)
    assert (s.zone(86), s.decision) == ("in_play", "none")
    s.finish()


def test_86_spaces_count_and_ties_are_rolled_again():
    """Ruling rounds-of-the-wall."""
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


# --- 87 Kohl Proposes Reunification ---------------------------------------------------------------


@pytest.mark.parametrize("gone", [(), (86,)])
def test_87_vp_only_without_the_fall_of_the_wall(gone):
    s = played("D: 87", {"Leipzig": (1, 1)}, removed=gone)
    assert (s.vp, s.decision, s.zone(87)) == (2, "none", "removed")


def test_87_placement_by_the_rules_of_operations():
    s = played("D: 87", {"Leipzig": (1, 0), "Dresden": (0, 4), "Gdansk": (0, 1)}, in_play=(86,))
    assert (s.vp, s.decision, s.legal) == (2, "ops", ["check", "place"])
    s.take("place")
    assert "Gdansk" not in targets(s)
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


# --- 88 Adamec ------------------------------------------------------------------------------------


def test_88_places_at_most_two_in_a_space():
    s = played("C: 88", {"Praha": (3, 0)}, dice=[3]).take("space:Praha", "space:Praha")
    assert "Praha" not in targets(s) and "Leipzig" not in targets(s)
    s.take("space:Brno", "space:Brno")
    assert s.support("Praha") == (3, 2) and s.support("Brno") == (0, 2)
    assert (s.decision, s.zone(88)) == ("none", "removed")
    s.finish()


def test_88_counts_worker_spaces_only():
    support = {"Brno": (3, 0), "Ostrava": (3, 0), "Praha": (3, 0), "Katowice": (3, 0), "Bratislava": (0, 3)}
    s = played("C: 88", support, dice=[4])
    assert s.decision == "none" and s.zone(88) == "removed"
    assert played("C: 88", support, dice=[5]).finish().decision == "place"


# --- 89 Domino Theory -----------------------------------------------------------------------------


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


# --- 90 Civic Forum -------------------------------------------------------------------------------


def test_90_checks_with_czech_writers():
    s = played("D: 90", {"Brno": (0, 3), "Ostrava": (0, 3), "Gdansk": (0, 1)}, dice=[3, 3])
    assert s.vp == 1 and "Gdansk" not in targets(s)
    s.take("space:Czech Writers", "space:Czech Writers", "space:Kosice", "space:Kosice")
    assert (s.decision, s.legal) == ("check", ["pass", *at("Brno", "Ostrava")])
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
