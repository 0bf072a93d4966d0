"""The command ``dawn train``."""

import argparse
import json
from pathlib import Path

from dawn_agents.command_line import command_parser, entry_point

_DESCRIPTION = "Train a policy per side as settings say, or go on with a run; ends with a table of matches."
_CONFIGS = Path(__file__).parents[1] / "configs"  # a link to configs/, whose files are in packages


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn train``."""
    parser = command_parser(
        "train", _DESCRIPTION, "dawn train quick", "dawn train night --seed 2 --set afterstate.width=128", check=_check
    )
    which = parser.add_mutually_exclusive_group()
    names = [path.stem for path in sorted(_CONFIGS.glob("*.toml"))]
    which.add_argument(
        "name",
        nargs="?",
        choices=names,
        metavar="NAME",
        help=f"a new run with shipped settings: {', '.join(names)}",
    )
    which.add_argument("--config", type=Path, metavar="FILE", help="a new run with settings of one's own, as TOML")
    which.add_argument("--resume", type=Path, metavar="DIR", help="go on with the run in this folder")
    parser.add_argument(
        "--learner",
        metavar="LEARNER",
        help="who learns in a new run, in place of run.learner: MODULE:CLASS, or a name; alone, with its own settings",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of a new run, in place of run.seed")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="changes",
        metavar="TABLE.KEY=VALUE",
        help="a setting of a new run in place of the file's, its value as in TOML; may be repeated",
    )
    parser.add_argument("--executor", choices=["local", "ray"], help="where a new run plays: run.executor")
    parser.add_argument("--track", choices=["tensorboard", "wandb", "trackio"], help="where a new run's metrics go")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of a new run (default runs/NAME of the config)")
    return parser


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.name:
        options.config = _CONFIGS / f"{options.name}.toml"
    if not (options.config or options.resume or options.learner):
        parser.error("one of NAME, --config, --resume, --learner expected")
    if options.resume and options.out:
        parser.error("--out is for a new run; --resume goes on in its folder")
    new_alone = options.changes, options.track, options.learner, options.executor
    if options.resume and (any(new_alone) or options.seed is not None):
        parser.error(
            "--learner, --executor, --seed, --track, --set are for a new run; change config.json in the folder of one "
            "that goes on"
        )
    if options.learner:
        options.changes.append(f"run.learner={json.dumps(options.learner)}")
    if options.track:
        options.changes.append(f"run.track={options.track}")
    if options.executor:
        options.changes.append(f"run.executor={options.executor}")
    if options.seed is not None:
        options.changes.append(f"run.seed={options.seed}")


def run(options: argparse.Namespace) -> None:
    """Train and report."""
    from dawn_agents.commands.training_command import train

    train(options)


main = entry_point(make_parser, run, "interrupted", "train")
