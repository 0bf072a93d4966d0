"""Operations values: what changes them, and when."""

import pytest
from scenario import scenario, spaces

pytestmark = pytest.mark.plain


def points(side: str, card: int, space="Schwerin", **extra) -> int:
    """Points a placement has, spent in one space where each costs 1."""
    game = scenario(f"{side}: {card}", {space: (1, 0) if side == "D" else (0, 1)}, turn=8, **extra).take("place")
    while game.decision == "ops-place":
        game.take(f"space:{space}")
    return max(game.support(space)) - 1


@pytest.mark.parametrize(("side", "card", "extra", "value"), [
    ("C", 15, {}, 3), ("C", 15, {"in_play": [25]}, 4), ("D", 60, {"in_play": [50]}, 3), ("D", 60, {"in_play": [25]}, 2),
    ("C", 15, {"prudence": {"D": 0, "C": -1}}, 2), ("C", 15, {"prudence": {"D": 0, "C": -2}}, 1),
    ("C", 15, {"prudence": {"D": 0, "C": -5}}, 1), ("C", 30, {"prudence": {"D": 0, "C": -1}}, 1),
    ("C", 30, {"prudence": {"D": 0, "C": -1}, "in_play": [25]}, 1),
    ("C", 30, {"prudence": {"D": 0, "C": -1}, "boxes": (0, 2)}, 1),
    ("D", 4, {"prudence": {"D": -1, "C": 0}, "boxes": (2, 0), "in_play": [58]}, 2),
])  # fmt: skip
def test_value_is_summed_then_floored(side, card, extra, value):
    if side == "D" and card == 4:
        extra = {**extra, "space": "Erfurt"}
    assert points(side, card, **extra) == value


def test_border_reopened_inside_the_floor():
    assert points("D", 4, in_play=[58], prudence={"D": -1, "C": 0}) == 1
    assert points("D", 4, in_play=[58]) == 2


def test_modifiers_of_the_user_count():
    support = {"Poznan": (0, 9), "Schwerin": (0, 1)}
    extra = {"in_play": [25], "prudence": {"D": -1, "C": 0}, "dice": [6]}
    game = scenario("C: 27", support, **extra).take("opponent-event", *spaces("Poznan", "Poznan"))
    assert game.support("Poznan") == (0, 6)  # 6 + 3 - 1 = 8: two more points
    game.take("place", *["space:Schwerin"] * 4)
    assert (game.support("Schwerin"), game.zone(27)) == ((0, 5), "discard")


def test_prudence_before_the_operations_counts():
    """Ruling values-when-needed."""
    chance = {"random_discards": [8]}
    game = scenario("C: 71 8", {"Schwerin": (0, 1)}, turn=4, chance=chance).take("card:71", "opponent-event")
    assert game.state.prudence.tolist() == [0, -1]
    game.take("place", *["space:Schwerin"] * 2)
    assert (game.support("Schwerin"), game.decision) == ((0, 3), "none")


def test_sinatra_first_with_award_8_raises_its_own_operations():
    """Ruling values-when-needed."""
    game = scenario("D: 50", {"Schwerin": (1, 0)}, turn=4, boxes=(8, 0)).take("event-and-ops", "event", "place")
    game.take(*["space:Schwerin"] * 4)
    assert game.support("Schwerin") == (5, 0)
