"""Searches for a best response: a training run against one player that does not change, and its report."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dawn_agents.commands.training_command import NEVER, iterate, new_training, resumed
from dawn_agents.match import refusal
from dawn_agents.networks.policy_metadata import read_sparse_policy
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.registry import make_player
from dawn_agents.reporting.tables import console
from dawn_agents.training.exploitability_report import response_sheet, sentence, to_json
from dawn_agents.training.training_config import ConfigError, parse_config
from dawn_agents.training.training_loop import Training
from dawn_env.options import STANDARD
from dawn_env.support.atomic_files import atomic_write, write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES

_TABLES: dict[str, dict[str, Any]] = {
    "games": {"at_once": 512},
    "ppo": {"steps": 64, "batch_size": 4096, "epochs": 1, "gamma": 1.0, "entropy": 0.001, "value_warmup": 3},
    "checkpoint": {"every": 10},
    "evaluation": {"every": 25, "games": 400, "final_games": 1000},
}  # fmt: skip
"""Default settings of best-response training; command-line options override them."""


def settings(options: argparse.Namespace, target: str) -> dict[str, dict[str, Any]]:
    """Tables of settings (``training_config``) of a new run against ``target``; raises ``PolicyFileError`` and
    ``ConfigError`` for policies that it cannot begin with."""
    start = options.start or PRETRAINED
    run = {"learner": "sparse-ppo:average=0.98", "start": str(start)} | _given(options, "side", "threads", "seed")
    networks = []
    for side in (run["side"],) if run.get("side", "both") != "both" else SIDE_NAMES:
        info, _ = read_sparse_policy(start / f"{side}.zip")
        if info.side != side:
            raise ConfigError(f"{start / f'{side}.zip'} is a policy of the {info.side}, not of the {side}")
        networks.append(asdict(info.network))
    league = {"newest": 0.0, "past": 0.0, "anchors": {target: 1.0}, "freeze_every": NEVER}
    limits = {"decisions": 10_000_000} | _given(options, "decisions", "minutes")
    return _TABLES | {"run": run, "network": networks[0], "league": league, "limits": limits}


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def prepare(options: argparse.Namespace) -> Training:
    """The run, new or resumed."""
    if options.resume:
        return resumed(options.resume, "exploit")
    target = make_player(options.target)
    config = parse_config(settings(options, target.name))
    for side in config.run.sides:
        if reason := refusal(target, 1 - SIDE_NAMES.index(side), STANDARD):
            raise ConfigError(f"{reason}; a best response to it is sought with --side")
    folder = options.out or Path("runs") / f"exploit-{''.join(c if c.isalnum() else '-' for c in options.target)}"
    return new_training(config, folder)


def _kept_start(training: Training, side: str) -> Path:
    """Path of a copy, in the run's folder, of the policy that training started from: it may be resumed elsewhere."""
    kept = training.folder / "start" / f"{side}.zip"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        start = Path(training.config.run.start or PRETRAINED) / kept.name
        with atomic_write(kept, "wb") as file:
            file.write(start.read_bytes())
    return kept


def exploit(training: Training, options: argparse.Namespace) -> None:
    """Run and report; raises ``KeyboardInterrupt`` after Ctrl-C."""
    begun = {side: training.learners[side].load(_kept_start(training, side))[0] for side in training.sides}
    iterate(training)
    after, _ = training.finish()
    before = training.evaluate(training.config.evaluation.final_games, "final", begun)
    (name,) = training.anchors
    console().print(response_sheet(escape_text(name), before, after))
    print(sentence(escape_text(name), after))
    for side in training.sides:
        print(f"{side}: {training.policy_path(side)}")
    if options.json:
        write_json(to_json(training, before, after), options.json)
