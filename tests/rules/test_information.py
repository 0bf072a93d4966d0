"""No view depends on what its side cannot know; dealing anew changes nothing else."""

import numpy as np
import pytest
from hidden_cards import random_positions, sees, swap_hidden_cards
from scenario import scenario

from dawn_env import observation as observe
from dawn_env.game import Game
from dawn_env.observation import SLICES
from dawn_env.state import MODES, Decision, Zone
from dawn_env.tables import COMMUNIST, DEMOCRAT, FACE_COUNT
from dawn_env.validation.state_validity import check_state

SIDES = (DEMOCRAT, COMMUNIST)


def part(game: Game, side: int, name: str) -> np.ndarray:
    """One part of a side's view."""
    return observe.observe(game.state, side)[SLICES[name]]


def check_redealt(game: Game, dealt: Game, side: int):
    """Same view, same sizes of all zones, all cards still there, and a game that can be."""
    check_state(dealt.state)
    assert sees(dealt, side) == sees(game, side), (game.decision, game.actor, side)
    old, new = game.state, dealt.state
    assert sorted(new.where) == sorted(old.where)
    assert (new.power_cards.sum(1) == old.power_cards.sum(1)).all()
    assert (new.power_cards.sum(0) == FACE_COUNT).all() and (new.power_cards >= 0).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(8))
def test_dealing_anew_keeps_the_view(seed, mode):
    """Ruling real-choices-only, ruling worlds-that-can-be."""
    different = 0
    for game in random_positions(seed, 3, {"mode": mode}):
        before = game.to_bytes()
        for side in SIDES:
            dealt = game.redeal(side, seed + 17)
            check_redealt(game, dealt, side)
            assert len(dealt.legal) > 1
            theirs = Zone.HAND + 1 - side
            different += ((dealt.state.where == theirs) != (game.state.where == theirs)).any()
        assert game.to_bytes() == before
    assert different > 5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(20, 30))
def test_hidden_fields_reach_neither_the_view_nor_what_is_dealt_anew(seed, mode):
    """Ruling what-is-known: dealing anew depends on what is known and the seed only."""
    rng = np.random.default_rng(seed)
    for game in random_positions(seed, 3, {"mode": mode}):
        for side in SIDES:
            other = game.copy()
            swap_hidden_cards(other.state, side, rng)
            assert sees(other, side) == sees(game, side), (game.decision, side)
            assert other.redeal(side, seed) == game.redeal(side, seed), (game.decision, side)


@pytest.mark.parametrize("side", SIDES)
def test_drawn_cards_are_seen_by_the_one_who_chooses(side):
    """Ruling award-3-is-secret."""
    game = Game(1)
    game.state.where[30], game.state.decision, game.state.actor = Zone.DRAWN, Decision.KEEP_CARD, side
    assert part(game, side, "drawn")[29] == 1 and not part(game, 1 - side, "drawn").any()


def test_struggle_hands_are_seen_during_the_crowds_operation():
    """From the moment they are dealt and adjusted (ruling hands-seen-once-dealt)."""
    chance = {"power_deal": {"D": ["march-3"] * 4 + ["march-4"] * 4, "C": ["strike-3"] * 4 + ["strike-4"] * 2}}
    chance["power_draws"] = ["rally-1"] * 6 + ["petition-5"] * 3 + ["petition-6"] * 3 + ["strike-5"] * 2 + ["march-5"]
    support = {"Timisoara": (3, 0), "Iasi": (3, 0), "Bucuresti": (0, 3)}
    game = scenario("C: 95", support, turn=8, in_play=[54], chance=chance)
    assert (game.decision, game.actor) == ("ops", DEMOCRAT)
    for side in SIDES:
        assert part(game, side, "my_power_hand").sum() == part(game, side, "power_hand_size")[0] > 0
        assert not part(game, side, "their_power_hand").any()
    game.state.where[70] = Zone.IN_PLAY
    assert part(game, COMMUNIST, "their_power_hand").sum() == 8 and not part(game, DEMOCRAT, "their_power_hand").any()
