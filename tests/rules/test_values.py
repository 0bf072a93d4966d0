"""Operations values: what changes them, and when."""

import pytest
from scenario import scenario

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
