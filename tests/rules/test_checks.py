"""Support checks: what is added, who may be a target, what declining means."""

import pytest
from scenario import asked, scenario, spaces, targets
from situations import check_total, end_of_turn

pytestmark = pytest.mark.plain


def test_check_adds_die_and_value():
    assert check_total("C", "Schwerin") == 7
    assert check_total("D", "Schwerin", die=6) == 10


def test_check_counts_neighbours_that_are_controlled():
    around = {"Poznan": (0, 3), "Bydgoszcz": (0, 4), "Warszawa": (2, 0)}
    assert check_total("C", "Gdansk", support=around) == 9
    assert check_total("D", "Gdansk", die=6, support=around) == 8


def test_the_wall_ignores_democrats_next_door():
    around = {"Rostock": (3, 0), "Berlin": (0, 3)}
    assert check_total("C", "Schwerin", support=around) == 7
    assert check_total("C", "Schwerin", support=around, in_play=[9]) == 8


@pytest.mark.parametrize(("space", "card", "used"), [
    ("Schwerin", 9, True), ("Szczecin", 9, False), ("Walter Ulbricht Academy", 30, True), ("Schwerin", 30, False),
])  # fmt: skip
def test_wall_and_tear_gas_serve_one_check(space, card, used):
    game = scenario("C: 14", {space: (9, 0)}, in_play=[card], dice=[1]).take("check", f"space:{space}")
    assert game.zone(card) == ("removed" if used else "in_play")


@pytest.mark.parametrize(("side", "space", "extra", "change"), [
    ("C", "Walter Ulbricht Academy", {"in_play": [30]}, 1),
    ("D", "Schwerin", {"in_play": [59]}, -1),
    ("D", "Szczecin", {"in_play": [59]}, 0),
    ("D", "Szczecin", {"in_play": [74]}, 1),
    ("D", "Brasov", {"in_play": [74]}, 0),
    ("C", "Szczecin", {"in_play": [74]}, 0),
    ("D", "Brasov", {"in_play": [101]}, -1),
    ("C", "Brasov", {"in_play": [101]}, 0),
    ("D", "Brasov", {"in_play": [100], "stand_fast": "C"}, -1),
    ("C", "Brasov", {"in_play": [100], "stand_fast": "C"}, 0),
    ("C", "Brasov", {"in_play": [100], "stand_fast": "D"}, -1),
    ("C", "Brasov", {"in_play": [25]}, 1),
    ("D", "Brasov", {"in_play": [50]}, 1),
    ("D", "Brasov", {"prudence": {"D": -1, "C": 0}}, -1),
])  # fmt: skip
def test_check_modifiers(side, space, extra, change):
    assert check_total(side, space, die=6, **extra) == 10 + change


def test_stand_fast_needs_control():
    support = {"Brasov": (18, 20)}
    game = scenario("D: 14", support, turn=8, in_play=[100], stand_fast="C", dice=[6]).take("check", "space:Brasov")
    assert game.support("Brasov") == (18, 16)


def test_excess_becomes_own_support():
    game = scenario("C: 14", {"Schwerin": (1, 0)}, dice=[6]).take("check", "space:Schwerin")
    assert game.support("Schwerin") == (0, 3)


def test_equal_to_twice_the_stability_does_nothing():
    game = scenario("C: 14", {"Schwerin": (1, 0)}, dice=[2]).take("check", "space:Schwerin")
    assert game.support("Schwerin") == (1, 0)


def test_two_checks_whatever_the_value_and_the_same_space_twice():
    game = scenario("C: 30", {"Czech Writers": (3, 0)}, dice=[4, 4]).take("check", "space:Czech Writers")
    assert (*asked(game), game.support("Czech Writers")) == ("check", "C", (2, 0))
    game.take("space:Czech Writers")
    assert (game.support("Czech Writers"), game.decision) == ((1, 0), "none")
    game.finish()


def test_targets_hold_opposing_points():
    game = scenario("C: 14", {"Gdansk": (1, 5), "Lodz": (0, 3)}).take("check")
    assert targets(game) == {"Gdansk"}


@pytest.mark.parametrize(("extra", "barred"), [
    ({"in_play": [2]}, {"Gdansk"}), ({"in_play": [48]}, {"Leipzig"}),
    ({"in_play": [49], "debt_burden": "Poland"}, {"Gdansk", "Krakow"}),
])  # fmt: skip
@pytest.mark.parametrize("card", [15, 14])
def test_bans(extra, barred, card):
    four = {"Gdansk", "Krakow", "Leipzig", "Brno"}
    for side, points in (("C", (1, 0)), ("D", (0, 1))):
        game = scenario(f"{side}: {card}", dict.fromkeys(four, points), turn=4, **extra).take("check")
        assert targets(game) == (four - barred if side == "C" else four)


def test_bans_hold_for_event_checks_and_award_6():
    game = scenario("C: 1", {"Gdansk": (2, 0), "Krakow": (1, 0)}, in_play=[2]).take("event", "space:Gdansk")
    assert targets(game) == {"Krakow"}
    support = {"Gdansk": (1, 0), "Lodz": (1, 0)}
    game = end_of_turn("D: 26 40", "card:26", "event", support=support, boxes=(0, 6), in_play=[2])
    assert targets(game) == {"Lodz"}


@pytest.mark.parametrize(("hand", "actions"), [
    ("C: 15", ["check"]), ("D: 27", ["event", "space:Poznan"]), ("D: 91", ["event", *spaces("Leipzig", "Leipzig")]),
])  # fmt: skip
def test_every_check_may_be_declined(hand, actions):
    """Ruling declining-ends-the-series."""
    support = {"Poznan": (2, 4), "Krakow": (1, 4), "Leipzig": (1, 3), "Halle": (1, 3)}
    game = scenario(hand, support, turn=8).take(*actions)
    assert (game.decision, "pass" in game.legal) == ("check", True)
    assert game.take("pass").decision == "none"


def test_the_second_check_may_be_declined():
    game = scenario("C: 15", {"Poznan": (4, 0)}, dice=[1]).take("check", "space:Poznan", "pass")
    assert (game.decision, game.zone(15)) == ("none", "discard")


@pytest.mark.parametrize(("card", "space", "vp"), [
    (26, "Czech Writers", 2), (26, "Charles University", 2), (26, "Brno", 0), (39, "Ruse", 2), (39, "Burgas", 0),
])  # fmt: skip
def test_riders_pay_for_every_check(card, space, vp):
    game = scenario("C: 15", {space: (9, 0)}, in_play=[card], dice=[1, 1])
    assert game.take("check", f"space:{space}", f"space:{space}").vp == vp
    other = scenario("D: 15", {space: (0, 9)}, in_play=[card], dice=[1])
    assert other.take("check", f"space:{space}").vp == 0


def test_victory_between_two_checks():
    """Ruling order-within-a-check."""
    game = scenario("C: 15", {"Czech Writers": (9, 0)}, in_play=[26], vp=19, dice=[1])
    game.take("check", "space:Czech Writers")
    assert (game.result, game.vp) == ("democrat", 20)
    game.finish()


GERMAN = {"Schwerin": (0, 9), "Magdeburg": (0, 9), "Poznan": (0, 9)}


def test_border_reopened_declared():
    """Ruling bonus-binds-checks."""
    game = scenario("D: 14", GERMAN, turn=4, in_play=[58], dice=[3, 3]).take("check", "space:Schwerin")
    assert (*asked(game), game.legal) == ("border-bonus", "D", ["no", "yes"])
    game.take("yes")
    assert (game.support("Schwerin"), game.legal) == ((0, 7), ["pass", "space:Magdeburg", "space:Schwerin"])
    game.take("space:Magdeburg")
    assert game.support("Magdeburg") == (0, 7)
    game.finish()


def test_border_reopened_not_declared():
    game = scenario("D: 14", GERMAN, turn=4, in_play=[58], dice=[3, 3]).take("check", "space:Schwerin", "no")
    assert (game.support("Schwerin"), targets(game)) == ((0, 8), set(GERMAN))
    assert game.take("space:Schwerin").support("Schwerin") == (0, 7)


def test_border_reopened_first_check_elsewhere():
    game = scenario("D: 14", GERMAN, turn=4, in_play=[58], dice=[3, 3]).take("check", *spaces("Poznan", "Schwerin"))
    assert (game.support("Poznan"), game.support("Schwerin")) == ((0, 8), (0, 8))
    game.finish()


def test_border_reopened_lapses_without_target():
    start = {"Schwerin": (0, 1), "Poznan": (0, 9)}
    game = scenario("D: 14", start, turn=4, in_play=[58], dice=[6]).take("check", "space:Schwerin", "yes")
    assert (game.support("Schwerin"), game.decision) == ((4, 0), "none")


def test_border_reopened_helps_event_checks_unasked():
    start = {"Schwerin": (0, 9), "Leipzig": (0, 2)}
    game = scenario("D: 91", start, turn=8, in_play=[58], dice=[4, 4]).take("event", *spaces("Leipzig", "Leipzig"))
    game.take("space:Schwerin", "space:Schwerin")
    assert game.support("Schwerin") == (0, 5)
