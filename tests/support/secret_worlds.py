"""Pairs of games that look alike to one side."""

import numpy as np
import pytest
from hidden_cards import random_positions
from scenario import Scenario, scenario

from dawn_env.events import EventObserver, asked_in_secret
from dawn_env.game import Game
from dawn_env.tables import COMMUNIST, DEMOCRAT

POLAND = {"Lodz": (0, 3), "Gdansk": (0, 3)}


MIDDLE, EARLY = {"turn": 4}, {"turn": 1}


def fresh(game: Scenario) -> Scenario:
    """The same position, but chance comes from the generator."""
    game.end_script()
    return game


def strict(hand: str, position: dict, **extra) -> Scenario:
    return fresh(scenario(hand, POLAND, **position, stop=False, **extra))


PAIRS = [
    # The opponent is asked in the first world only; what they do there comes to the same.
    pytest.param(
        DEMOCRAT, MIDDLE, ("D: 44 7 / C: 11 37", ("pass",)), ("D: 44 7 / C: 11 32", ()),
        ("card:44", "event", "country:Poland", "space:Lodz", "space:Lodz"), {}, id="cancel-check",
    ),
    pytest.param(
        COMMUNIST, EARLY, ("C: 20 12 / D: 7 34 4", ("card:34",)), ("C: 20 12 / D: 26 34 4", ()),
        ("card:20", "event"), {}, id="give-card for operations",
    ),
    pytest.param(
        COMMUNIST, EARLY, ("C: 20 12 / D: 7 34 4", ("card:7",)), ("C: 20 12 / D: 7 26 4", ()),
        ("card:20", "event"), {}, id="give-card for its event",
    ),
    pytest.param(
        COMMUNIST, EARLY, ("C: 12 9 / D: 1 21 4", ("no",)), ("C: 12 9 / D: 1 5 4", ()),
        ("card:12", "event", "space:Berlin", "space:Berlin", "space:Berlin"),
        {"in_play": [13], "stasi_card": 1}, id="cancel-with-home",
    ),
    pytest.param(
        COMMUNIST, EARLY, ("D: 21 1 7 / C: 12", ("card:1",)), ("D: 21 1 34 / C: 12", ()),
        ("card:21", "event"), {}, id="home-card",
    ),
]  # fmt: skip


def rerun(game: Game, viewer: int, action: str, rng: np.random.Generator) -> tuple[list[dict], Game, int]:
    """Take the action and answer what is asked in secret: what the viewer is told, the end, the secret answers."""
    game, observer, events, answers = game.copy(), EventObserver(viewer), [], 0
    while True:
        before = game.copy()
        game.step(action)
        events += observer.see(before, game, action)
        if not asked_in_secret(game, viewer):
            return events, game, answers
        refusal = {"no", "pass", "concede"} & set(game.legal)
        action, answers = refusal.pop() if refusal else str(rng.choice(game.legal)), answers + 1


def worlds(seed: int, viewer: int, rng: np.random.Generator, options: dict | None = None):
    """Two games that look alike to the viewer, with the same chance to come, and an action legal in both."""
    for game in random_positions(seed, 1, options):
        other, action = game.redeal(viewer, seed), str(rng.choice(game.legal))
        other.state.generator[:] = game.state.generator
        if not asked_in_secret(game, viewer) and action in other.legal:
            yield game, other, action
