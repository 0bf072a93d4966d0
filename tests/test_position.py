"""Positions as JSON: round trips over the recorded rounds, and what a malformed one is told."""

import copy
import gzip
import json
from pathlib import Path

import pytest

from dawn_env.errors import MalformedPosition
from dawn_env.game import Game
from dawn_env.position import from_json, to_json
from dawn_env.rules.turn import ROUND_STEP, SETUP_STEP
from dawn_env.state import DRAW_PILE, FUTURE, POWER_DECK, SET_ASIDE, STEP
from dawn_env.tables import COMMUNIST, COUNTRIES, FACE_COUNT, SPACE_ID

RECORDS = Path(__file__).parents[2] / "shared" / "conformance" / "rounds.jsonl.gz"


def early_position() -> dict:
    """A small position of turn 2."""
    track = {"box": 1, "tried_box": False, "tried_turn": True}
    return {
        "turn": 2, "round": 3, "phasing": "D", "vp": -4, "ussr": 1,
        "tiananmen": {"D": track, "C": {**track, "box": 2}},
        "award7_used": False, "award8_used": True,
        "support": {"Berlin": [0, 3], "Krakow": [2, 1]},
        "power": {name: {"holder": "C", "scored": 1} for name in COUNTRIES},
        "hands": {"D": [1, 3, 4], "C": [6, 7, 8]},
        "draw_pile": list(range(11, 41)), "discard": [10], "removed": [], "in_play": [2, 5, 9],
        "events_enabled": [3, 9, 14, 15, 67, 110],
    }  # fmt: skip


def late_position() -> dict:
    """A position of turn 9 in which every optional key applies."""
    lasting = [49, 54, 69, 97, 100]
    return {
        **early_position(), "turn": 9, "samizdat": 20, "in_play": lasting,
        "draw_pile": [card for card in range(9, 111) if card not in {10, 20, *lasting}] + [2, 5],
        "prudence": {"D": -1, "C": 0}, "stand_fast": "C", "debt_burden": "Hungary", "systematized": "Iasi",
        "ceausescu_hideout": "Craiova", "crowd_done": True, "tyrant_done": True, "stasi_card": 7,
        "events_enabled": [9, 14, 15, 67, 97, 110],
    }  # fmt: skip


def sorted_piles(position: dict) -> dict:
    """The position with every list of cards sorted."""
    piles = {name: sorted(position[name]) for name in ("draw_pile", "discard", "removed", "in_play")}
    return {**position, **piles}


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
    assert to_json(from_json(position)[0]) == sorted_piles(position)


@pytest.mark.skipif(not RECORDS.exists(), reason="the recorded rounds are not beside the project")
@pytest.mark.parametrize("key", ["before", "after"])
def test_recorded_positions_round_trip(key):
    with gzip.open(RECORDS, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if "result" not in record[key]:
                assert to_json(from_json(record[key])[0]) == record[key], record["id"]


def test_fields():
    state = from_json(late_position())[0]
    assert state.destroyed == SPACE_ID["Iasi"] and state.hideout == SPACE_ID["Craiova"]
    assert state.where[20] == SET_ASIDE and state.where[110] == DRAW_PILE
    assert (state.power_cards[POWER_DECK] == FACE_COUNT).all() and state.power_cards.sum() == 52
    assert state.depth == 1 and state.frames[0, STEP] == ROUND_STEP
    assert state.struggle == state.winner == -1


def test_later_decks_wait():
    where = from_json(early_position())[0].where
    assert (where[41:] == FUTURE).all() and not (where[:41] == FUTURE).any()


def test_set_up():
    position = {**early_position(), "turn": 0, "round": 0}
    state = from_json(position)[0]
    assert state.frames[0][STEP] == SETUP_STEP
    game = Game.from_state(state)
    game.resume()
    assert (game.decision, game.actor) == ("setup", COMMUNIST)


def test_seed_sets_the_generator():
    one, same, other = (from_json(early_position(), seed)[0].generator for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).any()


def test_events_enabled_may_be_left_out():
    position = changed(early_position(), "events_enabled", ...)
    assert to_json(from_json(position)[0]) == early_position()


@pytest.mark.parametrize(
    "path, value, message",
    [
        ("turn", ..., "position: missing turn"),
        ("trun", 3, "unknown trun; known: .*turn"),
        ("turn", 11, "turn: an integer 0 ... 10 expected, not 11"),
        ("turn", True, "turn: an integer .* not True"),
        ("turn", 0, "round: an integer 0 ... 0 expected, not 3"),
        ("round", 0, "round: an integer 1 ... 8 expected, not 0"),
        ("phasing", "X", "phasing: one of D, C expected, not 'X'"),
        ("phasing", ["D"], r"phasing: one of D, C expected, not \['D'\]"),
        ("vp", 20, "vp: an integer -19 ... 19"),
        ("vp", "3", "vp: an integer"),
        ("ussr", 5, "ussr: an integer 0 ... 4"),
        ("tiananmen", [], "tiananmen: an object expected"),
        ("tiananmen/C", ..., "tiananmen: missing C"),
        ("tiananmen/C/box", 9, "tiananmen.C.box: an integer 0 ... 8"),
        ("tiananmen/D/tried_box", 1, "tiananmen.D.tried_box: true or false expected, not 1"),
        ("award7_used", None, "award7_used: true or false"),
        ("support/Berlyn", [1, 0], "support: no space is called 'Berlyn'; known: .*Berlin"),
        ("support/Berlin", 3, r"support.Berlin: \[democrat, communist\] expected, not 3"),
        ("support/Berlin", [0, -1], "support.Berlin: an integer 0"),
        ("power/Poland", ..., "power: missing Poland"),
        ("power/Utopia", {}, "power: unknown Utopia; known: .*Poland"),
        ("power/Poland/holder", "N", "power.Poland.holder: one of D, C"),
        ("power/Poland/holder", "D", "power.Poland.scored: null expected"),
        ("power/Poland/scored", None, "power.Poland.scored: an integer"),
        ("hands/D", [1, 3, 4, 6], "card 6 lies in hands.D and in hands.C"),
        ("hands/D", [1, 1, 3, 4], r"hands.D: cards \[1\] are listed more than once"),
        ("hands/D", [1, 3], "card 4 is missing"),
        ("hands/D", None, "hands.D: a list of card numbers"),
        ("discard", [111], "discard: an integer 1 ... 110 expected, not 111"),
        ("discard", [10, 41], "card 41 belongs to the deck of turn 4, but it is turn 2"),
        ("turn", 4, "card 41 is missing"),
        ("samizdat", 1, "card 1 lies in hands.D and in samizdat"),
        ("samizdat", None, "samizdat: an integer 1 ... 110"),
        ("prudence", {"D": 1, "C": 0}, "prudence.D: an integer"),
        ("stand_fast", "both", "stand_fast: one of D, C"),
        ("debt_burden", "Utopia", "debt_burden: one of .*Hungary"),
        ("systematized", "Berlin", "systematized: a space of Romania expected, not 'Berlin'"),
        ("ceausescu_hideout", 7, "ceausescu_hideout: no space is called 7"),
        ("crowd_done", "yes", "crowd_done: true or false"),
        ("stasi_card", 0, "stasi_card: an integer 1 ... 110"),
        ("events_enabled", [3], r"events_enabled: \[3\] does not fit .*\[3, 9, 14, 15, 67, 110\] does"),
        ("events_enabled", 3, "events_enabled: a list"),
    ],
)
def test_malformed(path, value, message):
    with pytest.raises(MalformedPosition, match=message):
        from_json(changed(early_position(), path, value))


def test_malformed_as_a_whole():
    with pytest.raises(MalformedPosition, match="position: an object expected, not 3"):
        from_json(3)


def test_card_that_never_stays_in_play():
    position = {**early_position(), "in_play": [2, 5, 9, 10], "discard": []}
    with pytest.raises(MalformedPosition, match=r"in_play: cards \[10\] never stay in play"):
        from_json(position)


def test_support_in_a_destroyed_space():
    with pytest.raises(MalformedPosition, match="support.Iasi: a destroyed space has no support points"):
        from_json(changed(late_position(), "support/Iasi", [1, 0]))
