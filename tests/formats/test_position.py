"""Positions as JSON: round trips, and what a malformed one is told."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from scenario import scenario
from scripted_cases import situation
from tables import table

from dawn_env.errors import MalformedPosition
from dawn_env.formats.position_file import from_json, to_json
from dawn_env.game import Game
from dawn_env.rules.frames import TurnStep
from dawn_env.state import PowerZone, Zone
from dawn_env.tables import COUNTRIES, FACE_COUNT, SPACE_ID

BOX_8 = {"box": 8, "tried_box": False, "tried_turn": False}


def early_position() -> dict:
    """A small position of turn 2."""
    track = {"box": 1, "tried_box": False, "tried_turn": True}
    return {
        "turn": 2, "round": 3, "phasing": "D", "vp": -4, "ussr": 0,
        "tiananmen": {"D": track, "C": {**track, "box": 2}},
        "award7_used": False, "award8_used": False,
        "support": {"Berlin": [0, 3], "Krakow": [2, 1]},
        "power": {name: {"holder": "C", "scored": 1} for name in COUNTRIES},
        "hands": {"D": [1, 3, 4], "C": [6, 7, 8]},
        "draw_pile": list(range(11, 41)), "discard": [10], "removed": [], "in_play": [2, 5, 9],
        "events_enabled": [3, 9, 14, 15, 67, 110],
    }  # fmt: skip


def late_position() -> dict:
    """A position of turn 9 in which every optional key applies."""
    lasting, removed = [13, 33, 49, 69, 100], [54, 97]
    return {
        **early_position(), "turn": 9, "samizdat": 20, "in_play": lasting, "removed": removed, "ussr": 1,
        "draw_pile": [card for card in range(9, 111) if card not in {10, 20, *lasting, *removed}] + [2, 5],
        "award8_used": True, "tiananmen": {**early_position()["tiananmen"], "C": BOX_8}, "extra_support": [2, 0],
        "prudence": {"D": -1, "C": 0}, "stand_fast": "C", "debt_burden": "Hungary", "systematized": "Iasi",
        "ceausescu_hideout": "Craiova", "crowd_done": True, "tyrant_done": True, "stasi_card": 4,
        "events_enabled": [9, 14, 15, 67, 81, 96, 97, 110],
    }  # fmt: skip


def changed(position: dict, path: str, value) -> dict:
    """A copy with one value replaced, or deleted when ``value`` is ``...``."""
    result = copy.deepcopy(position)
    *outer, last = path.split("/")
    target = result
    for key in outer:
        target = target[key]
    if value is ...:
        del target[last]
    else:
        target[last] = value
    return result


@pytest.mark.parametrize("position", [early_position(), late_position()])
def test_round_trip(position):
    piles = {name: sorted(position[name]) for name in ("draw_pile", "discard", "removed", "in_play")}
    assert to_json(from_json(position)[0]) == position | piles


def test_fields():
    state = from_json(late_position())[0]
    assert state.destroyed == SPACE_ID["Iasi"] and state.hideout == SPACE_ID["Craiova"]
    assert state.where[20] == Zone.SET_ASIDE and state.where[110] == Zone.DRAW_PILE
    assert (state.power_cards[PowerZone.DECK] == FACE_COUNT).all() and state.power_cards.sum() == 52
    assert state.depth == 1 and state.frames[0].step == TurnStep.ROUND
    assert state.struggle == state.winner == -1
    assert state.known.nonzero()[0].tolist() == [4], "the Communist knows the announced card"
    where = from_json(early_position())[0].where
    assert (where[41:] == Zone.FUTURE).all() and not (where[:41] == Zone.FUTURE).any()


@pytest.mark.parametrize("points", [(0, 0), (2, 1), (0, 20)])
def test_a_set_up_goes_on_where_it_was(points):
    game, rng = Game(5, {"extra_support": points}), np.random.default_rng(5)
    while game.decision == "setup":
        again = Game.from_state(from_json(to_json(game.state), game.state.seed)[0])
        again.resume()
        assert (again.actor, again.legal) == (game.actor, game.legal)
        action = str(rng.choice(game.legal))
        again.step(action)
        game.step(action)
        assert (again.decision, again.actor, again.legal) == (game.decision, game.actor, game.legal)
    assert game.state.turn == 1


@pytest.mark.parametrize(
    "space, points, message",
    [
        ("Berlin", [0, 1], "support.Berlin: less than the fixed support"),
        ("Pecs", [0, 5], r"support: \[0, 3\] points \(D, C\) beyond batch 2 of the set-up"),
        ("Pecs", [1, 0], r"support: \[1, 0\] points \(D, C\) beyond batch 1 of the set-up"),
    ],
)
def test_points_that_no_set_up_places(space, points, message):
    with pytest.raises(MalformedPosition, match=message):
        from_json(changed(to_json(Game(1).state), f"support/{space}", points))


def test_seed_sets_the_generator():
    one, same, other = (from_json(early_position(), seed)[0].generator for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).any()


def test_events_enabled_may_be_left_out():
    position = changed(early_position(), "events_enabled", ...)
    assert to_json(from_json(position)[0]) == early_position()


def family_position() -> dict:
    """A position of family mode."""
    return to_json(situation("family; round 1; Szczecin 5-0; Poznan 0-4").state)


def bid_position() -> dict:
    """A position of the set-up after a bid that has made the first player the Communist."""
    offers = ("offer:democrat", "points:2", "offer:democrat", "points:1")
    return to_json(situation("bid").take(*offers).state)


MALFORMED = [
    (position, *case)
    for position, file in (
        (early_position, "malformed_positions.txt"),
        (family_position, "malformed_family.txt"),
        (bid_position, "malformed_bid.txt"),
    )
    for case in table(Path(__file__).with_name(file))
]


@pytest.mark.parametrize(("position", "change", "message"), MALFORMED)
def test_malformed(position, change, message):
    path, _, value = change.partition(" ")
    with pytest.raises(MalformedPosition, match=message):
        from_json(changed(position(), path, ... if value == "(left out)" else json.loads(value)))


@pytest.mark.parametrize(("changes", "message"), table(Path(__file__).with_name("missing_causes.txt")))
def test_markers_need_what_they_come_from(changes, message):
    position = late_position()
    for path, _, value in (change.partition(" ") for change in changes.split("; ")):
        position = changed(position, path, json.loads(value))
    placed = {card for pile in ("in_play", "removed", "discard") for card in position[pile]}
    position["draw_pile"] = [card for card in late_position()["draw_pile"] if card not in placed]
    with pytest.raises(MalformedPosition, match=message):
        from_json(position)


def test_a_whole_deck_in_a_hand():
    position = early_position()
    position["hands"]["D"] += position["draw_pile"]
    position["draw_pile"] = []
    with pytest.raises(MalformedPosition, match="hand of the democrat: 33 cards, more than the 12"):
        from_json(position)


def test_107_needs_73_in_play():
    position = to_json(scenario("C: 107 12", turn=8, removed=[73]).state)
    assert 107 not in position["events_enabled"]
    assert 107 in to_json(scenario("C: 107 12", turn=8, in_play=[73]).state)["events_enabled"]
    with pytest.raises(MalformedPosition, match="events_enabled"):
        from_json({**position, "events_enabled": sorted([*position["events_enabled"], 107])})


def test_malformed_as_a_whole():
    with pytest.raises(MalformedPosition, match="position: an object expected, not 3"):
        from_json(3)
