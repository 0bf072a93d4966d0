"""Tournaments: schedules, the store, playing with interruptions and the command lines."""

import json
import os
import re
import signal
import sqlite3
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from dawn_agents.commands import evaluate, tournament
from dawn_agents.players import registry
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments.entrants import Entrant, EntryError, enter
from dawn_agents.tournaments.pair_runner import make_chunks
from dawn_agents.tournaments.rating.pair_results import pair_results
from dawn_agents.tournaments.rating.sprt import Sprt
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.tournament_plan import Plan, play
from dawn_agents.tournaments.tournament_report import make_report
from dawn_agents.work.executor import LocalExecutor, WorkerDied
from dawn_agents.work.process_pool import Processes
from outcomes import outcome, round_robin
from paths import ROOT
from processes import start_script, wait_until
from quick_players import Illegal
from tables import table

from dawn_env.errors import PlayerFailure
from dawn_env.formats.game_record import read_records, verify
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import RandomPlayer

NAMES = ["a", "b", "c", "d", "e"]


class Other(RandomPlayer):
    """Random in another way."""

    def __init__(self, name, seed, options):
        super().__init__(seed + 1, name, options)


class Crashing(RandomPlayer):
    """Raises when it has few choices."""

    def choose(self, observations, masks):
        if len(observations) and masks.sum(axis=1).min() < 3:
            raise PlayerFailure("no good choice")
        return super().choose(observations, masks)


class Leaving(RandomPlayer):
    """Ends the program."""

    def choose(self, observations, masks):
        sys.exit(3)


class Absent(RandomPlayer):
    """Cannot start."""

    def __init__(self, name, seed, options):
        raise FileNotFoundError("no such checkpoint: model.zip")


@pytest.fixture(autouse=True)
def players(monkeypatch):
    for cls in (Other, Crashing, Leaving, Illegal, Absent):
        monkeypatch.setitem(registry.PLAYERS, cls.__name__.lower(), (cls.__module__, cls.__name__))


def entrants(*names):
    return [Entrant(name, 0, "1", {}, True) for name in names]


def run_all(plan, opened, **options):
    """Play a plan; the games in the order in which they came."""
    return [game for games in play(plan, opened, LocalExecutor(), **options) for game in games]


def untimed(games):
    return [game._replace(seconds=None) for game in games]


# --- schedules ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "meet"), [("round-robin", [*combinations(NAMES, 2)]), ("gauntlet", [("a", other) for other in "bcde"])]
)
def test_whoever_meets_does_so_equally_often(form, meet, db):
    plan = Plan(entrants(*NAMES), form, 3, 1)
    (pairs,) = plan.schedule(db)
    assert Counter((pair.one, pair.two) for pair in pairs) == dict.fromkeys(meet, 3)
    assert 2 * len({pair.seed for pair in pairs}) == 2 * len(pairs) == plan.games


def test_deals_do_not_depend_on_the_rest_of_the_tournament():
    small = round_robin(["b", "a"], 2, 7)
    large = round_robin(NAMES, 5, 7)
    assert {pair.seed for pair in small} < {pair.seed for pair in large}
    assert not {pair.seed for pair in round_robin(NAMES, 5, 8)} & {pair.seed for pair in large}


def test_thinking_players_get_chunks_of_one_pair():
    entered = {entrant.name: entrant for entrant in entrants("a", "b")}
    entered["slow"] = replace(entered["a"], name="slow", batch=False)
    pairs = round_robin(["a", "b", "slow"], 100, 1)
    chunks = list(make_chunks(pairs, entered, 2, (0, 0)))
    assert sorted(pair.seed for chunk in chunks for pair in chunk.pairs) == sorted(pair.seed for pair in pairs)
    sizes = {frozenset((chunk.one.name, chunk.two.name)): len(chunk.pairs) for chunk in chunks}
    assert sizes == {frozenset("ab"): 26, frozenset(("a", "slow")): 1, frozenset(("b", "slow")): 1}


# --- the store ---------------------------------------------------------------------------------


def test_games_come_back_as_they_were(db):
    db.add_players(entrants("a", "b"))
    both = [outcome(2**63 - 1, "a", "b"), outcome(2**63 - 1, "b", "a", "draw")]
    db.add(both)
    db.add([both[0]._replace(vp=-20)])
    assert db.games() == [each._replace(actions=()) for each in both]
    (pair,) = pair_results(db.games()).values()
    assert pair[:4] == ("a", "b", 1.0, 0.5) and pair.seen_by("b").points == 0.5


DAMAGES = [
    *table(Path(__file__).with_name("damaged_databases.txt")),
    (f"UPDATE players SET options = '{'[' * 9999}'", "options of player 'a': '...."),
]


@pytest.mark.parametrize(("statement", "message"), DAMAGES, ids=range(len(DAMAGES)))
def test_damaged_databases_are_named_and_left_alone(tmp_path, statement, message, capsys):
    path, sound = tmp_path / "damaged.db", tmp_path / "sound.db"
    for file in (path, sound):
        with ResultDatabase.create(file) as opened:
            opened.add_players(entrants("a", "b", "c"))
            opened.add([outcome(1, "a", "b"), outcome(1, "b", "a")])
    with ResultDatabase(path) as opened:
        opened.add([outcome(2, "a", "c"), outcome(2, "c", "a")])
    damage = sqlite3.connect(path)
    with damage:
        damage.execute(statement)
    damage.close()
    before, untouched = path.read_bytes(), sound.read_bytes()
    for arguments in (["--db", path, "--report-only"], ["--db", sound, "--merge", path]):
        assert tournament.main(list(map(str, arguments))) == 2
        error = capsys.readouterr().err
        assert re.search(f"{path}: (damaged|not a) database of results.*{message}", error) and error.count("\n") == 1
    assert path.read_bytes() == before and sound.read_bytes() == untouched


def test_stored_actions_that_are_not_legal_are_named(db):
    db.add_players(entrants("a", "b"))
    db.add([outcome(1, "a", "b")])
    with pytest.raises(StoreError, match="results.db: damaged database of results: game 1: "):
        list(db.records())


def test_games_between_others_are_no_pair():
    games = [outcome(1, "a", "b"), outcome(1, "c", "a"), outcome(2, "a", "b"), outcome(2, "b", "a")]
    assert list(pair_results(games)) == [2]


def test_other_settings_and_other_players_are_refused(db):
    with pytest.raises(StoreError, match=r"extra_support \[0, 0\], not \[2, 0\]"):
        ResultDatabase.create(db.path, GameOptions((2, 0)))
    with pytest.raises(StoreError, match="engine .* not older"):
        ResultDatabase.create(db.path, STANDARD, "older")
    db.add_players(entrants("a"))
    for change in ({"version": "2"}, {"seed": 5}, {"options": {"depth": 3}}):
        with pytest.raises(StoreError, match=f"'a' has {next(iter(change))}"):
            db.add_players([replace(entrants("a")[0], **change)])


def test_merging_recognises_duplicates(tmp_path, db):
    db.add_players(entrants("a", "b"))
    db.add([outcome(1, "a", "b"), outcome(1, "b", "a")])
    with ResultDatabase.create(tmp_path / "second.db") as second:
        second.add_players(entrants("a", "b", "c"))
        second.add([outcome(1, "a", "b"), outcome(1, "b", "a"), outcome(2, "a", "c"), outcome(2, "c", "a")])
    assert db.merge(tmp_path / "second.db") == 2 and db.merge(tmp_path / "second.db") == 0
    assert len(db.games()) == 4 and set(db.players()) == {"a", "b", "c"}
    assert tournament.main(["--db", str(tmp_path / "new.db"), "--merge", str(db.path), str(tmp_path / "none.db")]) == 2
    assert not (tmp_path / "new.db").exists()
    ResultDatabase.create(tmp_path / "third.db", GameOptions((1, 1))).close()
    with pytest.raises(StoreError, match="extra_support"):
        db.merge(tmp_path / "third.db")


# --- playing -----------------------------------------------------------------------------------


def test_a_tournament_is_played_once_and_resumed(tmp_path, db):
    plan = Plan(enter(["random", "other", "illegal"]), pairs=3, seed=4)
    whole = run_all(plan, db)
    assert len(whole) == plan.games == 18 == 2 * len(pair_results(whole))
    with ResultDatabase.create(tmp_path / "cut.db") as cut:
        playing = play(plan, cut, LocalExecutor())
        for _ in range(3):
            next(playing)
        playing.close()
        kept = cut.games()
        assert 0 < len(kept) < 18
        assert sorted(untimed(run_all(plan, cut))) == sorted(untimed(whole))
        assert set(kept) < set(cut.games()), "what was there has not been played again"
        assert len(run_all(replace(plan, pairs=4), cut)) == 24 and set(kept) < set(cut.games())


def test_failing_players_forfeit_and_have_records(tmp_path, db):
    run_all(Plan(enter(["random", "illegal", "crashing", "leaving"]), pairs=2, seed=1), db)
    report = make_report(db.games(), db.players())
    forfeits = {standing.name: standing.forfeits for standing in report.standings}
    assert forfeits["random"] == 0 and sum(forfeits.values()) == 24
    assert report.standings[0].name == "random" and report.standings[0].score == 1
    assert {("crashing", "no good choice"), ("leaving", "SystemExit: 3")} <= {*report.failures}
    for record in db.records():
        assert record["result"] == "running"
        verify(record)


def test_the_test_ends_the_tournament_in_the_order_of_the_schedule(db):
    sprt = Sprt(0, 200)
    plan = Plan(enter(["random", "illegal"]), pairs=60, seed=1)
    games = run_all(plan, db, sprt=sprt)
    assert sprt.accepted == "H1" and len(games) < plan.games
    again = Sprt(0, 200)
    assert len(run_all(plan, db, sprt=again)) == len(games), "nothing more is played"
    assert str(again) == str(sprt)


def test_the_test_says_how_many_later_pairs_it_does_not_count(db):
    plan = Plan(enter(["random", "illegal"]), pairs=60, seed=1)
    run_all(plan, db)
    sprt = Sprt(0, 200)
    assert len(run_all(plan, db, sprt=sprt)) == plan.games
    assert sprt.accepted == "H1" and 0 < sprt.uncounted == 60 - sprt.counts.sum()
    assert str(sprt).endswith(f"; {sprt.uncounted} later pairs are not counted")
    assert sprt.to_json()["uncounted"] == sprt.uncounted


@pytest.mark.parametrize(("pair", "status"), [(("random", "illegal"), 0), (("illegal", "random"), 3)])
def test_the_exit_status_tells_what_the_test_accepted(pair, status, tmp_path):
    words = ["--players", *pair, "--pairs", "40", "--sprt", "0,200", "--no-luck", "--workers", "1"]
    assert tournament.main([*words, "--db", str(tmp_path / "test.db")]) == status


def test_players_that_cannot_start_or_come_twice_are_named_before_anything_is_played():
    with pytest.raises(EntryError, match="'absent': no such checkpoint: model.zip"):
        enter(["random", "absent"])
    with pytest.raises(EntryError, match="'random' is entered twice"):
        enter(["random", "random"])
    with pytest.raises(EntryError, match="'heuristic' is entered twice, as 'heuristic:level=10' and as 'heuristic'"):
        enter(["heuristic:level=10", "heuristic"])


# --- luck --------------------------------------------------------------------------------------


def luck_of(opened):
    return {(game.seed, game.seat): game.luck for game in opened.games()}


def test_luck_is_measured_and_kept_the_same_for_any_workers_and_after_resuming(tmp_path, db):
    plan = Plan(enter(["random", "heuristic"]), pairs=6, seed=3)
    run_all(replace(plan, pairs=2), db)
    with ResultDatabase.create(tmp_path / "two.db") as other:
        with Processes(2) as place:
            for _ in play(plan, other, place):
                pass
        run_all(plan, db)
        assert luck_of(db) == luck_of(other) and all(luck_of(db).values()) and len(luck_of(db)) == 12
        assert rate_of(db) == rate_of(other)


def rate_of(opened):
    return [(row.adjusted, row.score_adjusted) for row in make_report(opened.games(), opened.players()).standings]


def test_without_luck_nothing_is_adjusted(db):
    run_all(Plan(enter(["random", "other"]), pairs=2), db, with_luck=False)
    assert set(luck_of(db).values()) == {None}
    found = make_report(db.games(), db.players())
    assert found.adjusted is None and {row.score_adjusted for row in found.standings} == {None}
    assert {meeting.variance_adjusted for meeting in found.meetings} == {None} and found.to_json()["luck"]["games"] == 0


def test_luck_that_another_version_has_measured_does_not_count(db):
    run_all(Plan(enter(["random", "other"]), pairs=2), db)
    assert None not in luck_of(db).values()
    db._db.execute("UPDATE luck SET version = 'old'")
    assert set(luck_of(db).values()) == {None}


def test_luck_is_merged_and_damage_is_named(tmp_path, db):
    with ResultDatabase.create(tmp_path / "other.db") as other:
        run_all(Plan(enter(["random", "other"]), pairs=2), other)
        assert db.merge(other.path) == 4 and luck_of(db) == luck_of(other)
    with sqlite3.connect(tmp_path / "other.db") as file:
        file.execute("UPDATE luck SET points = 'much'")
    with (
        ResultDatabase(tmp_path / "other.db") as other,
        pytest.raises(StoreError, match="damaged.*luck of game .*'much'"),
    ):
        other.games()


def test_games_of_failing_players_and_of_family_mode(tmp_path, db):
    games = run_all(Plan(enter(["random", "crashing"]), pairs=2), db)
    assert all(game.luck is not None for game in games), "chance had its part until the forfeit"
    with ResultDatabase.create(tmp_path / "family.db", GameOptions(mode="family")) as family:
        assert {game.luck for game in run_all(Plan(enter(["random", "other"]), pairs=1), family)} == {None}


# --- command lines -----------------------------------------------------------------------------


def test_tournament_writes_all_its_files(tmp_path, capsys):
    files = {kind: tmp_path / f"out.{kind}" for kind in ("json", "csv", "html", "records")}
    arguments = ["--players", "random", "other", "--pairs", "6", "--workers", "1", "--db", str(tmp_path / "out.db")]
    for kind, path in files.items():
        arguments += [f"--{kind}", str(path)]
    test = ["--sprt", "0,300", "--alpha", "1e-6", "--beta", "1e-6"]
    assert tournament.main([*arguments, *test]) == 4, "undecided"
    assert "12 games; random = 0 Elo" in (said := capsys.readouterr().out) and "SPRT undecided" in said
    assert "measured in 12 of 12 games" in said
    told = json.loads(files["json"].read_text())
    assert told["games"] == 12 and sum(told["sprt"]["pairs"]) == 6
    assert len(list(read_records(files["records"]))) == 12
    assert tournament.main(["--report-only", "--db", str(tmp_path / "out.db"), "--anchor", "other"]) == 0
    assert "other = 0 Elo" in capsys.readouterr().out
    merged = ["--merge", str(tmp_path / "out.db"), str(tmp_path / "out.db"), "--db", str(tmp_path / "merged.db")]
    assert tournament.main(merged) == 0
    assert "out.db: 12 new games" in (said := capsys.readouterr().out) and "out.db: 0 new games" in said


class Dying(LocalExecutor):
    """Executor whose worker dies."""

    def done(self, function, tasks, **_):
        if tasks:
            raise WorkerDied("a process has died", tasks[:2])
        yield from ()


@pytest.mark.parametrize("kept", [True, False])
def test_a_worker_that_dies_is_told_of_with_the_players_and_what_is_kept(tmp_path, monkeypatch, capsys, kept):
    monkeypatch.setattr(evaluate, "executor_of", lambda *_: Dying())
    store = ["--db", str(tmp_path / "results.db")] if kept else []
    assert evaluate.main(["other", *store]) == 1
    error, stopped = capsys.readouterr().err.splitlines()
    assert re.search(r"error: a process has died, in a game of other against \S+; if a", error)
    assert stopped == (
        f"stopped; games are kept in {store[1]}" if kept else "stopped; no game is kept; with --db FILE they are"
    )


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_killed_and_stopped_tournaments_go_on_where_they_were(tmp_path):
    path, spec = tmp_path / "results.db", "quick_players:Slow"
    arguments = ["--players", "random", spec, "--pairs", 6, "--workers", 2, "--seed", 3, "--db", path, "--no-luck"]
    folders = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents", ROOT / "tests" / "support")))}
    kept = []
    for number in (signal.SIGKILL, signal.SIGINT):
        running = start_script("tournament.py", *arguments, env=os.environ | folders)
        wait_until(has_more_games, path, len(kept))
        os.kill(running.pid, number)
        _, errors = running.communicate(timeout=60)
        wait_until(is_gone, running.pid)
        with ResultDatabase(path) as cut:
            assert set(kept) <= set(cut.games()) and len(kept) < len(cut.games()) < 12
            kept = cut.games()
    assert running.returncode == 130 and "stopped; finished games are kept" in errors and "Traceback" not in errors
    plan = Plan(enter(["random", spec]), pairs=6, seed=3)
    with ResultDatabase(path) as done, ResultDatabase.create(tmp_path / "whole.db") as whole:
        assert len(run_all(plan, done, with_luck=False)) == 12 and set(kept) < set(done.games())
        run_all(plan, whole, with_luck=False)
        assert sorted(untimed(done.games())) == sorted(untimed(whole.games()))


def has_more_games(path, count):
    if not path.exists() or not path.stat().st_size:
        return False
    with sqlite3.connect(path, timeout=60) as connection:
        return connection.execute("SELECT count(*) FROM games").fetchone()[0] > count


def is_gone(group):
    """No process of the group may be left, or it would go on playing for nobody."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False
