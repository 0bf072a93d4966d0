"""Valid games to start from, at any moment, and what is done with a game that was accepted."""

from random import Random
from typing import NamedTuple

import numpy as np
from invariants import broken

from dawn_env import engine
from dawn_env.errors import ChanceError
from dawn_env.game import Game
from dawn_env.observation.view_layouts import layout_of
from dawn_env.options import STANDARD, GameOptions
from dawn_env.tables import SIDES
from fuzzing.target import BrokenRule

_LONGEST = 450  # decisions of a random game, about
_SET_UP = 20  # decisions, about
_BID = 5  # decisions, at most
_SEARCHED = 200  # decisions in which a rare moment is looked for
MOST_DECISIONS = 2_000
"""No random game is as long."""


class Subject(NamedTuple):
    """A game in progress: its seed, the actions taken, and itself."""

    seed: int
    actions: list[int]
    game: Game

    @property
    def options(self) -> GameOptions:
        return self.game.options


KINDS = (STANDARD, STANDARD, GameOptions(bid=True), GameOptions(mode="family"))
"""Options of the games, each as often as it stands here."""

_MOMENTS = (
    lambda state: True,
    lambda state: state.turn == 0 or state.origin >= 0,  # in the bid or the set-up, or when family mode moves
    lambda state: state.depth >= 4,  # in the middle of an event
    lambda state: state.struggle >= 0,
    lambda state: state.turn == 0 or state.destination >= 0,
)


def random_subject(random: Random, moments=_MOMENTS, kinds=KINDS) -> Subject:
    """A random game at a random moment, often one of the rarer ones."""
    seed, wanted, options = random.randrange(2**63), random.choice(moments), random.choice(kinds)
    longest = random.choice((_BID, _BID, _SET_UP, *[_LONGEST] * 4))
    game, actions = Game(seed, options), []
    take(random, game, actions, random.randrange(longest))
    for _ in range(_SEARCHED):
        if wanted(game.state) or game.over:
            break
        take(random, game, actions, 1)
    return Subject(seed, actions, game)


def take(random: Random, game: Game, actions: list[int], count: int) -> None:
    """Play some random decisions, but not the last one of the game."""
    for _ in range(count):
        before, action = game.states.copy(), random_action(random, game.mask)
        engine.advance(game.states, np.array([action]))
        if game.over:
            game.states[:] = before
            return
        actions.append(action)


def random_action(random: Random, mask: np.ndarray) -> int:
    legal = np.flatnonzero(mask)
    if not len(legal):
        raise BrokenRule("no action is legal")
    return int(legal[random.randrange(len(legal))])


def play_out(random: Random, game: Game) -> None:
    """Look at an accepted game, then play it at random to its end; raises ``BrokenRule``."""
    if game.decision == "none" and not game.over:
        game.resume()  # a position at the start of a round, as it comes from a file
    check(game)
    for side in range(SIDES):
        layout_of(game.options).one(game.state, side)
    if not game.over:
        for side in range(SIDES):
            check(game.redeal(side, random.randrange(2**63)))
    for _ in range(MOST_DECISIONS):
        if game.over:
            return
        try:
            game.step(random_action(random, game.mask))
        except ChanceError:
            if game.state.scripted:
                return  # a script that does not fit is an error the player of it is told
            raise
        check(game)
    raise BrokenRule(f"the game has not ended after {MOST_DECISIONS} decisions")


def check(game: Game) -> None:
    if problems := broken(game.states):
        raise BrokenRule("; ".join(problems))
