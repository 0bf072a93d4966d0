"""Support checks: what is added, who may be a target, what declining means."""

import pytest
from scenario import scenario, spaces, targets
from situations import check_total

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


@pytest.mark.parametrize(("hand", "actions"), [
    ("C: 15", ["check"]), ("D: 27", ["event", "space:Poznan"]), ("D: 91", ["event", *spaces("Leipzig", "Leipzig")]),
])  # fmt: skip
def test_every_check_may_be_declined(hand, actions):
    """Ruling declining-ends-the-series."""
    support = {"Poznan": (2, 4), "Krakow": (1, 4), "Leipzig": (1, 3), "Halle": (1, 3)}
    game = scenario(hand, support, turn=8).take(*actions)
    assert (game.decision, "pass" in game.legal) == ("check", True)
    assert game.take("pass").decision == "none"


@pytest.mark.parametrize(("card", "space", "vp"), [
    (26, "Czech Writers", 2), (26, "Charles University", 2), (26, "Brno", 0), (39, "Ruse", 2), (39, "Burgas", 0),
])  # fmt: skip
def test_riders_pay_for_every_check(card, space, vp):
    game = scenario("C: 15", {space: (9, 0)}, in_play=[card], dice=[1, 1])
    assert game.take("check", f"space:{space}", f"space:{space}").vp == vp
    other = scenario("D: 15", {space: (0, 9)}, in_play=[card], dice=[1])
    assert other.take("check", f"space:{space}").vp == 0
