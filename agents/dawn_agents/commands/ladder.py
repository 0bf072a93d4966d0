"""The command ``dawn ladder``."""

import argparse
from pathlib import Path

from dawn_agents.command_line import (
    COUNT,
    add_output_files,
    check_isolated,
    command_parser,
    entry_point,
    executor_of,
)
from dawn_agents.commands.evaluate import add_goal_arguments, planned, tell
from dawn_agents.commands.tournament import add_play_arguments, play_with_progress
from dawn_agents.players.registry import files_of
from dawn_agents.tournaments.entrants import labels
from dawn_agents.tournaments.rating.estimates import points
from dawn_agents.tournaments.reporting.provenance import provenance
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.ladder import OWN, Place, edition, make_room, merge, places, replay_sample
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_env.errors import BadInput
from dawn_env.glossary import counted
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDES

_DESCRIPTION = "Place players on the standing scale and keep them there, on a ladder of your own."
_SAMPLE = 20
_COSTS = ("tokens/decision", ("input_tokens", "output_tokens"), ",.1f"), ("dollars/decision", ("dollars",), ".3g")
"""Columns of costs: heading, names of the costs that are added, how they are written."""


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn ladder``."""
    parser = command_parser(
        "ladder",
        _DESCRIPTION,
        "dawn ladder add greedy --precision 100",
        "dawn ladder show --html runs/ladder.html",
        check=_check,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, dest="action")
    add = actions.add_parser("add", help="measure a player and keep its games; goes on where it was cut off")
    add_goal_arguments(add)
    add_play_arguments(add)
    show = actions.add_parser("show", help="the ladder, strongest first")
    add_output_files(show, json="write the ladder as JSON", html="write it as one HTML page with a plot")
    join = actions.add_parser("merge", help="add results of somebody else, after replaying some of their games")
    join.add_argument("file", type=Path, metavar="FILE", help="a ladder, or the --db of dawn evaluate")
    join.add_argument(
        "--sample", type=COUNT, default=_SAMPLE, metavar="N", help="games that are replayed (%(default)s)"
    )
    for action in (add, show, join):
        action.add_argument("--db", type=Path, default=OWN, metavar="FILE", help="the file of the ladder (%(default)s)")
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.action == "add":
        check_isolated(parser, [options.player], options.db)


def add(options: argparse.Namespace) -> None:
    """Measure a player against the standing scale, keep its games, and say where it stands."""
    plan = planned(options, deals=lambda player: f"{player.name} {edition(player.version, player.source)}")
    player = plan.entrants[0]
    if player.name in read_scale().names:
        raise BadInput(f"{player.name} stands on every ladder: dawn ladder show")
    with executor_of(options, files_of(plan.names)) as executor, ResultDatabase.create(options.db) as store:
        if retired := make_room(store, player):
            print(f"{escape_text(player.name)} has changed; what it was is on the ladder as {escape_text(retired)}")
        play_with_progress(plan, store, executor, key=options.key, with_luck=False)
        label = labels(store.players())[player.name]
    tell(plan.evaluation, player.name, label)
    print(f"kept in {escape_text(options.db)}")


def show(options: argparse.Namespace) -> None:
    """Print the ladder and write the files that ``options`` ask for."""
    with ResultDatabase(options.db, read_only=True) as store:
        found, origin = places(store), provenance(options, rules=store.engine)
    if options.json:
        write_json({"players": [place.to_json() for place in found], "provenance": origin}, options.json)
    if options.html:
        from dawn_agents.tournaments.reporting.html_page import Passage, write_page
        from dawn_agents.tournaments.reporting.svg_figures import estimates_plot  # plotting takes long to import

        rows = [(place.label, [place.rated.both if place.side is None else place.rated[1 + place.side]])
                for place in found]  # fmt: skip
        plot = Passage("Ratings", estimates_plot(rows, "Elo on the standing scale, 95% intervals"))
        write_page(options.html, f"Ladder {options.db.stem}", [], [ladder_sheet(found), plot], origin)
    console().print(ladder_sheet(found))


def ladder_sheet(found: list[Place]) -> Sheet:
    """Table of the places of a ladder; with tokens and dollars where some player has counted them."""
    headings = ["player", "version", "Elo", "low", "high", "as Democrat", "as Communist", "games", "forfeits"]
    rows = [
        [place.label, "standing" if place.standing else place.edition, *_ratings(place), str(place.games),
         str(place.forfeits), "-" if place.seconds is None else f"{1000 * place.seconds:.3f}"]
        for place in found
    ]  # fmt: skip
    headings.append("ms/decision")
    for heading, names, form in _COSTS:
        found_costs = [[place.costs.get(name) for name in names] for place in found]
        if any(None not in costs for costs in found_costs):
            headings.append(heading)
            for row, costs in zip(rows, found_costs, strict=True):
                row.append("-" if None in costs else format(sum(costs), form))
    title = "Ladder: Elo on the standing scale, random = 0; intervals of 95%"
    return Sheet(title, headings, rows, words=2, note="The costs of a decision are those in the games of this ladder.")


def _ratings(place: Place) -> list[str]:
    """Cells of the rating with its interval, and of the ratings by side."""
    main = place.rated.both if place.side is None else place.rated[1 + place.side]
    sides = [
        "-" if place.side not in (None, side) else of_side.text() if of_side.beyond else points(of_side.value)
        for side, of_side in zip(range(SIDES), place.rated[1:], strict=True)
    ]
    return [*main.cells(), *sides]


def join(options: argparse.Namespace) -> None:
    """Merge another person's ladder file; raises ``StoreError`` when a game is not as it was recorded."""
    games, decisions = replay_sample(options.file, options.sample)
    print(f"{counted(games, 'game')} replayed, {decisions} decisions of standing players asked again: all as recorded")
    with ResultDatabase.create(options.db) as store:
        added, players = merge(store, options.file)
    print(f"{counted(added, 'new game')} of {', '.join(map(escape_text, players)) or 'standing players only'}")


def run(options: argparse.Namespace) -> None:
    """Do what was asked for."""
    {"add": add, "show": show, "merge": join}[options.action](options)


main = entry_point(make_parser, run, "stopped; finished games are kept in {db}")
