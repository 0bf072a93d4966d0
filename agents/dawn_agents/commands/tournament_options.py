"""Options and output shared by tournaments and evaluations."""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path

from dawn_agents.command_line import COUNT, add_executor_arguments, add_game_options, check_writable, seed
from dawn_agents.rating.estimates import percent
from dawn_agents.rating.sprt import Sprt
from dawn_agents.reporting.tables import console, write_csv
from dawn_agents.tournament.entrants import labels
from dawn_agents.tournament.pair_runner import introduce
from dawn_agents.tournament.report_tables import histograms, sheets
from dawn_agents.tournament.result_database import ResultDatabase
from dawn_agents.tournament.tournament_plan import Plan, play
from dawn_agents.tournament.tournament_report import Report
from dawn_agents.work.executor import Executor
from dawn_env.errors import BadInput
from dawn_env.formats.game_record import to_line
from dawn_env.host.random_play import warm_up
from dawn_env.support.atomic_files import atomic_write, write_json
from dawn_env.support.progress_bars import ProgressBar, with_progress

_MOST_SCORES = 5  # shown while games are played


def add_play_arguments(parser: argparse.ArgumentParser, pairs: int) -> None:
    """Options for playing games; ``pairs`` is the default number per meeting."""
    group = parser.add_argument_group("playing")
    group.add_argument("--pairs", type=COUNT, default=pairs, metavar="N", help=f"pairs of games per meeting ({pairs})")
    group.add_argument("--seed", type=seed, default=0, help="seed of the deals; same seed, same deals (%(default)s)")
    group.add_argument(
        "--key",
        type=_key,
        metavar="TEXT",
        help="secret of the deals where programs play (drawn, and kept with the results)",
    )
    group.add_argument("--player-seed", type=seed, default=0, help="seed of all players (%(default)s)")
    group.add_argument(
        "--no-luck", dest="luck", action="store_false", help="do not measure the luck of games, which takes some time"
    )
    add_executor_arguments(group)
    add_game_options(group)


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Options for what is made of the results."""
    group = parser.add_argument_group("reporting")
    group.add_argument("--anchor", metavar="PLAYER", help="player rated 0 (random if it takes part)")
    group.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")
    group.add_argument("--csv", type=Path, metavar="FILE", help="write the standings as CSV")
    group.add_argument("--html", type=Path, metavar="FILE", help="write the report as one HTML page with plots")
    group.add_argument("--replays", metavar="URL", help="server the page links its games to (http://127.0.0.1:1989)")
    group.add_argument("--records", type=Path, metavar="FILE", help="write the record of every game as JSON lines")


def _key(text: str) -> str:
    if not (text and text.isprintable()):
        raise argparse.ArgumentTypeError("one or more printable characters expected")
    return text


def check_report_arguments(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End with a message when a file could not be written, before anything is played."""
    check_writable(parser, filter(None, (options.json, options.csv, options.html, options.records)))


def check_anchor(anchor: str | None, names: Iterable[str]) -> None:
    """Raise ``BadInput`` unless the anchor is one of the players."""
    names = sorted(set(names))
    if anchor is not None and anchor not in names:
        raise BadInput(f"--anchor {anchor} does not take part; players: {', '.join(names)}")


def play_with_progress(
    plan: Plan,
    store: ResultDatabase,
    executor: Executor,
    sprt: Sprt | None = None,
    key: str | None = None,
    with_luck: bool = True,
) -> None:
    """Play what is missing of ``plan``, showing how far it is; ``key`` as in ``Store.key``, if one is given.

    ``with_luck``: whether the luck of games is measured. Raises ``BadInput`` before the first game if a program cannot
    be started or does not introduce itself, ``StoreError`` if ``store`` has games of another version of it.
    """
    if key is not None:
        store.key(key)
    warm_up()  # so that the rules are compiled once here, not in every process
    programs = [entrant for entrant in plan.entrants if entrant.is_external]
    introduced = list(executor.done(introduce, programs, outside=attrgetter("is_external")))
    if problems := [program.problem for program in introduced if program.problem]:
        raise BadInput(f"player {problems[0]}")
    store.check_declared({program.name: program.declared for program in introduced})
    points, played = Counter(), Counter()
    with ProgressBar("games", plan.games, "games", keep=False) as gauge:
        for games in play(plan, store, executor, sprt, with_luck):
            for game in games:
                played.update(game.players)
                points.update(dict(zip(game.players, game.points, strict=True)))
            gauge.update(len(games))
            gauge.note(scores_so_far({name: points[name] / count for name, count in played.items()}, store.players()))


def scores_so_far(scores: Mapping[str, float], players: Mapping[str, dict]) -> str:
    """The best of the ``scores`` by name, for a line of progress; ``players`` as of ``Store.players``."""
    best = sorted(scores, key=lambda name: -scores[name])[:_MOST_SCORES]
    called = labels({name: players[name] for name in best})
    return ", ".join(f"{called[name]} {percent(scores[name])}" for name in best)


def publish(report: Report, options: argparse.Namespace, title: str, sprt: Sprt | None = None) -> None:
    """Write the files that ``options`` ask for, and print ``report``."""
    notes = [str(sprt)] if sprt else []
    if options.json:
        write_json(report.to_json() | {"sprt": _sprt_json(sprt) if sprt else None}, options.json)
    if options.csv:
        rows = [standing.to_json() for standing in report.standings]
        write_csv(rows, [name for name in rows[0] if name != "options"], options.csv)
    if options.html:
        from dawn_agents.reporting.html_page import write_page
        from dawn_agents.tournament.tournament_page import sections  # plotting takes long to import

        write_page(options.html, title, notes, sections(report, options.replays))
    printer = console()
    for sheet in (*sheets(report), *histograms(report)):
        printer.print(sheet)
    for note in notes:
        printer.print(note, highlight=False, markup=False)


def publish_records(store: ResultDatabase, path: Path) -> None:
    """Write the records of all games, showing how far it is."""
    with atomic_write(path, parents=True) as file:
        file.writelines(
            to_line(record) + "\n" for record in with_progress(store.records(), "records", len(store.games()), "games")
        )


def _sprt_json(sprt: Sprt) -> dict:
    low, high = sprt.hypotheses.bounds
    return asdict(sprt.hypotheses) | {
        "adjusted": sprt.adjusted, "accepted": sprt.accepted, "llr": sprt.llr, "low": low, "high": high,
        "pairs": sprt.counts.tolist(),
    }  # fmt: skip
