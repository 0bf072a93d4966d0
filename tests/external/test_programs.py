"""Programs in tournaments: what ends them, what they can know of the deals, and what they say of themselves."""

import json
import os
import re
import signal
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from bots import write_bot
from dawn_agents.command_line import exit_status
from dawn_agents.commands import check_bot, tournament
from dawn_agents.commands.tournament import scores_so_far
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments import pair_runner
from dawn_agents.tournaments.entrants import Entrant, enter, labels
from dawn_agents.tournaments.match import FORFEIT, Outcome
from dawn_agents.tournaments.pair_runner import APART, make_chunks
from dawn_agents.tournaments.rating.pair_results import pair_results
from dawn_agents.tournaments.rating.sprt import Sprt
from dawn_agents.tournaments.reporting.html_page import page
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.tournament_plan import Plan, play
from dawn_agents.tournaments.tournament_report import make_report
from dawn_agents.work.executor import LocalExecutor
from dawn_agents.work.process_pool import Processes
from outcomes import round_robin
from processes import Tether, start_script

from dawn_env.errors import BadInput
from dawn_env.support.safe_text import escape_text


def bot(folder: Path, changes: str = "", name: str = "bot.py", settings: str = "") -> str:
    """Specification of a program that takes the first legal action, changed by some lines of Python."""
    return write_bot(folder / name, changes, settings)


def played(plan: Plan, store: ResultDatabase, **options) -> list[Outcome]:
    """The games of a plan, of whose luck nothing is measured."""
    return [game for games in play(plan, store, LocalExecutor(), with_luck=False, **options) for game in games]


# --- what ends them ----------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere orphans cannot be found")
def test_no_program_outlives_a_tournament_however_it_is_ended(tmp_path):
    """Three that start at once on one database, each with two workers that wait for programs which play no more."""
    running = {}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        folder = tmp_path / number.name
        folder.mkdir()
        tether = Tether(folder / "pipe")
        spec = bot(folder, f"{tether.holder}\ndef play(legal):\n    time.sleep(3600)", settings="seconds=3600,")
        arguments = ["--players", "random", spec, "--pairs", "2", "--workers", "2", "--db", tmp_path / "results.db"]
        running[number] = tether, start_script("tournament.py", *arguments)
    for number, (tether, process) in running.items():
        tether.wait_for(2)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as Ctrl-C does
        else:
            process.send_signal(number)
    for number, (tether, process) in running.items():
        _, errors = process.communicate(timeout=60)
        assert process.returncode == (130 if number == signal.SIGINT else -number), errors
        assert tether.all_gone(), number.name
    with ResultDatabase(tmp_path / "results.db") as kept:
        assert kept.games() == [] and len(kept.players()) == 4


def drawn_key(folder, number):
    with ResultDatabase.create(folder / f"{number}.db") as store:
        return store.key()


def test_processes_that_create_a_database_at_once_share_it(tmp_path):
    with Processes(4) as processes:
        numbers = [number for number in range(40) for _ in range(4)]
        keys = list(processes.done(partial(drawn_key, tmp_path), numbers, in_order=True))
    assert len(set(keys)) == 40 == len({*zip(numbers, keys, strict=True)}), "all have the key that one has drawn"


# --- what they can know of the deals -----------------------------------------------------------------


OUTSIDE = [
    Entrant("a", 0, "1", {}, True),
    Entrant("b", 0, "1", {}, True),
    Entrant("p", 0, "1", {}, False, is_external=True),
]


def test_deals_of_programs_depend_on_a_key_and_no_others(tmp_path, db):
    assert list(Plan(OUTSIDE[:2], pairs=3, seed=7).schedule(db)) == [round_robin("ab", 3, 7)]
    assert not db._db.execute("SELECT key FROM settings WHERE key = 'key'").fetchall(), "without programs none is drawn"
    plan = Plan(OUTSIDE, pairs=3, seed=7)
    public = round_robin("abp", 3, 7)
    (pairs,) = plan.schedule(db)
    for secret, known in zip(pairs, public, strict=True):
        assert (secret.one, secret.two) == (known.one, known.two)
        assert (secret.seed == known.seed) == ("p" not in (known.one, known.two))
        assert 0 <= secret.seed < 2**63
    assert list(plan.schedule(db)) == [pairs], "the key is kept"
    with ResultDatabase.create(tmp_path / "other.db") as other:
        assert not {pair.seed for pair in next(plan.schedule(other))[3:]} & {pair.seed for pair in pairs}
        with pytest.raises(StoreError, match="another key; leave --key out"):
            other.key(db.key())
    with ResultDatabase.create(tmp_path / "repeated.db") as repeated:
        repeated.key(db.key())
        assert list(plan.schedule(repeated)) == [pairs]


def test_the_games_of_a_pair_are_kept_apart():
    entered = {entrant.name: entrant for entrant in OUTSIDE}
    pairs = round_robin("abp", 40, 1)
    chunks = list(make_chunks(pairs, entered, 2, (0, 0)))
    single = [(chunk.pairs[0], chunk.seats[0]) for chunk in chunks if len(chunk.seats) == 1]
    assert len(set(single)) == len(single) == 160 and all(
        len(chunk.pairs) == 1 for chunk in chunks if chunk.seats != (0, 1)
    )
    places = {game: place for place, game in enumerate(single)}
    assert min(places[pair, 1] - places[pair, 0] for pair, _ in single) >= APART
    inside = [pair for chunk in chunks if chunk.seats == (0, 1) for pair in chunk.pairs]
    assert inside == [pair for pair in pairs if "p" not in (pair.one, pair.two)]
    done = {(pair.seed, "p") for pair, _ in single}
    left = [chunk for chunk in make_chunks(pairs, entered, 2, (0, 0), done) if len(chunk.seats) == 1]
    assert Counter(chunk.seats for chunk in left) == {(0,): 80}, "a game that was played is not played again"


def test_a_program_is_started_anew_for_every_game_and_told_nothing_of_the_deals(tmp_path, db):
    log = tmp_path / "log"
    changes = f"""
log = open({str(log)!r}, "a")
print("start", file=log, flush=True)
def heard(command):
    if command["command"] == "new-game":
        print(json.dumps(command), file=log, flush=True)"""
    plan = Plan(enter(["quick_players:Illegal", bot(tmp_path, changes)], seed=5), pairs=2, seed=5)
    games = played(plan, db)
    lines = log.read_text().splitlines()
    assert len(games) == 4 and lines[:2] == ["start"] * 2 and lines[1::2] == ["start"] * 4, (
        "one new-game after each start"
    )
    told = [json.loads(line) for line in lines[2::2]]
    assert [game["side"] for game in told] == ["communist"] * 2 + ["democrat"] * 2
    assert {game["seed"] for game in told} == {5} and len(pair_results(games)) == 2
    assert {pair.seed for pair in round_robin(plan.names, 2, 5)}.isdisjoint(game.seed for game in db.games())


def test_a_test_of_a_program_counts_whole_pairs_in_order(tmp_path, db, monkeypatch):
    monkeypatch.setattr(pair_runner, "APART", 4)
    plan = Plan(enter(["random", bot(tmp_path, "def play(legal):\n    sys.exit(1)")]), pairs=60)
    sprt = Sprt(0, 400)
    games = played(plan, db, sprt=sprt)
    assert sprt.accepted == "H1" and 2 * sprt.counts.sum() < len(games) <= 2 * (sprt.counts.sum() + 4)
    report = make_report(db.games(), db.players())
    assert len(report.games) == 2 * len(pair_results(db.games())) < len(db.games()), "games without a mate wait for it"


def public_database(path: Path, entrants: list[Entrant], failure: str = "[/red] \x1b[2J $x$") -> list[int]:
    """A database of one pair of public seeds that both have forfeited; its seeds."""
    pairs = round_robin([entrant.name for entrant in entrants], 1, 0)
    with ResultDatabase.create(path) as store:
        store.add_players(entrants)
        for pair in pairs:
            for names in ((pair.one, pair.two), (pair.two, pair.one)):
                facts = "democrat", FORFEIT, 1, 2, 0, (0.5, 0.5), (0, 0), failure, b""
                store.add([Outcome(pair.seed, *names, *facts)])
    return [pair.seed for pair in pairs]


def test_games_with_a_public_seed_do_not_decide_the_deals_of_a_program(tmp_path):
    entrants = enter(["quick_players:Illegal", bot(tmp_path)])
    path = tmp_path / "old.db"
    (seed,) = public_database(path, entrants)
    assert tournament.main(["--report-only", "--db", str(path)]) == 0
    with ResultDatabase(path) as store:
        games = played(Plan(entrants, pairs=2), store)
        fresh = {game.seed for game in games}
        assert seed not in fresh and len(games) == 4 and len(store.games()) == 6, "both pairs have secret deals"
        assert fresh.isdisjoint(pair.seed for pair in round_robin([each.name for each in entrants], 9, 0))
        assert {game.failure for game in games} == {"answered space:Schwerin, which is not legal"}, "of the opponent"


def test_the_checker_does_not_give_away_its_deals(tmp_path, capsys, monkeypatch):
    one, two, same = (
        check_bot.make_parser().parse_args([*more, "cat"]).checks for more in ([], ["--key", "k"], ["--key", "k"])
    )
    seeds = [[checks.secret_seed() for _ in range(9)] for checks in (one, two, same)]
    assert seeds[1] == seeds[2] and len({*seeds[0], *seeds[1]}) == 18
    assert {checks.program().seed for checks in (one, two, same)} == {1}
    monkeypatch.setattr(check_bot, "CHECKS", (check_bot.Checks.hello,))
    assert check_bot.main(["--key", "k", *bot(tmp_path, HOSTILE).removeprefix("process:").split()]) == 0
    said = capsys.readouterr().out
    assert r"[/red]\x1b[2J$a_$" in said.replace("\n", "") and "\x1b" not in said and said.endswith("--key k\n")


def test_the_checker_names_what_is_skipped(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(check_bot, "CHECKS", (check_bot.Checks.hello, check_bot.Checks.broken_off))
    marked = "sys.stdout.buffer.write(b'\\n\\xef\\xbb\\xbf'); sys.stdout.flush()"
    chatty = f"{marked}\ndef say(answer):\n    print(json.dumps(answer) + '\\n', flush=True)"
    assert check_bot.main(bot(tmp_path, chatty).removeprefix("process:").split()) == 0
    said = re.sub(r"[\s│]+", " ", capsys.readouterr().out)
    assert "skipped: 2 blank lines, 1 byte order mark" in said and "2 of 2 checks passed" in said


def test_the_checker_shows_all_of_a_long_word(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    path = "/".join(["folder"] * 20)
    assert check_bot.main([bot(tmp_path, f"sys.exit('Error: no module {path}')").removeprefix("process:")]) == 1
    said = capsys.readouterr().out
    assert path in re.sub(r"[\s│]", "", said) and "\n0 of 8 checks passed" in said


# --- what they say of themselves ---------------------------------------------------------------------


HOSTILE = 'bot["name"] = "[/red]\\x1b[2J$a_$ \\u202e"'
HOSTILE_SHOWN = r"[/red]\x1b[2J$a_$ \u202e"


def test_what_is_plain_stays_and_the_rest_is_written_out():
    text = "Grüße, 東京 [b]x[/b] $a$ \\n"
    assert escape_text(text) == text
    foreign = "\x1b]0;t\x07 \r\n\t\x00\x7f\x9b\u202e\u2028\ufffe\ud800\U000e0041"
    assert escape_text(foreign).isprintable() and escape_text(escape_text(foreign)) == escape_text(foreign)
    assert escape_text("\x1b[2J\n") == r"\x1b[2J\n" and escape_text(Path("a\nb")) == r"a\nb"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_program_that_does_not_introduce_itself_is_refused_before_its_games(tmp_path, capsys, workers):
    words = ["--db", str(tmp_path / "results.db"), "--pairs", "1", "--workers", workers]
    wrong = {
        write_bot(tmp_path / "first.py", "", "set=dept:3,"): "has no option 'dept'; known: depth, rate, word",
        write_bot(tmp_path / "second.py", "sys.exit(3)"): "exited with status 3 when asked 'hello'",
    }
    for player, why in wrong.items():
        assert tournament.main(["--players", "random", player, *words]) == 2
        assert why in capsys.readouterr().err.splitlines()[-1]
    with ResultDatabase(tmp_path / "results.db") as store:
        assert store.games() == []


def test_a_program_of_another_version_is_refused_where_there_are_games_of_it(tmp_path, capsys):
    store, second, other = tmp_path / "results.db", 'bot["version"] = "2"', tmp_path / "other.db"

    def run(changes, *more, others=("random",)):
        words = ["--players", *others, bot(tmp_path, changes), "--mode", "family", "--workers", "1", *more]
        return tournament.main([*map(str, words)])

    assert run("", "--pairs", 1, "--db", store) == run(second, "--pairs", 1, "--db", other) == 0
    for path in (store, other):
        assert tournament.main(["--report-only", "--db", str(path)]) == 0
    before = store.read_bytes()
    capsys.readouterr()
    assert run(second, "--pairs", 2, "--db", store, others=("random", "greedy")) == 2
    assert "bot.py' is 'first 1' there, not 'first 2'; name another --db" in capsys.readouterr().err
    assert tournament.main(["--merge", str(other), "--db", str(store)]) == 2
    assert "bot.py' is 'first 1' there, not 'first 2'; name another --db" in capsys.readouterr().err
    assert store.read_bytes() == before
    with ResultDatabase(store) as opened, pytest.raises(StoreError, match="there, not 'first 3'"):
        opened.declare(dict.fromkeys(opened.players(), "first 3"))
    assert run("", "--pairs", 2, "--db", store) == 0, "the one that has games there goes on"


def test_the_name_a_program_declares_is_its_name_in_reports(tmp_path, capsys):
    first, second = bot(tmp_path), bot(tmp_path, HOSTILE, "hostile.py")
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "csv", "html")}
    written = [argument for kind, path in files.items() for argument in (f"--{kind}", path)]
    words = "--mode family --pairs 1 --workers 1 --no-luck".split()
    arguments = ["--players", first, second, *words, *written, "--db", tmp_path / "results.db"]
    assert tournament.main([*map(str, arguments)]) == 0
    said = capsys.readouterr().out
    assert "first 1 " in said and f"{HOSTILE_SHOWN} " in said and "\x1b" not in said
    assert "/bot.py" in said and "/hostile.py" in said, "the report says what they are"
    told = {player["name"]: player["label"] for player in json.loads(files["json"].read_text())["players"]}
    assert told == {first: "first 1", second: f"{HOSTILE_SHOWN} 1"}
    assert "\x1b" not in files["csv"].read_text() and HOSTILE_SHOWN in files["csv"].read_text()
    html = files["html"].read_text()
    assert "\x1b" not in html and html.count(HOSTILE_SHOWN) >= 4 and f">{HOSTILE_SHOWN} 1</text>" in html


def test_programs_of_the_same_name_can_be_told_apart():
    def called(**declared):
        return labels({name: {"declared": text} for name, text in declared.items()})

    assert called(p="Bot", q="", r="other") == {"p": "Bot", "q": "q", "r": "other"}
    assert called(p="Bot", q="bot") == {"p": "Bot (p)", "q": "bot (q)"}
    assert called(p="q", q="", r="heuristic") == {"p": "q (p)", "q": "q", "r": "heuristic (r)"}, (
        "nor is one taken for us"
    )
    assert called(p="x" * 90, q="x" * 99) == {"p": f"{'x' * 40}... (p)", "q": f"{'x' * 40}... (q)"}
    assert called(p="\x1b", q=" ") == {"p": r"\x1b", "q": "q"}
    assert labels({"p\n": {}}) == {"p\n": r"p\n"}


NASTY = ["[/red]", "[bold]x[/bold]", "\x1b[31m\x07", "$\\frac{$", "$a_$ $b$", ":smile:", "a\nb\r", "<script>", "back\\"]


def test_a_database_with_any_text_in_it_has_reports(tmp_path, capsys, monkeypatch):
    """The name that a program declares is its name in reports, which say what it is too."""
    monkeypatch.setenv("COLUMNS", "400")
    path, files = tmp_path / "old.db", {kind: tmp_path / f"report.{kind}" for kind in ("json", "csv", "html")}
    public_database(path, [Entrant(name, 0, name, {}, True) for name in ["bot.py", *NASTY]], " ".join(NASTY))
    with ResultDatabase(path) as store:
        store.declare({"bot.py": "\x1b[2J$c_$ \u202e"})
        for name in NASTY:
            assert scores_so_far({name: 0.5}, store.players()) == f"{escape_text(name)} 50.0%"
    written = [argument for kind, file in files.items() for argument in (f"--{kind}", str(file))]
    assert tournament.main(["--report-only", "--db", str(path), *written]) == 0
    said, shown = capsys.readouterr().out, r"\x1b[2J$c_$ \u202e"
    for name in ["bot.py", shown, *map(escape_text, NASTY)]:
        assert f" {name} " in said, name
    assert escape_text(" ".join(NASTY)) in said
    labelled = {player["name"]: player["label"] for player in json.loads(files["json"].read_text())["players"]}
    assert labelled == {name: escape_text(name) for name in NASTY} | {"bot.py": shown}
    html = files["html"].read_text()
    assert shown in files["csv"].read_text() and "\x1b" not in said + html
    assert html.count("<script") == page("", [], []).count("<script") and "&lt;script&gt;" in html
    for name in ("[/red]", "$\\frac{$", "$a_$ $b$", shown):
        assert f">{name}</text>" in html, "as it is, no formula"


def test_errors_are_one_line_without_control_characters(capsys):
    def fail():
        raise BadInput("no \x1b[2J\nfile")

    assert exit_status(fail, "") == 2
    assert capsys.readouterr().err == "error: no \\x1b[2J\\nfile\n"
