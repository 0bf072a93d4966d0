"""Runs of training for the command line: begun, resumed, interrupted, reported."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from dawn_agents.command_line import first_interrupt
from dawn_agents.networks.policy_file import PolicyFileError
from dawn_agents.specification import BadSpec
from dawn_agents.training.checkpoint import FILE, CheckpointError
from dawn_agents.training.policy_matches import score_table
from dawn_agents.training.training_config import ConfigError, load_config
from dawn_agents.training.training_loop import CONFIG_FILE, PLOT_FILE, Training
from dawn_agents.work.executor import PlaceError, WorkerDied
from dawn_env.errors import MissingExtra
from dawn_env.tables import SIDE_NAMES


def prepare(options: argparse.Namespace) -> Training:
    """The run, new or resumed; raises what ``fail`` understands."""
    if options.resume:
        return Training.resume(options.resume)
    config = load_config(options.config)
    folder = options.out or Path("runs") / options.config.stem
    if (folder / CONFIG_FILE).exists() or (folder / FILE).exists():
        raise ConfigError(f"{folder} holds a run already: go on with --resume {folder}, or name another --out")
    try:
        return Training(config, folder)
    except ConfigError as error:
        raise ConfigError(f"{options.config}: {error}") from error


def train(training: Training) -> int:
    """Run and report; the exit status."""
    limit = "" if training.config.run.threads else "; run.threads limits them"
    print(f"training uses {training.threads} threads{limit}", file=sys.stderr)
    with first_interrupt(lambda: stop(training)):
        training.run()
    if training.stop:
        print(f"interrupted and saved: go on with --resume {training.folder}", file=sys.stderr)
        return 130
    greedy, sampled = training.finish()
    Console().print(score_table(greedy, "Policies kept, greedy (the likeliest actions)"))
    Console().print(score_table(sampled, "The same policies, sampled actions"))
    for side in SIDE_NAMES:
        print(f"{side}: {training.policy_path(side)}")
    print(f"plot: {training.folder / PLOT_FILE}")
    return 0


def stop(training: Training) -> None:
    """End after the iteration in progress."""
    training.stop = True
    print("\nending after this iteration (Ctrl-C again: at once, back to the last checkpoint)", file=sys.stderr)


def run(options: argparse.Namespace) -> int:
    """Exit status: 0 when the run is done, 1 when work was lost, 2 for bad settings, 130 after
    Ctrl-C."""
    training = None
    try:
        training = prepare(options)
        return train(training)
    except (ConfigError, BadSpec, CheckpointError, PolicyFileError, PlaceError, MissingExtra, OSError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    except WorkerDied as error:
        print(f"train: {error}: go on with --resume {training.folder}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        where = f": go on with --resume {training.folder}" if training else " before the first checkpoint"
        print(f"interrupted{where}", file=sys.stderr)
        return 130
    finally:
        if training:
            training.close()
