"""Romania: destroyed spaces, the Crowd, the Tyrant's flight and capture."""

import pytest
from scenario import Scenario, scenario
from situations import PETITIONS, check_total

pytestmark = pytest.mark.plain


def test_systematization_of_bucuresti_loses_all():
    game = scenario("C: 69", {"Bucuresti": (1, 4)}, turn=4).take("event", "space:Bucuresti")
    assert game.state.support.sum() == 0


@pytest.mark.parametrize(("gone", "target", "neighbour"), [
    ("Ploiesti", "Brasov", "Bucuresti"), ("Brasov", "Ploiesti", "Bucuresti"), ("Bucuresti", "Brasov", "Ploiesti"),
])  # fmt: skip
def test_adjacency_is_a_set(gone, target, neighbour):
    extra = {"systematized": gone, "in_play": [69], "support": {neighbour: (0, 3)}}
    assert check_total("C", target, **extra) == 8
    assert check_total("D", target, die=6, **extra) == 9


CROWD_DRAWS = ["rally-1"] * 2 + ["march-3"] * 4 + ["march-4"] * 4 + ["strike-3"] * 4 + ["strike-4"]


@pytest.mark.parametrize(("extra", "points"), [
    ({}, 6), ({"in_play": [54, 50]}, 7), ({"prudence": {"D": -1, "C": 0}}, 5), ({"prudence": {"D": -9, "C": 0}}, 0),
])  # fmt: skip
def test_the_crowd(extra, points):
    """Ruling value-of-the-crowd."""
    setting = {"in_play": [54], **extra}
    chance = {"power_deal": {"D": PETITIONS}, "power_draws": CROWD_DRAWS}
    game = scenario("C: 95", {"Craiova": (1, 0)}, turn=8, chance=chance, dice=[1, 1], **setting)
    place_all(game, "Craiova")
    assert game.support("Craiova") == (1 + points, 0)


def place_all(game: Scenario, space: str) -> None:
    """Spend the operation in one space if a placement is offered."""
    if "place" in game.legal:
        game.take("place")
        while game.decision == "ops-place":
            game.take(f"space:{space}")
