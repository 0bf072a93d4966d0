"""Cards 91 to 100, one scripted situation per effect or ruling."""

import pytest
from scenario import at, targets
from situations import NO_RALLY, ROMANIA, USELESS, ended, holders, late, not_playable, played

from dawn_env.tables import COUNTRIES

pytestmark = pytest.mark.plain


# --- 91 My First Banana ---------------------------------------------------------------------------


def test_91_removes_and_checks_in_east_germany():
    s = played("D: 91", {"Leipzig": (0, 5), "Erfurt": (0, 1), "Gdansk": (0, 4)}, dice=[3, 4])
    assert targets(s) == {"Leipzig", "Erfurt"}
    s.take("space:Leipzig", "space:Leipzig")
    assert (s.decision, s.legal) == ("check", ["pass", *at("Leipzig", "Erfurt")])
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


# --- 92 Betrayal ----------------------------------------------------------------------------------


def test_92_swaps_all():
    s = played("C: 92", {"Romanian Orthodox Church": (4, 1), "Bulgarian Orthodox Church": (1, 0)})
    assert (s.actor, targets(s)) == (1, {"Romanian Orthodox Church", "Bulgarian Orthodox Church"})
    s.take("space:Romanian Orthodox Church")
    assert s.support("Romanian Orthodox Church") == (0, 5) and s.support("Bulgarian Orthodox Church") == (1, 0)
    assert (s.decision, s.zone(92)) == ("none", "removed")


def test_92_cannot_be_declined():
    s = played("C: 92", {"Bulgarian Orthodox Church": (2, 0), "Polish Catholic Church": (5, 0)})
    assert s.support("Bulgarian Orthodox Church") == (0, 2) and s.support("Polish Catholic Church") == (5, 0)


def test_92_without_target_is_removed():
    assert played("C: 92", {"Bulgarian Orthodox Church": (0, 2)}).zone(92) == "removed"


# --- 93 Shock Therapy -----------------------------------------------------------------------------


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


# --- 94 Union of Democratic Forces ----------------------------------------------------------------


def test_94_removes_at_most_two_from_a_space_then_checks():
    s = played("D: 94", {"Plovdiv": (0, 6), "Pleven": (0, 3), "Burgas": (0, 1)}, dice=[3, 1])
    s.take("space:Plovdiv", "space:Plovdiv")
    assert targets(s) == {"Pleven", "Burgas"}
    s.take("space:Pleven", "space:Pleven")
    assert (s.decision, s.legal) == ("check", ["pass", *at("Plovdiv", "Pleven", "Burgas")])
    s.take("space:Plovdiv", "space:Plovdiv")
    assert s.support("Plovdiv") == (0, 3) and (s.decision, s.zone(94)) == ("none", "removed")
    s.finish()


def test_94_stops_when_nothing_may_be_removed():
    s = played("D: 94", {"Plovdiv": (0, 6)})
    assert s.support("Plovdiv") == (0, 4) and s.decision == "check"
    assert s.take("pass").decision == "none"


def test_94_without_target_is_removed():
    assert played("D: 94", {"Gdansk": (0, 6)}).zone(94) == "removed"


# --- 96 The Chinese Solution ----------------------------------------------------------------------


MASSACRE = {"boxes": (2, 7)}  # the Democrat in box 2 ends that award


def test_96_needs_the_massacre():
    not_playable(96, "C", "D", boxes=(7, 6))


def test_96_penalty_then_checks():
    s = played("C: 96", {"Schwerin": (9, 0), "Gdansk": (1, 0)}, power=["Poland"], dice=[2, 3, 4, 5, 6], **MASSACRE)
    assert s.decision == "country" and "country:Poland" not in s.legal and "pass" in s.legal
    s.take("country:East Germany")
    assert (s.vp, s.decision, s.legal) == (3, "check", ["pass", *at("Schwerin")])
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


# --- 97 The Tyrant is Gone ------------------------------------------------------------------------


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
    assert (s.decision, s.actor, targets(s)) == ("hideout", 0, {*ROMANIA} - {"Brasov"})
    s.take("space:Cluj-Napoca")
    assert s.position()["ceausescu_hideout"] == "Cluj-Napoca" and s.position()["tyrant_done"]
    assert (s.vp, s.zone(97), s.decision) == (0, "removed", "none")


def test_97_removes_what_is_there():
    assert played("D: 97", {"Cluj-Napoca": (1, 3)}, **CROWD_DONE).support("Cluj-Napoca") == (1, 0)


def test_97_destroyed_cluj_is_skipped():
    s = played("D: 97", {"Bucuresti": (0, 4)}, systematized="Cluj-Napoca", **CROWD_DONE)
    assert s.support("Bucuresti") == (0, 4) and targets(s) == {*ROMANIA} - {"Cluj-Napoca"}


def test_97_nowhere_to_flee():
    """Ruling tyrant-leaves-when-resolved."""
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


# --- 98 Politburo Intrigue ------------------------------------------------------------------------


def test_98_removes_at_most_two_then_checks():
    s = played("C: 98", {"Plovdiv": (4, 0), "Burgas": (2, 0), "Sliven": (1, 0)}, dice=[5])
    s.take("space:Plovdiv", "space:Plovdiv")
    assert targets(s) == {"Burgas", "Sliven"}
    s.take("space:Sliven")
    assert (s.decision, s.legal) == ("check", ["pass", *at("Plovdiv", "Burgas")])
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


# --- 99 Ligachev ----------------------------------------------------------------------------------


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


# --- 100 Stand Fast -------------------------------------------------------------------------------


@pytest.mark.parametrize("control, left", [((0, 3), (0, 3)), ((1, 3), (1, 2))])
def test_100_checks_in_controlled_spaces(control, left):
    s = late("D: 110", {"Lodz": control}, in_play=(100,), stand_fast="C", dice=[4]).take("check", "space:Lodz", "pass")
    assert s.support("Lodz") == left
    s.finish()


def test_100_protects_its_player():
    assert played("C: 100").position()["stand_fast"] == "C"
    s = played("D: 71 / C: 100", chance={"random_discards": [100]})
    assert s.position()["stand_fast"] == "D"
