"""Analysis of play: blunders found, sums, the same whatever the processes, going on, files, bad input."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from dawn_agents.commands import analyse
from dawn_agents.frontends.analysis import analysis_page, puzzles
from dawn_agents.frontends.analysis.judged_games import Judging, KeptGames, read_tasks
from dawn_agents.frontends.analysis.loss_profiles import CUTS, Analysis, Row, judge_games, profile_cells, waiting
from dawn_agents.frontends.analysis.puzzles import read_puzzles, write_puzzles
from dawn_agents.players.registry import make_player
from dawn_agents.players.search.decision_judge import Judge
from dawn_agents.work.executor import LocalExecutor
from random_records import golden, random_game, write_records

from dawn_env.actions import ACTIONS, action_id
from dawn_env.errors import BadInput, MalformedPosition
from dawn_env.formats.game_record import read_records, record_from_actions
from dawn_env.game import Game
from dawn_env.observation.player_view import View

SEARCH, DEALS = "search:sims=16,plays=1", 8
QUICK = ["--player", SEARCH, "--deals", str(DEALS)]
BLUNDER = 397  # decisions of game 2 of them before a Democrat does not play the scoring card that must be played


def beginning(record: dict, count: int, names: str) -> dict:
    """Record of the first decisions of a game between players with these names."""
    players = dict(zip("DC", names.split(), strict=True))
    return record_from_actions(record["seed"], record["decisions"][:count], record["options"], players)


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> Path:
    """Beginnings of games: two of the standard game, one with a bid, one of family mode."""
    games = [
        beginning(golden(1), 25, "one two"),
        beginning(random_game(2), 30, "two one"),
        beginning(random_game(3, {"bid": True}), 20, "one one"),
        beginning(random_game(4, {"mode": "family"}), 12, "two two"),
    ]
    return write_records(tmp_path_factory.mktemp("records") / "games.jsonl", games)


def judged(paths: list[Path], database: Path, **judging) -> Analysis:
    judging = Judging.by(SEARCH, DEALS, **judging)
    tasks = read_tasks(paths, judging)
    with KeptGames(database) as kept:
        for _ in judge_games(waiting(tasks, kept), kept, LocalExecutor()):
            pass
        return Analysis.of(judging, tasks, kept)


@pytest.fixture(scope="module")
def analysis(records, tmp_path_factory) -> Analysis:
    return judged([records], tmp_path_factory.mktemp("kept") / "analysis.db")


def position(record: dict, at: int) -> Game:
    game = Game(record["seed"], record["options"])
    for text in record["decisions"][:at]:
        game.step(text)
    return game


def test_a_blunder_is_found_with_its_better_move(tmp_path, monkeypatch):
    game = golden(2)
    game = beginning(game, BLUNDER + 1, "one two")
    found = judged([write_records(tmp_path / "games.jsonl", [game])], tmp_path / "kept.db", only="one")
    worst = found.mistakes[0]
    assert (worst.decision.at, worst.decision.taken, worst.decision.better) == (BLUNDER, "card:19", "card:22")
    assert worst.decision.loss == 1 and worst.decision.error == 0
    assert worst.decision.when == "Turn 6, round 7, Democrat to play" and worst.decision.card == "19 Papal Visit"
    assert worst.player == "one" and worst.place.endswith("games.jsonl, game 1")
    assert {row.player for row in found.rows} == {"one"}
    assert write_puzzles(found, [game], tmp_path / "puzzles.jsonl") == 0
    assert not (tmp_path / "puzzles.jsonl").read_text()  # the answer is obvious
    monkeypatch.setattr(puzzles, "lead", lambda puzzle: 0.0)
    count = write_puzzles(found, [game], tmp_path / "puzzles.jsonl")
    (puzzle, *others) = read_puzzles((tmp_path / "puzzles.jsonl").read_text(), "puzzles.jsonl")
    assert count == 1 + len(others)
    assert (puzzle.decisions, puzzle.taken, puzzle.better) == (game["decisions"][:BLUNDER], "card:19", "card:22")
    assert (puzzle.loss, puzzle.error, puzzle.seed) == (1, 0, game["seed"])
    first, *_ = (tmp_path / "puzzles.jsonl").read_text().splitlines()
    for damaged in ('{"seed": 1}', json.dumps(json.loads(first) | {"decisions": 5})):
        with pytest.raises(MalformedPosition, match="puzzles.jsonl, line 2: no puzzle"):
            read_puzzles(f"{first}\n{damaged}", "puzzles.jsonl")


def test_what_is_hidden_from_a_side_changes_no_verdict():
    game = position(golden(2), 100)
    judge = Judge(make_player(SEARCH), DEALS)
    verdicts = {
        judge.verdict(View(game.redeal(game.actor, seed).state), action_id(game.legal[-1])) for seed in range(4)
    }
    assert len(verdicts) == 1


def test_who_takes_the_named_action_loses_nothing():
    game, judge = position(golden(2), BLUNDER), Judge(make_player(SEARCH), DEALS)
    verdict = judge.verdict(View(game.state), action_id("card:22"))
    assert (ACTIONS[verdict.better], verdict.loss, verdict.error, verdict.is_mistake) == ("card:22", 0, 0, False)


def test_offers_are_not_judged():
    view = View(Game(1, {"bid": True}).state)
    with pytest.raises(BadInput, match="offers of a bid"):
        Judge(make_player(SEARCH), DEALS).verdict(view, view.legal[0])


def test_all_real_choices_are_judged_but_for_the_bid(analysis, records):
    for game, record in zip(analysis.games, read_records(records), strict=True):
        moments = [position(record, at) for at in range(len(record["decisions"]))]
        real = [at for at, moment in enumerate(moments) if len(moment.legal) > 1]
        offers = [at for at in real if moments[at].decision in ("offer-side", "offer-points", "own-offer")]
        assert [decision.at for decision in game.decisions] == real[len(offers) :]
        assert [decision.taken for decision in game.decisions] == [
            record["decisions"][at] for at in real[len(offers) :]
        ]
        assert all(decision.better in moments[decision.at].legal for decision in game.decisions)


def test_losses_add_up_in_every_cut(analysis):
    decisions = [(game.players[one.side], one) for game in analysis.games for one in game.decisions]
    for player in ("one", "two"):
        mine = [decision for name, decision in decisions if name == player]
        for cut in CUTS:
            rows = [row for row in analysis.rows if (row.player, row.cut) == (player, cut)]
            assert sum(row.loss for row in rows) == pytest.approx(sum(decision.loss for decision in mine))
            assert sum(row.decisions for row in rows) == len(mine) > 0
            assert sum(row.mistakes for row in rows) == sum(decision.mistake for decision in mine)
            assert all(row.mean == pytest.approx(row.loss / row.decisions) for row in rows)


def test_a_loss_that_is_nearly_0_has_no_sign():
    assert profile_cells(Row("one", "side", "democrat", 1, 40, 0, -0.001, -0.00001, None))[-2:] == ["0.00", "0.00%"]


def test_luck_is_measured_where_it_can_be(analysis):
    assert [game.luck is None for game in analysis.games] == [False, False, False, True]
    assert analysis.games[0].luck_of(0) == -analysis.games[0].luck_of(1) != 0


def test_the_same_with_two_processes_and_after_a_stop(analysis, records, tmp_path, capsys):
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file, workers in zip(files, ("1", "2"), strict=True):
        where = ["--db", str(tmp_path / f"{workers}.db"), "--workers", workers]
        if workers == "1":  # cut off after the first two
            assert analyse.main([str(records), *QUICK, *where, "--games", "1-2"]) == 0
        assert analyse.main([str(records), *QUICK, *where, "--json", str(file)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    told = json.loads(files[0].read_text())
    assert [game["luck"] for game in told["games"]] == [game.luck for game in analysis.games]
    assert [mistake["at"] for mistake in told["mistakes"]] == [one.decision.at for one in analysis.mistakes]
    with KeptGames(tmp_path / "1.db") as kept:
        assert not waiting(read_tasks([records], analysis.judging), kept)
        assert len(waiting(read_tasks([records], Judging.by(SEARCH, DEALS, seed=1)), kept)) == 4


def test_ctrl_c_keeps_the_games_that_were_judged(records, tmp_path, capsys, monkeypatch):
    database = tmp_path / "kept.db"

    def cut_off(*arguments):
        yield next(judge_games(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(analyse, "judge_games", cut_off)
    assert analyse.main([str(records), *QUICK, "--workers", "1", "--db", str(database)]) == 130
    assert f"kept in {database}, the same command goes on" in capsys.readouterr().err
    with KeptGames(database) as kept:
        assert len(waiting(read_tasks([records], Judging.by(SEARCH, DEALS)), kept)) == 3


def test_plots_explain_the_lines_they_have_and_legends_cover_no_bar(analysis, monkeypatch):
    single = replace(analysis, games=analysis.games[:1])
    monkeypatch.setattr(analysis_page, "svg", lambda axes: axes)
    for found, explained in ((analysis, True), (single, False)):
        axes = analysis_page.cut_plot(found, "turn")
        assert axes.get_xlabel().endswith("lines: two standard errors") == explained
        axes.figure.draw_without_rendering()
        assert axes.get_legend().get_window_extent().y0 >= axes.get_window_extent().y1


def test_files_and_page(records, tmp_path, capsys):
    odd = beginning(random_game(5), 6, "<b>$x$ two")
    path = write_records(tmp_path / "odd.jsonl", [odd])
    files = {"--db": "kept.db", "--csv": "profile.csv", "--html": "page.html", "--puzzles": "puzzles.jsonl"}
    where = [word for option, name in files.items() for word in (option, str(tmp_path / name))]
    assert analyse.main([str(path), *QUICK, *where, "--workers", "1"]) == 0
    said = capsys.readouterr().out
    assert "mistakes" in said and said.endswith("\npuzzles written: 0\n"), "nothing to go on with"
    rows = list(csv.DictReader((tmp_path / "profile.csv").open()))
    assert {row["cut"] for row in rows} == set(CUTS) and {row["player"] for row in rows} == {"<b>$x$", "two"}
    assert (tmp_path / "puzzles.jsonl").exists()
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 5 and "<b>" not in page and "http:" not in page.replace("http://www.w3.org", "")
