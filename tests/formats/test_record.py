"""Game records, the log, and the scripts that write and read them."""

import copy
import json
import signal
from pathlib import Path

import pytest
from dawn_agents.commands import dawn, replay, selfplay
from dawn_agents.tournaments import selfplay_pieces
from random_records import random_game
from tables import table

from dawn_env.errors import MalformedPosition
from dawn_env.events.narration import narrate
from dawn_env.formats import game_record
from dawn_env.formats.game_record import (
    MAX_LINE,
    from_line,
    read_records,
    record_from_actions,
    to_line,
    verify,
)
from dawn_env.game import Game


@pytest.fixture(scope="module")
def record():
    return random_game(17, {"extra_support": [1, 0]}, {"D": "ann", "C": "bob"})


@pytest.fixture
def run(capsys):
    """A function that runs ``dawn`` with some words: exit status, output and errors."""
    return lambda *words: (dawn.main([*map(str, words)]), *capsys.readouterr())


def test_round_trips(record):
    assert from_line(to_line(record)) == record
    assert record_from_actions(17, record["decisions"], record["options"], record["players"]) == record
    assert record["result"] in ("democrat", "communist", "draw") and record["length"] == len(record["decisions"])
    assert record["chance"][0][0] == 0 and len(record["chance"][0][1]["draws"]) == 16
    verify(record)


def later_die(record):
    return next(item for item in record["chance"] if "dice" in item[1])


def change_die(record):
    dice = later_die(record)[1]["dice"]
    dice[0] = dice[0] % 6 + 1


TAMPERINGS = {
    "vp": (lambda record: record.update(vp=record["vp"] + 1), "vp: recorded"),
    "result": (lambda record: record.update(result="running"), "result: recorded 'running'"),
    "length": (lambda record: record.update(length=3), "length: recorded 3"),
    "seed": (lambda record: record.update(seed=record["seed"] + 1), ""),
    "die": (change_die, "chance, item"),
    "missing chance": (lambda record: record["chance"].remove(later_die(record)), "chance, item"),
    "decision": (lambda record: record["decisions"].__setitem__(4, "end-game"), "decision 5: 'end-game' is not legal"),
    "cut": (lambda record: record["decisions"].pop(), "recorded"),
    "longer": (lambda record: record["decisions"].append("pass"), "the game is over"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_verify_detects_tampering(record, name):
    tamper, message = TAMPERINGS[name]
    changed = copy.deepcopy(record)
    tamper(changed)
    with pytest.raises(MalformedPosition, match=f"^here: .*{message}"):
        verify(changed, "here")


def test_verify_compares_the_states_of_the_replay_from_chance(record, monkeypatch):
    def step_wrongly(game, text, step=Game.step):
        step(game, text)
        game.state.vp += 1

    verify(record)
    monkeypatch.setattr(Game, "step", step_wrongly)
    with pytest.raises(MalformedPosition, match="decision 1, replayed from chance: another position"):
        game_record._verify_scripted(record, "here")


FOREIGN = {
    "list": (b"[1]", "an object expected"),
    "cut off": (b"{", "not JSON"),
    "empty": (b"{}", "version None, but version 1 is needed"),
    "binary": (b"PK\x03\x04\xff\xfe", "not JSON: 'utf-8' codec can't decode byte 0xff"),
    "nested": (b"[" * 100_000, "more than 64 objects and lists within each other"),
    "nested less": (b"[" * 80 + b"]" * 80, "more than 64 objects and lists within each other"),
    "no number": (b'{"vp": NaN}', "NaN is no number of JSON"),
    "infinite": (b'{"vp": [-1e999]}', "'-1e999' is too large a number"),
    "no text": (b'{"players": "\\ud800"}', "surrogates not allowed"),
    "endless": (b" " * (MAX_LINE + 1), "longer than the 4,194,304 bytes"),
    "digits": (b"[" + b"9" * 5000 + b"]", "Exceeds the limit"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_lines_are_named(tmp_path, capsys, name):
    contents, message = FOREIGN[name]
    path = tmp_path / "games.jsonl"
    path.write_bytes(to_line(record_from_actions(3, ["space:Rostock"])).encode() + b"\n\n" + contents)
    for arguments in (["--show", "2"], ["--verify"]):
        assert replay.main([str(path), *arguments]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"error: {path}, line 3: ") and message in error and error.count("\n") == 1


@pytest.mark.parametrize(("change", "field"), table(Path(__file__).with_name("malformed_records.txt")))
def test_malformed_fields_are_named(record, change, field):
    with pytest.raises(MalformedPosition, match=f"record: .*{field}"):
        from_line(json.dumps(record | json.loads(change)))


def test_the_log_tells_the_game(record):
    log = narrate(record)
    assert "ann" in log and "Set-up" in log and "Turn 1, round 1" in log
    assert "plays" in log and "  Die " in log and " VP (" in log
    assert f"Result: {record['result']} ({record['reason']}), {record['vp']:+d} VP" in log
    with pytest.raises(MalformedPosition, match="decision 1"):
        narrate(record | {"decisions": ["pass"]})


def test_selfplay_and_replay(tmp_path, run):
    path, again, options = tmp_path / "games.jsonl", tmp_path / "again.jsonl", ("--extra-support", 3, 2)
    status, said, errors = run("selfplay", "--games", 4, "--seed", 3, "--out", path, *options)
    assert status == 0, errors
    assert "4 random games" in said and "mean decisions" in said
    assert run("selfplay", "--games", 2, "--seed", 3, "--out", again, *options)[0] == 0
    assert path.read_text().startswith(again.read_text())
    assert [record["options"]["extra_support"] for record in read_records(path)] == [[3, 2]] * 4
    status, said, _ = run("replay", path, "--verify", "--show", 2)
    assert status == 0 and "4 games verified" in said and "Result:" in said
    assert "no game 5" in run("replay", path, "--show", 5)[2]
    path.write_text(path.read_text().replace('"vp":', '"vp":1', 1))
    status, _, errors = run("replay", path, "--verify")
    assert status == 1 and "game 1: vp" in errors


def test_unwritable_files_and_full_disks_are_named(tmp_path, run):
    (tmp_path / "file").touch()
    for out, words in ((tmp_path / "file" / "games.jsonl", "File exists"), ("/dev/full", "No space left")):
        if out != "/dev/full" or Path(out).exists():
            status, _, errors = run("selfplay", "--games", 1, "--out", out)
            assert status == 1 and words in errors and str(out).removesuffix("/games.jsonl") in errors


def test_ctrl_c_keeps_finished_games(tmp_path, monkeypatch, run):
    path, parts = tmp_path / "games.jsonl", []

    def play_until_the_second(part, play=selfplay.play_piece):
        parts.append(part)
        if len(parts) == 2:
            signal.raise_signal(signal.SIGINT)
        return play(part)

    monkeypatch.setattr(selfplay_pieces, "PIECE", 2)
    monkeypatch.setattr(selfplay, "play_piece", play_until_the_second)
    status, _, errors = run("selfplay", "--games", 6, "--workers", 1, "--out", path)
    assert status == 130 and len(list(read_records(path))) == 2
    assert "finished games are kept in" in errors and "Traceback" not in errors
