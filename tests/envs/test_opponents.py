"""Players of every kind, given as an object, a function or a specification, as opponents in every environment."""

import copy
import sys

import numpy as np
import pytest
from compiled_players import Compiled, Wrapped, cheating, ignorant
from dawn_agents.players.external.process_player import ProcessPlayer
from dawn_agents.players.registry import make_player
from paths import ROOT

from dawn_env import players
from dawn_env.batch import Batch
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import IllegalAction
from dawn_env.players import BatchPlayer, RandomPlayer, ViewPlayer, as_player

BOT = f"process:{sys.executable} {ROOT / 'docs' / 'examples' / 'bot.py'}"
PRETRAINED = ROOT / "agents" / "dawn_agents" / "players" / "pretrained" / "communist.zip"
MODULE = """
from dawn_env.players import ViewPlayer

class Last(ViewPlayer):
    def choose(self, view):
        return view.legal[-1]

def last(view):
    return view.legal[-1]

def last_of_many(observations, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)
"""


class First(ViewPlayer):
    """Player that takes the first legal action."""

    def choose(self, view):
        return int(view.legal[0])


def first(view):
    return view.legal[0]


def first_of_many(observations, masks):
    return masks.argmax(1)


@pytest.fixture(autouse=True)
def module(tmp_path, monkeypatch):
    """A module in the working directory."""
    (tmp_path / "opponents_of_mine.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])


OPPONENTS = [
    "random", "greedy:deals=1", "heuristic", "search:sims=5", "pretrained", f"policy:{PRETRAINED}", BOT, First("first"),
    "opponents_of_mine:Last", "opponents_of_mine:last", "opponents_of_mine:last_of_many", first, first_of_many,
]  # fmt: skip


def name_of(opponent):
    """Of a test, so the same in every process: no addresses."""
    name = getattr(opponent, "__name__", None) or str(opponent)
    return "process" if opponent is BOT else name.partition("/")[0].partition(" at ")[0]


def first_actions(masks):
    return masks.argmax(-1)


def play_seat(opponent, steps):
    """The views of some decisions."""
    if isinstance(opponent, str) and opponent.startswith(("policy", "pretrained")):
        pytest.importorskip("torch")
    env = DawnSeat("democrat", opponent)
    (_, info), seen = env.reset(seed=3), []
    for _ in range(steps):
        view, _, ended, _, info = env.step(first_actions(info["action_mask"]))
        seen.append(view)
        if ended:
            _, info = env.reset(seed=4)
    env.close()
    return np.array(seen)


def play_vector(opponents, steps):
    env = DawnVectorEnv(2, "democrat", opponents)
    (_, infos), seen = env.reset(seed=3), []
    for _ in range(steps):
        views, _, _, _, infos = env.step(first_actions(infos["action_mask"]))
        seen.append(views[0])
    env.close()
    return np.array(seen)


@pytest.mark.parametrize("opponent", OPPONENTS, ids=name_of)
def test_every_player_is_an_opponent_everywhere(opponent):
    """The games are the same ones, alone or beside others."""
    expected = play_seat(opponent, 20)
    assert (play_vector(opponent, 20) == expected).all()
    assert (play_vector([as_player(opponent)], 20) == expected).all()


def test_programs_have_a_game_each_and_are_gone_afterwards(monkeypatch):
    started = []
    begin = ProcessPlayer.begin_game
    monkeypatch.setattr(ProcessPlayer, "begin_game", lambda self, *game: started.append(self) or begin(self, *game))
    env = DawnVectorEnv(3, "communist", BOT)
    env.reset(seed=1)
    assert len(set(map(id, started))) == 3 and all(player._program.running for player in started)
    env.reset(seed=2)  # what was played is broken off
    assert len(set(map(id, started))) == 3 and len(started) == 6
    programs = [player._program for player in started]
    env.close()
    assert not any(program.running for program in programs)


class Solo(BatchPlayer):
    """Plays one game at a time; knows whether it is closed and all that are like it."""

    one_game_at_a_time = True

    def __init__(self, name):
        super().__init__(name)
        self.closed, self.playing, self.made = False, False, [self]

    def clone(self):
        player = Solo(self.name)
        player.made = self.made
        self.made.append(player)
        return player

    def begin_game(self, side, options):
        assert not self.playing, "one game at a time"
        self.closed, self.playing = False, True

    def end_game(self, outcome):
        self.playing = False

    def close(self):
        self.closed, self.playing = True, False

    def choose(self, observations, masks):
        assert len(masks) == 1 and self.playing
        return masks.argmax(axis=1)


def test_players_of_one_game_at_a_time_leave_when_their_games_have_ended():
    old, new = Solo("old"), Solo("new")
    env = DawnVectorEnv(5, "democrat", old)
    _, infos = env.reset(seed=1)
    assert len(old.made) == 5 and all(player.playing for player in old.made)
    env.set_opponents(new)
    for _ in range(600):
        infos = env.step(first_actions(infos["action_mask"]))[-1]
        seated = [env.games.opponent(row) for row in range(5)]
        assert len(set(map(id, seated))) == 5 and all(player.playing for player in seated)
    assert {player.name for player in seated} == {"new"} and len(new.made) == 5
    env.set_opponents([new, "random"])
    assert all(player.closed for player in old.made) and not any(player.closed for player in new.made)
    env.close()
    assert all(player.closed for player in new.made)


@pytest.mark.parametrize("answer", [0.5, [1], None, "pass"], ids=repr)
def test_answers_that_are_no_actions_are_named(answer):
    with pytest.raises(IllegalAction, match="odd answered .* where integers"):
        DawnSeat("democrat", players.function_player("odd", lambda view: answer)).reset(seed=1)


# --- compiled players ------------------------------------------------------------------------------------


def test_a_compiled_player_who_does_not_know_is_an_error():
    batch = Batch(3, 1)
    with pytest.raises(ValueError, match="compiled does not know what it is asked"):
        Compiled(ignorant).choose(batch.observations, batch.masks)
    with pytest.raises(ValueError, match="compiled does not know what it is asked"):
        LearnerGames(4, "democrat", Compiled(ignorant)).reset(1)


def test_a_compiled_player_who_answers_what_is_not_legal_is_named():
    with pytest.raises(IllegalAction, match=r"answers of compiled cannot be used(.|\n)*row 0: "):
        LearnerGames(4, "democrat", Compiled(cheating)).reset(1)


@pytest.mark.parametrize("name", ["random", "heuristic", "pretrained"])
def test_views_of_no_kind_of_game_are_refused(name):
    batch, player = Batch(2, 1), make_player(name)
    seen, legal = batch.observations, batch.masks
    words = rf"int8 \[K, {seen.shape[1]}\] and \[K, {legal.shape[1]}\] or .* expected, not"
    wrong = [(seen[:, :-1], legal), (seen, legal[:, 1:]), (seen[:1], legal), (seen[0], legal[0])]
    for views in (*wrong, (seen.astype(float), legal)):
        with pytest.raises(ValueError, match=words):
            player.choose(*views)


class Overridden(RandomPlayer):
    """Compiled, but for what it chooses."""

    def choose(self, observations, masks):
        return masks.argmax(axis=1)


def test_a_compiled_player_whose_choice_is_overridden_is_asked_for_it():
    first = as_player(lambda observations, masks: masks.argmax(axis=1))
    games = [LearnerGames(6, "democrat", player) for player in (first, Overridden(), RandomPlayer())]
    for one in games:
        one.reset(4)
        for _ in range(30):
            one.step(np.array([np.flatnonzero(mask)[-1] for mask in one.masks]))
    assert np.array_equal(games[0].states, games[1].states) and not np.array_equal(games[1].states, games[2].states)


class Told(RandomPlayer):
    """Compiled, but notes what it is told."""

    def __init__(self, seed):
        super().__init__(seed)
        self.sides, self.outcomes = [], []

    def begin_game(self, side, options):
        self.sides.append(side)

    def end_game(self, outcome):
        self.outcomes.append(outcome)


def test_a_compiled_player_is_told_of_its_games_if_it_listens():
    told = Told(3)
    quiet, listening = games = [LearnerGames(6, None, player) for player in (RandomPlayer(3), told)]
    for one in games:
        one.reset(4)
    finished, sides = [], (1 - quiet.sides).tolist()
    for _ in range(250):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in quiet.masks])
        for one in games:
            one.step(actions)
        assert quiet.finished == listening.finished and np.array_equal(quiet.states, listening.states)
        finished += quiet.finished
        sides += [1 - quiet.sides[game.row] for game in quiet.finished]
    assert finished and told.sides == sides
    assert [(outcome["result"], outcome["vp"]) for outcome in told.outcomes] == [(g.result, g.vp) for g in finished]


@pytest.mark.parametrize("options", [{}, {"mode": "family"}, {"bid": True}])
@pytest.mark.parametrize("side", [None, "communist"])
def test_compiled_opponents_play_the_same_games_as_others(options, side):
    pool = [make_player(name, 3) for name in ("random", "heuristic:level=4", "pretrained")]
    games = [
        LearnerGames(12, side, players, options=options) for players in (pool, [Wrapped(player) for player in pool])
    ]
    for one in games:
        one.reset(5)
    one, other = games
    for _ in range(150):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in one.masks])
        for each in games:
            each.step(actions)
        assert sorted(one.finished) == sorted(other.finished)
        for name in ("states", "observations", "masks", "sides", "rewards", "ended"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.results() == other.results()


def test_games_are_restored_as_they_were():
    games = LearnerGames(8, "democrat", make_player("heuristic"))
    games.reset(2)
    for _ in range(60):
        games.step(games.masks.argmax(1))
    twin = copy.deepcopy(games)
    games.restore(games.state(), {"heuristic": make_player("heuristic")})
    assert not (games.finished or games.ended.any())
    for name in ("observations", "masks", "sides", "vp", "result"):
        assert np.array_equal(getattr(games, name), getattr(twin, name)), name
    assert games.results() == twin.results() != {}
