"""Set-up, deals and positions of family mode (rules TR.1 and TR.2.4.1); the rest is in ``family.txt``."""

import json

import numpy as np
import pytest
from scenario import Scenario
from scripted_cases import situation

from dawn_env.game import Game
from dawn_env.state import PowerZone, Zone
from dawn_env.tables import COMMUNIST, DEMOCRAT, FACE_ID, NEUTRAL, OWNER, PRINTED_OPS, SETUP

FAMILY = {"mode": "family"}
DECKS = tuple(np.flatnonzero(side == OWNER).tolist() for side in (DEMOCRAT, COMMUNIST))


# --- TR.1: the set-up --------------------------------------------------------------------------------


def test_cards_are_sorted_by_colour_and_neutral_ones_removed():
    state = Game(1, FAMILY).state
    assert (state.where[OWNER == NEUTRAL][1:] == Zone.REMOVED).all() and (state.where == Zone.REMOVED).sum() == 14
    decks = [((state.where == Zone.DRAW_PILE) & (side == OWNER)).sum() for side in (DEMOCRAT, COMMUNIST)]
    assert decks == [52 - 5, 44 - 5]


@pytest.mark.parametrize(("side", "by_ops"), [(COMMUNIST, [6, 18, 19, 1]), (DEMOCRAT, [8, 12, 25, 7])])
def test_decks_have_the_printed_operations(side, by_ops):
    assert [int((PRINTED_OPS[: len(OWNER)][side == OWNER] == ops).sum()) for ops in (1, 2, 3, 4)] == by_ops


def test_the_fixed_support_is_all_there_is():
    game = Game(1, FAMILY)
    assert (game.state.support == SETUP).all() and game.vp == 0
    assert (game.state.turn, game.state.action_round, game.decision, game.actor) == (1, 0, "card", DEMOCRAT)


# --- TR.2.4.1: the deal ------------------------------------------------------------------------------


def test_each_side_draws_five_cards_of_its_own_deck_and_three_of_the_common_one():
    state = Game(2, FAMILY).state
    for side in (DEMOCRAT, COMMUNIST):
        assert (OWNER[state.where == Zone.HAND + side] == side).all() and (state.where == Zone.HAND + side).sum() == 5
        assert state.power_cards[PowerZone.HAND + side].sum() == 3
    assert state.power_cards[PowerZone.DECK].sum() == 46


def last_round(more: str) -> Scenario:
    """A game whose turn ends with a pass."""
    return situation(f"family; round 8; runs on; Szczecin 0-4; Poznan 0-1; {more}")


def test_an_empty_deck_is_rebuilt_from_its_own_discards():
    democrat, communist = DECKS
    game = last_round(f"discard {' '.join(map(str, sorted([*communist[2:], *democrat[:9]])))}")
    game.take("pass")
    held = np.flatnonzero(game.state.where == Zone.HAND + COMMUNIST)
    assert set(communist[:2]) <= set(held) and len(held) == 5
    assert not (game.state.where[communist] == Zone.DISCARD_PILE).any()
    assert (game.state.where[democrat[:9]] == Zone.DISCARD_PILE).all()
    known = game.redeal(DEMOCRAT, 9).state.where[communist[:2]]
    assert (known == Zone.HAND + COMMUNIST).all(), "whoever has counted knows what the end of the deck was"


def test_an_empty_power_deck_is_rebuilt_and_both_hands_are_known_by_counting():
    """Ruling family-counted-hands."""
    deck = Game(1, FAMILY).state.power_cards.sum(axis=0)
    held = {"rally-1": 3, "march-6": 2}
    left = {"strike-6": 1}
    discard = [face for face, at in FACE_ID.items() for _ in range(deck[at] - held.get(face, 0) - left.get(face, 0))]
    game = last_round(f"power deal D rally-111 / C march-66; power_discard {json.dumps(discard)}")
    game.take("pass")
    state = game.state
    assert state.power_cards[PowerZone.HAND + COMMUNIST, FACE_ID["strike-6"]] == 1
    assert (state.power_cards[PowerZone.DISCARD].sum(), state.power_cards[PowerZone.DECK].sum()) == (0, 46)
    assert (state.power_known == state.power_cards[PowerZone.HAND :]).all()
    assert (game.redeal(DEMOCRAT, 3).state.power_cards == state.power_cards).all()
