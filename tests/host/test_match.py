"""Matches: both sides, many games at a time, and players that fail."""

from time import perf_counter

import numpy as np
import pytest
from compiled_players import Compiled, cheating, ignorant
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import FORFEIT, Outcome, Pairing, play_games

from dawn_env.errors import PlayerFailure
from dawn_env.formats.game_record import record_from_actions
from dawn_env.host.host_loop import play_rows
from dawn_env.host.random_play import game_seeds
from dawn_env.observation.player_view import view_seed
from dawn_env.options import STANDARD
from dawn_env.players import BatchPlayer, RandomPlayer, ViewPlayer, function_player
from dawn_env.support.thread_pool import cores

SEEDS = game_seeds(5, 12).tolist()


class Failing(BatchPlayer):
    """Plays the first legal action until its ``after``-th call, then does what ``fail`` does."""

    def __init__(self, fail, after=3):
        super().__init__("failing")
        self.fail, self.left = fail, after

    def choose(self, observations, masks):
        self.left -= 1
        return self.fail(masks) if self.left < 0 else masks.argmax(axis=1)


class Together(ViewPlayer):
    """Plays the first legal action; takes the views of several games in one call; raises an exception at some views."""

    def __init__(self):
        super().__init__("together")
        self.asked = []

    def choose(self, view):
        return self.choose_each([view])[0]

    def choose_each(self, views):
        self.asked.append(len(views))
        if any(view_seed(view, 0) % 400 == 0 for view in views):
            raise KeyError("position")
        return [int(view.legal[0]) for view in views]


class Alone(RandomPlayer):
    """Counts how many of its games are in progress."""

    one_game_at_a_time = True

    def __init__(self):
        super().__init__(4, "alone")
        self.playing, self.most, self.calls, self.told = 0, 0, [], []

    def begin_game(self, side, options):
        self.calls.append((side, options))
        self.playing += 1
        self.most = max(self.most, self.playing)

    def end_game(self, outcome):
        self.told.append(outcome)
        self.playing -= 1

    def choose(self, observations, masks):
        assert len(observations) == 1
        return super().choose(observations, masks)


def played(pairings, **options) -> list[Outcome]:
    outcomes = dict(play_games(pairings, **options))
    assert sorted(outcomes) == list(range(len(pairings)))
    return [outcomes[index] for index in range(len(pairings))]


def raised(error):
    def fail(masks):
        raise error

    return fail


def without_time(outcome):
    return outcome._replace(seconds=None)


def test_outcomes_agree_with_the_record_of_the_game():
    one, two = RandomPlayer(1, "one"), function_player("two", lambda view: view.legal[0])
    for outcome in played([Pairing(seed, one, two) for seed in SEEDS[:4]], options={"extra_support": (1, 2)}):
        record = record_from_actions(outcome.seed, outcome.actions, {"extra_support": [1, 2]})
        told = (outcome.result, outcome.reason, outcome.vp, outcome.turn, outcome.decisions)
        assert told == tuple(record[key] for key in ("result", "reason", "vp", "turn", "length"))
        assert (outcome.democrat, outcome.communist, outcome.failure) == ("one", "two", "")
        assert sum(outcome.moves) == outcome.decisions and min(outcome.moves) > 0 and min(outcome.seconds) > 0


def test_a_game_does_not_depend_on_the_games_beside_it():
    one, two = RandomPlayer(1, "one"), RandomPlayer(2, "two")
    pairings = [Pairing(seed, *pair) for seed in SEEDS for pair in ((one, two), (two, one), (one, one))]
    wide = played(pairings)
    narrow = played(pairings, width=2)
    assert [without_time(outcome) for outcome in wide] == [without_time(outcome) for outcome in narrow]
    assert len({tuple(outcome.actions) for outcome in wide}) == len(wide)


def test_a_call_answers_all_games_that_wait_for_a_player():
    one, two, rows = RandomPlayer(1, "one"), RandomPlayer(2, "two"), []
    answer = one.choose
    one.choose = lambda observations, masks: rows.append(len(masks)) or answer(observations, masks)
    outcomes = played([Pairing(seed, *pair) for seed in SEEDS for pair in ((one, two), (two, one))])
    assert sum(rows) == sum(outcome.moves[index % 2] for index, outcome in enumerate(outcomes))
    assert len(rows) <= max(outcome.decisions for outcome in outcomes) and max(rows) > len(SEEDS)


@pytest.mark.parametrize(
    "fail, message",
    [
        (raised(PlayerFailure("out of time")), "out of time"),
        (raised(KeyError("card")), "KeyError: 'card'"),
        (lambda masks: np.zeros(len(masks)), "float64"),
        (lambda masks: masks.argmax(axis=1)[:-1], "were expected"),
    ],
    ids=["failure", "exception", "floats", "shape"],
)
def test_a_call_that_fails_loses_its_games_only(fail, message):
    bad, good = Failing(fail), RandomPlayer(1, "good")
    outcomes = played([*(Pairing(seed, bad, good) for seed in SEEDS[:3]), Pairing(SEEDS[3], good, good)], width=2)
    for outcome in outcomes[:3]:
        assert (outcome.result, outcome.reason) == ("communist", FORFEIT) and message in outcome.failure
        part = record_from_actions(outcome.seed, outcome.actions)
        assert part["result"] == "running" and (part["vp"], part["turn"]) == (outcome.vp, outcome.turn)
    assert outcomes[3].reason != FORFEIT and outcomes[3].failure == ""


def test_players_who_think_about_several_games_at_once_lose_those_alone_in_which_they_fail():
    together = Together()
    pairings = [Pairing(seed, together, RandomPlayer(1, "good")) for seed in SEEDS]
    wide = played(pairings)
    assert max(together.asked) > len(SEEDS) // 2
    assert [without_time(outcome) for outcome in wide] == [
        without_time(outcome) for outcome in played(pairings, width=1)
    ]
    failures = [outcome.failure for outcome in wide]
    assert set(failures) == {"", "KeyError: 'position'"}, failures


@pytest.mark.parametrize("answer, message", [(-1, "answered -1"), (10_000, "10000"), (None, "not legal")])
def test_an_illegal_answer_loses_its_own_game(answer, message):
    wrong = iter([True])

    def fail(masks):
        answers = masks.argmax(axis=1)
        if next(wrong, False):
            answers[0] = masks[0].argmin() if answer is None else answer
        return answers

    outcomes = played([Pairing(seed, RandomPlayer(1, "good"), Failing(fail)) for seed in SEEDS[:3]])
    (forfeit,) = [outcome for outcome in outcomes if outcome.reason == FORFEIT]
    assert forfeit.result == "democrat" and message in forfeit.failure


def test_a_player_that_cannot_begin_forfeits():
    bad = RandomPlayer(1, "bad")
    bad.begin_game = lambda side, options: raised(PlayerFailure("does not start"))(None)
    outcomes = played([Pairing(seed, RandomPlayer(2, "good"), bad) for seed in SEEDS], width=2)
    assert all((o.result, o.failure, o.decisions) == ("democrat", "does not start", 0) for o in outcomes)


def test_one_game_at_a_time_and_the_hooks():
    alone, other = Alone(), RandomPlayer(1, "other")
    pairings = [Pairing(seed, *pair) for seed in SEEDS[:3] for pair in ((alone, other), (other, alone), (other, other))]
    outcomes = played(pairings)
    assert alone.most == 1 and alone.playing == 0
    assert alone.calls == [(side, STANDARD) for _ in range(3) for side in (0, 1)]
    assert alone.told == [
        {"result": o.result, "reason": o.reason, "vp": o.vp}
        for o, pairing in zip(outcomes, pairings, strict=True)
        if alone in pairing.players
    ]


def test_a_failing_farewell_changes_nothing(caplog):
    player = RandomPlayer(1, "rude")
    player.end_game = lambda outcome: 1 / 0
    (outcome,) = played([Pairing(SEEDS[0], player, RandomPlayer(2, "other"))])
    assert outcome.failure == "" and "ZeroDivisionError" in caplog.text


def test_bad_arguments_are_named():
    player = RandomPlayer()
    assert played([]) == []
    with pytest.raises(ValueError, match="width"):
        played([Pairing(1, player, player)], width=0)
    with pytest.raises(ValueError, match=r"not \[-1\]"):
        played([Pairing(-1, player, player)])


# --- compiled players --------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["1", "3"])
def test_a_compiled_player_that_goes_wrong_loses_its_games_only(threads, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    good = RandomPlayer(1, "good")
    for function, failure in ((ignorant, "does not know what it is asked"), (cheating, "outside 0 ... ")):
        pairs = [(Compiled(function), good), (good, good)] * 3
        outcomes = played([Pairing(seed, *pair) for seed, pair in zip(SEEDS, pairs, strict=False)])
        for outcome in outcomes[::2]:
            assert (outcome.result, outcome.reason) == ("communist", FORFEIT) and failure in outcome.failure
            assert outcome.moves[1] == outcome.decisions > 0
        assert all(outcome.reason != FORFEIT for outcome in outcomes[1::2])


def test_the_time_of_compiled_players_is_shared_out(monkeypatch):
    random, heuristic = RandomPlayer(1), make_player("heuristic", 1)
    pairings = [Pairing(seed, random, heuristic) for seed in SEEDS]
    played(pairings[:1])
    start = perf_counter()
    outcomes = played(pairings)
    spent = np.array([outcome.seconds for outcome in outcomes])
    assert (spent > 0).all() and spent.sum() <= cores() * (perf_counter() - start)
    a_decision = np.median(spent / [outcome.moves for outcome in outcomes], axis=0)
    assert a_decision[0] < a_decision[1]
    monkeypatch.setattr("dawn_env.host.host.CLOCK", False)
    monkeypatch.setattr("dawn_env.host.host.play_rows", without_a_clock)
    for outcome in played(pairings):
        a_decision = [seconds / moves for seconds, moves in zip(outcome.seconds, outcome.moves, strict=True)]
        assert a_decision[0] == pytest.approx(a_decision[1]) and a_decision[0] > 0


def without_a_clock(*arguments):
    others = play_rows(*arguments)
    slots = arguments[-1].slots
    slots["ticks"] = slots["decisions"]
    return others


def test_games_longer_than_there_is_room_for_go_on(monkeypatch):
    pairings = [Pairing(seed, RandomPlayer(1), RandomPlayer(2)) for seed in SEEDS[:3]]
    games = [outcome.actions for outcome in played(pairings)]
    monkeypatch.setattr("dawn_env.host.host._HISTORY", 5)
    assert [outcome.actions for outcome in played(pairings)] == games and min(map(len, games)) > 50
