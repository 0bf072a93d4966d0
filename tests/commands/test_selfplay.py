"""Games in bulk: going on with a file, files of something else, and games of players."""

import json
import sys

import pytest
from dawn_agents.commands import selfplay
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games

from dawn_env.formats.game_record import read_records, verify
from dawn_env.host.random_play import game_seeds


@pytest.fixture
def play(tmp_path, monkeypatch):
    monkeypatch.setattr("dawn_agents.tournaments.selfplay_pieces.PIECE", 2)

    def played(name, *arguments, status=0):
        path = tmp_path / name
        given = ["--seed", "3", "--workers", "1", "--out", str(path), *arguments]
        assert selfplay.main(given) == status
        return path.read_bytes()

    return played


def test_a_file_that_was_cut_off_becomes_what_it_would_have_been(play, tmp_path, capsys):
    whole = play("whole.jsonl", "--games", "5")
    second = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for kept in (0, 10, second, second + 100, len(whole)):
        (tmp_path / "cut.jsonl").write_bytes(whole[:kept])
        assert play("cut.jsonl", "--games", "5", "--resume") == whole
        assert "5 random games" in capsys.readouterr().out


@pytest.mark.parametrize("other", [["--seed", "4"], ["--extra-support", "1", "0"], ["--games", "2"]])
def test_a_file_of_other_games_is_refused_and_stays_as_it_is(other, play, capsys):
    before = play("games.jsonl", "--games", "3")
    capsys.readouterr()
    assert play("games.jsonl", "--games", "3", "--resume", *other, status=2) == before
    *_, line = capsys.readouterr().err.splitlines()
    assert "games.jsonl, line " in line and "of this run: another seed, other options, or more" in line


def test_two_players_exchange_sides_every_game(play, tmp_path, capsys):
    players = ["--players", "heuristic:level=2", "heuristic:level=1"]
    whole = play("whole.jsonl", *players, "--games", "5")
    assert "5 games of heuristic:level=2 and heuristic:level=1" in " ".join(capsys.readouterr().out.split())
    records = list(read_records(tmp_path / "whole.jsonl"))
    names = [tuple(record["players"].values()) for record in records]
    assert names == [(players[1], players[2]), (players[2], players[1])] * 2 + [(players[1], players[2])]
    one, two = map(make_player, players[1:])
    seeds = game_seeds(3, 5).tolist()
    pairings = [Pairing(seed, *((one, two), (two, one))[game % 2]) for game, seed in enumerate(seeds)]
    outcomes = dict(play_games(pairings))
    assert [record["vp"] for record in records] == [outcomes[game].vp for game in range(5)]
    for record in records:
        verify(record)
    (tmp_path / "cut.jsonl").write_bytes(whole[: len(whole) // 2])
    assert play("cut.jsonl", *players, "--games", "5", "--resume") == whole


def test_one_player_plays_against_itself(play, tmp_path, capsys):
    play("games.jsonl", "--players", "heuristic:level=1", "--games", "2")
    assert "2 games of heuristic:level=1 " in " ".join(capsys.readouterr().out.split())
    (first, _) = (tmp_path / "games.jsonl").read_text().splitlines()
    assert {*json.loads(first)["players"].values()} == {"heuristic:level=1"}


def test_random_players_play_the_games_of_no_players(play):
    assert play("named.jsonl", "--players", "random", "random", "--games", "3") == play("games.jsonl", "--games", "3")


def test_games_of_a_failing_program_are_broken_off_with_the_reason(play, capsys):
    play("games.jsonl", "--players", "random", f"process:{sys.executable} -c 0", "--games", "2")
    said = " ".join(capsys.readouterr().out.split())
    assert "broken off, as a player failed" in said and "2 (100.0%)" in said and "exited with status 0" in said


def test_a_file_of_other_players_is_refused(play, capsys):
    before = play("games.jsonl", "--players", "heuristic:level=1", "random", "--games", "2")
    others = ["--players", "random", "heuristic:level=1", "--games", "2", "--resume"]
    assert play("games.jsonl", *others, status=2) == before
    assert "its players are heuristic:level=1 and random" in capsys.readouterr().err
