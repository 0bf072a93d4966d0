"""The host of players: external seats, checks before anything moves, failures, players that are called."""

import copy
import pickle

import numpy as np
import pytest
from batches import random_choices
from dawn_agents.players.registry import make_player

from dawn_env.actions import ACTIONS
from dawn_env.batch import Batch
from dawn_env.bids import Offer
from dawn_env.errors import BadOptions, BadSeed, GameOver, IllegalAction, PlayerFailure
from dawn_env.game import Game
from dawn_env.host.host import FORFEIT, Host
from dawn_env.host.host_loop import EXTERNAL, Status
from dawn_env.host.random_play import game_seeds
from dawn_env.host.seated_player import SeatedPlayer
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer, RandomPlayer, ViewPlayer
from dawn_env.state import STATE
from dawn_env.support.seeds import next_seed
from dawn_env.tables import COMMUNIST, DEMOCRAT

SEEDS = game_seeds(8, 16)
NOBODY = np.full((16, 2), EXTERNAL)


class Told(BatchPlayer):
    """Plays the last legal action; notes all it is told."""

    wants_events = True

    def __init__(self, name, offer=None):
        super().__init__(name)
        self.offer, self.told = offer, []

    def bid(self, options):
        self.told.append("bid")
        return self.offer

    def begin_game(self, side, options):
        self.told.append(("begin", side, options))

    def on_events(self, events):
        self.told += [told for event in events for told in (event["event"], event.get("action")) if told]

    def end_game(self, outcome):
        self.told.append(("end", outcome))

    def choose(self, observations, masks):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class Broken(ViewPlayer):
    """Raises an error or gives an illegal answer after some decisions."""

    def __init__(self, answer, after=3):
        super().__init__("broken")
        self.answer, self.left = answer, after

    def choose(self, view):
        self.left -= 1
        if self.left >= 0:
            return view.legal[0]
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def advanced(host):
    while host.unfinished:
        host.advance()
    return host


def begun(players=(EXTERNAL, EXTERNAL), count=16, **options):
    host = Host(count, **options)
    numbers = [player if player == EXTERNAL else host.register(player) for player in players]
    host.begin(np.arange(count), SEEDS[:count], [numbers] * count)
    return advanced(host)


@pytest.mark.parametrize("options", [{}, {"mode": "family"}, {"bid": True}])
def test_two_external_seats_are_a_batch(options):
    batch, host, rows = Batch(16, SEEDS, options), begun(options=options), np.arange(16)
    host.queue(rows, next_seed(SEEDS), NOBODY)
    for _ in range(900):
        assert (batch.observations == host.observations).all() and (batch.masks == host.masks).all()
        assert (batch.states == host.states).all() and (host.sides == batch.actors).all()
        actions = random_choices(host)
        batch.step(actions)
        host.step(rows, actions)
        for row in np.flatnonzero(host.status == Status.OVER).tolist():  # after bids it takes a call
            host.begin([row], [next_seed(int(host.endings["seed"][row]))], [[EXTERNAL, EXTERNAL]])
        advanced(host)
        over = np.flatnonzero(batch.ended)
        if options.get("bid"):
            assert (host.endings["seed"][over] == batch.final_seed[over]).all()
        else:
            assert (np.flatnonzero(host.ended) == over).all()
            host.queue(over, next_seed(host.states["seed"][over]), NOBODY[over])
        for name in ("vp", "result", "reason", "turn", "length"):
            assert (host.endings[name][over] == getattr(batch, f"final_{name}")[over]).all(), name
        by_side = host.endings["swapped"][over, None] ^ np.arange(2)
        assert (host.final_observations[over[:, None], by_side] == batch.final_observations[over]).all()
    assert batch.final_length.all(), "a game has ended in every row"


@pytest.mark.parametrize(
    "rows, actions, error, text",
    [
        ([0, 16], [0, 0], ValueError, r"rows: integers 0 \.\.\. 15, each once"),
        ([-1], [0], ValueError, "each once"),
        ([3, 3], None, ValueError, "each once"),
        ([0.5], [0], ValueError, "each once"),
        ([1, 2], [0], ValueError, "expected shape"),
        ([1], [0.5], TypeError, "integers"),
        (
            [5, 2, 9],
            [-1, None, 10**6],
            IllegalAction,
            r"2 of 3 rows, \[5, 9\].*row 5: -1 ",
        ),
    ],
)
def test_nothing_moves_unless_all_is_right(rows, actions, error, text):
    host = begun()
    legal = random_choices(host)
    given = [legal[row] for row in rows] if actions is None else actions
    given = [legal[row] if action is None else action for row, action in zip(rows, given, strict=False)]
    for of_rows in (rows, np.array(rows)):
        before = host.states.copy(), host.status.copy(), host.slots.copy()
        with pytest.raises(error, match=text):
            host.step(of_rows, np.array(given))
        assert (host.states == before[0]).all() and (host.status == before[1]).all() and (host.slots == before[2]).all()


def test_other_players_seats_and_games_that_are_over_take_no_actions():
    host = begun((EXTERNAL, Told("told")), count=2)
    host.begin([1], [5], [[1, 1]])
    with pytest.raises(IllegalAction, match=r"no external seat is to act in rows \[1\]"):
        host.step([0, 1], [int(host.masks[0].argmax()), 0])
    host.forfeit(0, 0, "resignation")
    with pytest.raises(GameOver, match=r"the game is over in rows \[0\]: begin another"):
        host.step([0], [0])
    assert not host.masks[0].any()
    assert (host.final_observations[0, 0] == host.layout.one(host.states[0], 0)).all()
    with pytest.raises(GameOver, match="no game is in progress in row 0"):
        host.forfeit(0, 1, "resignation")
    host.begin([0], [6], [[EXTERNAL, EXTERNAL]])
    assert host.ended.tolist() == [True, False] and advanced(host).masks[0].any()


def test_bad_games_are_refused():
    host = begun()
    before = host.states.copy()
    for rows, seeds, seated, error in (
        ([16], [1], [[0, 0]], ValueError), ([0, 0], [1, 2], NOBODY[:2], ValueError), ([0], [-1], [[0, 0]], BadSeed),
        ([0], [1, 2], [[0, 0]], BadSeed), ([0], [1], [[0, 1]], ValueError), ([0], [1], [[0, -1]], ValueError),
        ([0], [1], [[0]], ValueError), ([0], [1], [[0.0, 0.0]], ValueError),
    ):  # fmt: skip
        with pytest.raises(error):
            host.begin(rows, seeds, seated)
    with pytest.raises(BadOptions, match="mode, bid"):
        host.begin([0], [1], [[0, 0]], GameOptions(bid=True))
    one, family = Game(1).states, Game(1, {"mode": "family"}).states
    for states in (one[0], np.zeros(1), np.repeat(one, 2), np.zeros(1, STATE), family):
        with pytest.raises(ValueError, match=r"^states: (an array \[1\] of STATE|games with the host's mode)"):
            host.resume(np.arange(1), states, NOBODY[:1])
    with pytest.raises(ValueError, match="cannot be recorded"):
        Host(1, record=True).resume(np.arange(1), Game(1).states, NOBODY[:1])
    assert (host.states == before).all()


def test_players_are_told_in_order():
    one, two = Told("one", Offer(1, 3)), Told("two", Offer(1, 5))
    (game,) = begun((one, two), count=1, options={"bid": True}, record=True).ended_games()
    assert game.offers == (one.offer, two.offer) and game.players == (two, one)  # the greater offer gives the side
    for side, player in enumerate(game.players):
        outcome = {"result": game.result, "reason": game.reason, "vp": game.vp}
        assert player.told[:2] == ["bid", ("begin", side, GameOptions(bid=True))]
        assert player.told[-1] == ("end", outcome) and player.told.count(player.told[-1]) == 1
        assert "offer" in player.told and "decision" in player.told


@pytest.mark.parametrize(
    "answer, failure", [(KeyError("card"), "KeyError: 'card'"), (999, "answered 999, outside"), ("no", "were expected")]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_that_fails_loses_or_raises(answer, failure, seat):
    players = [RandomPlayer(1), RandomPlayer(2)]
    players[seat] = Broken(answer)
    host = begun(players, count=1, on_failure="forfeit", record=True)
    (game,) = host.ended_games()
    assert (game.reason, game.result) == (FORFEIT, ("communist", "democrat")[seat]) and failure in game.failure
    assert game.decisions[seat] == 4 and host.status[0] == Status.OVER and game.length == len(game.actions)
    players[seat] = Broken(answer)
    with pytest.raises((KeyError, IllegalAction)):
        begun(players, count=1)


def test_after_an_error_other_games_can_begin():
    host = Host(2)
    broken, good = host.register(Broken(ValueError("no"))), host.register(RandomPlayer(1))
    host.begin([0, 1], SEEDS[:2], [[broken, good], [good, good]])
    with pytest.raises(ValueError, match="^no$"):
        advanced(host)
    host.begin([0], SEEDS[:1], [[good, good]])
    assert [game.seed for game in advanced(host).ended_games()] == SEEDS[:2].tolist()


def test_games_are_resumed_and_copied():
    host, rows = begun((EXTERNAL, make_player("heuristic"))), np.arange(16)
    for _ in range(10):
        host.step(rows, random_choices(host))
        advanced(host)
    other, packed = Host(16), pickle.dumps(host)
    assert len(packed) < 2_000_000, "memories of players are not in it"
    other.resume(rows, host.states, np.tile([EXTERNAL, other.register(make_player("heuristic"))], (16, 1)))
    for twin in (copy.deepcopy(host), pickle.loads(packed), advanced(other)):
        again = copy.deepcopy(host)
        for _ in range(10):
            actions = random_choices(again)
            for each in (again, twin):
                each.step(rows, actions)
                advanced(each)
            assert (again.states == twin.states).all() and (again.observations == twin.observations).all()


def test_numbers_of_players_are_kept_and_used_again():
    host, players = Host(1), [RandomPlayer(seed) for seed in range(3)]
    numbers = [host.register(player) for player in players]
    assert numbers == [1, 2, 3] == [host.register(player) for player in players]
    host.unregister(2)
    with pytest.raises(ValueError, match="numbers of registered players"):
        host.begin([0], [1], [[1, 2]])
    assert host.register(RandomPlayer(7)) == 2
    host.begin([0], [1], [[1, 2]])
    assert advanced(host).player_at(0, 1).seed == 7


def test_those_who_are_asked_never_see_views_of_an_external_seat():
    """And the other way round, not even when a player fails: their views lie in arrays of their own."""
    host = begun((EXTERNAL, Broken(ValueError("no"), after=2)), count=1)
    with pytest.raises(ValueError, match="^no$"):
        for _ in range(50):
            before = host.observations.copy(), host.masks.copy()
            host.step([0], random_choices(host))
            advanced(host)
    assert (host.observations == before[0]).all() and (host.masks == before[1]).all()


# --- players of one game that is kept as a list of decisions -----------------------------------------


def test_a_seated_player_is_told_of_its_game_and_of_each_event_once():
    player, game = Told("told"), Game(3)
    seated = SeatedPlayer(player, game, COMMUNIST)
    first = seated.answer(View(game.state), [])
    for decisions in (["space:Rostock"], ["space:Rostock"], ["space:Rostock", "space:Schwerin"]):
        seated.answer(View(game.state), decisions)
    seated.end({"result": "draw"}, [*decisions, "space:Leipzig"])
    placed = ["space:Rostock", "space:Schwerin", "space:Leipzig"]
    told = [("begin", COMMUNIST, GameOptions()), *placed, ("end", {"result": "draw"})]
    assert [entry for entry in player.told if entry not in ("decision", "support")] == told
    assert first == View(game.state).legal[-1]


def test_a_seated_player_is_asked_for_its_offer_once_and_gives_it_in_parts():
    player, game, decisions = Told("told", Offer(COMMUNIST, 2)), Game(1, {"bid": True}), []
    seated = SeatedPlayer(player, game.copy(), 0)
    while game.actor == 0 and len(decisions) < 2:
        game.step(action := seated.answer(View(game.state), decisions))
        decisions.append(ACTIONS[action])
    assert decisions == ["offer:communist", "points:2"] and player.told.count("bid") == 1
    with pytest.raises(PlayerFailure, match="told offered 'all' where a side"):
        _ = SeatedPlayer(Told("told", "all"), Game(1, {"bid": True}), DEMOCRAT).offer
