"""Measure the balance of the game: results by side when a side is given support points (rule 13.0).

Each player plays against themselves. What is played is kept, and the same command goes on where it was cut off. The
fair bids go to agents/dawn_agents/data/balance.json, from where docs/reference/balance.md (``make docs``) has them; its
plot is docs/images/balance.svg.
"""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from dawn_agents.command_line import COUNT, command_parser, integer, seed
from dawn_agents.commands import tournament_options
from dawn_agents.rating.tournament_errors import TournamentError
from dawn_agents.registry import files_of
from dawn_agents.reporting.tables import console
from dawn_agents.strength.balance_games import Trial, balance_of, play
from dawn_agents.strength.side_balance import FORMAT, STANDING, Balance, balance_plot, balance_sheet
from dawn_agents.tournament.entrants import enter
from dawn_agents.work.executor_arguments import add_executor_arguments, executor_of
from dawn_env.host.random_play import warm_up
from dawn_env.options import MOST_EXTRA_SUPPORT
from dawn_env.support.atomic_files import atomic_write, listed_json
from dawn_env.support.compiling import source_hash
from dawn_env.support.progress_bars import ProgressBar

PLAYERS = ("heuristic:level=5", "heuristic", "pretrained", "search:sims=16,plays=1", "search")
POINTS = (-6, -4, -2, 0, 2, 4, 6)


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn balance``."""
    parser = command_parser("balance", __doc__, "dawn balance", "dawn balance --players heuristic")
    parser.add_argument("--players", nargs="+", default=PLAYERS, metavar="SPEC", help=f"({' '.join(PLAYERS)})")
    parser.add_argument(
        "--points", nargs="+", type=integer(-MOST_EXTRA_SUPPORT, MOST_EXTRA_SUPPORT), default=POINTS, metavar="N",
        help=f"support points for the Democrat, below 0 for the Communist ({' '.join(map(str, POINTS))})",
    )  # fmt: skip
    parser.add_argument("--games", type=COUNT, default=200, metavar="N", help="games for each of them (%(default)s)")
    parser.add_argument(
        "--thinking", type=COUNT, default=15, metavar="N", help="the same of players that think (%(default)s)"
    )
    parser.add_argument("--seed", type=seed, default=0, help="seed of the deals (%(default)s)")
    parser.add_argument("--player-seed", type=seed, default=0, help="seed of all players (%(default)s)")
    add_executor_arguments(parser)
    parser.add_argument("--db", type=Path, default="runs/balance", metavar="FOLDER", help="keeps results (%(default)s)")
    parser.add_argument("--json", type=Path, default=STANDING, metavar="FILE", help="the file to write (%(default)s)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a plot to write too, as SVG")
    return parser


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if len({*options.points}) < 2:
        parser.error("--points: at least two different numbers expected, to tell what a point is worth")
    if options.db.exists() and not options.db.is_dir():
        parser.error(f"--db: {options.db} is a file, not a folder")
    tournament_options.check_writable(parser, filter(None, [options.json, options.plot, options.db / "democrat-0.db"]))
    return options


def run(options: argparse.Namespace) -> None:
    """Play, fit, write and tell."""
    entrants = enter(options.players, options.player_seed)
    if any(entrant.is_external for entrant in entrants):
        raise TournamentError("programs and people cannot play against themselves on known deals")
    trials = [
        Trial(entrant, points, options.games if entrant.batch else options.thinking, options.seed)
        for entrant in entrants
        for points in sorted({*options.points})
    ]
    warm_up()  # so that the rules are compiled once here, not in every process
    total = sum(trial.games for trial in trials)
    with executor_of(options, files_of(options.players)) as place, ProgressBar("games", total, "games") as gauge:
        for games in play(trials, options.db, place):
            gauge.update(games)
    balances = [balance_of(entrant, trials, options.db) for entrant in entrants]
    _write(balances, options)
    console().print(balance_sheet(balances))


def _write(balances: list[Balance], options: argparse.Namespace) -> None:
    told = {
        "format": FORMAT,
        "engine": source_hash(),
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"dawn balance {' '.join(_words(options))}",
        "players": [balance.to_json() for balance in balances],
    }
    with atomic_write(options.json, parents=True) as file:
        file.write(listed_json(told))
    if options.plot:
        with atomic_write(options.plot, parents=True) as file:
            file.write(balance_plot(balances))


def _words(options: argparse.Namespace) -> list[str]:
    """Arguments that determine the games."""
    numbers = [f"--{name} {getattr(options, name)}" for name in ("games", "thinking", "seed")]
    players = [] if tuple(options.players) == PLAYERS else [f"--players {' '.join(options.players)}"]
    points = [] if tuple(options.points) == POINTS else [f"--points {' '.join(map(str, options.points))}"]
    return [*players, *points, *numbers]


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all is well, 2 for bad input, 1 when something failed, 130 after Ctrl-C."""
    options = parse(arguments)
    return tournament_options.exit_status(lambda: run(options), f"stopped; games are kept in {options.db}")
