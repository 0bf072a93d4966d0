"""Random games in bulk: what must hold after every decision, round trips, and the published checksum.

``data/checksum.txt`` is the SHA-256 of the results of seeded random games. It changes whenever the rules,
the generator or the action space change; then write it anew and commit it:

    PYTHONPATH=tests/support python tests/rules/test_invariants.py --write
"""

import copy
import hashlib
import pickle
import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from invariants import broken
from paths import DATA

from dawn_env import engine
from dawn_env.actions import A
from dawn_env.errors import IllegalAction
from dawn_env.game import Game
from dawn_env.host.random_play import game_seeds, random_actions
from dawn_env.state import STATE, Reason, Result, new_states
from dawn_env.tables import LAST_TURN

CHECKSUM = DATA / "checksum.txt"
GAMES = 4_000
CHECKSUM_GAMES, CHECKSUM_SEED = 1_000, 1989
MAX_DECISIONS = 5_000
RECORD = f"V{STATE.itemsize}"
"""A record as a block of bytes: numpy selects such rows in a tenth of the time."""
SUMMARY = ("result", "reason", "vp", "turn", "decisions", "track", "ussr", "power", "support", "where")


def start(seeds: np.ndarray, options: dict | None = None) -> np.ndarray:
    """New games."""
    states = new_states(len(seeds))
    engine.reset(states, seeds, options)
    return states


def step_randomly(states: np.ndarray) -> None:
    """One random decision in every game that runs."""
    actions = np.zeros(len(states), np.int64)
    random_actions(states, np.ascontiguousarray(states["legal"]), actions)
    engine.advance(states, actions)


def play_out(seeds: np.ndarray, check=None, options: dict | None = None) -> np.ndarray:
    """Random games to their ends; ``check`` is called with the games after every decision."""
    states = start(seeds, options)
    for _ in range(MAX_DECISIONS):
        running = states["result"] == Result.RUNNING
        if not running.any():
            return states
        step_randomly(states)
        if check:
            check(states.view(RECORD)[running].view(STATE))
    raise AssertionError(f"{running.sum()} games still run after {MAX_DECISIONS} decisions")


# --- invariants ----------------------------------------------------------------------------------


def check_all(states: np.ndarray) -> None:
    """All invariants."""
    assert broken(states) == []


def test_broken_invariants_are_named():
    states = start(np.arange(3))
    states["where"][1, 7] = 0
    states["vp"][2] = 20
    assert broken(states) == ["each card lies in one zone", "20 VP end the game"]


def test_invariants():
    states = play_out(game_seeds(7, GAMES), check_all)
    assert set(states["reason"].tolist()) == {1, 2, 3, 4}, "every kind of end"
    assert set(states["result"].tolist()) == {1, 2, 3}
    ended_by_vp = states["reason"] == 1
    assert (np.abs(states["vp"][ended_by_vp].astype(int)) >= 20).all()
    assert (states["turn"][states["reason"] == 3] == 10).all()


def test_invariants_of_family_mode():
    states = play_out(game_seeds(13, GAMES), check_all, {"mode": "family"})
    assert set(states["result"].tolist()) == {Result.DEMOCRAT, Result.COMMUNIST}, "there is no draw"
    early = states["reason"] == Reason.AUTOMATIC_VICTORY
    assert (np.abs(states["vp"][early].astype(int)) >= 20).all() and (states["turn"][~early] == LAST_TURN).all()
    assert (states["vp"][states["result"] == Result.DEMOCRAT] > 0).all(), "0 is the Communist's"


def test_invariants_of_games_with_a_bid():
    states = play_out(game_seeds(17, 300), check_all, {"bid": True})
    assert set(states["swapped"].tolist()) == {0, 1} and (states["offers"] >= 0).all()


# --- the published checksum ----------------------------------------------------------------------


def checksum() -> str:
    """SHA-256 over the summaries of the seeded games, in little-endian order."""
    states = play_out(game_seeds(CHECKSUM_SEED, CHECKSUM_GAMES))
    digest = hashlib.sha256()
    for name in SUMMARY:
        digest.update(np.ascontiguousarray(states[name]).astype("<i4").tobytes())
    return digest.hexdigest()


def test_checksum():
    assert checksum() == CHECKSUM.read_text().strip(), "other games: the docstring has the command"


# --- keeping a game ------------------------------------------------------------------------------

SEEDS = st.integers(0, 2**63 - 1)
LENGTHS = st.integers(0, 300)


def after(seed: int, decisions: int) -> Game:
    """A random game after some decisions, or at its end."""
    game = Game(seed)
    play_on(game, decisions)
    return game


def play_on(game: Game, decisions: int) -> Game:
    """Some more random decisions."""
    for _ in range(decisions):
        if game.over:
            break
        step_randomly(game.states)
    return game


WAYS = {
    "copy": Game.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "bytes": lambda game: Game.from_bytes(game.to_bytes()),
    "json": lambda game: Game.from_json(game.to_json()),
}


@pytest.mark.parametrize("way", WAYS)
@given(seed=SEEDS, decisions=LENGTHS)
@settings(max_examples=25, deadline=None)
def test_kept_games_continue_alike(way, seed, decisions):
    game = after(seed, decisions)
    kept = WAYS[way](game)
    assert kept == game
    before = game.to_bytes()
    play_on(kept, 40)
    assert game.to_bytes() == before
    assert play_on(game, 40) == kept


@given(seed=SEEDS, decisions=LENGTHS, action=st.integers(-3, A + 3))
@settings(max_examples=60, deadline=None)
def test_illegal_actions_change_nothing(seed, decisions, action):
    game = after(seed, decisions)
    assume(not game.over)
    if 0 <= action < A and game.mask[action]:
        action = int(np.flatnonzero(game.mask == 0)[0])
    before = game.to_bytes()
    with pytest.raises(IllegalAction):
        game.step(action)
    assert game.to_bytes() == before


@given(seed=SEEDS, decisions=LENGTHS)
@settings(max_examples=20, deadline=None)
def test_legal_actions_are_accepted(seed, decisions):
    game = after(seed, decisions)
    for action in game.legal:
        taken = game.copy()
        taken.step(action)
        assert taken.state.decisions == game.state.decisions + 1


if __name__ == "__main__" and "--write" in sys.argv:
    CHECKSUM.write_text(checksum() + "\n")
    print(f"wrote {CHECKSUM}")
