"""The fields of a record: each is declared once, and what follows from that holds."""

import re

import numpy as np
import pytest
from dawn_native.state_check import FIELD_ROWS, in_bounds
from hidden_cards import random_positions
from paths import ROOT

from dawn_env import engine
from dawn_env.errors import MalformedPosition
from dawn_env.game import Game
from dawn_env.rules.resets import OF_THE_GAME, OF_THE_STRUGGLE, OF_THE_TURN, reset
from dawn_env.state import FIELD, FIELDS, START, STATE, copy_states
from dawn_env.support.compiling import record_bytes
from dawn_env.tables import SIDES
from dawn_env.validation.state_validity import check_state

SOURCES = ("dawn_env", "agents/dawn_agents", "packages", "scripts")
SUFFIXES = (".py", ".js", ".json")
GENERATED = ROOT / "packages" / "js" / "layout.js"
MOST_FILES = 10
"""Files that name a marker of one card, its words and its points in scorings included."""


def test_a_marker_of_one_card_is_named_in_few_files():
    paths = [path for folder in SOURCES for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    written = [path for path in paths if path != GENERATED]
    named = [
        path.relative_to(ROOT).as_posix() for path in written if re.search(r"\bhideout\b", path.read_text("utf-8"))
    ]
    assert "dawn_env/state.py" in named and len(named) <= MOST_FILES, named


def outside(field) -> list[int]:
    """Numbers of the dtype just outside of a field's bounds."""
    least, most = np.iinfo(field.kind).min, np.iinfo(field.kind).max
    beside = (field.low - 1, field.high + 1)
    return [number for number in beside if least <= number <= most and number != field.none]


@pytest.mark.parametrize("field", [field for field in FIELDS if field.low is not None], ids=lambda field: field.name)
def test_both_checks_have_the_same_bounds(field):
    """Python's check names the field; the compiled one refuses it, and takes what stands for none."""
    game = Game(3)
    assert in_bounds(record_bytes(game.state), 0, FIELD_ROWS)
    for number in outside(field):
        states = copy_states(game.states)
        states[0][field.name] = number
        assert not in_bounds(record_bytes(states[0]), 0, FIELD_ROWS)
        with pytest.raises(MalformedPosition, match=rf"^{field.name}: .*expected, not|^mode: "):
            check_state(states[0])
    if field.none is not None:
        states = copy_states(game.states)
        states[0][field.name] = field.none
        assert in_bounds(record_bytes(states[0]), 0, FIELD_ROWS) and field.is_within(field.none)


def test_public_fields_are_the_same_in_every_deal():
    """What a field declares as public does not depend on what is hidden from either side."""
    changed = set()
    for game in random_positions(7, 6):
        for side in range(SIDES):
            dealt = engine.redeal(game.states, side, np.array([game.state.decisions]))[0]
            changed |= {field.name for field in FIELDS if not np.array_equal(dealt[field.name], game.state[field.name])}
    assert changed and not any(FIELD[name].public for name in changed), changed


ENDING = ["hideout", "stand_fast", "starter"]


@pytest.mark.parametrize(
    ("spans", "markers"),
    [
        (OF_THE_GAME, ["hideout", "stand_fast", "starter"]),
        (OF_THE_TURN, ["stand_fast"]),
        (OF_THE_STRUGGLE, ["starter"]),
    ],
    ids=["game", "turn", "struggle"],
)
def test_what_ends_is_as_in_a_new_game(spans, markers):
    """Fields that do not end keep their values, and those that do get the ones of a new game."""
    states = np.frombuffer(bytearray(b"\x05" * STATE.itemsize), STATE).copy()
    reset(states[0], spans)
    ended = [name for name in STATE.names if np.array_equal(states[0][name], START[0][name])]
    kept = [name for name in STATE.names if set(states[0][name].tobytes()) == {5}]
    assert sorted(ended + kept) == sorted(STATE.names) and "extra_support" in kept
    assert [name for name in ENDING if name in ended] == markers
