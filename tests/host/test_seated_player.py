"""Players of one game that is kept as a list of decisions: told of each event once."""

import pytest

from dawn_env import COMMUNIST, DEMOCRAT, Game, GameOptions, Offer, PlayerFailure, View, ViewPlayer
from dawn_env.host.seated_player import SeatedPlayer


class Told(ViewPlayer):
    """Takes the first action; notes all it is told."""

    wants_events = True

    def __init__(self, offer=None):
        super().__init__("told")
        self.offer, self.told = offer, []

    def bid(self, options):
        self.told.append("bid")
        return self.offer

    def begin_game(self, side, options):
        self.told.append(("begin", side, options))

    def on_events(self, events):
        self.told += [event["action"] for event in events if event["event"] == "decision"]

    def end_game(self, outcome):
        self.told.append(outcome)

    def choose(self, view):
        return view.legal[0]


def test_a_game_begins_once_and_each_event_is_told_once():
    player, game = Told(), Game(3)
    seated = SeatedPlayer(player, game, COMMUNIST)
    first = seated.answer(View(game.state), [])
    for decisions in (["space:Rostock"], ["space:Rostock"], ["space:Rostock", "space:Schwerin"]):
        seated.answer(View(game.state), decisions)
    seated.end({"result": "draw"}, decisions)
    begun = ("begin", game.actor, GameOptions())
    assert player.told == [begun, "space:Rostock", "space:Schwerin", {"result": "draw"}]
    assert first == View(game.state).legal[0]


def test_an_offer_is_asked_for_once_and_comes_in_parts():
    player, game, decisions = Told(Offer(COMMUNIST, 2)), Game(1, {"bid": True}), []
    seated = SeatedPlayer(player, game.copy(), 0)
    while game.actor == 0 and len(decisions) < 2:
        action = seated.answer(View(game.state), decisions)
        decisions += [View(game.state).texts[View(game.state).legal.tolist().index(action)]]
        game.step(action)
    assert decisions == ["offer:communist", "points:2"] and player.told.count("bid") == 1


def test_what_is_no_offer_is_a_failure_of_the_player():
    with pytest.raises(PlayerFailure, match="told offered 'all' where a side"):
        _ = SeatedPlayer(Told("all"), Game(1, {"bid": True}), DEMOCRAT).offer
