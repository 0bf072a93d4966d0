"""Options and output shared by tournaments and evaluations."""

import argparse
from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path

from dawn_agents.command_line import add_executor_arguments, seed
from dawn_agents.rating.estimates import percent
from dawn_agents.rating.sprt import Sprt
from dawn_agents.tournament.entrants import labels
from dawn_agents.tournament.pair_runner import introduce
from dawn_agents.tournament.result_database import ResultDatabase
from dawn_agents.tournament.tournament_plan import Plan, play
from dawn_agents.work.executor import Executor
from dawn_env.errors import BadInput
from dawn_env.formats.game_record import to_line
from dawn_env.host.random_play import warm_up
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.progress_bars import ProgressBar, with_progress

_MOST_SCORES = 5  # shown while games are played


def add_play_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Options for playing games; their group."""
    group = parser.add_argument_group("playing")
    group.add_argument("--seed", type=seed, default=0, help="seed of the deals; same seed, same deals (%(default)s)")
    group.add_argument(
        "--key",
        type=_key,
        metavar="TEXT",
        help="secret of the deals where programs play (drawn, and kept with the results)",
    )
    group.add_argument("--player-seed", type=seed, default=0, help="seed of all players (%(default)s)")
    add_executor_arguments(group)
    return group


def _key(text: str) -> str:
    if not (text and text.isprintable()):
        raise argparse.ArgumentTypeError("one or more printable characters expected")
    return text


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


def publish_records(store: ResultDatabase, path: Path) -> None:
    """Write the records of all games, showing how far it is."""
    with atomic_write(path, parents=True) as file:
        file.writelines(
            to_line(record) + "\n" for record in with_progress(store.records(), "records", len(store.games()), "games")
        )
