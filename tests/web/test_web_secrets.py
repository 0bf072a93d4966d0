"""Messages of the browser game are functions of what their readers may see, compared byte for byte."""

import copy
import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple

import numpy as np
import pytest
from dawn_agents.frontends.web.game_database import GameDatabase
from dawn_agents.frontends.web.game_session import HUMAN, UNDO, Session, Setting
from dawn_agents.frontends.web.live_rooms import Room, SeatedPlayers, Subscriber
from scenario import Scenario, scenario
from web_server import message_bytes, messages, next_state, serving

from dawn_env.events import PUBLIC
from dawn_env.game import Game
from dawn_env.options import STANDARD, GameOptions
from dawn_env.state import PowerZone, Zone
from dawn_env.tables import SIDES

BID, FAMILY = GameOptions(bid=True), GameOptions(mode="family")
PEOPLE = (HUMAN, HUMAN)
OPEN = (Zone.FUTURE, Zone.DISCARD_PILE, Zone.REMOVED, Zone.IN_PLAY, Zone.RESOLVING)


def another_deal(session: Session, seat: int, rng: random.Random) -> Game:
    """The game with all that is hidden at a seat, or from those who watch, dealt anew."""
    game = session.game
    for viewer in range(SIDES) if seat == PUBLIC else [session.side_of(seat)]:
        game = game.redeal(viewer, rng.randrange(2**60))
    return game


@pytest.mark.parametrize("seat", [0, 1, PUBLIC])
@pytest.mark.parametrize(
    ("options", "decisions"), [(STANDARD, 200), (BID, 100), (FAMILY, 200)], ids=["standard", "bid", "family"]
)
def test_messages_depend_on_what_is_seen_alone(options, decisions, seat):
    """Messages stay the same byte for byte when the hidden cards are dealt anew and the same decisions are taken.

    After a bid, which here gives each player the other's side, the game is the standard one.
    """
    compared = 0
    rng = random.Random(0)
    session = Session(Setting(0, options, PEOPLE))
    session.tell(seat)  # from now on it writes that log; each copy would begin it anew
    while not session.over and len(session.decisions) < decisions:
        if session.bidding or rng.random() < 0.07:
            compared += compare_with_another_deal(session, seat, rng)
        session.enter(session.actor, rng.choice(session.game.legal))
    assert compared > 20 and session.game.state.swapped == options.bid


def compare_with_another_deal(session: Session, seat: int, rng: random.Random) -> int:
    """Go on for some decisions beside a session in which the hidden cards lie differently; how often they agreed."""
    if session.waits_in_secret(seat):
        return 0
    one, other = copy.deepcopy(session), copy.deepcopy(session)
    assert message_bytes(one, seat) == message_bytes(other, seat)
    other.game = another_deal(session, seat, rng)
    show(other)
    one._before = other._before = None  # the latest decision was not taken in the other deal
    agreed = 0
    for _ in range(6):
        if one.over or other.over or one.actor != other.actor:
            break
        if one.waits_in_secret(seat) or other.waits_in_secret(seat):
            break
        assert message_bytes(one, seat) == message_bytes(other, seat)
        agreed += 1
        both = sorted(set(one.game.legal) & set(other.game.legal))
        if not both or one.game.decision != other.game.decision:
            break
        action = rng.choice(both)
        one.enter(one.actor, action)
        other.enter(other.actor, action)
        if one.game.chance or other.game.chance or one.bidding != session.bidding:
            break  # cards drawn from different piles part the worlds
        if on_the_table(one) != on_the_table(other):
            break  # so do cards that come to light
    return agreed


def show(session: Session) -> None:
    """Let everybody see the game of a session as it is now."""
    session._shown = {viewer: shown._replace(game=session.game.copy()) for viewer, shown in session._shown.items()}


def on_the_table(session: Session) -> tuple[list, list]:
    """The places of all cards that everybody sees, and the struggle cards that were played."""
    state = session.game.state
    where = np.where(np.isin(state.where, OPEN), state.where, -1)
    return where.tolist(), state.power_cards[PowerZone.DISCARD].tolist()


class Question(NamedTuple):
    """A question that is asked in secret after an action of ``seat``, by what the other side's hand holds."""

    seat: int
    position: dict
    asked: str
    not_asked: str
    steps: tuple[str, ...]
    answer: str

    def game(self, hands: str) -> Scenario:
        """The game before the last of the steps."""
        return scenario(hands, **self.position).take(*self.steps[:-1])

    def setting(self) -> Setting:
        """A game between two people that begins at this position, with random dice; the question comes next."""
        game = self.game(self.asked)
        game.state.scripted = game.state.stop_at_round = 0
        game.state.tape_len[:] = 0
        return Setting(5, STANDARD, PEOPLE, position=game.to_json())


QUESTIONS = {
    20: Question(1, {"support": {"Gdansk": (1, 4)}}, "C: 20 12 / D: 33 39", "C: 20 12 / D: 33 26",
                 ("card:20", "event"), "card:33"),
    44: Question(0, {"turn": 4, "support": {"Gdansk": (1, 4), "Lodz": (0, 3)}, "phasing": "D"}, "D: 44 / C: 25 7",
                 "D: 44 / C: 1 7", ("event", "country:Poland", "space:Gdansk", "space:Gdansk"), "pass"),
}  # fmt: skip
"""By card: the Democrat has a choice of the card to give, or none; the Communist can cancel the check, or cannot."""


@pytest.mark.parametrize("watching", [False, True], ids=["seat", "watcher"])
@pytest.mark.parametrize("card", QUESTIONS)
def test_readers_are_shown_the_moment_before_while_the_other_side_is_asked_in_secret(card, watching):
    """Afterwards the messages are the same, asked or not."""
    question = QUESTIONS[card]
    reader = PUBLIC if watching else question.seat
    told, meanwhile = [], []
    for hands, answers in ((question.asked, [question.answer]), (question.not_asked, [])):
        session = Session(Setting(7, STANDARD, PEOPLE))
        session.tell(PUBLIC)
        session.game = question.game(hands)
        show(session)
        before = json.loads(message_bytes(session, reader))
        session.enter(question.seat, question.steps[-1])
        assert session.waits_in_secret(reader) == bool(answers)
        meanwhile += [json.loads(message_bytes(session, reader))] if answers else []
        for answer in answers:
            session.enter(1 - question.seat, answer)
        assert not session.waits_in_secret(reader)
        told.append(message_bytes(session, reader))
    assert told[0] == told[1]
    own = {} if watching else {"at": 1, "ask": None}  # its decision is taken, which it knows
    assert meanwhile == [before | own]


@pytest.mark.parametrize("card", QUESTIONS)
def test_every_way_to_the_server_shows_the_same_while_a_question_is_secret(tmp_path, card):
    path, question = tmp_path / "games.sqlite", QUESTIONS[card]
    action = question.steps[-1]
    with closing(GameDatabase(path)) as store:
        seat = f"/seat/{store.add(question.setting()).tokens[question.seat]}"
    with serving(path) as server, server.live(seat) as live:
        before = next_state(live)
        assert before.pop("told") == 0
        expected = before | {"at": 1, "ask": None}
        assert server.ask(f"/api{seat}", {"type": "act", "at": 0, "action": action}) == (200, expected)
        assert server.ask(f"/api{seat}") == (200, expected)
        with server.live(seat) as another:
            assert json.loads(another.recv(60)) == expected | {"told": 0}
        status, answer = server.ask(f"/api{seat}", {"type": "act", "at": 1, "action": action})
        assert status == 400 and answer["text"] == "nothing is asked of this side now"


@pytest.fixture
def joined(tmp_path):
    """Makes the room of a game between people, with listeners at a seat and among those who watch."""

    def made(setting: Setting, seat: int) -> tuple[Room, Callable[[], list[int]]]:
        room = Room(store.add(setting), store, pool, SeatedPlayers())
        listeners = [Subscriber(seat), Subscriber(PUBLIC)]
        for listener in listeners:
            room.join(listener)
        return room, lambda: [len(messages(listener)) for listener in listeners]

    with closing(GameDatabase(tmp_path / "games.sqlite")) as store, ThreadPoolExecutor(1) as pool:
        yield made


def test_steps_of_a_secret_offer_are_no_messages(joined):
    room, received = joined(Setting(3, BID, PEOPLE), 1)
    assert received() == [1, 1]
    for action in ("offer:democrat", UNDO, "offer:communist"):
        room.enter(0, action)
    assert received() == [0, 0]
    room.enter(0, "points:3")
    assert received() == [1, 1]


def test_a_secret_answer_that_is_taken_back_and_given_again_is_no_message(joined):
    question = QUESTIONS[44]
    room, received = joined(question.setting(), question.seat)
    room.enter(question.seat, question.steps[-1])
    assert received() == [1, 1]  # of joining: the question is secret
    room.enter(1 - question.seat, "card:25")
    assert received() == [1, 1]
    for action in (UNDO, "card:25"):
        room.enter(1 - question.seat, action)
    assert received() == [0, 0]


def test_a_message_never_holds_the_seed_the_hand_of_the_other_side_or_its_question():
    session = Session(Setting(2**62 + 12345, STANDARD, PEOPLE))
    for side in range(SIDES):
        message = session.tell(side)
        assert str(2**62 + 12345) not in json.dumps(message)
        assert message["hands"][1 - side]["cards"] == [] and message["hands"][1 - side]["size"] == 8
        assert bool(message["ask"]) == (side == session.actor)
    watched = session.tell(PUBLIC)
    assert [hand["cards"] for hand in watched["hands"]] == [[], []] and "ask" not in watched


def test_offers_are_secret_until_both_are_made():
    session = Session(Setting(3, BID, PEOPLE))
    for seat, action in ((0, "offer:democrat"), (0, "points:3"), (1, "offer:democrat")):
        session.enter(seat, action)
    assert session.tell(0)["bid"]["offers"] == [(0, 3), None]
    assert session.tell(1)["bid"]["offers"] == [None, (0, None)]
    assert session.tell(PUBLIC)["bid"]["offers"] == [None, None]
    session.enter(1, "points:5")
    for seat in (0, 1, PUBLIC):
        told = session.tell(seat)
        assert told["bid"]["offers"] == [(0, 3), (0, 5)] and told["bid"]["settled"]
        assert {"event": "offer", "who": "second player", "side": "democrat", "points": 5} in told["log"]
    assert [session.tell(seat)["side"] for seat in range(SIDES)] == [0, 1]
