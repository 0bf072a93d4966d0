"""Measure one player: Elo on the standing scale, by side, or scores and a rating against opponents by name.

Opponents by name are asked for with --ladder, --add or --pairs, or by another kind of game. Only they have a page,
a CSV file and an anchor.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dawn_agents.command_line import (
    add_program_arguments,
    command_parser,
    executor_of,
    exit_status,
    integer,
    with_program_options,
)
from dawn_agents.commands import tournament_options
from dawn_agents.rating.estimates import percent
from dawn_agents.registry import files_of
from dawn_agents.reporting.tables import console
from dawn_agents.strength import adaptive_plan
from dawn_agents.strength.adaptive_plan import AdaptivePlan
from dawn_agents.strength.rating_scale import read_scale
from dawn_agents.strength.strength_estimate import Goal
from dawn_agents.strength.strength_report import StrengthResult, opponents_sheet, sentence, to_json
from dawn_agents.tournament.entrants import enter, enter_for_game, labels
from dawn_agents.tournament.report_tables import sides_sheet
from dawn_agents.tournament.result_database import DatabaseSettings, ResultDatabase
from dawn_agents.tournament.tournament_plan import Plan
from dawn_agents.tournament.tournament_report import make_report, standard_anchor
from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.tables import SIDE_NAMES, SIDES

LADDER = ("random", "greedy", "heuristic")
PAIRS, PRECISION, BUDGET = 100, 60.0, 400
_LADDER = ("ladder", "add", "pairs")
_REPORT_OF_A_LADDER = ("anchor", "csv", "html", "replays")
_OF_THE_SCALE = ("precision", "budget", "side")


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn evaluate``."""
    parser = command_parser(
        "evaluate",
        __doc__,
        "dawn evaluate pretrained",
        "dawn evaluate pretrained --ladder random heuristic --pairs 100",
        check=_check,
    )
    parser.add_argument("player", metavar="PLAYER", help="name or name:key=value,..., such as policy:runs/model.zip")
    scale = parser.add_argument_group("on the standing scale")
    scale.add_argument("--precision", type=_elo, metavar="ELO", help=f"stop when it is this certain ({PRECISION:g})")
    scale.add_argument(
        "--budget",
        type=integer(2, 10**6, "a number of games"),
        metavar="GAMES",
        help=f"stop after so many games ({BUDGET})",
    )
    scale.add_argument("--side", choices=SIDE_NAMES, help="measure one side, for players who can play no other")
    ladder = parser.add_argument_group("against opponents by name")
    ladder.add_argument("--ladder", nargs="+", metavar="SPEC", help=f"opponents ({' '.join(LADDER)})")
    ladder.add_argument("--add", nargs="+", metavar="SPEC", help="further opponents")
    parser.add_argument("--db", type=Path, metavar="FILE", help="keep results here and go on from those already there")
    add_program_arguments(parser)
    tournament_options.add_play_arguments(parser, PAIRS)
    tournament_options.add_report_arguments(parser)
    parser.set_defaults(pairs=None)
    return parser


def _elo(text: str) -> float:
    if not (re.fullmatch(r"\d+(\.\d*)?", text) and float(text) >= 1):
        raise argparse.ArgumentTypeError(f"Elo points, at least 1, expected, not {short_repr(text)}")
    return float(text)


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Set ``on_scale``: the standing scale measures, unless opponents are named or the game is another."""
    ours, theirs, reports = (
        [f"--{name}" for name in names if getattr(options, name) is not None]
        for names in (_OF_THE_SCALE, _LADDER, _REPORT_OF_A_LADDER)
    )
    if ours and (others := theirs + reports):
        parser.error(f"{ours[0]} is for the standing scale, {others[0]} for opponents by name: leave one of them out")
    departures = options.game_options.non_defaults()
    if ours and departures:
        parser.error(f"{ours[0]}: the standing scale is of the standard game, without {', '.join(departures)}")
    options.on_scale = not theirs and not departures
    if options.on_scale and reports:
        parser.error(f"{reports[0]} is for opponents by name: add --ladder, --add or --pairs")
    options.goal = Goal(options.precision or PRECISION, options.budget or BUDGET)
    options.ladder, options.add = options.ladder or LADDER, options.add or ()
    everybody = [options.player, *options.ladder, *options.add]
    secret = options.db or Path(tempfile.gettempdir())
    (options.player, *rest) = with_program_options(parser, everybody, options, secret)
    options.ladder, options.add = rest[: len(options.ladder)], rest[len(options.ladder) :]
    options.pairs = PAIRS if options.pairs is None else options.pairs
    tournament_options.check_report_arguments(parser, options)


@contextmanager
def _store(options: argparse.Namespace) -> Iterator[ResultDatabase]:
    """Database of the results; without ``--db`` for as long as this runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = options.db or Path(folder) / "evaluation.db"
        with ResultDatabase.create(path, DatabaseSettings.now(options.game_options)) as store:
            yield store


def measure(options: argparse.Namespace) -> None:
    """Play opponents near the player's strength on the standing scale, and report the rating."""
    side = SIDE_NAMES.index(options.side) if options.side else None
    sides = range(SIDES) if side is None else [side]
    player = enter_for_game(options.player, options.game_options, sides, options.player_seed)
    scale, opponents, problems = adaptive_plan.opponents(read_scale(), player, options.player_seed)
    for problem in problems:
        print(f"left out: {escape_text(problem)}", file=sys.stderr)
    plan = AdaptivePlan([player, *opponents], seed=options.seed, scale=scale, goal=options.goal, side=side)
    with executor_of(options, files_of(plan.names)) as executor, _store(options) as store:
        tournament_options.play_with_progress(plan, store, executor, key=options.key, with_luck=False)
        evaluation, games = plan.evaluation(store)
        label = labels(store.players())[player.name]
        _publish_extras(options, store, plan)
    found = StrengthResult(player.name, label, options.goal, evaluation, games)
    if options.json:
        write_json(to_json(found), options.json)
    console().print(opponents_sheet(found))
    if found.forfeits:
        print(_forfeits(found))
    print(sentence(found))


def _forfeits(found: StrengthResult) -> str:
    """Number of forfeited games with the reasons, and the option for measuring a player of one side."""
    lost, games = len(found.forfeits), len(found.games)
    told = f"{lost} games of {games} were forfeited and count as losses: {escape_text(_failures(found))}"
    (side, of_side), *others = Counter(game.players.index(found.player) for game in found.forfeits).items()
    if others or found.evaluation.side is not None or of_side < found.by_side[side].sum():
        return told
    other = SIDE_NAMES[1 - side]
    return f"{told}; --side {other} measures the {other.capitalize()} alone"


def _failures(found: StrengthResult) -> str:
    """Reasons, the most frequent first."""
    return "; ".join(why for why, _ in Counter(filter(None, (game.failure for game in found.games))).most_common(3))


def _publish_extras(options: argparse.Namespace, store: ResultDatabase, plan: Plan) -> None:
    if options.records:
        tournament_options.publish_records(store, options.records)
    if not options.db and any(entrant.is_external for entrant in plan.entrants):
        print(f"Deals of programs depend on a secret key; the same ones again: --key {escape_text(store.key())}")


def run_gauntlet(options: argparse.Namespace) -> None:
    """Play the gauntlet and report on its games alone."""
    player = enter_for_game(options.player, options.game_options, seed=options.player_seed)
    ladder = [other for other in enter([*options.ladder, *options.add], options.player_seed) if other != player]
    if not ladder:
        raise BadInput(f"no opponent is left for {player.name!r}; name others with --ladder or --add")
    plan = Plan([player, *ladder], "gauntlet", options.pairs, options.seed)
    if options.anchor == player.name:
        raise BadInput(f"--anchor {player.name}: the player who is measured; name an opponent")
    tournament_options.check_anchor(options.anchor, plan.names)
    anchor = options.anchor or standard_anchor([other.name for other in ladder])
    with executor_of(options, files_of(plan.names)) as executor, _store(options) as store:
        tournament_options.play_with_progress(plan, store, executor, key=options.key, with_luck=options.luck)
        report = make_report(plan.results(store), store.players(), anchor)
        tournament_options.publish(report, options, f"Evaluation of {report.labels[player.name]}")
        _publish_extras(options, store, plan)
    console().print(sides_sheet(report, player.name))
    mine = next(standing for standing in report.standings if standing.name == player.name)
    print(
        f"{mine.label}: {mine.rating.text(' Elo')}, {percent(mine.score_democrat)} as Democrat, "
        f"{percent(mine.score_communist)} as Communist, {mine.games} games"
    )


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all is well, 2 for bad input, 1 when something failed, 130 after Ctrl-C."""
    options = make_parser().parse_args(arguments)
    run = measure if options.on_scale else run_gauntlet
    kept = f"games are kept in {options.db}" if options.db else "no game is kept; with --db FILE they are"
    return exit_status(lambda: run(options), f"stopped; {kept}", "tournament")
