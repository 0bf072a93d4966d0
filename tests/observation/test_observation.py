"""The observation: its layout, its agreement with the state, and its texts."""

import sys
from hashlib import blake2b
from itertools import count
from typing import NamedTuple

import numpy as np
import pytest
from hidden_cards import random_positions

from dawn_env import engine
from dawn_env import observation as observe
from dawn_env.actions import A
from dawn_env.game import Game
from dawn_env.observation import OBSERVATION_VERSION, SLICES, TABLE, Axis, EntryKind, F
from dawn_env.observation.view_layouts import STANDARD_LAYOUT
from dawn_env.state import DECISIONS, Decision, FrameKind, PowerZone, Result, Zone, copy_states, new_states
from dawn_env.tables import CARD_TITLES, COMMUNIST, COUNTRIES, DEMOCRAT, ROMANIA, SIDE_NAMES, STABILITY, N, S
from dawn_env.validation.state_validity import FRAME_BOUNDS
from scripts import make_docs

GAMES = 400

NOT_AT_BOUNDS = {
    # The bound is that of int8, the game stays far inside.
    "vp", "my_support", "their_support", "picked", "times_scored", "prudence", "extra_support", "left", "value",
    # Nobody holds all 110 cards, and piles are never that large; of the 52 struggle cards at most 36 are dealt.
    "their_hand_size", "draw_pile_size", "discard_pile_size", "power_hand_size", "power_deck_size",
    # Six equal faces in one place are rare.
    "my_power_hand", "their_power_hand", "power_discard",
}  # fmt: skip
"""Parts whose least or greatest value random games do not reach."""


def views(states: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of a batch for one side."""
    observations, masks = np.full((len(states), F), 99, np.int8), np.full((len(states), A), 99, np.int8)
    STANDARD_LAYOUT.rows(states, np.full(len(states), side), observations, masks)
    return observations, masks


class Walk(NamedTuple):
    """Random games: least and greatest value ``[F]`` over all decisions and sides, and some batches of states."""

    least: np.ndarray
    most: np.ndarray
    batches: list[np.ndarray]


@pytest.fixture(scope="module")
def walk() -> Walk:
    """Random games, half of them with extra support points; every 32nd step is kept."""
    rng, states, half = np.random.default_rng(5), new_states(GAMES), GAMES // 2
    engine.reset(states[:half], np.arange(half))
    engine.reset(states[half:], np.arange(half, GAMES), {"extra_support": (2, 1)})
    least, most, batches = np.full(F, 127), np.full(F, -128), []
    for step in count():
        for side in (DEMOCRAT, COMMUNIST):
            observations, _ = views(states, side)
            least, most = np.minimum(least, observations.min(0)), np.maximum(most, observations.max(0))
        if step % 32 == 0:
            batches.append(copy_states(states))
        if (states["result"] != Result.RUNNING).all():
            return Walk(least, most, batches)
        noise = rng.random((GAMES, A), np.float32) + 1
        engine.advance(states, (noise * states["legal"][:, :A]).argmax(1))


def test_slices_tile_the_vector():
    at = 0
    for part in TABLE:
        assert SLICES[part.name] == slice(at, at + part.size)
        assert -128 <= part.low < part.high <= 127 and part.meaning
        at += part.size
    assert at == F and len(SLICES) == len(TABLE)
    assert STANDARD_LAYOUT.low().shape == STANDARD_LAYOUT.high().shape == (F,)
    assert STANDARD_LAYOUT.low().dtype == STANDARD_LAYOUT.high().dtype == np.int8


def test_values_stay_in_range_and_cover_it(walk):
    least, most = walk.least, walk.most
    assert (least >= STANDARD_LAYOUT.low()).all() and (most <= STANDARD_LAYOUT.high()).all()
    for part in TABLE:
        seen = least[SLICES[part.name]].min(), most[SLICES[part.name]].max()
        if part.name not in NOT_AT_BOUNDS:
            assert seen == (part.low, part.high), part.name
        assert seen[0] < seen[1], part.name
    several = "decision", "activity", "struggle", "blocked", "led_suit", "winning_suit", "my_hand", "scope", "power"
    for name in several:
        place = SLICES[name]
        assert (least[place] < most[place]).all(), name


def innermost(state):
    """The frame on top of the stack of a record."""
    return state.frames[state.depth - 1]


def check_activity(view, states, side):
    """What is being resolved, by the innermost frame; parts that its kind does not use are zero."""
    for row, state in enumerate(states):
        f, seen = innermost(state), {name: part[row] for name, part in view.items()}
        used = FRAME_BOUNDS[f.kind]
        assert seen["activity"].argmax() == f.kind and seen["source"].argmax() == f.source
        assert seen["executing"] == (f.side == side) and seen["left"] == f.left and seen["setup_batch"] == f.batch
        assert (seen["country_named"] == (np.arange(N) == f.country)).all()
        operations = "value" in used and f.kind != FrameKind.EVENT
        assert seen["value"] == (f.value if operations else 0)
        assert seen["roll_bonus"] == (f.bonus if f.kind == FrameKind.CHECKS else 0)
        assert seen["bound_points"] == (f.bonus if f.kind == FrameKind.PLACEMENT else 0)


def check_scope(view, states, side):
    """Whatever space the side to act may choose is in scope, but for set-ups, which are not resolved."""
    for row, state in enumerate(states):
        if state.turn > 0 and state.result == Result.RUNNING and state.decision != Decision.OPS_PLACE:
            assert (view["scope"][row] >= state.legal[:S]).all(), DECISIONS[state.decision]


def check_cards(view, states, side):
    where, known = states["where"][:, 1:], states["known"][:, 1:]
    mine, theirs, aside = where == Zone.HAND + side, where == Zone.HAND + 1 - side, where == Zone.SET_ASIDE
    zones = {
        "discard_pile": Zone.DISCARD_PILE, "removed": Zone.REMOVED, "in_play": Zone.IN_PLAY, "future": Zone.FUTURE,
        "resolving": Zone.RESOLVING,
    }  # fmt: skip
    for name, zone in zones.items():
        assert (view[name] == (where == zone)).all(), name
    assert (view["my_hand"] == mine).all()
    my_aside = aside & (side == DEMOCRAT)
    held = theirs | (aside & ~my_aside)
    assert (view["known_theirs"] >= (held & (known == 1))).all() and (view["known_theirs"] <= held).all()
    assert (view["known_mine"] == ((mine | my_aside) & (known == 1))).all()
    assert (view["set_aside"] == my_aside).all()
    assert (view["any_set_aside"][:, 0] == aside.any(1)).all()
    assert (view["their_hand_size"][:, 0] == theirs.sum(1)).all()
    for name, zone in (("draw_pile_size", Zone.DRAW_PILE), ("discard_pile_size", Zone.DISCARD_PILE)):
        assert (view[name][:, 0] == (where == zone).sum(1)).all()


def check_board(view, states, side):
    mine, theirs = states["support"][:, side], states["support"][:, 1 - side]
    assert (view["my_support"] == mine).all() and (view["their_support"] == theirs).all()
    assert (view["control"] == (mine - theirs >= STABILITY).astype(int) - (theirs - mine >= STABILITY)).all()


def check_fields(view, states, side):
    """Parts that are named like a field hold what the field does, as their kind says."""
    for part in TABLE:
        if part.name not in states.dtype.names or part.name in ("vp", "phasing", "decision"):
            continue
        field, expected = states[part.name], states[part.name]
        if part.kind is EntryKind.ONE_HOT:
            expected = field[:, None] == np.arange(part.size) + (part.axis is Axis.CARD)
        elif part.kind is EntryKind.SIDE:
            expected = np.where(field < 0, 0, np.where(field == side, 1, -1))
        elif part.axis is Axis.OWNER:
            expected = field[:, [side, 1 - side]]
        assert (view[part.name] == expected.reshape(view[part.name].shape)).all(), part.name


def check_whose(view, states, side):
    assert (view["side"] == side).all() and (view["round"][:, 0] == states["action_round"]).all()
    assert (view["vp"][:, 0] == states["vp"] * (1 if side == DEMOCRAT else -1)).all()
    assert (view["phasing"][:, 0] == (states["phasing"] == side)).all()
    assert (view["acting"][:, 0] == ((states["actor"] == side) & (states["result"] == Result.RUNNING))).all()
    fought, winner = states["struggle"] >= 0, states["winner"]
    for name, field in (("started", "starter"), ("attacking", "attacker")):
        assert (view[name][:, 0] == (fought & (states[field] == side))).all(), name
    assert (view["struggle_won"][:, 0] == np.where(winner < 0, 0, np.where(winner == side, 1, -1))).all()


def check_struggle_hands(view, states, side):
    hands = states["power_cards"] * (states["struggle"] >= 0)[:, None, None]
    open_hand = (states["where"][:, 70] == Zone.IN_PLAY) & (states["struggle"] == ROMANIA) & (side == COMMUNIST)
    assert (view["my_power_hand"] == hands[:, PowerZone.HAND + side]).all()
    assert (view["their_power_hand"] == hands[:, PowerZone.HAND + 1 - side] * open_hand[:, None]).all()
    assert (view["power_discard"] == hands[:, PowerZone.DISCARD]).all()
    assert (view["power_hand_size"] == hands.sum(2)[:, [PowerZone.HAND + side, PowerZone.HAND + 1 - side]]).all()
    assert (view["power_deck_size"][:, 0] == hands[:, PowerZone.DECK].sum(1)).all()


CHECKS = check_cards, check_board, check_fields, check_whose, check_struggle_hands, check_activity, check_scope


@pytest.mark.parametrize("side", [DEMOCRAT, COMMUNIST])
def test_parts_equal_the_fields_of_the_state(walk, side):
    for states in walk.batches:
        observations, masks = views(states, side)
        view = {name: observations[:, place] for name, place in SLICES.items()}
        for check in CHECKS:
            check(view, states, side)
        acting = (states["actor"] == side) & (states["result"] == Result.RUNNING)
        assert (masks == states["legal"][:, :A] * acting[:, None]).all()


MEANINGS = {3: "87c7d35b302de666"}
"""Version of the observation to the digest of all that its parts declare."""


def test_a_change_of_meaning_is_a_new_version():
    digest = blake2b("".join(part.digest for part in TABLE).encode(), digest_size=8).hexdigest()
    assert MEANINGS[OBSERVATION_VERSION] == digest, "another meaning, order or size: raise OBSERVATION_VERSION"


def test_single_batch_and_decoded_views_agree(walk):
    states = walk.batches[7]
    for i in range(0, len(states), 40):
        for side in (DEMOCRAT, COMMUNIST):
            seen = observe.observe(states[i], side)
            assert (seen == views(states, side)[0][i]).all()
            again = np.concatenate([part.ravel() for part in observe.decode(seen).values()])
            assert (again == seen).all()


def test_a_game_in_place_of_its_state_is_named():
    with pytest.raises(TypeError, match="state: a record such as game.state expected, not Game"):
        observe.observe(Game(1), DEMOCRAT)


def test_explain_names_the_hand_and_the_decision():
    for game in random_positions(3, 1, most=300):
        text = observe.explain(observe.observe(game.state, game.actor))
        lines = text.splitlines()
        assert lines[0] == f"side: {SIDE_NAMES[game.actor]}"
        assert {f"decision: {game.decision}", "acting: yes"} <= {*lines}
        for card in np.flatnonzero(game.state.where == Zone.HAND + game.actor):
            assert CARD_TITLES[card] in text.split("my_hand: ")[1].splitlines()[0]
        if game.state.struggle >= 0:
            assert f"struggle: {COUNTRIES[game.state.struggle]}" in lines


def test_generated_pages_are_current(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["make_docs.py", "--check"])
    assert make_docs.main() == 0
