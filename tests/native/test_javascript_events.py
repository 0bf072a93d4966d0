"""Events of the JavaScript package: what Python's events of the same games come to, for the same side."""

import json

import pytest
from processes import node

from dawn_env.actions import ACTIONS
from dawn_env.events import EventObserver
from dawn_env.game import Game
from dawn_env.tables import SIDE_NAMES, SIDES, SPACES

KINDS = {}, {"mode": "family"}, {"extra_support": (2, 3)}
GAMES = 2


def random_game(seed, options, side):
    """A game as tell_events.mjs reads it, Python's events between decisions of the side, and the dice of each step."""
    game, observer, actions = Game(seed, options), EventObserver(side), []
    spans, told, dice = [], [], []
    while not game.over:
        legal = sorted(ACTIONS.index(action) for action in game.legal)
        actions.append(legal[(seed * 7919 + len(actions) * 104729) % len(legal)])
        before = game.copy()
        game.step(ACTIONS[actions[-1]])
        told += observer.see(before, game, ACTIONS[actions[-1]])
        dice.append(game.chance.get("dice", []))
        if game.over or game.actor == side:
            spans.append(told)
            told = []
    shared = {} if "extra_support" not in options else {"extraSupport": options["extra_support"]}
    return {"seed": seed, "options": shared or options, "actions": actions, "side": side}, spans, dice


def facts(events):
    """What the events come to: latest values by what they are about."""
    known = {}
    for event in events:
        kind, rest = event["event"], dict(event)
        if kind == "support":
            known |= {(event["space"], side): event[side][1] for side in SIDE_NAMES if side in event}
        elif kind in ("track", "power"):
            known[kind, event["side" if kind == "track" else "country"]] = rest
        elif kind == "vp":
            known[kind] = event["vp"]
        elif kind in ("struggle", "round", "end"):
            known[kind] = rest
        if kind == "end":
            known["round"] = None
    return known


def cards_in(events):
    named = {card for event in events if event["event"] == "cards" for card in event["cards"]}
    chosen = [event["action"] or "" for event in events if event["event"] == "decision"]
    return named | {int(action.partition(":")[2]) for action in chosen if action.startswith("card:")}


@pytest.fixture(scope="module")
def games(built, tmp_path_factory):
    """Games with the events and dice that Python reports, and those that JavaScript reports of the same games."""
    seats = [(seed, options, seed % SIDES) for options in KINDS for seed in range(GAMES)]
    recorded = [random_game(*seat) for seat in seats]
    file = tmp_path_factory.mktemp("events") / "games.json"
    file.write_text(json.dumps([game for game, *_ in recorded]))
    return [(*game, ours) for game, ours in zip(recorded, node("tell_events.mjs", file), strict=True)]


def test_events_come_to_what_python_tells(games):
    for game, spans, _, ours in games:
        start = Game(game["seed"], {"mode": game["options"].get("mode", "standard")})
        known = {(space, name): int(start.state.support[side, at])
                 for side, name in enumerate(SIDE_NAMES) for at, space in enumerate(SPACES)}  # fmt: skip
        now = {"turn": int(start.state.turn), "round": 0, "side": SIDE_NAMES[start.state.phasing]}
        known |= {"vp": 0, "struggle": {"event": "struggle", "country": None}, "round": {"event": "round", **now}}
        theirs = dict(known)
        for events, told in zip(spans, ours["spans"], strict=True):
            known |= facts(told)
            theirs |= facts(events)
            assert known == theirs


def test_events_name_no_card_that_python_does_not(games):
    """But for cards known to be in the opponent's hand by counting; family mode names cards by decisions alone."""
    for game, spans, _, ours in games:
        if "mode" in game["options"]:
            continue
        named, named_here = set(), set()
        for events, told in zip(spans, ours["spans"], strict=True):
            named |= cards_in(events)
            named_here |= cards_in([event for event in told if event.get("to") != "known_theirs"])
            assert named_here <= named
        assert len(named_here) > len(named) / 2


def test_the_dice_are_those_of_python(games):
    for _, _, dice, ours in games:
        assert ours["dice"] == dice and any(dice)
