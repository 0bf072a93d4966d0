"""Placing support points as an operation: cost and reach."""

import pytest
from scenario import scenario, spaces, targets

pytestmark = pytest.mark.plain


def test_placement_breaks_control_at_double_cost():
    game = scenario("C: 20", {"Budapest": (3, 0), "Pecs": (0, 1), "Szeged": (0, 1)}).take("place")
    game.take(*spaces("Budapest", "Budapest", "Budapest"))
    assert (game.support("Budapest"), game.zone(20)) == ((3, 3), "discard")


def test_reach_is_fixed_when_the_operation_starts():
    game = scenario("C: 20", {"Erfurt": (0, 1)}).take("place")
    assert targets(game) == {"Erfurt", "Magdeburg"}
    game.take("space:Magdeburg")
    assert targets(game) == {"Erfurt", "Magdeburg"}


def test_reach_crosses_borders():
    assert targets(scenario("C: 20", {"Kosice": (0, 1)}).take("place")) == {"Kosice", "Presov", "Debrecen"}


def test_the_last_point_cannot_break_control():
    support = {"Pecs": (0, 1), "Szeged": (4, 0)}
    game = scenario("C: 12", support).take("place")
    assert targets(game) == {"Pecs", "Szeged"}
    assert targets(game.take("space:Pecs")) == set()  # the only space left is taken without asking
    assert game.support("Pecs") == (0, 3)


def test_placement_needs_an_affordable_space():
    """Ruling placement-needs-a-target."""
    assert "place" not in scenario("C: 30", {"Pecs": (5, 1), "Szeged": (4, 0)}).legal
    assert "place" in scenario("C: 12", {"Pecs": (5, 1), "Szeged": (4, 0)}).legal
    assert scenario("C: 12").legal == ["check", "event", "tiananmen"]


def test_genscher():
    support = {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}
    game = scenario("D: 31", support, turn=4, in_play=[63]).take("place", "space:Leipzig", "space:Leipzig")
    assert game.support("Leipzig") == (2, 3)
    game = scenario("D: 31", support, turn=4).take("place", "space:Leipzig")
    assert (game.support("Leipzig"), game.zone(31)) == ((1, 3), "discard")


def test_border_reopened_buys_a_first_point_at_two():
    game = scenario("D: 4", {"Lutheran Church": (1, 0), "Leipzig": (0, 3)}, turn=4, in_play=[58]).take("place")
    assert targets(game) == {"Lutheran Church", "Leipzig"}
    game.take("space:Leipzig")
    assert (game.support("Leipzig"), game.zone(4)) == ((1, 3), "discard")


def test_border_reopened_budget():
    """Ruling bonus-in-placement."""
    start = {"Lutheran Church": (1, 0), "Pecs": (1, 0)}
    outside = scenario("D: 31", start, turn=4, in_play=[58]).take("place", *spaces("Lutheran Church", "Pecs"))
    assert (outside.decision, outside.zone(31)) == ("none", "discard")
    inside = scenario("D: 31", start, turn=4, in_play=[58]).take("place", *spaces("Leipzig", "Leipzig"))
    assert targets(inside) == {"Lutheran Church", "Leipzig"}
    inside.take("space:Leipzig")
    assert (inside.support("Leipzig"), inside.decision) == ((3, 0), "none")
