"""Cards 101 to 110, one scripted situation per effect or ruling."""

import pytest
from scenario import targets
from situations import NO_RALLY, USELESS, ended, holders, late, not_playable, played

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


# --- 101 Elena ------------------------------------------------------------------------------------


def test_101_places_and_hinders():
    s = late("C: 101 / D: 110", {"Iasi": (0, 3)}, dice=[4], stop=False).take("event")
    assert s.support("Cluj-Napoca") == (0, 2) and s.zone(101) == "in_play"
    s.take("check", "space:Iasi")
    assert s.support("Iasi") == (0, 3)


def test_101_destroyed_cluj():
    s = played("C: 101", systematized="Cluj-Napoca")
    assert s.support("Cluj-Napoca") == (0, 0) and s.zone(101) == "in_play"


# --- 102 National Salvation Front -----------------------------------------------------------------


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
    """The Democrat holds no card of their own: they take two of six, and lose them again."""
    chance = {"power_deal": {"D": [], "C": USELESS}}
    s = late("C: 95", {"Brasov": (0, 3)}, in_play=(17, 102), chance=chance, dice=[1, 1]).take("pass")
    s.take("retain")
    assert (s.zone(17), s.zone(102)) == ("discard", "removed")
    s.finish()


def test_102_waits_through_other_struggles():
    assert late("C: 23", in_play=(102,), dice=[1, 1]).take("retain").zone(102) == "in_play"


# --- 103 Government Resigns -----------------------------------------------------------------------


def test_103_clears_an_uncontrolled_elite_space():
    s = played("D: 103", {"Dresden": (0, 3), "Plzen": (0, 4), "Bydgoszcz": (0, 2), "Lodz": (0, 1)})
    assert targets(s) == {"Dresden", "Bydgoszcz"}
    assert s.take("space:Dresden").support("Dresden") == (0, 0) and s.zone(103) == "removed"


def test_103_without_target_is_removed():
    assert played("D: 103", {"Plzen": (0, 4)}).zone(103) == "removed"


# --- 104 New Year's Eve Party ---------------------------------------------------------------------


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


# --- 105 Public Against Violence ------------------------------------------------------------------


def test_105_places_and_checks_bratislava():
    s = played("D: 105", {"Bratislava": (0, 3)}, dice=[2]).take("space:Bratislava")
    assert s.support("Kosice") == s.support("Presov") == (2, 0) and s.support("Bratislava") == (0, 2)
    assert played("D: 105", {"Bratislava": (0, 3)}).take("pass").decision == "none"
    assert played("D: 105").support("Kosice") == (2, 0)


# --- 106 Social Democratic Platform Adopted -------------------------------------------------------


def test_106_needs_a_country():
    not_playable(106, "C", "D")


def test_106_places_and_checks():
    s = played("C: 106", {"Lodz": (3, 0)}, power=["Poland"], dice=[5]).take("space:Lodz", "space:Gdansk")
    assert s.decision == "check" and s.take("space:Lodz").support("Lodz") == (1, 1)
    s.finish()


def test_106_debt_burden_stops_the_check_only():
    s = played("C: 106", {"Lodz": (3, 0)}, power=["Poland"], in_play=(49,), debt_burden="Poland")
    assert s.take("space:Lodz", "space:Lodz").decision == "none"


# --- 107 Massacre in Timisoara --------------------------------------------------------------------


def test_107_needs_tokes():
    not_playable(107, "C", "D")


def test_107_two_checks():
    """Ruling tokes-only-enables."""
    s = played("C: 107", {"Iasi": (5, 0)}, in_play=(73,), dice=[2, 3]).take("space:Iasi", "space:Iasi")
    assert s.support("Iasi") == (2, 0) and s.zone(107) == s.zone(73) == "removed"
    assert played("C: 107", {"Iasi": (5, 0)}, in_play=(73,)).take("pass").decision == "none"


# --- 108 Army Backs Revolution --------------------------------------------------------------------


def test_108_removes_securitate():
    assert played("D: 108", in_play=(70,)).zone(70) == "removed"
    assert played("C: 70", in_play=(108,)).zone(70) == "removed"


# --- 109 Kremlin Coup! ----------------------------------------------------------------------------


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


def test_109_one_country_after_the_other():
    """The order is the Communist's, the check of each is declined by itself (ruling coup-country-by-country)."""
    support = {"Praha": (3, 0), "Warszawa": (1, 0)}
    s = played("C: 109", support, power=holders("Czechoslovakia", "Poland"), dice=[6], **COUP)
    assert (s.decision, s.legal) == ("country", ["country:Czechoslovakia", "country:Poland"])
    s.take("country:Poland", "pass", "space:Praha")
    assert s.support("Warszawa") == (1, 0) and s.support("Praha")[0] < 3 and s.decision == "none"
    s.finish()


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


# --- 110 Malta Summit -----------------------------------------------------------------------------


def test_110_after_the_coup():
    not_playable(110, "D", "C", in_play=(33, 81, 84), ussr=4)


def test_110_roll():
    assert played("D: 110", dice=[3]).finish().vp == 0
    assert played("D: 110", dice=[1], **COUP).finish().vp == 3


def test_110_removes_five_from_elite_spaces():
    s = played("D: 110", {"Dresden": (0, 4), "Plzen": (0, 4), "Berlin": (0, 3)}, dice=[4])
    assert targets(s) == {"Dresden", "Plzen"}
    s.take(*["space:Dresden"] * 4)
    assert s.support("Plzen") == (0, 3) and s.zone(110) == "removed"
