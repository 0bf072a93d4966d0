"""The Tiananmen Square track: attempts and awards."""

import pytest
from scenario import asked, scenario, spaces, targets
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


def test_failure_is_remembered_and_success_forgets():
    game = scenario("C: 67", dice=[1], turn=4).take("tiananmen")
    assert (game.state.tried_box[1], game.state.tried_turn[1]) == (1, 1)
    game = scenario("C: 67", tiananmen=track("C", tried_box=True), dice=[6], turn=4).take("tiananmen")
    assert (game.state.tried_box[1], game.state.tried_turn[1], game.state.track[1]) == (0, 1, 1)


def test_one_attempt_a_turn_and_none_from_the_last_box():
    assert "tiananmen" not in scenario("C: 28", tiananmen=track("C", tried_turn=True)).legal
    assert "tiananmen" not in scenario("C: 28", boxes=(0, 8)).legal
    assert "tiananmen" in scenario("D: 30", boxes=(7, 0)).legal  # hopeless, yet allowed


def test_award_2_raises_printed_ones():
    for boxes, points in (((2, 0), 2), ((2, 2), 1), ((1, 0), 1)):
        game = scenario("D: 4", {"Gdansk": (1, 0)}, boxes=boxes).take("place", *["space:Gdansk"] * points)
        assert (game.support("Gdansk"), game.decision) == ((1 + points, 0), "none")
    game = scenario("D: 31", {"Gdansk": (1, 0)}, boxes=(2, 0)).take("place", *["space:Gdansk"] * 2)
    assert game.decision == "none"


def test_awards_3_and_4_only_for_the_first():
    game = scenario("C: 14", boxes=(3, 2), dice=[6]).take("tiananmen")
    assert (game.state.track[1], game.decision) == (3, "none")
    support = {"Gdansk": (1, 0), "Krakow": (1, 0), "Lodz": (5, 0)}
    game = scenario("C: 14", support, boxes=(4, 3), dice=[6]).take("tiananmen")
    assert (game.state.track[1], game.decision) == (4, "none")


def test_award_4_removes_two_points():
    support = {"Gdansk": (1, 0), "Lodz": (5, 0)}
    game = scenario("C: 14", support, boxes=(0, 3), dice=[6]).take("tiananmen")
    assert (*asked(game), targets(game)) == ("remove", "C", {"Gdansk", "Lodz"})
    game.take(*spaces("Lodz", "Lodz"))
    assert game.support("Lodz") == (3, 0)


def test_award_ends_when_the_opponent_arrives():
    game = scenario("C: 14 4 / D: 26 40", boxes=(8, 7), stop=False, dice=[1]).take("card:14")
    game.take("tiananmen", "card:26")
    assert "event-and-ops" not in game.legal


def test_tank_column_on_the_last_box():
    """Ruling tank-column-on-the-last-box."""
    game = scenario("C: 85", turn=8, boxes=(7, 8)).take("event")
    assert (game.state.track.tolist(), game.zone(85)) == ([7, 8], "removed")


def test_tank_column_besides_an_attempt():
    game = scenario("C: 85", turn=8, tiananmen=track("C", tried_box=True, tried_turn=True)).take("event")
    assert (game.state.track[1], game.state.tried_box[1], game.state.tried_turn[1]) == (1, 0, 1)


def test_attempt_inside_an_opponents_event_keeps_the_operations():
    game = scenario("D: 20 4 / C: 28", {"Gdansk": (1, 0)}, dice=[6]).take("card:20", "opponent-event", "tiananmen")
    assert (game.state.track[1], game.state.tried_turn[1]) == (1, 1)
    assert (*asked(game), game.legal) == ("ops", "D", ["check", "place"])


def test_attempt_with_goodbye_lenin_keeps_the_operations():
    game = scenario("C: 46", {"Gdansk": (0, 1)}, turn=4, dice=[6]).take("opponent-event", "tiananmen")
    assert (game.state.track[0], game.state.tried_turn.tolist()) == (1, [1, 0])
    assert (*asked(game), game.legal) == ("ops", "C", ["check", "place"])
