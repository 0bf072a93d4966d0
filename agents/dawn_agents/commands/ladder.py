"""Measure the standing scale: graded opponents from the weakest to the strongest, rated by side.

Everybody plays the next player and the next but one. The scale goes to agents/dawn_agents/data/scale.json, from where
dawn evaluate, the browser and docs/reference/ladder.md (``make docs``) have it.
"""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from dawn_agents.command_line import command_parser
from dawn_agents.commands import tournament_options
from dawn_agents.rating.tournament_errors import TournamentError
from dawn_agents.registry import files_of
from dawn_agents.reporting.tables import console
from dawn_agents.strength.rating_scale import STANDING, scale_sheet, write_scale
from dawn_agents.strength.scale_measurement import RUNGS, ScalePlan, make_scale, steps
from dawn_agents.tournament.entrants import enter
from dawn_agents.tournament.result_database import DatabaseSettings, ResultDatabase
from dawn_agents.work.executor_arguments import executor_of

LARGEST_STEP = 200  # Elo between neighbours


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn ladder``."""
    parser = command_parser("ladder", __doc__, "dawn ladder", "dawn ladder --players random heuristic compact")
    parser.add_argument("--players", nargs="+", default=list(RUNGS), metavar="SPEC", help="weakest first")
    parser.add_argument("--db", type=Path, default="runs/ladder.db", metavar="FILE", help="keeps results (%(default)s)")
    parser.add_argument("--scale", type=Path, default=STANDING, metavar="FILE", help="the file to write (%(default)s)")
    tournament_options.add_play_arguments(parser, pairs=max(RUNGS.values()))
    return parser


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    tournament_options.check_play_arguments(parser, options)
    tournament_options.check_writable(parser, [options.scale])
    if departures := options.game_options.non_defaults():
        parser.error(f"the standing scale is of the standard game, without {', '.join(departures)}")
    return options


def run(options: argparse.Namespace) -> None:
    """Play, fit, write and tell what holds."""
    entrants = enter(options.players, options.player_seed)
    if any(entrant.is_external for entrant in entrants):
        raise TournamentError("programs and people have no place on the scale: nobody could repeat their games")
    plan = ScalePlan(entrants, pairs=options.pairs, seed=options.seed)
    settings = DatabaseSettings.now(options.game_options)
    with executor_of(options, files_of(plan.names)) as place, ResultDatabase.create(options.db, settings) as store:
        tournament_options.play_with_progress(plan, store, place, with_luck=False)
        seeds = {pair.seed for pairs in plan.schedule(store) for pair in pairs}
        games = [game for game in store.games() if game.seed in seeds]
    versions = {entrant.name: entrant.version for entrant in entrants}
    scale = make_scale(games, versions, _origin(options, settings.engine))
    write_scale(scale, options.scale)
    console().print(scale_sheet(scale))
    by_way = list(zip(*steps(scale), strict=True))
    largest, least = max(by_way[0]), min(map(min, by_way[1:]))
    print(f"largest step {largest:.0f} Elo (wished: at most {LARGEST_STEP}); least step on a side {least:.0f} Elo")


def _origin(options: argparse.Namespace, engine: str) -> dict[str, object]:
    words = [f"--pairs {options.pairs}", f"--seed {options.seed}"]
    if options.players != list(RUNGS):
        words = [f"--players {' '.join(options.players)}", *words]
    return {
        "game": "standard",
        "engine": engine,
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"dawn ladder {' '.join(words)}",
        "seed": options.seed,
    }


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all is well, 2 for bad input, 1 when something failed, 130 after Ctrl-C."""
    options = parse(arguments)
    return tournament_options.exit_status(lambda: run(options), f"stopped; games are kept in {options.db}")
