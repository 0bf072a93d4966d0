"""Reasons why spaces cannot be chosen: for each that is not legal, none for the others, and true ones."""

import random

import numpy as np
from random_records import golden_records
from scenario import Scenario, scenario

from dawn_env.actions import SPACE0
from dawn_env.events.wording import say
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.tables import S
from dawn_env.views.barred_spaces import _bars, barred_spaces, barred_words


def games() -> list[tuple[Game, list[str] | None]]:
    """Recorded games, and games of family mode with random actions."""
    recorded = [(Game(one["seed"], one["options"]), one["decisions"]) for one in golden_records()[:3]]
    return recorded + [(Game(seed, {"mode": "family"}), None) for seed in range(1)]


def test_every_space_that_is_not_legal_has_a_reason_and_no_legal_one_has():
    told, rng = set(), random.Random(1)
    for game, decisions in games():
        for action in decisions or iter(lambda: None, game):
            if game.over:
                break
            view = View(game.state)
            legal = view.mask[SPACE0 : SPACE0 + S] > 0
            found = barred_spaces(view)
            if legal.any():
                barred = sorted(space for _, spaces in found for space in spaces)
                assert barred == np.flatnonzero(~legal).tolist(), (game.decision, found)
                for reason, spaces in _bars(view._dealt[0]):
                    assert not (spaces & legal).any(), (game.decision, reason)
                told |= {reason["barred"] for reason, _ in found}
                assert all(say("barred", reason) for reason, _ in found)
            else:
                assert found == []
            game.step(action or rng.choice(game.legal))
    wanted = {"destroyed", "region", "reach", "price", "ban", "points", "no-points", "controlled", "not-controlled"}
    assert wanted | {"full", "country", "stuck", "apart", "contested"} <= told


def words(game: Game, space: str) -> str:
    return barred_words(View(game.state), space)


def operation(kind: str, **position) -> Scenario:
    """The Democrat with an operation worth 3."""
    return scenario("D: 3", phasing="D", **position).take(kind)


def test_a_placement_says_what_is_out_of_reach_and_what_is_too_dear():
    game = operation("place", support={"Gdansk": (1, 5), "Szczecin": (1, 0)})
    assert words(game, "Berlin") == "out of reach: no Democrat support points here or next to it"
    game.take("space:Poznan", "space:Poznan")
    assert words(game, "Wroclaw").startswith("out of reach when the operation began")
    assert words(game, "Gdansk") == "the Communist controls this space: a point costs 2, and 1 is left"
    assert words(game, "Szczecin") == ""


def test_checks_say_what_bars_them():
    """Solidarity Legalized bars Gdansk from the Communist; elsewhere opposing points are needed."""
    game = scenario("C: 12", {"Gdansk": (3, 0), "Lodz": (2, 0), "Praha": (0, 2)}, in_play=[2]).take("check")
    assert words(game, "Gdansk") == "2 Solidarity Legalized bars support checks of the Communist here"
    assert words(game, "Praha") == "no Democrat support points here" and words(game, "Lodz") == ""


def test_an_event_says_where_it_acts_and_how_often():
    game = scenario("D: 31 3", {"Berlin": (1, 0)}, phasing="D").take("card:31", "event")
    assert words(game, "Berlin") == "31 Intelligentsia has to be used in intellectual spaces"
    game.take("space:Polish Writers", "space:Polish Writers")
    assert words(game, "Polish Writers") == "at most 2 points for one space"
