"""The command ``dawn evaluate``."""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    add_output_files,
    check_isolated,
    command_parser,
    entry_point,
    executor_of,
    integer,
)
from dawn_agents.commands.tournament import add_play_arguments, play_with_progress, publish_records
from dawn_agents.players.registry import files_of
from dawn_agents.tournaments.costs import costs_sheet, total_costs
from dawn_agents.tournaments.entrants import Entrant, enter_one, labels
from dawn_agents.tournaments.match import Outcome
from dawn_agents.tournaments.reporting.provenance import provenance
from dawn_agents.tournaments.reporting.tables import console
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength import adaptive_plan
from dawn_agents.tournaments.strength.adaptive_plan import AdaptivePlan
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_agents.tournaments.strength.strength_estimate import Goal, StrengthEstimate
from dawn_agents.tournaments.strength.strength_report import opponents_sheet, sentence, to_json
from dawn_env.options import STANDARD
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES, SIDES

_DESCRIPTION = "Measure one player on the standing scale: Elo, in all and by side."


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn evaluate``."""
    parser = command_parser(
        "evaluate",
        _DESCRIPTION,
        "dawn evaluate pretrained",
        "dawn evaluate pretrained --precision 30 --games 2000",
        check=_check,
    )
    add_goal_arguments(parser)
    parser.add_argument("--db", type=Path, metavar="FILE", help="keep results here and go on from those already there")
    add_output_files(parser, json="write the result as JSON", records="write the record of every game as JSON lines")
    add_play_arguments(parser)
    return parser


def add_goal_arguments(parser: argparse.ArgumentParser) -> None:
    """The player to be measured, how certainly, and on which sides; ``planned`` takes them."""
    parser.add_argument("player", metavar="PLAYER", help="name or name:key=value,..., such as policy:runs/model.zip")
    parser.add_argument(
        "--precision", type=COUNT, default=60, metavar="ELO", help="stop when it is this certain (%(default)s)"
    )
    parser.add_argument(
        "--games", type=integer(2, 10**6), default=400, metavar="N", help="stop after so many games (%(default)s)"
    )
    parser.add_argument("--side", choices=SIDE_NAMES, help="measure one side, for players who can play no other")


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    check_isolated(parser, [options.player], options.db or Path(tempfile.gettempdir()))
    options.kept = f"games are kept in {options.db}" if options.db else "no game is kept; with --db FILE they are"


def planned(options: argparse.Namespace, deals: Callable[[Entrant], str] = lambda player: "") -> AdaptivePlan:
    """The evaluation that ``options`` ask for, of the first of its entrants; says which opponents are left out.

    ``deals``: ``Plan.label`` of the player.
    """
    side, goal = SIDE_NAMES.index(options.side) if options.side else None, Goal(options.precision, options.games)
    player = enter_one(options.player, options.player_seed, STANDARD, range(SIDES) if side is None else [side])
    scale, opponents, problems = adaptive_plan.opponents(read_scale(), player, options.player_seed)
    for problem in problems:
        print(f"left out: {escape_text(problem)}", file=sys.stderr)
    evaluation = StrengthEstimate(scale, side)
    label = deals(player)
    return AdaptivePlan([player, *opponents], seed=options.seed, label=label, evaluation=evaluation, goal=goal)


def run(options: argparse.Namespace) -> None:
    """Play opponents near the player's strength on the standing scale, and report the rating."""
    plan = planned(options)
    player, evaluation = plan.entrants[0], plan.evaluation
    with (
        executor_of(options, files_of(plan.names)) as executor,
        tempfile.TemporaryDirectory() as folder,
        ResultDatabase.create(options.db or Path(folder) / "evaluation.db") as store,
    ):
        play_with_progress(plan, store, executor, key=options.key, with_luck=False)
        label = labels(store.players())[player.name]
        origin = provenance(options, rules=store.engine, seed=options.seed, player_seed=options.player_seed)
        if options.records:
            publish_records(store, options.records)
        if not options.db and player.is_external:
            print(f"Deals of programs depend on a secret key; the same ones again: --key {escape_text(store.key())}")
    if options.json:
        forfeits = sum(game.forfeited_by == player.name for game in evaluation.played)
        found = to_json(evaluation, player.name, label, plan.goal, forfeits)
        write_json(found | {"costs": total_costs(evaluation.played, player.name), "provenance": origin}, options.json)
    tell(evaluation, player.name, label)


def tell(evaluation: StrengthEstimate, player: str, label: str) -> None:
    """Print the opponents, the costs, the forfeits and the rating of a player, who is called ``label``."""
    console().print(opponents_sheet(evaluation, label))
    if costs := costs_sheet(evaluation.played, {player: label}):
        console().print(costs)
    if forfeits := [game for game in evaluation.played if game.forfeited_by == player]:
        print(_forfeits(evaluation, forfeits))
    print(sentence(evaluation, label))


def _forfeits(evaluation: StrengthEstimate, forfeits: Sequence[Outcome]) -> str:
    """Number of forfeited games with the reasons, and the option for measuring a player of one side."""
    reasons = "; ".join(why for why, _ in Counter(game.failure for game in forfeits).most_common(3))
    games = f"{len(forfeits)} games of {evaluation.games}"
    told = f"{games} were forfeited and count as losses: {escape_text(reasons)}"
    (side, of_side), *others = Counter(game.players.index(forfeits[0].forfeited_by) for game in forfeits).items()
    if others or evaluation.side is not None or of_side < evaluation.by_side[side].sum():
        return told
    other = SIDE_NAMES[1 - side]
    return f"{told}; --side {other} measures the {other.capitalize()} alone"


main = entry_point(make_parser, run, "stopped; {kept}")
