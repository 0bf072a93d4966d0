"""Inputs of the value network: facts are those of the rules, and what follows a position differs in the rows listed."""

import numpy as np
import pytest
from dawn_agents.players.afterstate.inputs import (
    AT,
    EMPTY,
    FACTS,
    INPUTS,
    ROW,
    SLOT,
    kept_bits,
    list_changes,
    list_position,
    new_inputs,
)
from dawn_agents.players.afterstate.network import LEARNT_ROWS, ROWS, SHARED_ROW, fold
from hidden_cards import random_steps

from dawn_env.observation.parts import SLICES, F
from dawn_env.observation.view_layouts import FAMILY_LAYOUT, STANDARD_LAYOUT
from dawn_env.rules.board import controls
from dawn_env.rules.scoring import LEVEL_VP, levels
from dawn_env.tables import N, S


def active(k) -> np.ndarray:
    """float64 [INPUTS] how often each row is to be added."""
    found = np.zeros(INPUTS)
    np.add.at(found, k.rows[: k.listed[0]], k.factors[: k.listed[0]])
    return found


def position(state, side: int, layout=STANDARD_LAYOUT):
    k = new_inputs(layout)
    k.x[0, : layout.size] = layout.one(state, side)
    list_position(k)
    return k


def value(k, name: str, at: int = 0) -> int:
    """Which of its values a fact has."""
    fact = next(fact for fact in FACTS if fact.name == name)
    return int(k.slots[0, getattr(SLOT, name) + at]) - getattr(ROW, name) - at * fact.values


@pytest.mark.parametrize("layout", [STANDARD_LAYOUT, FAMILY_LAYOUT], ids=lambda layout: layout.name)
def test_changes_lead_from_a_position_to_the_one_that_follows(layout):
    for before, after, _ in list(random_steps(5, {"mode": layout.name}))[::12]:
        for side in range(2):
            k = position(before.state, side, layout)
            first = active(k)
            k.x[1, : layout.size] = layout.one(after.state, side)
            list_changes(k)
            moved, fresh = active(k), position(after.state, side, layout)
            np.testing.assert_allclose(first + moved, active(fresh), atol=1e-5)
            assert (k.slots[1] == fresh.slots[0]).all() and (k.near[1] == fresh.near[0]).all()
            assert first[EMPTY] == moved[EMPTY] == 0


@pytest.mark.parametrize("layout", [STANDARD_LAYOUT, FAMILY_LAYOUT], ids=lambda layout: layout.name)
def test_facts_are_those_of_the_rules(layout):
    for game, _, _ in list(random_steps(6, {"mode": layout.name}))[::25]:
        s = game.state
        for side in range(2):
            k, sign = position(s, side, layout), 1 - 2 * side
            for country in range(N):
                level_d, grounds_d, level_c, grounds_c = levels(s, country)
                score = LEVEL_VP[level_d, country] + grounds_d - LEVEL_VP[level_c, country] - grounds_c
                assert k.scores[0, country] == sign * score
                mine, theirs = (level_d, level_c)[::sign]
                assert value(k, "levels", country) == 4 * mine + theirs
            leads = np.clip(s.support[side] - s.support[1 - side], -6, 6)
            row = [value(k, "lead", space) - 6 if leads[space] else 0 for space in range(S)]
            assert row == leads.tolist()
            assert k.spaces[0].sum() == sum(int(controls(s, side, i)) - int(controls(s, 1 - side, i)) for i in range(S))
            assert value(k, "vp") - 20 == sign * s.vp


def test_entries_of_the_observation_have_their_rows():
    for game, _, _ in list(random_steps(7))[::40]:
        k = position(game.state, 0)
        kept = kept_bits(STANDARD_LAYOUT)[:F] != 0
        assert (active(k)[:F][kept] == k.x[0, :F][kept]).all() and not active(k)[:F][~kept].any()
    assert not kept[SLICES["control"]].any() and kept[AT.vp]


def test_shared_rows_are_added_for_play():
    learnt = np.random.default_rng(1).normal(size=(2, LEARNT_ROWS, 3)).astype(np.float32)
    folded, lead = fold(learnt), ROW.lead
    shared = SHARED_ROW[lead]
    assert folded.shape == (2, ROWS, 3) and shared >= ROWS
    np.testing.assert_array_equal(folded[:, lead], learnt[:, lead] + learnt[:, shared])
    np.testing.assert_array_equal(folded[:, 0], learnt[:, 0])
    groups = SHARED_ROW[ROW.vp :]
    assert (groups == -1).all() and len(set(SHARED_ROW[SHARED_ROW >= 0])) == LEARNT_ROWS - ROWS
