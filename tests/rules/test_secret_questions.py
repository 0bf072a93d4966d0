"""Questions that are only asked because of what a hand holds: off turn, nobody can tell whether they are.

Each step is run again with other hidden cards, so that once the question is asked and once it is not.
"""

import numpy as np
import pytest
from hidden_cards import random_steps
from scenario import Scenario, scenario

from dawn_env.game import Game
from dawn_env.observation import SLICES, observe, shown_decision
from dawn_env.state import DECISIONS, Decision, Zone
from dawn_env.tables import COMMUNIST, DEMOCRAT


def holding(hand: str, *take: str, **position) -> Scenario:
    """The game after some steps, the Democrat or Communist holding ``hand``; the pile is what else there is."""
    return scenario(hand, **position).take(*take)


def parts(game: Scenario, side: int) -> dict[str, list[int]]:
    """A side's view by parts."""
    seen = observe(game.state, side)
    return {name: seen[place].tolist() for name, place in SLICES.items()}


STASI = {"in_play": [13], "stasi_card": 6, "support": {"Lodz": (2, 0), "Krakow": (0, 2)}}


def test_cancel_with_home_looks_like_the_use_of_the_announced_card():
    """Ruling secret-questions."""
    asked, not_asked = holding("D: 6 21 / C: 7 12", **STASI), holding("D: 6 31 / C: 7 12", **STASI)
    assert (asked.decision, not_asked.decision) == ("cancel-with-home", "use")
    assert parts(asked, COMMUNIST) == parts(not_asked, COMMUNIST)
    assert shown_decision(asked.state, COMMUNIST) == shown_decision(not_asked.state, COMMUNIST) == Decision.USE
    assert DECISIONS[shown_decision(asked.state, DEMOCRAT)] == "cancel-with-home"
    declined = holding("D: 6 21 / C: 7 12", **STASI).take("no")
    assert parts(declined, COMMUNIST) == parts(asked, COMMUNIST)


def test_cancel_with_home_leaves_no_trace_in_what_is_dealt_anew():
    asked, not_asked = holding("D: 6 21 / C: 7 12", **STASI), holding("D: 6 31 / C: 7 12", **STASI)
    worlds = [[game.redeal(COMMUNIST, seed) for seed in range(200)] for game in (asked, not_asked)]
    assert [game.state.where.tolist() for game in worlds[0]] == [game.state.where.tolist() for game in worlds[1]]
    held = np.mean([game.state.where[21] == Zone.HAND + DEMOCRAT for game in worlds[0]])
    assert 0 < held < 0.2
    assert {game.decision for pair in worlds for game in pair} == {"use"}
    declined = asked.take("no")
    assert [declined.redeal(COMMUNIST, seed) for seed in range(20)] == worlds[1][:20], "as if nobody had been asked"


@pytest.mark.parametrize("seed", range(40, 52))
def test_steps_run_again_with_other_hidden_cards_look_the_same(seed):
    """As long as the other side goes on to decide, in ways that leave all open cards alike, views are equal."""
    compared = 0
    for before, game, action in random_steps(seed):
        viewer = 1 - before.actor
        for number in range(3):
            other = before.redeal(viewer, number)
            if action not in other.legal:
                continue
            other.state.generator[:] = before.state.generator
            other.step(action)
            if secretly_different(game, other, viewer):
                assert parts(other, viewer) == parts(game, viewer), (game.decision, other.decision)
                compared += 1
    assert compared > 50


def secretly_different(game: Game, other: Game, viewer: int) -> bool:
    """Whether two worlds agree in all that chance and open cards decided, the viewer being off turn in both."""
    if game.over or other.over or viewer in (game.actor, other.actor) or game.chance or other.chance:
        return False
    seen, again = observe(game.state, viewer), observe(other.state, viewer)
    open_parts = ("discard_pile", "removed", "in_play", "resolving", "my_support", "their_support", "their_hand_size")
    open_parts += ("power_discard", "power_hand_size")
    return all((seen[SLICES[name]] == again[SLICES[name]]).all() for name in open_parts)
