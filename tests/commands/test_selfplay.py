"""Random games in bulk: going on with a file, and files of something else."""

import pytest
from dawn_agents.commands import selfplay


@pytest.fixture
def play(tmp_path, monkeypatch):
    monkeypatch.setattr("dawn_agents.work.selfplay_pieces.PIECE", 2)

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
