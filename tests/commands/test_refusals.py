"""What cannot be done ends with a line that says why and status 2, and leaves all files alone: ``refusals.txt``."""

import shlex
from importlib import import_module
from pathlib import Path

import pytest
from dawn_agents.commands import dawn
from dawn_agents.frontends.terminal.undoable_game import UndoableGame
from dawn_agents.tournaments.result_database import ResultDatabase
from paths import ROOT
from tables import table

from dawn_env.formats.game_record import record_from_actions, to_line
from dawn_env.tables import DEMOCRAT

REFUSALS = table(Path(__file__).with_name("refusals.txt"))


@pytest.fixture(scope="module")
def contents() -> dict[str, bytes]:
    saved = UndoableGame(3, DEMOCRAT, "random").record()
    records = {
        "games.jsonl": record_from_actions(3, ["space:Rostock"], None, {"D": "one", "C": "two"}),
        "two.json": saved | {"players": {"D": "human", "C": "human"}},
        "wrong.json": saved | {"decisions": ["pass"], "length": 1},
        "place.json": saved | {"decisions": ["space:Nowhere"]},
        "outcome.json": saved | {"vp": 13},
    }
    files = {name: to_line(record).encode() for name, record in records.items()}
    return files | {"text.json": b"hello", "bytes.json": b"\xff\xfe", "object.json": b"{}"}


@pytest.mark.parametrize(("words", "expected"), REFUSALS)
def test_what_cannot_be_done_is_refused(words, expected, contents, tmp_path, monkeypatch, capsys):
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    command, *arguments = shlex.split(words.format(tmp=tmp_path, root=ROOT))
    program = dawn.module(command) if command in dawn.COMMANDS else import_module(command)
    try:
        status = program.main(arguments)
    except SystemExit as end:
        status = end.code
    said, errors = capsys.readouterr()
    assert status == 2 and expected in errors.splitlines()[-1] and "Traceback" not in errors and not said
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert left.items() >= contents.items() and not (tmp_path / "run").exists()
    assert "new.db" not in left or ResultDatabase(tmp_path / "new.db").games() == []
