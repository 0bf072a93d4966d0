"""Measure one player against a ladder of standing opponents: scores by side and a rating."""

import argparse
import sys
import tempfile
from pathlib import Path

from dawn_env.support.extras import script_imports
from dawn_env.support.plain_text import plain

with script_imports("tournament"):
    from agents.tournament import command
    from agents.tournament.entrants import enter
    from agents.tournament.errors import TournamentError
    from agents.tournament.report import make_report
    from agents.tournament.store import Settings, Store
    from agents.tournament.terminal import percent, sides_table
    from agents.tournament.tournament import Plan

LADDER = ("random", "greedy", "heuristic")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", metavar="PLAYER", help="name or name:key=value,..., such as policy:runs/model.zip")
    parser.add_argument("--ladder", nargs="+", default=LADDER, metavar="SPEC", help=f"opponents ({' '.join(LADDER)})")
    parser.add_argument("--add", nargs="+", default=[], metavar="SPEC", help="further opponents")
    parser.add_argument("--db", type=Path, metavar="FILE", help="keep results here and go on from those already there")
    command.add_play_arguments(parser, pairs=100)
    command.add_report_arguments(parser)
    options = parser.parse_args(arguments)
    command.check_play_arguments(parser, options)
    command.check_report_arguments(parser, options)
    return options


def run(options: argparse.Namespace) -> None:
    """Play the gauntlet and report on its games alone."""
    (player,) = enter([options.player], options.player_seed)
    ladder = [other for other in enter([*options.ladder, *options.add], options.player_seed) if other != player]
    if not ladder:
        raise TournamentError(f"no opponent is left for {player.name!r}; name others with --ladder or --add")
    plan = Plan([player, *ladder], "gauntlet", options.pairs, options.seed)
    command.check_anchor(options.anchor, plan.names)
    with tempfile.TemporaryDirectory() as folder:
        path = options.db or Path(folder) / "evaluation.db"
        with Store.create(path, Settings.now(options.game_options)) as store:
            command.play_with_progress(plan, store, options.workers, key=options.key, with_luck=options.luck)
            seeds = {pair.seed for pairs in plan.schedule(store) for pair in pairs}
            games = [game for game in store.games() if game.seed in seeds]
            report = make_report(games, store.players(), options.anchor)
            command.publish(report, options, f"Evaluation of {report.labels[player.name]}")
            if options.records:
                command.publish_records(store, options.records)
            if not options.db and any(entrant.outside for entrant in plan.entrants):
                print(f"Deals of programs depend on a secret key; the same ones again: --key {plain(store.key())}")
    command.console().print(sides_table(report, player.name))
    mine = next(standing for standing in report.standings if standing.name == player.name)
    print(
        f"{mine.label}: {mine.rating:+.0f} Elo ({mine.low:+.0f} to {mine.high:+.0f}), {percent(mine.score_democrat)} "
        f"as Democrat, {percent(mine.score_communist)} as Communist, {mine.games} games"
    )


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 0 when all is well, 2 for bad input, 1 when something failed, 130 after Ctrl-C."""
    options = parse(arguments)
    return command.guarded(lambda: run(options), f"stopped; games are kept in {options.db or 'no file'}")


if __name__ == "__main__":
    sys.exit(main())
