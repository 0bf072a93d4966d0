"""What is said of choices that cannot be taken back is what then happens."""

import numpy as np
from random_records import golden_records
from scenario import scenario

from dawn_env.events.wording import say
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.state import Zone
from dawn_env.views.consequences import consequences
from dawn_env.views.questions import choice_hint


def test_what_is_said_of_power_and_boxes_is_what_happens():
    """VP on the spot, where the scoring card goes; the boxes entered by the faces named and by no others."""
    power, boxes = set(), set()
    for record in golden_records()[:8]:
        game = Game(record["seed"], record["options"])
        for action in record["decisions"]:
            before, effects = game.copy(), consequences(View(game.state))
            game.step(action)
            if (effect := effects.get(action)) is None:
                continue
            assert say("consequence", effect)
            if action in ("retain", "surrender") and effect["card"]:
                zone = {"retain": Zone.DISCARD_PILE, "surrender": Zone.REMOVED}[action]
                assert game.state.where[effect["card"]] == zone
                f = before.state.frames[before.state.depth - 1]
                kept = game.state.times_scored[f.country] > before.state.times_scored[f.country]
                assert kept == (action == "retain")
                power.add(action)
            if action == "tiananmen":
                die, side = game.chance["dice"][0], before.actor
                entered = game.state.track[side] > before.state.track[side]
                assert entered == (die >= effect["needed"]) and effect["box"] == before.state.track[side] + 1
                boxes.add(bool(entered))
    assert power == {"retain", "surrender"} and boxes == {True, False}


def test_take_overs_have_their_odds():
    """Counted over both dice, with what the attack that is played adds to them."""
    game, rng, seen = Game(2, {"mode": "family"}), np.random.default_rng(2), 0
    while not game.over and seen < 12:
        if game.decision == "points" and (effects := consequences(View(game.state))):
            text, attacker, played = next(reversed(effects)), game.actor, game.copy()
            hint = choice_hint(View(game.state), text)
            played.step(text)
            if played.state.attack:
                attack_die, defence_die = played.chance["dice"][-2:]
                lead = int(played.state.attack) - attack_die - (int(played.state.defence) - defence_die)
                wins = sum(lead + one - other >= (attacker == 0) for one in range(1, 7) for other in range(1, 7))
                assert (
                    effects[text]["percent"] == round(100 * wins / 36)
                    and hint == f"{round(100 * wins / 36)} % by the dice"
                )
                seen += 1
        game.step(str(rng.choice(game.legal)))
    assert seen == 12


def test_keeping_power_says_what_it_pays():
    game = scenario("C: 3", turn=2, scored={"Poland": 1})
    assert say("consequence", {"action": "retain", "card": 22, "vp": 6, "final": 4}) == (
        "6 VP for the Communist now, 4 more at final scoring if they still hold it; "
        "22 Poland Scoring goes to the discard pile"
    )
    assert "enters box 1 (+1 to attempts); a failure adds 1" in choice_hint(View(game.state), "tiananmen")
