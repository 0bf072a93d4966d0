"""Reasons why spaces and cards cannot be chosen: for each that is not legal, none for the others, and true ones."""

import random

import numpy as np
from random_records import golden_records
from scenario import Scenario, scenario

from dawn_env.actions import CARD0, FACE0, SPACE0
from dawn_env.events.wording import say
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.state import PowerZone, Zone
from dawn_env.tables import FACES, C, P, S
from dawn_env.views.barred_actions import barred_words
from dawn_env.views.barred_cards import _card_bars, _face_bars, barred_cards
from dawn_env.views.barred_spaces import _bars, barred_spaces
from dawn_env.views.choice_costs import assess


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


def test_every_card_at_hand_that_is_not_legal_has_a_reason_and_no_legal_one_has():
    """Strategy cards where one is asked for, struggle cards in attacks and answers."""
    told: dict[str, set] = {"card": set(), "power": set()}
    for record in golden_records():
        game = Game(record["seed"], record["options"])
        for action in record["decisions"]:
            view = View(game.state)
            state, side, legal = view._dealt[0], view.side, set(view.texts)
            found = barred_cards(view)
            barred = [text for _, texts in found for text in texts]
            assert len(set(barred)) == len(barred) and not legal & {*barred}
            if any(text.startswith("card:") for text in legal):
                held = {f"card:{card}" for card in np.flatnonzero(state.where == Zone.HAND + side)}
                assert held <= legal | {*barred}, (game.decision, found)
                for reason, cards in _card_bars(state, side, assess(state, side)):
                    assert not (cards[1:] & (view.mask[CARD0 + 1 : CARD0 + C] > 0)).any(), (game.decision, reason)
            if game.decision in ("attack", "defend"):
                held = {f"power:{FACES[face]}" for face in np.flatnonzero(state.power_cards[PowerZone.HAND + side])}
                assert held <= legal | {*barred}, (game.decision, found)
                for reason, faces in _face_bars(state, side):
                    assert not (faces & (view.mask[FACE0 : FACE0 + P] > 0)).any(), (game.decision, reason)
            for reason, texts in found:
                told[texts[0].partition(":")[0]].add(reason["barred"])
                assert say("barred", reason)
                assert all(barred_words(view, text) == say("barred", reason) for text in texts)
            game.step(action)
    assert {"elsewhere", "scoring", "lower", "worth", "not-theirs", "cannot-occur", "kind"} <= told["card"], told
    assert told["power"] == {"leader", "answers-only", "attacks-only", "suit"}, told  # "blocked": below


def words(game: Game, space: str) -> str:
    return barred_words(View(game.state), f"space:{space}")


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


def test_a_card_says_what_is_asked_for_instead():
    game = scenario("D: 31 3", {"Berlin": (1, 0)}, phasing="D")
    assert barred_words(View(game.state), "card:31") == ""
    assert barred_words(View(game.state), "space:Berlin") == "no space is asked for now"
    game.take("card:31", "place")
    assert barred_words(View(game.state), "card:3") == "no card is asked for now"


def test_struggle_cards_say_what_bars_them():
    """Tactic Fails answers an attack with Strike and so blocks that suit for the next attack."""
    hands = {
        "D": ["tactic-fails", "march-6", "march-6", "march-5", "march-5", "march-4"],
        "C": ["strike-6", "strike-5", "leader-elite", "petition-6", "petition-5", "rally-1"],
    }
    game = scenario("C: 22", {"Poznan": (3, 0), "Lodz": (0, 3)}, turn=8, chance={"power_deal": hands})
    game.take("pass", "pass", "power:strike-6")
    view = View(game.state)
    assert barred_words(view, "power:march-6") == "the attack is Strike" and not barred_words(
        view, "power:tactic-fails"
    )
    game.take("power:tactic-fails")
    view = View(game.state)
    assert barred_words(view, "power:strike-5") == "Strike is blocked: a Tactic Fails has answered it"
    reason = "counts only with control of a space of the type elite in Poland"
    assert barred_words(view, "power:leader-elite") == reason
    assert barred_words(view, "card:12") == "no card is asked for now"
