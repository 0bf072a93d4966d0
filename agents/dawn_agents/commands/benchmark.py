"""The command ``dawn benchmark``."""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress

import numpy as np

from dawn_agents.command_line import COUNT, add_output_files, command_parser, entry_point
from dawn_agents.machine_speed import batch_figures, machine, per_second
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_env.batch import Batch
from dawn_env.dawn_v0 import raw_env
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.game import Game
from dawn_env.host.random_play import random_actions
from dawn_env.observation.player_view import View
from dawn_env.players import RandomPlayer
from dawn_env.state import STATE
from dawn_env.support.atomic_files import write_json
from dawn_env.support.progress_bars import with_progress
from dawn_env.support.safe_text import short_repr

_DESCRIPTION = "Benchmark the engine, with a compiled random player, and the other players on this machine."
START = """
import time
start = time.perf_counter()
from dawn_env.batch import Batch
batch = Batch(1, 0)
print(time.perf_counter() - start)
batch.step(batch.masks.argmax(axis=1))
print(time.process_time())
"""
"""Prints the seconds until the first batch, and the processor seconds until its first step."""


def make_parser() -> argparse.ArgumentParser:
    """Argument parser of ``dawn benchmark``."""
    parser = command_parser(
        "benchmark",
        _DESCRIPTION,
        "dawn benchmark",
        "dawn benchmark --seconds 1 --json runs/benchmark.json",
    )
    add_output_files(parser, json="write the figures to this file too")
    parser.add_argument("--batch", type=COUNT, default=1024, help="games at a time (default %(default)s)")
    parser.add_argument("--seconds", type=_seconds, default=5.0, help="time for each measurement (default %(default)s)")
    return parser


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (found := float(text)) < math.inf:
            return found
    raise argparse.ArgumentTypeError(f"seconds above 0 expected, not {short_repr(text)}")


def aec_rate(seconds: float) -> float:
    """Decisions per second through last() and step() of the PettingZoo environment."""
    env, action = raw_env(), np.zeros(1, np.int64)
    env.reset(seed=0)

    def step() -> int:
        observation, _, ended, _, _ = env.last()
        if ended:
            env.reset()
            return 0
        random_actions(env._states, observation["action_mask"][None], action)
        env.step(action[0])
        return 1

    return per_second(step, seconds)


def _decisions(env: DawnSeat | DawnVectorEnv) -> int:
    """Decisions of both sides in the games that have ended."""
    return sum(counts["decisions"] for counts in env.results().values())


def vector_env_rate(seconds: float, count: int = 256) -> float:
    """Decisions per second, of learner and opponents together, through the Gymnasium vector environment."""
    env, player = DawnVectorEnv(count, copy=False), RandomPlayer(1)
    seen, infos = env.reset(seed=0)
    for _ in range(300):  # until games of all ages go on, so that those which end stand for those played
        seen, _, _, _, infos = env.step(player.choose(seen, infos["action_mask"]))
    before, start = _decisions(env), time.perf_counter()
    while time.perf_counter() - start < seconds:
        seen, _, _, _, infos = env.step(player.choose(seen, infos["action_mask"]))
    return (_decisions(env) - before) / (time.perf_counter() - start)


def seat_rate(seconds: float) -> float:
    """Decisions per second, of agent and opponent together, through the single seat; whole games."""
    env, player = DawnSeat(), RandomPlayer(1)

    def game() -> int:
        before, ended = _decisions(env), False
        seen, info = env.reset()
        while not ended:
            seen, _, ended, _, info = env.step(player.choose(seen[None], info["action_mask"][None])[0])
        return _decisions(env) - before

    env.reset(seed=0)
    return per_second(game, seconds)


def player_rate(spec: str, seconds: float, count: int = 256) -> float:
    """Decisions per second of a player of many games, its own time alone, in games against itself.

    It has one thread; networks have those of torch.
    """
    batch, player, decisions, thought = Batch(count, 0), make_player(spec), 0, 0.0
    player.threads = 1
    batch.step(player.choose(batch.observations, batch.masks))  # loads or compiles what is needed
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        actions = player.choose(batch.observations, batch.masks)
        thought += time.perf_counter() - start
        batch.step(actions)
        decisions += count
    return decisions / thought


def sparse_ppo_rate(seconds: float) -> float:
    """Learner's decisions per second of ``sparse-ppo`` without advice against ``heuristic``, with one thread."""
    from dawn_agents.training.environments import Environments
    from dawn_agents.training.sparse_ppo import SparsePpo
    from dawn_agents.training.training_config import parse_config

    run, network = {"threads": 1, "learner": "sparse-ppo"}, {"kind": "sparse", "width": 128}
    config = parse_config({"run": run, "network": network, "ppo": {"batch_size": 2048, "epochs": 1}})
    environments = Environments()
    learner = SparsePpo("democrat", environments, config, SparsePpo.Options())
    learner.games.set_opponents(["heuristic"])
    learner.begin(0)
    learner.iterate(1, 1.0)  # loads or compiles what is needed

    def step() -> int:
        before = environments.spent
        learner.iterate(2, 1.0)
        return environments.spent - before

    return per_second(step, seconds)


def search_milliseconds(spec: str, seconds: float) -> float:
    """Milliseconds a decision of a searching player, in games against itself."""
    game, player = Game(0), make_player(spec)

    def step() -> int:
        nonlocal game
        game.step(player.choose(View(game.state)))
        game = Game(1) if game.over else game
        return 1

    step()
    return 1000 / per_second(step, seconds)


def start_figures() -> dict[str, float]:
    """Processor seconds of the first compilation by numba, and seconds of a later start."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"DAWN_ENV_CACHE_DIR": folder, "DAWN_ENV_LIBRARY": "off"}
        return {
            "first_compile_processor_seconds": _start(environment)[1],
            "cached_start_seconds": _start(environment)[0],
        }


def _start(environment: dict[str, str]) -> list[float]:
    done = subprocess.run([sys.executable, "-c", START], env=environment, check=True, stdout=subprocess.PIPE)
    return list(map(float, done.stdout.split()))


def measure(count: int, seconds: float) -> dict[str, object]:
    """All figures, by name."""
    parts = (
        lambda: batch_figures(count, seconds),
        lambda: {"aec_decisions_per_second": aec_rate(seconds)},
        lambda: {"vector_env_decisions_per_second": vector_env_rate(seconds)},
        lambda: {"seat_decisions_per_second": seat_rate(seconds)},
        lambda: {"heuristic_decisions_per_second": player_rate("heuristic", seconds)},
        lambda: {"sparse_policy_microseconds": 1e6 / player_rate("pretrained", seconds)},
        lambda: {"sparse_ppo_decisions_per_second": sparse_ppo_rate(seconds)},
        lambda: {"search_200_milliseconds": search_milliseconds("search:sims=200", 4 * seconds)},
        start_figures,
        lambda: {"bytes_per_game": STATE.itemsize},
    )
    figures = {"command": f"dawn benchmark --batch {count} --seconds {seconds:g}", **machine(), "batch": count}
    for part in with_progress(parts, "benchmark", unit="measurements", keep=False):
        figures |= part()
    return figures


def run(options: argparse.Namespace) -> None:
    """Measure, print the figures, and write the file."""
    figures = measure(options.batch, options.seconds)
    rows = [(name, f"{value:,.2f}" if isinstance(value, float) else str(value)) for name, value in figures.items()]
    console().print(Sheet("dawn_env benchmark", ("figure", "value"), rows))
    if options.json:
        write_json(figures, options.json)


main = entry_point(make_parser, run, extra="train")
