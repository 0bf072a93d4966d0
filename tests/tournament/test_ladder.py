"""The ladder of one's own: places that are kept, players that change, results of others, opponents on offer."""

import json
import sqlite3
import sys
from importlib import invalidate_caches

import numpy as np
import pytest
from dawn_agents.commands import ladder, play
from dawn_agents.frontends.web.new_games import offers
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.ladder import OWN, opponents, places, replay_sample
from dawn_agents.tournaments.strength.rating_scale import read_scale

from dawn_env.game import Game
from dawn_env.state import MODES

BOT = """
from dawn_env import ViewPlayer

class Bot(ViewPlayer):
    def choose(self, view):
        return int(view.legal[{choice}])

    def costs(self):
        return {{"input_tokens": 900.0, "output_tokens": 90.0, "dollars": 0.5}}
"""
SPEC = "ladder_bot:Bot"


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Writes the bot, which takes the legal action of a place in the list."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(choice):
        (tmp_path / "ladder_bot.py").write_text(BOT.format(choice=choice))
        sys.modules.pop("ladder_bot", None)
        invalidate_caches()

    write(0)
    yield write
    sys.modules.pop("ladder_bot", None)


def add(path, *more, player=SPEC, games="8"):
    assert ladder.main(["add", player, "--games", games, "--workers", "1", "--db", str(path), *more]) == 0


def own(path):
    with ResultDatabase(path, read_only=True) as store:
        return {place.name: place for place in places(store) if not place.standing}


def test_a_player_keeps_its_place(bot, tmp_path, capsys):
    path = tmp_path / "own.db"
    add(path)
    told = capsys.readouterr().out
    place = own(path)[SPEC]
    assert place.games == 8 and place.forfeits == 0 and place.seconds > 0 and place.side is None
    assert place.costs["input_tokens"] == pytest.approx(10 * place.costs["output_tokens"])
    assert f"{SPEC}: {place.rated.both.text(' Elo')} on the standing scale" in told
    add(path)
    assert capsys.readouterr().out.startswith("0 games played now, 8 stored before") and own(path)[SPEC] == place
    assert ladder.main(["show", "--db", str(path), "--json", "l.json", "--html", "l.html"]) == 0
    listed = json.loads((tmp_path / "l.json").read_text())["players"]
    assert {row["name"] for row in listed} == {*read_scale().names, SPEC}
    row = next(row for row in listed if row["name"] == SPEC)
    assert (row["edition"], row["games"]) == (place.edition, 8) and row["democrat"] == place.rated.democrat.known()
    told, page = capsys.readouterr().out, (tmp_path / "l.html").read_text()
    assert SPEC in page and place.edition in told
    for cost in "ms/decision", "tokens/decision", "dollars/decision":
        assert cost in page


def test_a_player_that_has_changed_is_another_one(bot, tmp_path, capsys):
    path = tmp_path / "own.db"
    add(path)
    before = own(path)[SPEC]
    bot(-1)
    add(path)
    retired = f"{SPEC}@{before.edition}"
    assert f"{SPEC} has changed; what it was is on the ladder as {retired}" in capsys.readouterr().out
    found = own(path)
    assert (found[retired].rated, found[retired].costs) == (before.rated, before.costs)
    assert found[SPEC].edition != before.edition
    assert [place.name for place, _ in opponents(path)] == [SPEC], "what it was cannot be played"
    bot(0)
    add(path)
    assert "0 games played now, 8 stored before" in capsys.readouterr().out and own(path)[SPEC] == before


def test_a_player_of_one_side_has_the_rating_of_that_side(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.db"
    add(path, "--side", "communist", player="greedy", games="4")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE games SET reason = 'forfeit', result = 'communist' WHERE democrat = 'greedy'")
        ((games,),) = db.execute("SELECT COUNT(*) FROM games WHERE communist = 'greedy'")
    place = own(path)["greedy"]
    assert (place.side, place.games, place.forfeits) == (1, games, 0)
    assert place.to_json()["democrat"] is None and place.to_json()["low"] == place.rated.communist.known()["low"]


def test_results_of_others_are_replayed_and_added(bot, tmp_path, capsys):
    theirs, mine = tmp_path / "theirs.db", tmp_path / "mine.db"
    add(theirs)
    place = own(theirs)[SPEC]
    capsys.readouterr()
    assert ladder.main(["merge", str(theirs), "--db", str(mine), "--sample", "3"]) == 0
    told = capsys.readouterr().out
    assert (
        told.startswith("3 games replayed, ") and told.endswith(f"8 new games of {SPEC}\n") and own(mine)[SPEC] == place
    )
    mine.unlink()
    bot(-1)
    add(mine)
    changed = own(mine)[SPEC]
    assert ladder.main(["merge", str(theirs), "--db", str(mine)]) == 0
    assert own(mine)[SPEC] == changed and own(mine)[f"{SPEC}@{place.edition}"].rated == place.rated


def _other_ending(path, db):
    db.execute("UPDATE games SET vp = vp + 1")
    return r"it ends with .*, replayed with "


def _other_version(path, db):
    db.execute("UPDATE players SET version = 'better' WHERE name NOT LIKE 'ladder_bot%'")
    return r"is of version better, not \S+ as on the standing scale"


def _weaker_opponent(path, db):
    """A game that a standing player seems to have begun in another way, whereupon the other forfeited."""
    with ResultDatabase(path, read_only=True) as store:
        kept = next(game for game in store.outcomes() if game.communist == SPEC)
    game, actions = Game(kept.seed), [*kept.actions]
    at = 0
    while game.state.actor == 1:
        game.step(actions[at])
        at += 1
    actions[at] = next(int(action) for action in np.flatnonzero(game.mask) if action != actions[at])
    game.step(actions[at])
    values = game.vp, int(game.state.turn), at + 1, bytes(actions[: at + 1]), kept.seed
    db.execute("DELETE FROM games WHERE seed != ? OR communist != ?", (kept.seed, SPEC))
    db.execute("UPDATE games SET reason = 'forfeit', result = 'democrat', vp = ?, turn = ?, decisions = ?, actions = ? "
               "WHERE seed = ?", values)  # fmt: skip
    return rf"decision {at + 1}: \S+ decides .+, not .+ as recorded"


@pytest.mark.parametrize("change", [_other_ending, _other_version, _weaker_opponent])
def test_results_that_cannot_have_been_played_are_refused(bot, tmp_path, change):
    path = tmp_path / "theirs.db"
    add(path)
    with sqlite3.connect(path) as db:
        message = change(path, db)
    with pytest.raises(StoreError, match=message):
        replay_sample(path, 100)
    assert ladder.main(["merge", str(path), "--db", str(tmp_path / "mine.db"), "--sample", "100"]) == 2
    assert not (tmp_path / "mine.db").exists()


def test_players_of_the_ladder_are_on_offer_by_strength(bot, tmp_path, capsys):
    path = tmp_path / "own.db"
    add(path)
    offered = offers([SPEC, "greedy"], path)
    specs = [offer["spec"] for offer in offered]
    assert sorted(specs) == sorted([*read_scale().names, SPEC, "greedy"]) and specs[-1] == "greedy"
    mine = next(offer for offer in offered if offer["spec"] == SPEC)
    assert mine["note"] == "on your ladder" and mine["modes"] == MODES
    ratings = [offer["rating"] for offer in offered[:-1]]
    assert ratings == sorted(ratings)
    capsys.readouterr()
    assert play.main(["--list-players", "--ladder", str(path)]) == 0
    assert SPEC in capsys.readouterr().out
    assert offers([], OWN) == offers(), "no ladder yet"
    with pytest.raises(StoreError, match=r"none\.db: no such file"):
        offers([], tmp_path / "none.db")


def test_standing_players_are_not_added(tmp_path, capsys):
    assert ladder.main(["add", "random", "--db", str(tmp_path / "own.db"), "--workers", "1"]) == 2
    assert "random stands on every ladder" in capsys.readouterr().err
