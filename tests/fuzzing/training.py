"""Settings of training runs."""

import contextlib
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from dawn_agents.players.networks.policy_networks import NetworkOptions
from dawn_agents.training.training_config import Config, ConfigError, load_config, parse_config, to_tables
from dawn_agents.training.training_loop import Training

from fuzzing.mutation import mutate_bytes, mutate_value, open_nests
from fuzzing.target import BrokenRule, Mutant, Target

_DEFAULTS = to_tables(parse_config({}))


def _small(config: Config) -> Config:
    """Settings with the sizes of a tiny run, all else unchanged."""
    return replace(
        config,
        run=replace(config.run, threads=1, device="cpu", start=None),
        games=replace(config.games, at_once=4),
        network=NetworkOptions(kind="sparse", width=8, advice=config.network.advice),
        ppo=replace(config.ppo, steps=4, batch_size=8, epochs=1),
        imitation=replace(config.imitation, games=0),
        distillation=replace(config.distillation, games=0),
        league=replace(config.league, freeze_every=1, size=1),
        evaluation=replace(config.evaluation, times=100, games=2, final_games=2, at_once=2),
    )


def settings_mutant(random: Random, folder: Path) -> Mutant:
    path = folder / "settings.toml"
    tables = mutate_value(random, _DEFAULTS) if random.random() < 0.8 else _DEFAULTS
    data = open_nests(_toml(tables)).encode(errors="surrogatepass")
    path.write_bytes(data if random.random() < 0.8 else mutate_bytes(random, data))
    return Mutant(partial(load_config, path), partial(_train, folder), path)


def _train(folder: Path, config: Config) -> None:
    """A step of a run with these settings; that its steps are too large, or a player is none, is a clear error."""
    if parse_config(to_tables(config)) != config:
        raise BrokenRule("settings that were written are read as others")
    try:
        training = Training(_small(config), folder / "out")
    except ConfigError:
        return
    with contextlib.closing(training), contextlib.suppress(ConfigError):
        training.learner.begin(1)
        training.learner.iterate(1, 0.5)


def _toml(tables: Any) -> str:
    """Lines of TOML, a table in each."""
    pairs = tables.items() if isinstance(tables, dict) else [("tables", tables)]
    return "\n".join(f"{json.dumps(name)} = {_toml_value(value)}" for name, value in pairs)


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else json.dumps(value)


TARGET = Target("settings", settings_mutant, (ConfigError,), 500)
