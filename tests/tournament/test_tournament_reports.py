"""Reports of tournaments: their numbers, files and page."""

import argparse
import csv
import io
import itertools
import json
import re
import sqlite3
import sys
from collections import Counter
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser

import numpy as np
import pytest
from chromium import chromium
from dawn_agents.commands import tournament
from dawn_agents.tournaments.match import FORFEIT
from dawn_agents.tournaments.rating.estimates import percent, points
from dawn_agents.tournaments.reporting.html_page import page, write_page
from dawn_agents.tournaments.reporting.tables import console
from dawn_agents.tournaments.tournament_page import matrix_plot, ratings_plot, sections
from dawn_agents.tournaments.tournament_report import (
    cross_sheet,
    failures_sheet,
    make_report,
    sheets,
    standings_sheet,
    structure_sheet,
)
from outcomes import outcome
from paths import ROOT
from rich.console import Console

from dawn_env import __version__
from dawn_env.support.compiled_code import source_hash

ORIGIN = {"version": "1", "command": "dawn tournament", "date": "2026-11-28", "seed": None, "game_options": {}}


def report_of(games, names, anchor=None):
    return make_report(games, {name: {"version": "2", "options": {}} for name in names}, anchor)


@pytest.fixture
def report():
    names, games, random = ["a", "b", "<c>"], [], np.random.default_rng(1)
    for seed in range(90):
        one, two = [names[i] for i in random.permutation(3)[:2]]
        for democrat, communist in ((one, two), (two, one)):
            result = "draw" if seed % 9 == 0 else "democrat" if (seed + len(democrat)) % 3 else "communist"
            games.append(outcome(seed, democrat, communist, result))
    games = [game._replace(luck=(game.points[0] - 0.5) / 2) for game in games]
    games[-1] = games[-1]._replace(result="democrat", reason=FORFEIT, failure="<late>")
    return report_of(games, names, "a")


def test_numbers_of_a_report(report):
    assert sum(standing.score * standing.games for standing in report.standings) == pytest.approx(180)
    for standing in report.standings:
        half = (standing.score_democrat + standing.score_communist) / 2
        assert standing.score == pytest.approx(half)
        assert standing.rating.low <= standing.rating.value <= standing.rating.high
        assert 1.0 < standing.seconds < 3.0
    met = {(meeting.one, meeting.two): meeting for meeting in report.meetings}
    for (one, two), meeting in met.items():
        assert meeting.pentanomial == met[two, one].pentanomial[::-1] and sum(meeting.pentanomial) == meeting.pairs
        assert meeting.wins + meeting.draws + meeting.losses == 2 * meeting.pairs
        assert meeting.score + met[two, one].score == pytest.approx(1)
        assert meeting.as_democrat.rate + met[two, one].as_communist.rate == pytest.approx(1)


@pytest.fixture
def bid_report():
    """In the first pair "a" twice plays the Democrat, in the second sides follow who is first; in the third a game is
    forfeited at the bid."""
    games = [
        outcome(1, "a", "b")._replace(first="a"),
        outcome(1, "a", "b", "communist")._replace(first="b"),
        outcome(2, "b", "a")._replace(first="a"),
        outcome(2, "a", "b")._replace(first="b"),
        outcome(3, "a", "b", "communist", FORFEIT, "late")._replace(first="a"),
        outcome(3, "b", "a")._replace(first="b"),
    ]
    return report_of(games, "ab", "a")


def test_forfeits_are_counted_by_cause():
    bot, illegal = "process:bot", "answered 'event', which is not legal at decision 'use'; legal: "
    causes = [f"{bot}: {illegal}{legal}" for legal in ("place", "check", "pass")]
    causes += [f"{bot}: exited with status {status} when asked 'go'; stderr: x" for status in range(12)]
    games = []
    for seed, cause in enumerate(causes):
        games += [outcome(seed, "a", bot, "democrat", FORFEIT, cause), outcome(seed, bot, "a", "communist")]
    sheet = failures_sheet(report_of(games, ("a", bot), "a"))
    assert len(sheet.rows) == 10 and sheet.rows[0] == (bot, f"{illegal}place", "3")
    assert "and 3 more causes" in sheet.note and bot not in sheet.rows[1][1]


def test_reports_of_bids_tell_sides_from_who_was_first(bid_report):
    met = {(meeting.one, meeting.two): meeting for meeting in bid_report.meetings}["a", "b"]
    assert [(score.games, score.wins) for score in (met.as_democrat, met.as_communist)] == [(4, 2), (2, 0)]
    assert "Advantage of the first player" in page("Bids", [], sections(bid_report))


def test_without_luck_scores_are_nearer_and_intervals_narrower(report):
    for row in report.standings:
        assert abs(row.score_adjusted - 0.5) <= abs(row.score - 0.5) and row.adjusted.low <= row.adjusted.value
        if row.name != "a":
            assert row.adjusted.high - row.adjusted.low < 0.7 * (row.rating.high - row.rating.low)
    assert report.measured == 180 and report.variance_ratio == pytest.approx(0.25, abs=0.05)


def test_the_ratio_of_variances_counts_meetings_in_which_one_side_won_everything():
    """Taking out luck can only add to the variance there."""
    games = []
    for seed in range(40):
        even = seed % 2 == 0
        for democrat, communist in (("a", "b"), ("b", "a")) if even else (("a", "c"), ("c", "a")):
            winner = "democrat" if even and seed % 4 == 0 or democrat == "a" else "communist"
            luck = 0.0 if even or communist == "a" else 0.25 * (seed % 4 - 2)
            games.append(outcome(seed, democrat, communist, winner)._replace(luck=luck))
    report = report_of(games, "abc", "a")
    with_luck = sum(meeting.pairs * meeting.variance for meeting in report.meetings)
    without = sum(meeting.pairs * meeting.variance_adjusted for meeting in report.meetings)
    assert {meeting.variance for meeting in report.meetings if "c" in (meeting.one, meeting.two)} == {0.0}
    assert report.variance_ratio == pytest.approx(without / with_luck) and report.variance_ratio > 1


def test_json_and_csv(report, tmp_path):
    told = json.loads(json.dumps(report.to_json()))
    wanted = {"score_adjusted", "rating_adjusted", "low_adjusted", "high_adjusted"}
    assert all(wanted <= set(player) for player in told["players"]) and len(told["players"]) == 3
    assert next(player for player in told["players"] if player["name"] == "a")["rating"] == 0
    assert all("variance_adjusted" in pair for pair in told["pairs"]) and len(told["pairs"]) == 6
    assert sum(row["games"] for row in told["reasons"]) == told["games"] == 180
    options = argparse.Namespace(json=None, csv=tmp_path / "deep" / "standings.csv", html=None)
    tournament.publish(report, ORIGIN, options)
    with open(tmp_path / "deep" / "standings.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [standing.name for standing in report.standings]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["standings.csv"], "no partial file stays"


def test_the_page_lists_the_keys_of_the_file(bid_report, tmp_path):
    options = argparse.Namespace(json=tmp_path / "report.json", csv=None, html=None)
    tournament.publish(bid_report, ORIGIN, options)
    told = json.loads(options.json.read_text())
    section = (ROOT / "docs/reference/files.md").read_text().split("## JSON of a tournament")[1].partition("\n## ")[0]
    rows = [
        [set(re.findall(r"`(\w+)`", cell)) for cell in line.split("|")[1:3]]
        for line in re.findall(r"^\| `.*", section, re.M)
    ]
    assert set.union(*(keys for keys, _ in rows)) == set(told) and told["sprt"] is None
    for (key, *_), listed in rows[:2]:
        assert listed == {name for name in told[key][0] if not name.endswith("_adjusted")}


def test_a_player_who_won_or_lost_everything_has_a_bound_in_place_of_a_rating():
    games = []
    for seed, winner in enumerate(["b"] * 4 + ["c"] * 4):
        loser = "a" if winner == "b" else "b"
        games += [outcome(seed, winner, loser, "democrat"), outcome(seed, loser, winner, "communist")]
    report = report_of(games, "abc", "b")
    above, anchor, below = report.to_json()["players"]
    assert (above["rating"], above["high"], above["beyond"]) == (None, None, "above") and above["low"] > 0
    assert (below["rating"], below["low"], below["beyond"]) == (None, None, "below") and below["high"] < 0
    assert (anchor["rating"], anchor["low"], anchor["high"], anchor["beyond"]) == (0, 0, 0, "")
    (_, better, no_worse, *_), _, (_, no_better, worse, *_) = structure_sheet(report).rows
    assert better.startswith("b +") and worse.startswith("b -") and no_worse == no_better == ""
    output = io.StringIO()
    for table in sheets(report):
        Console(file=output, width=200).print(table)
    shown = f"above {above['low']:+.0f}", f"below {below['high']:+.0f}"
    assert all(words in text for words in shown for text in (output.getvalue(), page("", [], sections(report))))
    lost = report_of(games, "abc", "a")
    assert [player["beyond"] for player in lost.to_json()["players"]] == ["above", "", ""]


@pytest.mark.parametrize("width", [40, 80, 140])
def test_narrow_terminals_fold_names_and_cut_nothing(report, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys, "stdout", output := io.StringIO())
    output.isatty = lambda: True
    sheet = standings_sheet(report)
    names = ["heuristic:level=3", "heuristic:level=4", "heuristic"]
    rows = [(name, "above +1234", *cells[2:]) for name, cells in zip(names, sheet.rows, strict=True)]
    console().print(replace(sheet, rows=rows))
    shown = re.sub(r"\x1b\[\d*m", "", output.getvalue())
    lines = [line for line in shown.splitlines() if line[0] in "│┃"]
    assert "".join(re.split("[│┃]", line)[1].strip() for line in lines) == "player" + "".join(names)
    words = {word for row in (sheet.headings, *rows) for cell in row[1:] for word in cell.split()}
    assert words <= set(re.split(r"[\s│┃]+", shown)) and all(len(line) <= max(width, 80) for line in lines)


def test_scores_of_nearly_nothing_have_no_sign():
    assert percent(-1e-9) == "0.0%" and points(-0.2) == "+0"


def test_plots_have_room_beside_long_names_and_for_many_players():
    names = [f"player {number}" for number in range(15)] + ["longest" * 30]
    pairs = enumerate(itertools.combinations(names, 2))
    found = report_of([outcome(seed, *players) for seed, pair in pairs for players in (pair, pair[::-1])], names)
    ratings, matrix = ratings_plot(found), matrix_plot(found)
    for plot in (ratings, matrix):
        assert float(re.search(r'width="([\d.]+)pt"', plot)[1]) < 700 and "longest" * 5 not in plot
    sizes = re.findall(r"font-size: ([\d.]+)px[^>]*>[+-]\d+<", matrix)
    assert len(sizes) == 16 * 15 and float(sizes[0]) < 9


def test_the_games_of_each_meeting_unfold(report):
    games = sections(report)[-1].html
    assert games.count("<details>") == 6 and games.count("/game?") == len(report.games)


@pytest.mark.filterwarnings("error")
def test_names_in_any_script_are_drawn_without_warnings():
    games = [outcome(1, "a", "名前", "democrat"), outcome(1, "名前", "a", "democrat")]
    report = report_of(games, ("a", "名前"))
    assert "名前" in ratings_plot(report) and "名前" in matrix_plot(report)


class References(HTMLParser):
    """Collects what a page would load, and its tags."""

    def __init__(self):
        super().__init__()
        self.tags, self.loaded = Counter(), []

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        if tag != "a":  # which is followed, not loaded
            self.loaded += [
                value for name, value in attributes if name in ("src", "href", "xlink:href", "srcset", "data")
            ]


def test_the_page_is_self_contained(report):
    text = page("A & B", ["SPRT undecided"], sections(report))
    found = References()
    found.feed(text)
    assert found.tags["svg"] == 5 and found.tags["table"] == 6 and found.tags["script"] == 1 and not found.tags["link"]
    assert all(value.startswith("#") for value in found.loaded)
    assert not re.search(r"url\((?!#)|@import", text)
    assert (
        "Advantage of the Democrat" in text
        and "A &amp; B" in text
        and "&lt;c&gt;" in text
        and "<c>" not in text
        and "&lt;late&gt;" in text
    )


def test_the_page_fits_a_phone_and_says_that_its_plots_scroll(report, tmp_path):
    title = "Evaluation of docs.examples.scorer:Scorer" + "r" * 40
    write_page(tmp_path / "report.html", title, [], sections(report), ORIGIN)
    with chromium() as browser:
        seen = browser.new_page(viewport={"width": 390, "height": 900})
        seen.goto((tmp_path / "report.html").as_uri())
        found = "[...document.querySelectorAll('.passage')].map(one => [one.scrollWidth > one.clientWidth, hint(one)])"
        hint = "const hint = one => getComputedStyle(one, '::before').content.includes('Scroll sideways')"
        for width, scrolls in ((390, True), (1440, False)):
            seen.set_viewport_size({"width": width, "height": 900})
            assert seen.evaluate("document.documentElement.scrollWidth") == width
            told = seen.evaluate(f"() => {{ {hint}; return {found} }}")
            assert told == [[scrolls, scrolls]] * 5 + [[False, False]]


def test_cells_of_the_cross_table_say_what_their_numbers_are(report):
    (_, _, first, *_), *_ = rows = cross_sheet(report).rows
    assert re.fullmatch(r"\d+\.\d% in \d+ pairs, stronger: \d+% likely", first)
    assert [row[place] for place, row in enumerate(rows, 1)] == ["", "", ""]
    assert "(s.e.)" in structure_sheet(report).note


def test_a_click_on_a_heading_sorts_the_table(report, tmp_path):
    write_page(tmp_path / "report.html", "Report", [], sections(report), ORIGIN)
    with chromium() as browser:
        seen = browser.new_page()
        seen.goto((tmp_path / "report.html").as_uri())
        table = seen.locator("table").first

        def column(place: int) -> list[str]:
            return table.locator(f"tbody td:nth-child({place + 1})").all_inner_texts()

        headings = standings_sheet(report).headings
        for heading, ascending in (
            ("player", True),
            ("player", False),
            ("score", False),
            ("score", True),
            ("Elo", False),
        ):
            table.get_by_role("button", name=heading, exact=True).click()
            place = headings.index(heading)
            found = [text if place == 0 else float(text.strip("%")) for text in column(place)]
            assert found == sorted(found, reverse=not ascending), heading
            marked = table.locator("th[aria-sort]")
            assert marked.count() == 1 and marked.get_attribute("aria-sort") == ("descending", "ascending")[ascending]


@pytest.mark.parametrize("written", [["--key", "open sesame"], ["--key=open sesame"]])
def test_reports_say_how_they_came_about_but_for_the_key(written, tmp_path):
    files = {kind: tmp_path / f"out.{kind}" for kind in ("db", "json", "html")}
    words = ["--players", "random", "heuristic", "--pairs", "1", "--workers", "1", "--no-luck", "--seed", "7", *written]
    words += [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    assert tournament.main(words) == 0
    origin = json.loads(files["json"].read_text())["provenance"]
    assert origin["rules"] == source_hash() and origin["version"].startswith(__version__)
    assert (origin["seed"], origin["player_seed"], origin["game_options"]) == (7, 0, {})
    assert origin["command"].startswith("dawn tournament --players random heuristic --pairs 1 ")
    assert datetime.fromisoformat(origin["date"]).tzinfo and origin["processor"] and origin["python"]
    html = files["html"].read_text()
    last = html.split("<h2>")[-1]
    assert last.startswith("Provenance</h2>") and source_hash() in last and "dawn tournament --players" in last
    assert "sesame" not in html and "sesame" not in files["json"].read_text()
    again = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    assert tournament.main(["--report-only", *again]) == 0
    assert json.loads(files["json"].read_text())["provenance"]["seed"] is None, "nothing was played"


def test_files_are_written_before_the_report_is_printed(tmp_path, monkeypatch):
    """Whoever reads the output may stop reading."""

    def closed():
        raise BrokenPipeError

    monkeypatch.setattr("dawn_agents.commands.tournament.console", closed)
    words = ["--players", "random", "heuristic", "--pairs", "1", "--workers", "1", "--no-luck"]
    files = ["--db", str(tmp_path / "t.db"), "--json", str(tmp_path / "t.json"), "--csv", str(tmp_path / "t.csv")]
    with pytest.raises(BrokenPipeError):
        tournament.main([*words, *files])
    assert len(json.loads((tmp_path / "t.json").read_text())["players"]) == 2 and (tmp_path / "t.csv").read_text()


def test_a_full_disk_is_no_bad_input(tmp_path, monkeypatch, capsys):
    def full(*_):
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("dawn_agents.sqlite_files._make", full)
    assert tournament.main(["--players", "random", "heuristic", "--db", str(tmp_path / "t.db")]) == 1
    assert "t.db: database or disk is full" in capsys.readouterr().err
