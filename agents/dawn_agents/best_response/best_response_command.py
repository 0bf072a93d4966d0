"""Searches for a best response, for the command line: begun, resumed, interrupted, reported."""

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from dawn_agents.best_response.best_response_run import Exploiter, default_start
from dawn_agents.best_response.exploitability_report import response_sheet, sentence, to_json
from dawn_agents.best_response.run_settings import Settings, holds_run
from dawn_agents.command_line import first_interrupt
from dawn_agents.networks.policy_file import PolicyFileError
from dawn_agents.reporting.tables import console
from dawn_agents.specification import BadSpec
from dawn_agents.training.checkpoint import CheckpointError
from dawn_agents.training.training_config import ConfigError
from dawn_env.errors import IllegalAction, PlayerFailure
from dawn_env.support.atomic_files import write_json
from dawn_env.support.safe_text import plain
from dawn_env.support.thread_pool import cores
from dawn_env.validation.checked_input import read


def prepare(options: argparse.Namespace) -> Exploiter:
    """The run, new or resumed."""
    if options.resume:
        return Exploiter.resume(options.resume)
    folder = options.out or Path("runs") / f"exploit-{''.join(c if c.isalnum() else '-' for c in options.target)}"
    if holds_run(folder):
        raise ConfigError(f"{folder} holds a run already: go on with --resume {folder}, or name another --out")
    words = vars(options)
    given = {field.name: words[field.name] for field in fields(Settings) if words[field.name] is not None}
    given["start"] = str(given.get("start", default_start(options.target)))
    try:
        settings = read(Settings, {"threads": cores()} | given)
    except ValueError as error:
        raise ConfigError(f"--{error}") from None
    return Exploiter(settings, folder)


def exploit(exploiter: Exploiter, json_file: Path | None) -> None:
    """Run and report."""
    with first_interrupt(lambda: stop(exploiter)):
        exploiter.run()
    before, after = exploiter.finish()
    name = plain(exploiter.target.name)
    console().print(response_sheet(name, before, after))
    print(sentence(name, after))
    for side in exploiter.settings.sides:
        print(f"{side}: {exploiter.path(side)}")
    if json_file:
        write_json(to_json(exploiter.settings, exploiter.progress, before, after), json_file)


def stop(exploiter: Exploiter) -> None:
    """End soon."""
    exploiter.stop = True


def run(options: argparse.Namespace) -> int:
    """Exit status: 0 when the run is done, 130 after Ctrl-C, 2 for bad settings, 1 when the target cannot play."""
    exploiter = None
    try:
        exploiter = prepare(options)
        exploit(exploiter, options.json)
    except (ConfigError, BadSpec, CheckpointError, PolicyFileError, OSError) as error:
        print(f"exploit: {plain(error)}", file=sys.stderr)
        return 2
    except (IllegalAction, PlayerFailure) as error:  # of the target
        print(f"exploit: {plain(exploiter.target.name)}: {plain(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        where = f": go on with --resume {exploiter.folder}" if exploiter else ""
        print(f"interrupted{where}", file=sys.stderr)
        return 130
    return 0
