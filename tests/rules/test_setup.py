"""Set-up: the deal, fixed and extra support points."""

import pytest
from scenario import Scenario, asked, targets

from dawn_env.game import Game
from dawn_env.tables import SETUP, SPACES


def test_new_game():
    game = Game(5)
    at = Scenario.from_state(game.state).position()
    assert [len(at["hands"][side]) for side in "DC"] == [8, 8]
    assert (len(at["draw_pile"]), at["vp"], at["turn"], at["ussr"]) == (24, 0, 0, 0)
    assert game.state.support.tolist() == SETUP.tolist()
    assert game.state.support.sum(axis=1).tolist() == [15, 20]
    assert {entry["holder"] for entry in at["power"].values()} == {"C"}


def test_extra_placement_batches_and_targets():
    game, order = Game(5), []
    while game.state.turn == 0:
        order.append(game.actor)
        free = {name for name, points in zip(SPACES, game.state.support[1 - game.actor], strict=True) if points == 0}
        assert targets(game) == free
        game.step(game.legal[0])
    assert order == [1] * 2 + [0] * 3 + [1] * 3 + [0] * 4 + [1] * 2
    assert game.state.support.sum(axis=1).tolist() == [22, 27]
    assert (game.state.turn, game.state.action_round, *asked(game)) == (1, 1, "card", "C")


@pytest.mark.parametrize(("extra", "order"), [((2, 0), [0, 0]), ((0, 3), [1, 1, 1]), ((1, 1), [0, 1])])
def test_points_of_the_bid(extra, order):
    """Ruling extra-support-like-set-up."""
    game, actors = Game(5, {"extra_support": extra}), []
    while game.state.turn == 0:
        actors.append(game.actor)
        game.step(game.legal[0])
    assert actors[14:] == order
    assert game.state.support.sum(axis=1).tolist() == [22 + extra[0], 27 + extra[1]]
