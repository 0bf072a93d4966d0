"""Cards of the opponent that follow by counting: views show just those that every deal of the hidden cards keeps."""

import numpy as np
import pytest
from hidden_cards import random_positions

from dawn_env.game import Game
from dawn_env.observation.view_layouts import layout_for_players
from dawn_env.state import FrameKind, Zone
from dawn_env.tables import COMMUNIST, DEMOCRAT, OWNER

SIDES = (DEMOCRAT, COMMUNIST)
MODES = {"standard": {}, "bid": {"bid": True}, "family": {"mode": "family"}}


def plane(game: Game, side: int, name: str) -> set[int]:
    """Cards marked in a part of a view."""
    layout = layout_for_players(game.state)
    return set((np.flatnonzero(layout.decode(layout.one(game.state, side))[name]) + 1).tolist())


def deal_without(cards: list[int], since: np.ndarray, places: list[int]) -> bool:
    """Return True if the places of a hand, epochs in ascending order, can be filled with other cards."""
    left = sorted(since[card] for card in cards)
    return all(left and left.pop(0) <= epoch for epoch in places)


def kept(game: Game, viewer: int) -> set[int]:
    """Cards that every deal leaves in the opponent's hand, or set aside from it: tried out without each of them."""
    state, holder = game.state, 1 - viewer
    where, known = state.where.tolist(), state.known.tolist()
    zones = [Zone.HAND + holder] + [Zone.SET_ASIDE] * (holder == DEMOCRAT)
    shown = {card for card in range(1, 111) if where[card] in zones and known[card]}
    hidden = {card for card in range(1, 111) if where[card] in zones} - shown
    drawn = [card for card in range(1, 111) if where[card] == Zone.DRAWN and state.actor == holder]
    pool = [*hidden, *drawn, *(card for card in range(1, 111) if where[card] == Zone.DRAW_PILE)]
    pool = [card for card in pool if not game.options.is_family or OWNER[card] == holder]
    places = state.drawn_at[holder][: len(hidden)].tolist()
    without = {card: [other for other in pool if other != card] for card in pool}
    return shown | {card for card in pool if not deal_without(without[card], state.since[holder], places)}


@pytest.mark.parametrize("mode", MODES)
def test_views_show_the_cards_that_every_deal_keeps_and_no_others(mode):
    counted = 0
    for seed in range(8):
        for game in random_positions(seed, 7, MODES[mode]):
            if game.state.frames[0].kind == FrameKind.BID:
                continue
            for side in SIDES:
                known = plane(game, side, "known_theirs")
                assert known == kept(game, side), (seed, game.state.decisions, side)
                counted += len(known - set(np.flatnonzero(game.state.known).tolist()))
    assert counted > (10 if mode == "family" else 200)
