"""The Tiananmen Square track: attempts and awards."""

import pytest
from scenario import scenario
from situations import track

pytestmark = pytest.mark.plain

NEEDS = {"D": (5, 5, 6, 6, 7, 8, 9, 10), "C": (6, 6, 7, 7, 8, 7, 6, 5)}


@pytest.mark.parametrize("side", ["D", "C"])
@pytest.mark.parametrize("box", range(1, 9))
def test_requirement_of_each_box(side, box):
    need = NEEDS[side][box - 1]
    at = {side: box - 1, "CD"[side == "C"]: 8}
    for die in {max(1, need - 5), need - 4}:
        game = scenario(f"{side}: 14", boxes=(at["D"], at["C"]), dice=[die]).take("tiananmen")
        assert game.state.track["DC".index(side)] == box - 1 + (die + 4 >= need)
        assert (game.zone(14), game.vp) == ("discard", 0)


def attempt(side: str, die: int, card: int, marks: dict, **extra) -> int:
    """The box reached by an attempt."""
    game = scenario(f"{side}: {card}", tiananmen=track(side, **marks), dice=[die], turn=4, **extra).take("tiananmen")
    return int(game.state.track["DC".index(side)])


@pytest.mark.parametrize(("side", "die", "card", "marks", "extra"), [
    ("C", 2, 15, {}, {}),
    ("D", 2, 15, {}, {}),  # opponent's colour: 5 >= 5
    ("C", 3, 67, {"tried_box": True}, {}),
    ("C", 3, 67, {}, {"in_play": [53]}),
    ("C", 3, 67, {"box": 1}, {}),  # award 1
    ("C", 3, 67, {}, {"in_play": [25]}),
    ("D", 2, 67, {}, {"in_play": [50]}),
])  # fmt: skip
def test_attempt_modifiers_that_just_suffice(side, die, card, marks, extra):
    start = marks.get("box", 0)
    assert attempt(side, die, card, marks, **extra) == start + 1
    assert attempt(side, die - 1, card, marks, **extra) == start
