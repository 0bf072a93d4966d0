"""Loops run by several threads: the same games, the same errors, after a fork too."""

from threading import Event

import numpy as np
import pytest
from batches import random_choices
from dawn_agents.players.registry import make_player
from listening_player import Listening
from processes import python

from dawn_env import batch as batches
from dawn_env import players
from dawn_env.actions import action_text
from dawn_env.batch import Batch
from dawn_env.envs import seat_games
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.errors import IllegalAction
from dawn_env.players import RandomPlayer
from dawn_env.support import thread_pool

ARRAYS = (
    "states", "observations", "masks", "actors", "rewards", "ended", "final_observations", "final_vp", "final_result",
    "final_reason", "final_turn", "final_length", "final_seed",
)  # fmt: skip


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(thread_pool, "cores", lambda: 64)
    for module in (batches, players, seat_games):
        monkeypatch.setattr(module, "_LEAST_ROWS", 4)
    monkeypatch.setattr(seat_games, "_LEAST_RANDOM_ROWS", 4)


def same(batch, other, arrays=ARRAYS):
    for name in arrays:
        assert np.array_equal(getattr(batch, name), getattr(other, name)), name


@pytest.mark.parametrize("options", [{}, {"mode": "family"}, {"bid": True}])
@pytest.mark.parametrize("auto_restart", [True, False])
def test_games_do_not_depend_on_the_number_of_threads(options, auto_restart):
    one, *others = (Batch(30, 7, options, auto_restart, threads=count) for count in (1, 2, 7, 64))
    for _ in range(450):
        actions = random_choices(one)
        one.step(actions)
        for other in others:
            other.step(actions)
    assert one.final_length.any(), "a game has ended"
    for other in others:
        same(one, other)


def test_neither_do_steps_of_some_rows():
    one, two = (Batch(40, 3, threads=count) for count in (1, 3))
    rows = np.arange(39, 0, -2)
    for _ in range(30):
        actions = random_choices(one)[rows]
        for batch in (one, two):
            batch.step_rows(rows, actions)
    same(one, two)
    assert (one.states["decisions"][::2] == 0).all()


def test_games_seen_from_a_seat_do_not_depend_on_the_number_of_threads():
    one, two = (LearnerGames(24, opponents=RandomPlayer(5), threads=count) for count in (1, 3))
    for games in (one, two):
        games.reset(11)
    for _ in range(250):
        actions = random_choices(one)
        for games in (one, two):
            games.step(actions)
        assert one.finished == two.finished
        same(one, two, ("states", "observations", "masks", "sides", "rewards", "ended"))
        assert np.array_equal(one.host.final_observations, two.host.final_observations)
    assert one.results() == two.results() != {}


@pytest.mark.parametrize(("opponent", "count"), [(RandomPlayer, 1), (RandomPlayer, 3), (Listening, 3)])
def test_illegal_actions_of_a_learner_move_no_game(opponent, count):
    """Whatever has just happened: games have ended, opponents were asked by Python and told."""
    games, untouched = (LearnerGames(16, opponents=opponent(), threads=count) for _ in range(2))
    for each in (games, untouched):
        each.reset(0)
    ended, steps = 0, 250 if opponent is RandomPlayer else 34
    for _ in range(steps):
        actions = random_choices(games)
        wrong = actions.astype(np.uint64)
        wrong[[2, 14]] = 2**64 - 1, 10**6
        with pytest.raises(IllegalAction, match=r"2 of 16 rows, \[2, 14\].*row 2: 18446744073709551615"):
            games.step(wrong)
        same(games, untouched, ("states", "observations", "masks", "rewards", "ended"))
        assert games.finished == untouched.finished
        for each in (games, untouched):
            each.step(actions)
        ended += len(games.finished)
    assert ended and games.results() == untouched.results()
    games.masks[:] = 1  # legal is what the rules say, whatever is written here
    with pytest.raises(IllegalAction, match="1 of 16 rows"):
        games.step(np.where(np.arange(16) == 7, untouched.masks.argmin(axis=1), untouched.masks.argmax(axis=1)))
    assert np.array_equal(games.states, untouched.states)
    if opponent is Listening:
        assert games.opponent(0).log == untouched.opponent(0).log != []


def test_illegal_actions_move_no_game_and_are_all_named():
    one, two = (Batch(16, 1, threads=count) for count in (1, 4))
    actions = random_choices(one)
    actions[[2, 9, 14]] = -1, np.flatnonzero(one.masks[9] == 0)[0], 10**6
    kept, said = two.states.copy(), []
    for batch in (one, two):
        with pytest.raises(IllegalAction, match=r"3 of 16 rows, \[2, 9, 14\].*row 2:.*'setup' of C") as error:
            batch.step(actions)
        said.append(str(error.value))
        assert (batch.states == kept).all()
    listed = ", ".join(f"{action_text(action)} ({action})" for action in np.flatnonzero(one.masks[2]))
    assert said[0] == said[1] and said[0].endswith(f"; legal: {listed}")


def test_a_slice_that_fails_is_reported_when_all_have_ended():
    ended = []

    def loop(first, last, number):
        if number == 1:
            raise RuntimeError("the second slice")
        ended.append(number)
        return 0

    with pytest.raises(RuntimeError, match="the second slice"):
        thread_pool.ThreadTeam(3, least_rows=1).run(loop, 9)
    assert sorted(ended) == [0, 2]


def test_of_uneven_rows_a_thread_takes_the_next_when_it_is_free():
    taken, slow_row_ends = [], Event()

    def loop(first, last, number):
        taken.append((first, last, number))
        if first == 0:
            assert slow_row_ends.wait(10), "the other rows wait for this one"
        elif last == 7:
            slow_row_ends.set()
        return last - first

    assert thread_pool.ThreadTeam(2, least_rows=2).run_uneven(loop, 7) == 7
    assert sorted(slice[:2] for slice in taken) == [(0, 2), (2, 4), (4, 6), (6, 7)]
    assert len({number for *_, number in taken}) == 2
    taken.clear()
    assert thread_pool.ThreadTeam(1, least_rows=2).run_uneven(lambda *slice: taken.append(slice) or 7, 7) == 7
    assert taken == [(0, 7, 0)]


@pytest.mark.parametrize("player", ["heuristic", "heuristic:level=3", "pretrained"])
def test_choices_do_not_depend_on_the_number_of_threads(monkeypatch, player):
    alone, many = [made_with(monkeypatch, player, count) for count in (1, 3)]
    batch = Batch(60, 3, threads=1)
    for _ in range(100):
        actions = alone.choose(batch.observations, batch.masks)
        assert (many.choose(batch.observations, batch.masks) == actions).all()
        batch.step(actions)


def made_with(monkeypatch, player, count):
    monkeypatch.setenv("OMP_NUM_THREADS", str(count))
    monkeypatch.setattr(thread_pool, "cores", lambda: count)
    return make_player(player, 5)


def test_all_cores_are_used_unless_the_environment_says_otherwise(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert Batch(2, 1).threads == 3
    for nonsense in ("", "0", "many"):
        monkeypatch.setenv("OMP_NUM_THREADS", nonsense)
        assert thread_pool.checked_threads(None) == thread_pool.cores() >= 1
    for wrong in (0, 1025, 1.5, True):
        with pytest.raises(ValueError, match=r"^threads: an integer 1 \.\.\. 1024 expected"):
            Batch(2, 1, threads=wrong)


AFTER_A_FORK = """
import os
import numpy as np
from dawn_env.batch import Batch

batch = Batch(4096, 1, threads=2)
batch.step(batch.masks.argmax(1))
child = os.fork()
batch.step(batch.masks.argmax(1))
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


def test_threads_work_after_a_fork():
    python("-c", AFTER_A_FORK, check=True, timeout=300)
