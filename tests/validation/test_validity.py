"""What a state must be to be played on: everything the engine makes passes, what it could not make is named."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hidden_cards import random_steps
from tables import table

from dawn_env import engine
from dawn_env.batch import Batch
from dawn_env.errors import MalformedPosition
from dawn_env.game import Game
from dawn_env.state import MAX_FRAMES, STATE, FrameKind, new_states
from dawn_env.validation.state_validity import check_state


def walk(seed: int, options: dict | None = None):
    """A random game after every decision."""
    return (game for _, game, _ in random_steps(seed, options or ({"extra_support": (1, 2)} if seed % 2 else None)))


@pytest.mark.parametrize(
    ("seed", "options"), [(0, None), (1, None), (2, {"bid": True}), (0, {"mode": "family"}), (1, {"mode": "family"})]
)
def test_every_state_of_a_game_is_valid(seed, options):
    for game in walk(seed, options):
        check_state(game.state)
        if game.state.decisions % 11 == 3:  # the first time in the middle of a bid
            assert Game.from_json(game.to_json()) == game


@pytest.mark.parametrize("seed", [10, 11])
def test_a_pending_decision_posed_again_is_the_same(seed):
    for game in walk(seed):
        posed = game.states.copy()
        if not game.over:
            engine.advance(posed, np.array([engine.POSE]))
        assert posed.tobytes() == game.to_bytes(), game.decision


def in_an_event() -> Game:
    """A game with an event on its stack."""
    return next(game for game in walk(3) if game.state.frames[game.state.depth - 1].kind == FrameKind.EVENT)


def wrong(path: str, value: int) -> bytes:
    """The bytes of a game in an event with one value changed; ``path`` as in ``frames.2.kind``."""
    states = in_an_event().states.copy()
    where, (*outer, last) = states[0], [int(word) if word.isdigit() else word for word in path.split(".")]
    for key in outer:
        where = where[key]
    where[last] = value
    return states.tobytes()


@pytest.mark.parametrize(("change", "message"), table(Path(__file__).with_name("invalid_states.txt")))
def test_what_is_wrong_is_named(change, message):
    path, value = change.split()
    data, good = wrong(path, int(value)), Game(1)
    record = np.frombuffer(data, STATE)[0]
    ways = {
        Game.from_bytes: data,
        Game.from_state: record,
        Game.from_json: json.dumps({name: np.asarray(record[name]).tolist() for name in STATE.names}),
        pickle.loads: pickle.dumps(good).replace(good.to_bytes(), data),
        put: data,
    }
    for load, given in ways.items():
        with pytest.raises(MalformedPosition, match=message):
            load(given)


def put(data: bytes) -> None:
    """Into a batch, as a game that was damaged by hand."""
    game = Game(1)
    game.states[:] = np.frombuffer(data, STATE)
    batch = Batch(2, 0)
    before = batch.states.tobytes()
    try:
        batch.put(0, game)
    finally:
        assert batch.states.tobytes() == before


def test_blank_records_and_other_types_are_refused():
    with pytest.raises(MalformedPosition, match="destroyed"):
        Game.from_state(new_states(1)[0])
    with pytest.raises(MalformedPosition, match="bytes"):
        Game.from_bytes(b"short")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "more than 64 objects and lists"),
        ("nonsense", "Expecting value"),
        ("[1, 2]", "an object expected"),
        ('{"turn": 1}', "action_round: missing"),
    ],
)
def test_json_that_is_no_state(text, message):
    with pytest.raises(MalformedPosition, match=f"^a state: {message}"):
        Game.from_json(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [("turn", 1.5), ("turn", "1"), ("turn", True), ("turn", None), ("turn", 300), ("support", [[1], [2, 3]]),
     ("where", list(range(50))), ("seed", 2**70), ("legal", {"a": 1}), ("vp", [1])],
)  # fmt: skip
def test_json_fields_that_are_missing_or_of_another_kind(field, value):
    fields = json.loads(in_an_event().to_json())
    with pytest.raises(MalformedPosition, match=f"^a state: {field}[.:]"):
        Game.from_json(json.dumps(fields | {field: value}))
    del fields[field]
    with pytest.raises(MalformedPosition, match=f"^a state: {field}: missing"):
        Game.from_json(json.dumps(fields))


def test_a_stack_that_is_full_ends_the_step_with_an_error():
    """No legal game comes near it; pushing then must not write behind the record."""
    game = in_an_event()
    frames = game.state.frames
    frames[game.state.depth : MAX_FRAMES] = frames[game.state.depth - 1].copy()
    game.state.depth = MAX_FRAMES
    before = game.to_bytes()
    states = np.concatenate([game.states, Game(2).states])
    for action in np.flatnonzero(game.state.legal):
        rows = states.copy()
        engine.advance(rows[:1], np.array([action]))
        assert rows[1:].tobytes() == Game(2).to_bytes()
    assert game.to_bytes() == before
