"""Settings of training runs, and the folders that runs are resumed from."""

import contextlib
import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import torch
from dawn_agents.networks.policy_file import PolicyFileError
from dawn_agents.networks.policy_networks import NetworkOptions
from dawn_agents.training.checkpoint import FILE, CheckpointError
from dawn_agents.training.training_config import Config, ConfigError, load_config, parse_config, to_tables
from dawn_agents.training.training_loop import CONFIG_FILE, LOCK_FILE, Training

from dawn_env.tables import SIDE_NAMES
from fuzzing.mutation import mutate_bytes, mutate_json, mutate_value, open_nests
from fuzzing.target import BrokenRule, Mutant, Target
from fuzzing.tensors import mutate_tensors, saved

_DEFAULTS = to_tables(parse_config({}))
_GAMES = "__games__"  # states, which are a target of their own
_RUN = "run"  # folder of a sound run, within the one that is shared


def _small(config: Config) -> Config:
    """Settings with the sizes of a tiny run, all else unchanged."""
    return replace(
        config,
        run=replace(config.run, threads=1, device="cpu", start=None),
        games=replace(config.games, at_once=4),
        network=NetworkOptions(kind="mlp", width=8, depth=0, advice=config.network.advice),
        ppo=replace(config.ppo, steps=4, batch_size=8, epochs=1),
        imitation=replace(config.imitation, games=0),
        distillation=replace(config.distillation, games=0),
        league=replace(config.league, freeze_every=1, size=1),
        evaluation=replace(config.evaluation, every=1, games=2, final_games=2, at_once=2),
    )


# --- settings ---------------------------------------------------------------------------------------


def settings_mutant(random: Random, folder: Path) -> Mutant:
    path = folder / "settings.toml"
    tables = mutate_value(random, _DEFAULTS) if random.random() < 0.8 else _DEFAULTS
    data = open_nests(_toml(tables)).encode(errors="surrogatepass")
    path.write_bytes(data if random.random() < 0.8 else mutate_bytes(random, data))
    return Mutant(partial(load_config, path), partial(_train, folder), path.name, (path,))


def _train(folder: Path, config: Config) -> None:
    """A step of a run with these settings; that its steps are too large, or a player is none, is a clear error."""
    if parse_config(to_tables(config)) != config:
        raise BrokenRule("settings that were written are read as others")
    try:
        training = Training(_small(config), folder / "out")
    except ConfigError:
        return
    with contextlib.closing(training), contextlib.suppress(ConfigError):
        training._start_games()
        _learn(training)


def _learn(training: Training) -> None:
    """An iteration without the matches, which take most of the time."""
    for side in SIDE_NAMES:
        training._learn(side, remaining=0.5)


def _toml(tables: Any) -> str:
    if not isinstance(tables, dict):
        return f"tables = {_toml_value(tables)}"
    lines = []
    for name, table in tables.items():
        if isinstance(table, dict):
            lines += [f"[{name}]", *(f"{key} = {_toml_value(value)}" for key, value in table.items())]
        else:
            lines.insert(0, f"{name} = {_toml_value(table)}")
    return "\n".join(lines)


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else json.dumps(value)


SETTINGS = Target("settings", settings_mutant, (ConfigError,), 500)


# --- checkpoints ------------------------------------------------------------------------------------


def _run_config() -> Config:
    return _small(parse_config(_DEFAULTS | {"league": {"anchors": {"random": 1.0}}}))


def prepare(shared: Path) -> None:
    if not (shared / _RUN).exists():
        making = shared / f"{_RUN}.new"
        shutil.rmtree(making, ignore_errors=True)
        training = Training(_run_config(), making)
        training.begin()
        training._iterate()
        training.save()
        training.close()
        shutil.rmtree(making / "tensorboard")
        (making / LOCK_FILE).unlink()
        making.rename(shared / _RUN)


def checkpoint_mutant(random: Random, folder: Path) -> Mutant:
    run = folder / _RUN
    shutil.copytree(folder.parent / "shared" / _RUN, run)
    random.choice((_file_bytes, _file_bytes, _tree, _tree, _tree, _settings))(random, run)
    kept = tuple(sorted(path for path in run.rglob("*") if path.is_file()))
    return Mutant(partial(Training.resume, run), _go_on, _RUN, kept)


def _go_on(training: Training) -> None:
    if training.progress is not None and training.config == _run_config():  # others begin anew, or may ask for hours
        with contextlib.suppress(ConfigError):  # steps that are too large for the weights there were
            _learn(training)
    training.close()


def _file_bytes(random: Random, run: Path) -> None:
    path = random.choice(sorted(path for path in run.rglob("*") if path.is_file() and path.suffix != ".csv"))
    if random.random() < 0.1:
        path.unlink()
    else:
        path.write_bytes(b"" if random.random() < 0.1 else mutate_bytes(random, path.read_bytes()))


def _tree(random: Random, run: Path) -> None:
    tree = torch.load(run / FILE, weights_only=True)
    (run / FILE).write_bytes(saved(mutate_tensors(random, tree, (_GAMES,))))


def _settings(random: Random, run: Path) -> None:
    path = run / CONFIG_FILE
    path.write_bytes(mutate_json(random, json.loads(path.read_text())))


CHECKPOINTS = Target(
    "checkpoints", checkpoint_mutant, (CheckpointError, ConfigError, PolicyFileError), 1_000, 60.0, prepare
)
