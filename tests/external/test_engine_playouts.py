"""Play-outs of the engine for programs: to the end, from what a side knows, without changing the game."""

import json

import numpy as np
import pytest
from dawn_agents.external.engine_service import EngineService
from dawn_agents.registry import make_player

from dawn_env import engine
from dawn_env.batch import Batch
from dawn_env.game import Game
from dawn_env.state import RESULTS, put_states, take_states


def ask(simulator, command, **fields):
    return json.loads(json.dumps(simulator.answer({"command": command, **fields})))


def test_they_are_the_games_of_the_player_from_redealt_positions():
    simulator, seeds = EngineService(100), [11, 12, 13, 14]
    told = ask(simulator, "new", seeds=[5, 6])
    before = ask(simulator, "position", games=told["games"])
    found = ask(simulator, "playout", games=told["games"], seeds=seeds, player="heuristic", side="democrat")
    assert ask(simulator, "position", games=told["games"]) == before
    assert found == ask(simulator, "playout", games=told["games"], seeds=seeds, player="heuristic", side="democrat")
    for seed, results, vp in zip((5, 6), found["result"], found["vp"], strict=True):
        batch, player = Batch(4, 0, auto_restart=False), make_player("heuristic")
        states = take_states(Game(seed).states, np.zeros(4, np.int64))
        put_states(batch.states, np.arange(4), engine.redeal(states, 0, np.array(seeds)))
        batch.write_rows(np.arange(4))
        while not (batch.states["result"] != 0).all():
            rows = np.flatnonzero(batch.states["result"] == 0)
            batch.step_rows(rows, player.choose(batch.observations[rows], batch.masks[rows]))
        assert [RESULTS[number] for number in batch.states["result"]] == results
        assert batch.states["vp"].tolist() == vp


def test_they_tell_nothing_of_cards_that_the_side_cannot_know():
    """The same view with other hidden cards gives the same play-outs."""
    game = Game(8)
    while game.decision == "setup":
        game.step(game.legal[0])
    side, simulator = game.actor, EngineService(100)
    ours = [simulator._games.add(engine.redeal(game.states, side, np.array([seed])))[0] for seed in (1, 2)]
    hands = simulator._games.take(np.array(ours))["where"]
    found = ask(simulator, "playout", games=[int(number) for number in ours], seeds=[1, 2, 3])
    assert (hands[0] != hands[1]).any() and len(found["result"][0]) == 3
    names = ("democrat", "communist")
    other = ask(simulator, "playout", games=[int(ours[1])], seeds=[1, 2, 3], side=names[side])
    assert other["result"][0] == found["result"][1] and found["result"][0] == found["result"][1]
    assert found["vp"][0] == found["vp"][1]


@pytest.mark.parametrize("rules", [{"mode": "family"}, {"extra_support": [2, 0]}])
def test_other_games_are_played_by_their_rules(rules):
    simulator = EngineService(100)
    told = ask(simulator, "new", seeds=[5], rules=rules)
    found = ask(simulator, "playout", games=told["games"], seeds=[1, 2], player="heuristic")
    assert set(found["result"][0]) <= {"democrat", "communist", "draw"}


def test_bids_and_finished_games_have_no_playouts():
    simulator = EngineService(100)
    ask(simulator, "new", seeds=[5], rules={"bid": True})
    assert "sides known" in ask(simulator, "playout", games=[0], seeds=[1])["error"]
