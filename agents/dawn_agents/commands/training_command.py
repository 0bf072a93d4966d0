"""Runs of training for the command line: begun, resumed, interrupted, reported."""

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from dawn_agents.command_line import exit_status, first_interrupt, game_option_words, typed_command
from dawn_agents.reporting.tables import console
from dawn_agents.training.checkpoint import FILE
from dawn_agents.training.learner import TrainablePolicy
from dawn_agents.training.policy_matches import score_table
from dawn_agents.training.training_config import Config, ConfigError, load_config
from dawn_agents.training.training_loop import CONFIG_FILE, PLOT_FILE, Training
from dawn_env.glossary import counted
from dawn_env.tables import SIDE_NAMES

NEVER = 10**9
"""``league.freeze_every`` of best responses, whose opponent does not change."""


def new_training(config: Config, folder: Path) -> Training:
    """A new run in a folder; raises ``ConfigError`` where there is one already."""
    if (folder / CONFIG_FILE).exists() or (folder / FILE).exists():
        raise ConfigError(f"{folder} holds a run already: go on with --resume {folder}, or name another --out")
    return Training(config, folder)


def resumed(folder: Path, command: str) -> Training:
    """The run of a folder; raises ``ConfigError`` for one that ``command``, ``train`` or ``exploit``, has not begun."""
    training = Training.resume(folder)
    league = training.config.league
    exploits = league.freeze_every == NEVER and not league.newest and not league.past and len(league.anchors) == 1
    if command != (right := "exploit" if exploits else "train"):
        training.close()
        raise ConfigError(f"{folder} is a run of dawn {right}: go on with dawn {right} --resume {folder}")
    return training


def prepare(options: argparse.Namespace) -> Training:
    """Start or resume the training run of ``dawn train``."""
    if options.resume:
        return resumed(options.resume, "train")
    config = load_config(options.config)
    try:
        return new_training(config, options.out or Path("runs") / options.config.stem)
    except ConfigError as error:
        raise ConfigError(f"{options.config}: {error}") from error


def iterate(training: Training) -> None:
    """Run until a limit is reached; raises ``KeyboardInterrupt`` after Ctrl-C, once all is saved."""
    limit = "" if training.config.run.threads else "; run.threads limits them"
    print(f"training uses {counted(training.threads, 'thread')}{limit}", file=sys.stderr)
    with first_interrupt(lambda: stop(training)):
        training.run()
    if training.stop:
        raise KeyboardInterrupt


def train(training: Training, _: argparse.Namespace) -> None:
    """Run and report; raises ``KeyboardInterrupt`` after Ctrl-C."""
    iterate(training)
    greedy, sampled = training.finish()
    console().print(score_table(greedy, "Policies kept, greedy (the likeliest actions)"))
    console().print(score_table(sampled, "The same policies, sampled actions"))
    for side in training.sides:
        print(f"{side}: {training.policy_path(side)}")
    print(f"plot: {training.folder / PLOT_FILE}")
    if all(
        isinstance(learner.policy, TrainablePolicy) for learner in training.learners.values()
    ):  # so players of files
        print(next_steps(training))


def next_steps(training: Training) -> str:
    """Commands that measure a policy of the run and play against it."""
    side = training.sides[0]
    player, other = f"policy:{training.policy_path(side)}", SIDE_NAMES[1 - SIDE_NAMES.index(side)]
    game = game_option_words(training.config.games.options)
    measuring = ("evaluate", player, "--side", side)
    if game:  # the standing scale is of the standard game
        measuring = ("tournament", "--format", "gauntlet", "--players", player, "heuristic", *game)
    commands = (
        measuring,
        ("play", "--as", other, "--against", player, *game),
        ("web", "--player", player),
    )
    return "\n  ".join(["next:", *(typed_command(*words) for words in commands)])


def stop(training: Training) -> None:
    """End after the iteration in progress."""
    training.stop = True
    print("\nending after this iteration (Ctrl-C again: at once, back to the last checkpoint)", file=sys.stderr)


def run(
    options: argparse.Namespace,
    begin: Callable[[argparse.Namespace], Training] = prepare,
    carry_out: Callable[[Training, argparse.Namespace], None] = train,
) -> int:
    """Begin a run and carry it out; the exit status, as of ``exit_status``."""

    def work() -> None:
        with closing(begin(options)) as training:
            try:
                carry_out(training, options)
            except KeyboardInterrupt:
                print(f"go on with --resume {training.folder}", file=sys.stderr)
                raise

    return exit_status(work, "interrupted")
