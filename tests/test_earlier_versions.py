"""What was written before options of a game were an object, in ``data/earlier``: all of it is still read."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from dawn_agents.terminal.table import Table
from dawn_agents.tournament.store import Settings, Store

from dawn_env.formats import position
from dawn_env.formats.record import from_line, read_records, to_line, verify
from dawn_env.game import Game
from dawn_env.options import STANDARD, GameOptions

EARLIER = Path(__file__).parent / "data" / "earlier"


def test_a_record():
    (record,) = read_records(EARLIER / "record.jsonl")
    assert GameOptions.of(record["options"]) == GameOptions((2, 1))
    verify(record)


def test_a_record_of_before_an_option():
    (record,) = read_records(EARLIER / "record.jsonl")
    part = record | {"options": {}}
    assert from_line(to_line(part)) == part
    assert Game(part["seed"], part["options"]).options == STANDARD


def test_a_saved_game():
    table, _ = Table.load(EARLIER / "saved.json")
    assert table.game.options == GameOptions((1, 0)) and len(table.decisions) == 25


def test_a_position():
    text = json.loads((EARLIER / "position.json").read_text())
    states = position.from_json(text, seed=3)
    assert GameOptions.of_state(states[0]) == GameOptions((3, 1))
    assert position.to_json(states[0]) == text


def test_a_state():
    text = (EARLIER / "state.json").read_text()
    assert Game.from_json(text).options == GameOptions((3, 1))
    fields = json.loads(text)
    assert fields.pop("extra_support") == [3, 1]
    fields["frames"][0][5] = 5  # the last batch without the option
    assert Game.from_json(json.dumps(fields)).options == STANDARD


@pytest.mark.parametrize("change", ["", "DELETE FROM settings WHERE key = 'extra_support'"])
def test_a_database(tmp_path, change):
    path = tmp_path / "results.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((EARLIER / "results.sql").read_text() + change)
    with Store(path) as store:
        assert store.settings.options == (STANDARD if change else GameOptions((2, 0)))
        assert {game.players for game in store.games()} == {("random", "other"), ("other", "random")}
        assert set(store.settings.rows()) == set(Settings.now().rows())


def test_settings_of_a_training_run():
    config = pytest.importorskip("dawn_agents.training.config")
    read = config.parse_config(json.loads((EARLIER / "training.json").read_text()))
    assert read.games.options == STANDARD and read.games.at_once == 16
