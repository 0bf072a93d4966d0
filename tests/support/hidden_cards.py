"""Positions of random games, what a side sees of them, and other cards where it cannot see."""

import numpy as np

from dawn_env.game import Game
from dawn_env.observation.view_layouts import layout_of
from dawn_env.state import Mode, PowerZone, Zone
from dawn_env.tables import COMMUNIST, OWNER, ROMANIA


def random_positions(seed: int, every: int, options: dict | None = None, most: int = 10_000):
    """The game at every ``every``-th decision of a random game, up to decision ``most``."""
    game, rng = Game(seed, options), np.random.default_rng(seed)
    while not game.over and game.state.decisions < most:
        if game.state.decisions % every == 0:
            yield game
        game.step(str(rng.choice(game.legal)))


def random_steps(seed: int, options: dict | None = None):
    """(game before, game after, action) of every step of a random game."""
    rng = np.random.default_rng(seed)
    after = Game(seed, options)
    while not after.over:
        before, action = after.copy(), str(rng.choice(after.legal))
        after.step(action)
        yield before, after, action


def sees(game: Game, side: int) -> bytes:
    """All a side is given: its observation, and its mask when it acts."""
    mask = game.mask.tobytes() if game.actor == side else b""
    return layout_of(game.options).one(game.state, side).tobytes() + mask


def swap_hidden_cards(state, side: int, rng: np.random.Generator):
    """Permute everything a side cannot know, written independently of the engine's own dealing."""
    (_swap_family if state.mode == Mode.FAMILY else _swap_standard)(state, side, rng)
    if state.actor != side:
        state.legal[:] = rng.integers(0, 2, len(state.legal))
        state.legal_count = state.last_legal = 1
    state.generator[:], state.seed, state.tape[:], state.tape_len[:] = 7, 7, 7, 7


def _swap_standard(state, side: int, rng: np.random.Generator):
    theirs = (state.where == Zone.HAND + 1 - side) & (state.known == 0)
    hidden = theirs | (state.where == Zone.DRAW_PILE)
    hidden |= (state.where == Zone.SET_ASIDE) & (side == COMMUNIST)
    hidden |= (state.where == Zone.DRAWN) & (state.actor != side)
    cards = np.flatnonzero(hidden)
    state.where[cards] = state.where[rng.permutation(cards)]
    if not (side == COMMUNIST and state.where[70] == Zone.IN_PLAY and state.struggle == ROMANIA):
        hand, deck = state.power_cards[PowerZone.HAND + 1 - side], state.power_cards[PowerZone.DECK]
        give, take = np.flatnonzero(hand), np.flatnonzero(deck)
        if len(give) and len(take):
            hand[give[0]], deck[give[0]] = hand[give[0]] - 1, deck[give[0]] + 1
            hand[take[-1]], deck[take[-1]] = hand[take[-1]] + 1, deck[take[-1]] - 1


def _swap_family(state, side: int, rng: np.random.Generator):
    hidden = (state.where == Zone.HAND + 1 - side) | (state.where == Zone.DRAW_PILE)
    cards = np.flatnonzero((OWNER == 1 - side) & hidden)
    state.where[cards] = state.where[rng.permutation(cards)]
    hand, deck = state.power_cards[PowerZone.HAND + 1 - side], state.power_cards[PowerZone.DECK]
    unknown = hand - state.power_known[1 - side]
    drawn = rng.permutation(np.repeat(np.arange(len(hand)), unknown + deck))
    hand[:] = state.power_known[1 - side]
    deck[:] = 0
    np.add.at(hand, drawn[: unknown.sum()], 1)
    np.add.at(deck, drawn[unknown.sum() :], 1)
