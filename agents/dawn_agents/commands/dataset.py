"""The command ``dawn dataset``."""

import argparse
import json
from pathlib import Path

from dawn_agents.command_line import (
    add_executor_arguments,
    add_game_options,
    command_parser,
    entry_point,
    executor_of,
    integer,
    seed,
)
from dawn_agents.training.dataset.dataset_files import FORMS, checked_metadata
from dawn_env.support.optional_packages import require_extra
from dawn_env.support.safe_text import escape_text

_DESCRIPTION = "Datasets of recorded decisions for learning without an environment: make one, or describe one."
_EXTRAS = {"parquet": "dataset", "minari": "minari"}
"""What formats need."""


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn dataset``."""
    parser = command_parser(
        "dataset",
        _DESCRIPTION,
        "dawn dataset make --players pretrained --games 1000 --out runs/data",
        "dawn dataset info runs/data",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, dest="action")
    make = actions.add_parser("make", help="play games and write their decisions; goes on where it was cut off")
    make.add_argument("--players", nargs="+", default=["pretrained"], metavar="SPEC", help="who play (pretrained)")
    make.add_argument("--games", type=integer(1, 10**6), default=1000, metavar="N", help="games (%(default)s)")
    make.add_argument("--seed", type=seed, default=1, help="same seed, same bytes (%(default)s)")
    make.add_argument("--format", choices=FORMS, default=FORMS[0], help="of the files (%(default)s)")
    make.add_argument("--privileged", action="store_true", help="with the hidden cards, for critics")
    events = "with what sides were told between their decisions, which takes several times as long"
    make.add_argument("--events", action="store_true", help=events)
    make.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder, or one to go on in")
    add_executor_arguments(make)
    add_game_options(make, without=["bid"])
    info = actions.add_parser("info", help="check a dataset and describe it")
    info.add_argument("folder", type=Path, metavar="DIR")
    return parser


def make(options: argparse.Namespace) -> None:
    """Make a dataset."""
    if options.format in _EXTRAS:
        require_extra(_EXTRAS[options.format])
    from dawn_agents.training.dataset.dataset_making import DatasetPlan, make_dataset

    plan = DatasetPlan(
        tuple(options.players), options.games, options.seed, options.format, options.privileged, options.events,
        options.game_options,
    )  # fmt: skip
    with executor_of(options) as executor:
        metadata = make_dataset(plan, options.out, executor)
    _describe(metadata, options.out)


def info(options: argparse.Namespace) -> None:
    """Check a dataset and describe it."""
    _describe(checked_metadata(options.folder), options.folder)


def _describe(metadata: dict, folder: Path) -> None:
    plan = metadata["plan"]
    size = sum((folder / shard["file"]).stat().st_size for shard in metadata["shards"])
    players = ", ".join(f"{name} (version {version})" for name, version in metadata["versions"].items())
    lines = [
        f"{folder}: {plan['games']} games, {metadata['rows']} decisions, {size / 1e6:.1f} MB of {plan['format']} in "
        f"{len(metadata['shards'])} files",
        f"players: {players}; seed {plan['seed']}; dawn_env {metadata['dawn_env']}, engine {metadata['engine']}",
        f"licence: {metadata['licence']}; options of the game: {json.dumps(plan['options'])}",
        *(f"  {name}: {meaning}" for name, meaning in metadata["columns"].items()),
        f"checksum: {metadata['checksum']}",
    ]
    print("\n".join(map(escape_text, lines)))


main = entry_point(
    make_parser,
    lambda options: (make if options.action == "make" else info)(options),
    "stopped; the same command goes on from here",
)
