"""Dealing anew keeps to what a side has learnt of the other's cards: decks, reshuffles, cards shown, set aside."""

from collections import Counter

import numpy as np
import pytest
from scenario import scenario

from dawn_env.events import EventObserver
from dawn_env.game import Game
from dawn_env.observation import SLICES, observe
from dawn_env.state import Zone
from dawn_env.tables import COMMUNIST, DEMOCRAT, FIRST_TURN, PERIOD, PRINTED_OPS, RED_TITLE, SCORES
from dawn_env.validation.state_validity import check_state

SIDES = (DEMOCRAT, COMMUNIST)
WORLDS = range(30)


def hand(game: Game, side: int) -> set[int]:
    """Cards a side holds."""
    return set(np.flatnonzero(game.state.where == Zone.HAND + side).tolist())


def deals(game: Game, viewer: int) -> list[set[int]]:
    """The opponent's hand in worlds dealt anew for a viewer."""
    return [hand(game.redeal(viewer, seed), 1 - viewer) for seed in WORLDS]


def turn_starts(seed: int, turns: range):
    """A random game at the first decision of some turns, with the hands before the deal."""
    game, rng = Game(seed), np.random.default_rng(seed)
    while not game.over and game.state.turn < turns.stop - 1:
        before, turn = [hand(game, side) for side in SIDES], game.state.turn
        game.step(str(rng.choice(game.legal)))
        if game.state.turn > turn and game.state.turn in turns and not game.over:
            yield game, before


@pytest.mark.parametrize("seed", range(12))
def test_what_is_held_over_comes_from_the_decks_of_its_time(seed):
    for game, before in turn_starts(seed, range(2, 11)):
        for viewer in SIDES:
            kept = len(before[1 - viewer] & hand(game, 1 - viewer))
            turn = int(game.state.turn)
            for dealt in deals(game, viewer):
                fresh = [card for card in dealt if FIRST_TURN[PERIOD[card]] == turn > 1]
                scoring = [card for card in dealt if SCORES[card] >= 0]
                drawn = len(dealt) - kept
                assert len(fresh) <= drawn and len(scoring) <= drawn


def test_cards_held_when_the_pile_ran_empty_are_known():
    """The deal of turn 3 empties the pile: what lay neither there nor in the discard pile was in hands."""
    found = 0
    for seed in range(40):
        for game, before in turn_starts(seed, range(3, 4)):
            for viewer in SIDES:
                kept = before[1 - viewer] & hand(game, 1 - viewer)
                found += len(kept)
                assert all(kept <= dealt for dealt in deals(game, viewer))
    assert found > 5


def test_after_goodbye_lenin_no_other_red_card_is_in_the_hand():
    game = scenario("D: 46 / C: 2 24 7 12 27", turn=8).take("event")
    shown = {2, 24}
    assert set(np.flatnonzero(observe(game.state, DEMOCRAT)[SLICES["known_theirs"]]) + 1) == shown
    for dealt in deals(game, DEMOCRAT):
        assert {card for card in dealt if RED_TITLE[card]} == shown


def test_a_card_drawn_after_goodbye_lenin_may_be_red():
    game = scenario("D: 46 9 / C: 7 12", turn=8, stop=False).take("card:46", "event", "check")
    game.state.where[[1, 3]] = Zone.HAND + COMMUNIST  # two more cards, drawn by now
    game.state.drawn_at[COMMUNIST, :4] = [0, 0, game.state.epoch, game.state.epoch]
    red = Counter(sum(RED_TITLE[card] for card in hand(game.redeal(DEMOCRAT, seed), COMMUNIST)) for seed in range(300))
    assert {0, 1} <= set(red) <= {0, 1, 2}  # the two older ones are not


def test_after_deutsche_marks_no_higher_card_is_in_the_hand():
    game = scenario("C: 20 / D: 31 9 4 23", stop=False).take("event")
    given = next(card for card in (31, 9, 4) if game.state.where[card] not in (Zone.HAND + DEMOCRAT, Zone.DRAW_PILE))
    for dealt in deals(game, COMMUNIST):
        assert all(PRINTED_OPS[card] <= PRINTED_OPS[given] for card in dealt)


# --- Samizdat (77) under Stasi (13) ----------------------------------------------------------------

UNDER_STASI = {"turn": 4, "in_play": [13], "stasi_card": 6, "support": {"Lodz": (2, 0), "Krakow": (0, 2)}}


def set_aside(card: int, **more):
    """The Communist plays 77 for its event, and the Democrat, having announced 6, sets a card aside."""
    chance = {"draws": [more.pop("draw", 36)]}
    game = scenario("C: 77 12 / D: 6 9 31", chance=chance, round=3, **UNDER_STASI, **more)
    return game.take("card:77", "opponent-event", f"card:{card}")


def test_the_announced_card_may_be_the_one_set_aside():
    """Ruling announcement-ends-with-the-hand."""
    aside, kept = set_aside(6), set_aside(9)
    views = [observe(game.state, COMMUNIST) for game in (aside, kept)]
    assert (views[0] == views[1]).all()
    assert views[0][SLICES["stasi_card"]][5] == views[0][SLICES["known_theirs"]][5] == 1
    zones = Counter(int(aside.redeal(COMMUNIST, seed).state.where[6]) for seed in range(200))
    assert set(zones) == {Zone.SET_ASIDE, Zone.HAND + DEMOCRAT} and min(zones.values()) > 20
    again = Counter(int(kept.redeal(COMMUNIST, seed).state.where[6]) for seed in range(200))
    assert zones == again


@pytest.mark.parametrize("card", [6, 9])
def test_which_card_is_set_aside_is_not_told(card):
    """Not even of the announced one, which the Communist knows to be held."""
    game = scenario("C: 77 12 / D: 6 9 31", chance={"draws": [36]}, round=3, **UNDER_STASI)
    before = game.take("card:77", "opponent-event").copy()
    told = EventObserver(COMMUNIST).see(before, game.take(f"card:{card}"), f"card:{card}")
    assert [event.get("action") for event in told] == [None]


def test_the_card_that_is_not_played_when_announced_is_the_one_set_aside():
    game = set_aside(6, stop=False).take("check", "pass")
    assert (game.decision, game.actor, game.state.stasi_card) == ("card", DEMOCRAT, 0)
    assert observe(game.state, COMMUNIST)[SLICES["known_theirs"]][5] == 1
    assert {int(game.redeal(COMMUNIST, seed).state.where[6]) for seed in WORLDS} == {Zone.SET_ASIDE}
    assert "stasi_card" not in game.position() and game.position()["samizdat"] == 6
    check_state(game.state)
