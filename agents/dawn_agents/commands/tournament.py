"""The command ``dawn tournament``."""

import argparse
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    ListPlayers,
    add_executor_arguments,
    add_game_options,
    add_output_files,
    check_isolated,
    command_parser,
    entry_point,
    executor_of,
    seed,
)
from dawn_agents.players.registry import PLAYERS, files_of
from dawn_agents.players.specification import list_hint
from dawn_agents.tournaments.entrants import enter, labels
from dawn_agents.tournaments.rating.estimates import percent
from dawn_agents.tournaments.rating.sprt import Sprt
from dawn_agents.tournaments.reporting.provenance import provenance
from dawn_agents.tournaments.reporting.tables import console, write_csv
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.tournament_plan import FORMATS, Plan, play, tell_edited
from dawn_agents.tournaments.tournament_report import Report, make_report, sheets
from dawn_agents.work.executor import Executor
from dawn_env.errors import BadInput
from dawn_env.formats.game_record import to_line
from dawn_env.glossary import counted
from dawn_env.host.random_play import warm_up
from dawn_env.support.atomic_files import atomic_write, write_json
from dawn_env.support.progress_bars import ProgressBar, with_progress
from dawn_env.support.safe_text import escape_text

_DESCRIPTION = "Play a tournament between any players, rate them, and report. Start it again to go on where it stopped."
_MOST_SCORES = 5  # shown while games are played
_STATUS = {"H1": 0, "H0": 3, "": 4}
"""Exit status by the hypothesis that a test has accepted, if it has accepted one."""


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn tournament``."""
    parser = command_parser(
        "tournament",
        _DESCRIPTION,
        "dawn tournament --players random heuristic pretrained --pairs 50",
        'dawn tournament --players heuristic "process:python3 docs/examples/bot.py" --html runs/report.html',
        check=_check,
    )
    parser.add_argument("--players", nargs="+", default=[], metavar="SPEC", help="name or name:key=value,...")
    parser.add_argument("--list-players", nargs=0, action=ListPlayers, help="list the players there are and stop")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="gauntlet: the first against all others")
    parser.add_argument(
        "--db", type=Path, default=Path("runs/tournament.db"), metavar="FILE", help="results; added to (%(default)s)"
    )
    parser.add_argument("--merge", type=Path, nargs="+", default=[], metavar="FILE", help="add results of other files")
    parser.add_argument("--report-only", action="store_true", help="play nothing")
    group = add_play_arguments(parser)
    group.add_argument("--pairs", type=COUNT, default=100, metavar="N", help="pairs of games per meeting (%(default)s)")
    group.add_argument(
        "--no-luck", dest="luck", action="store_false", help="do not measure the luck of games, which takes some time"
    )
    add_game_options(group)
    group = parser.add_argument_group("reporting")
    group.add_argument("--anchor", metavar="PLAYER", help="player rated 0 (random if it takes part)")
    add_output_files(
        group,
        json="write the report as JSON",
        csv="write the standings as CSV",
        html="write the report as one HTML page with plots",
        records="write the record of every game as JSON lines",
    )
    group = parser.add_argument_group("sequential test of two players, which ends the tournament")
    group.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="is the first ELO1 stronger than the second (exit status 0), or ELO0 (3)? 4: undecided",
    )
    group.add_argument("--alpha", type=float, default=0.05, help="chance to accept ELO1 wrongly (%(default)s)")
    group.add_argument("--beta", type=float, default=0.05, help="chance to accept ELO0 wrongly (%(default)s)")
    return parser


def add_play_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Options for playing games; their group."""
    group = parser.add_argument_group("playing")
    group.add_argument("--seed", type=seed, default=0, help="seed of the deals; same seed, same deals (%(default)s)")
    group.add_argument(
        "--key", metavar="TEXT", help="secret of the deals where programs play (drawn, and kept with the results)"
    )
    group.add_argument("--player-seed", type=seed, default=0, help="seed of all players (%(default)s)")
    add_executor_arguments(group)
    return group


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    check_isolated(parser, options.players, options.db)
    playing = not options.report_only
    if playing and not options.players and not options.merge:
        parser.error("nothing to do: name --players, or files to --merge, or ask for --report-only")
    if playing and len(options.players) == 1:
        hint = list_hint(PLAYERS, options.players[0])
        parser.error("a tournament needs at least two --players" + (f"; {hint}" if hint else ""))
    if options.report_only and options.players:
        parser.error("--report-only plays nothing, so leave --players out")
    for name in ("alpha", "beta"):
        if getattr(options, name) != parser.get_default(name) and not options.sprt:
            parser.error(f"--{name} says how to test; what to test is said with --sprt ELO0,ELO1")
    if options.sprt and len(options.players) != 2:
        parser.error(f"--sprt compares two players, not {len(options.players)}")


def sequential_test(options: argparse.Namespace) -> Sprt | None:
    """The test that was asked for."""
    if options.sprt is None:
        return None
    try:
        elo0, elo1 = map(float, options.sprt.split(","))
    except ValueError:
        raise BadInput(f"--sprt {options.sprt}: expected two numbers with a comma, such as 0,20") from None
    return Sprt(elo0, elo1, options.alpha, options.beta)


def run(options: argparse.Namespace) -> int:
    """Play, rate and report; the exit status tells how a test has ended."""
    for path in options.merge:
        ResultDatabase(path, read_only=True).close()  # so that nothing is merged if one of them is no database
    sprt = sequential_test(options)
    entrants = enter(options.players, options.player_seed)
    plan = Plan(entrants, options.format, options.pairs, options.seed)
    playing = executor_of(options, files_of(plan.names)) if entrants else nullcontext()
    with playing as executor, open_store(options) as store:
        for path in options.merge:
            print(f"{escape_text(path)}: {store.merge(path)} new games")
        tell_edited(store)
        if options.anchor not in (None, *plan.names, *store.players()):
            names = ", ".join(sorted({*plan.names, *store.players()}))
            raise BadInput(f"--anchor {options.anchor} does not take part; players: {names}")
        if entrants:
            if others := set(store.players()) - set(plan.names):
                names = ", ".join(sorted(others))
                print(f"rated together with players that are in {options.db} already: {escape_text(names)}")
                print("--db FILE keeps tournaments apart")
            play_with_progress(plan, store, executor, sprt, options.key, options.luck)
        report = make_report(store.games(), store.players(), options.anchor)
        seeds = {name: getattr(options, name) if entrants else None for name in ("seed", "player_seed")}
        facts = {"rules": store.engine, "game_options": store.options.non_defaults(), **seeds}
        publish(report, provenance(options, **facts), options, sprt)
        if options.records:
            publish_records(store, options.records)
    return _STATUS[sprt.accepted] if sprt else 0


def open_store(options: argparse.Namespace) -> ResultDatabase:
    """The database, made anew where games are to be added; merged files alone bring their own settings."""
    if options.report_only and not options.merge:
        return ResultDatabase(options.db, read_only=True)
    if options.players:
        return ResultDatabase.create(options.db, options.game_options)
    with ResultDatabase(options.merge[0], read_only=True) as first:
        return ResultDatabase.create(options.db, first.options, first.engine)


def play_with_progress(
    plan: Plan,
    store: ResultDatabase,
    executor: Executor,
    sprt: Sprt | None = None,
    key: str | None = None,
    with_luck: bool = True,
) -> None:
    """Play what is missing of ``plan``, showing how far it is; ``key`` as in ``Store.key``, if one is given.

    ``with_luck``: whether the luck of games is measured. At the end it says how many games were played and how many
    were there before, and which players have been edited under the same version. Raises what ``tournament_plan.play``
    raises.
    """
    if key is not None:
        store.key(key)
    before, here = store.keys(), 0
    warm_up()  # so that the rules are compiled once here, not in every process
    points, played = Counter(), Counter()
    with ProgressBar("games", plan.games, "games", keep=False) as gauge:
        for games in play(plan, store, executor, sprt, with_luck):
            for game in games:
                played.update(game.players)
                here += (game.seed, game.seat) in before
                points.update(dict(zip(game.players, game.points, strict=True)))
            gauge.update(len(games))
            rates = {name: points[name] / count for name, count in played.items()}
            gauge.set_postfix(scores_so_far(rates, store.players()))
    print(f"{counted(played.total() // 2 - here, 'game')} played now, {here} stored before")
    tell_edited(store)


def scores_so_far(scores: Mapping[str, float], players: Mapping[str, dict]) -> str:
    """The best of the ``scores`` by name, for a line of progress; ``players`` as of ``Store.players``."""
    best = sorted(scores, key=lambda name: -scores[name])[:_MOST_SCORES]
    called = labels({name: players[name] for name in best})
    return ", ".join(f"{called[name]} {percent(scores[name])}" for name in best)


def publish_records(store: ResultDatabase, path: Path) -> None:
    """Write the records of all games, showing how far it is."""
    with atomic_write(path, parents=True) as file:
        file.writelines(
            to_line(record) + "\n" for record in with_progress(store.records(), "records", len(store.games()), "games")
        )


def publish(
    report: Report, origin: Mapping[str, object], options: argparse.Namespace, sprt: Sprt | None = None
) -> None:
    """Write the files that ``options`` ask for, and print ``report``; ``origin`` as of ``provenance``."""
    notes = [str(sprt)] if sprt else []
    if options.json:
        write_json(report.to_json() | {"sprt": sprt.to_json() if sprt else None, "provenance": origin}, options.json)
    if options.csv:
        rows = [standing.to_json() for standing in report.standings]
        write_csv(rows, [name for name in rows[0] if name not in ("options", "costs")], options.csv)
    if options.html:
        from dawn_agents.tournaments.reporting.html_page import write_page
        from dawn_agents.tournaments.tournament_page import sections  # plotting takes long to import

        write_page(options.html, f"Tournament {options.db.stem}", notes, sections(report), origin)
    printer = console()
    for sheet in sheets(report):
        printer.print(sheet)
    for note in notes:
        printer.print(note, highlight=False, markup=False)


main = entry_point(make_parser, run, "stopped; finished games are kept in {db}, the same command goes on from there")
