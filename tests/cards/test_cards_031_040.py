"""Cards 31 to 40, one scripted situation per effect or ruling."""

import pytest
from scenario import at, scenario
from situations import BULGARIA, FARMERS, HUNGARY, INTELLECTUALS, TYRANT_WENT, cards, extra_check, prudence, total

pytestmark = pytest.mark.plain


# --- 31 Intelligentsia ----------------------------------------------------------------------------


def test_31_intelligentsia():
    s = scenario("D: 31", {"German Writers": (0, 3)}).take("event")
    assert s.legal == at(*INTELLECTUALS)
    s.take("space:German Writers", "space:German Writers")
    assert s.legal == at(*INTELLECTUALS[1:])
    s.take("space:Polish Writers", "space:Czech Writers")
    assert s.support("German Writers") == (2, 3) and total(s, "D") == 4 and s.zone(31) == "discard"


# --- 32 Peasant Parties ---------------------------------------------------------------------------


def test_32_peasant_parties():
    s = scenario("C: 32", {"Szeged": (5, 0)}).take("event")
    assert len(FARMERS) == 11 and s.legal == at(*FARMERS)
    s.take("space:Szeged", "space:Szeged")
    assert s.legal == at(*set(FARMERS) - {"Szeged"})
    s.take("space:Erfurt", "space:Sliven")
    assert s.support("Szeged") == (5, 2) and total(s, "C") == 4 and s.zone(32) == "removed"


# --- 33 Sajudis -----------------------------------------------------------------------------------


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


# --- 34 FIDESZ ------------------------------------------------------------------------------------


def test_34_fidesz():
    s = scenario("D: 34", {"Eotvos Lorand University": (0, 2)}).take("event")
    assert s.support("Eotvos Lorand University") == (5, 2) and s.zone(34) == "removed"


# --- 35 Heal Our Bleeding Wound -------------------------------------------------------------------


@pytest.mark.parametrize("hand, action", [("C: 35", "event"), ("D: 35", "opponent-event")])
@pytest.mark.parametrize("turn, vp", [(1, -3), (3, -3), (4, -1), (7, -1), (8, 3), (10, 3)])
def test_35_heal_our_bleeding_wound(hand, action, turn, vp):
    s = scenario(hand, turn=turn).take(action)
    assert s.vp == vp and s.zone(35) == "removed"


# --- 36 Dash for the West -------------------------------------------------------------------------


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


# --- 37 Nagy Reburied -----------------------------------------------------------------------------


@pytest.mark.parametrize("before", [(1, 3), (1, 0)])
def test_37_nagy_reburied(before):
    s = scenario("C: 37", {"Szombathely": before}).take("event")
    assert s.support("Szombathely") == (1, 0) and s.legal == at(*HUNGARY)
    s.take("space:Szombathely", "space:Szombathely")
    assert s.legal == at(*set(HUNGARY) - {"Szombathely"})
    s.take("space:Budapest", "space:Pecs")
    assert s.support("Szombathely") == (1, 2) and total(s, "C") == 4 and s.zone(37) == "removed"


# --- 38 The July Concept --------------------------------------------------------------------------


def test_38_the_july_concept():
    s = scenario("C: 38", {"Varna": (4, 0)}).take("event")
    assert s.legal == at(*BULGARIA)
    s.take(*["space:Varna"] * 3)
    assert s.support("Varna") == (4, 3) and s.zone(38) == "removed"


# --- 39 Eco-Glasnost ------------------------------------------------------------------------------


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


# --- 40 Hungarian Democratic Forum ----------------------------------------------------------------


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
