"""The training run: a warm start by imitation or distillation, then iterations, one side after the other."""

import json
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import torch
from stable_baselines3.common.utils import set_random_seed
from torch.distributions import Distribution

from agents.files import whole_file
from agents.networks.network import average_network
from agents.networks.policy_file import PolicyFileError, PolicyInfo, load_policy, save_policy
from agents.networks.tensor_file import first_line
from agents.score import Score
from agents.training.checkpoint import (
    FILE,
    CheckpointError,
    load_checkpoint,
    random_state,
    restore_random_state,
    save_checkpoint,
)
from agents.training.config import Config, ConfigError, parse_config, to_tables
from agents.training.distillation import Distiller
from agents.training.evaluation import Scores, evaluate, falls, flat, mean_rate
from agents.training.imitation import warm_start
from agents.training.league import PAST, Pool, anchors
from agents.training.learner import Learner
from agents.training.progress import Progress, plot_rates
from agents.training.saved import check_run
from dawn_env.formats.foreign import parse_json, read_text
from dawn_env.tables import SIDE_NAMES

CONFIG_FILE, PLOT_FILE = "config.json", "rates.png"
_MOST_BYTES = 2**20  # of saved settings
_OTHER = dict(zip(SIDE_NAMES, reversed(SIDE_NAMES), strict=True))


class Training:
    """A run in a folder: ``begin`` or ``resume`` it, ``run``, then ``finish``.

    ``stop``: set it to end the run after the iteration in progress.
    """

    def __init__(self, config: Config, folder: Path):
        """Raises ``ConfigError`` for players that cannot be had and devices that are not there."""
        self.config, self.folder, self.stop = config, folder, False
        self.iteration, self.seconds = 0, 0.0
        self.best_scores: Scores = {}  # by side and anchor
        self.best_rates = dict.fromkeys(SIDE_NAMES, -1.0)  # means over the anchors, of the policies kept
        self.origins: dict[str, dict[str, Any]] = {}  # by side, how the policies gone on from were trained
        self.anchors = anchors(config.league, config.run.seed)
        _prepare_torch(config)
        for part in ("league", "policies"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        self.learners = {
            side: Learner(side, config.games, config.ppo, config.network, config.run.device) for side in SIDE_NAMES
        }
        self.pools = {side: self._pool(side) for side in SIDE_NAMES}
        self.progress: Progress | None = None

    def _pool(self, side: str) -> Pool:
        """Opponents of the learner of ``side``."""
        other = _OTHER[side]
        newest = self.learners[other].policy.network
        seed = _seed(self.config, "opponents", side)
        return Pool(self.config.league, other, self.anchors, newest, self.folder / "league", seed)

    @property
    def decisions(self) -> int:
        """Decisions of both learners so far."""
        return sum(learner.num_timesteps for learner in self.learners.values())

    def remaining(self) -> float:
        """Share of the run that is left, by the limit that comes first."""
        limits = self.config.limits
        used = [self.decisions / limits.decisions]
        if limits.minutes is not None:
            used.append(self.seconds / 60 / limits.minutes if limits.minutes else 1.0)
        return max(0.0, 1 - max(used))

    @contextmanager
    def _timed(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self.seconds += time.monotonic() - started

    # --- beginning -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Start from fresh or given networks: write the settings, learn what the warm start teaches, measure, save.

        Raises ``PolicyFileError`` and ``ConfigError`` for policies that cannot be gone on from, and
        ``KeyboardInterrupt`` if ``stop`` is set during the warm start.
        """
        if self.config.run.start is not None:
            self._load_start(Path(self.config.run.start))
        with whole_file(self.folder / CONFIG_FILE) as file:
            json.dump(to_tables(self.config), file, indent=1)
        figures: dict[str, float] = {"decisions": 0}
        with self._timed():
            figures |= self._warm_start()
            self._start_games()
            self.progress = Progress(self.folder, self.config.limits, [])
            self._add(figures, measured=True)
        self.save()

    def _load_start(self, folder: Path) -> None:
        for side, network in self._networks().items():
            start, info = load_policy(folder / f"{side}.zip")
            if info.side != side:
                raise ConfigError(f"run.start: {folder / f'{side}.zip'} is a policy of the {info.side}")
            if info.network != self.config.network:
                raise ConfigError(f"run.start: the policies in {folder} have other settings: network = {info.network}")
            network.load_state_dict(start.state_dict())
            self.origins[side] = info.training

    def _warm_start(self) -> dict[str, float]:
        """What the networks learn before they play for themselves; its figures."""
        figures: dict[str, float] = {}
        networks, imitation, distillation = self._networks(), self.config.imitation, self.config.distillation
        options = self.config.games.options
        if imitation.games:
            learnt = warm_start(networks, imitation, _seed(self.config, "imitation"), lambda: self.stop, options)
            figures |= {f"imitation/{name}": value for name, value in learnt.items()}
        if distillation.games:
            seed, verdicts = _seed(self.config, "distillation"), self.folder / "verdicts"
            distiller = Distiller(networks, distillation, seed, verdicts, lambda: self.stop, options)
            learnt = distiller.run(self.config.run.threads)
            figures |= {f"distillation/{name}": value for name, value in learnt.items()}
        return figures

    def _start_games(self) -> None:
        for side, learner in self.learners.items():
            learner.env.set_opponents(*self.pools[side].opponents())
            learner.begin(_seed(self.config, "games", side))

    # --- going on ------------------------------------------------------------------------------

    def run(self) -> None:
        """Begin, if that has not been done, and iterate until a limit is reached or ``stop`` is set; the latest
        state is saved."""
        if self.progress is None:
            self.begin()
        while self.remaining() > 0 and not self.stop:
            with self._timed():
                self._iterate()
            if self.iteration % self.config.checkpoint.every == 0:
                self.save()
        self.save()

    def _iterate(self) -> None:
        self.iteration += 1
        remaining, figures = self.remaining(), {}
        for side in SIDE_NAMES:
            figures |= {f"{side}/{name}": value for name, value in self._learn(side, remaining).items()}
        figures = {"decisions": self.decisions, "minutes": self.seconds / 60} | figures
        if self.iteration % self.config.league.freeze_every == 0:
            for side, pool in self.pools.items():
                pool.freeze(self.learners[_OTHER[side]].policy.network, self._info(_OTHER[side]), self.iteration)
        self._add(figures, measured=self.iteration % self.config.evaluation.every == 0)

    def _learn(self, side: str, remaining: float) -> dict[str, float]:
        """An iteration of one side; its figures."""
        learner, pool = self.learners[side], self.pools[side]
        learner.env.set_opponents(*pool.opponents())
        thought = pool.clock.seconds
        figures = learner.iterate(remaining, values_only=self.iteration <= self.config.ppo.value_warmup)
        results = learner.env.results(clear=True)
        pool.note(results)
        opponents = pool.clock.seconds - thought
        seconds = sum(figures[f"seconds_{part}"] for part in ("env", "advice", "network", "update"))
        figures["seconds_opponents"] = opponents
        figures["seconds_engine"] = figures.pop("seconds_env") - opponents
        figures["decisions_per_second"] = figures.pop("decisions") / seconds
        return figures | _rates(results)

    def _add(self, figures: dict[str, float], measured: bool) -> None:
        """Log an iteration, with matches against the anchors if they are due."""
        if measured:
            scores = self._evaluate(self.config.evaluation.games, "matches")
            figures |= flat(scores)
            self._judge(scores)
        self.progress.add({"iteration": self.iteration} | figures)

    # --- measuring -----------------------------------------------------------------------------

    def _networks(self) -> dict[str, torch.nn.Module]:
        return {side: learner.policy.network for side, learner in self.learners.items()}

    def _evaluate(self, games: int, purpose: str, networks: dict[str, torch.nn.Module] | None = None) -> Scores:
        seed = _seed(self.config, purpose)
        options, width = self.config.games.options, self.config.evaluation.at_once
        return evaluate(networks or self._networks(), self.anchors, games, width, seed, options)

    def _judge(self, scores: Scores) -> None:
        """Report what has fallen, keep the policies that are the best so far."""
        for line in falls(self.best_scores, scores):
            self.progress.say(f"worse than before: {line}")
        for key, score in scores.items():
            if key not in self.best_scores or score.rate >= self.best_scores[key].rate:
                self.best_scores[key] = score
        for side, network in self._networks().items():
            rate = mean_rate(scores, side)
            if rate >= self.best_rates[side]:
                self.best_rates[side] = rate
                save_policy(self.policy_path(side), network, self._info(side))

    def _info(self, side: str) -> PolicyInfo:
        training = {"config": to_tables(self.config), "iteration": self.iteration, "decisions": self.decisions}
        if side in self.origins:
            training["start"] = self.origins[side]
        return PolicyInfo(side, self.config.network, self.config.games.options.to_json(), training)

    def policy_path(self, side: str) -> Path:
        """Where the best policy of a side is kept."""
        return self.folder / "policies" / f"{side}.zip"

    def _choose(self) -> None:
        """Keep, for each side, the best in matches on new deals: the policy kept so far (the best of many rates, so a
        lucky one), the last one, or the average of the last one's weights and those of its frozen copies."""
        last = self._networks()
        average = {
            side: average_network([network, *self.pools[_OTHER[side]].networks()]) for side, network in last.items()
        }
        kept = {side: load_policy(self.policy_path(side))[0] for side in SIDE_NAMES}
        games = self.config.evaluation.games
        found = [(networks, self._evaluate(games, "choice", networks)) for networks in (kept, last, average)]
        for side in SIDE_NAMES:
            networks, _ = max(found, key=lambda candidate: mean_rate(candidate[1], side))
            if networks is not kept:
                save_policy(self.policy_path(side), networks[side], self._info(side))

    def finish(self) -> Scores:
        """Choose the policies to keep, measure them in games of their own, note that in their files, draw the plot."""
        self._choose()
        kept = {side: load_policy(self.policy_path(side)) for side in SIDE_NAMES}
        networks = {side: network for side, (network, _) in kept.items()}
        scores = self._evaluate(self.config.evaluation.final_games, "final", networks)
        for side, (network, info) in kept.items():
            ratings = {
                anchor: {"games": score.games, "points": score.rate, "interval": score.interval()}
                for (policy, anchor), score in scores.items() if policy == side
            }  # fmt: skip
            save_policy(self.policy_path(side), network, replace(info, ratings=ratings))
        plot_rates(self.progress.history, self.folder / PLOT_FILE)
        return scores

    # --- saving --------------------------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint that ``resume`` goes on from exactly, and the figures."""
        save_checkpoint(self.folder, self._state())
        self.progress.save()

    def _state(self) -> dict[str, Any]:
        return {
            "iteration": self.iteration,
            "seconds": self.seconds,
            "history": self.progress.history,
            "best_scores": [(*key, *astuple(score)) for key, score in self.best_scores.items()],
            "best_rates": self.best_rates,
            "origins": self.origins,
            "learners": {side: learner.state() for side, learner in self.learners.items()},
            "pools": {side: pool.state() for side, pool in self.pools.items()},
            "random": random_state(),
        }

    @classmethod
    def resume(cls, folder: Path) -> "Training":
        """The run of a folder, as it was saved last; raises ``CheckpointError`` and ``ConfigError``.

        A run that was broken off in its warm start begins once more, and finds the verdicts there were.
        """
        config = _saved_config(folder)
        state = load_checkpoint(folder) if (folder / FILE).exists() else None
        try:
            training = cls(config, folder)
        except ConfigError as error:
            raise ConfigError(f"{folder / CONFIG_FILE}: {error}") from error
        if state is not None:
            try:
                training._restore(state)
            except (CheckpointError, PolicyFileError) as error:
                raise type(error)(f"{folder / FILE}: {error}") from error
            except (ValueError, TypeError, RuntimeError, OverflowError) as error:  # of torch and numpy
                raise CheckpointError(f"{folder / FILE}: damaged checkpoint: {first_line(error)}") from error
        return training

    def _restore(self, state: dict[str, Any]) -> None:
        check_run(state)
        self.iteration, self.seconds, self.best_rates = state["iteration"], state["seconds"], state["best_rates"]
        self.origins = state["origins"]
        self.best_scores = {(side, anchor): Score(*counts) for side, anchor, *counts in state["best_scores"]}
        for side, pool in self.pools.items():
            pool.restore(state["pools"][side])
        self._start_games()
        for side, learner in self.learners.items():
            learner.restore(state["learners"][side], self.pools[side].find)
        self.progress = Progress(self.folder, self.config.limits, state["history"])
        restore_random_state(state["random"])

    def close(self) -> None:
        """Close files and the bar."""
        if self.progress:
            self.progress.close()


def _saved_config(folder: Path) -> Config:
    path = folder / CONFIG_FILE
    try:
        return parse_config(parse_json(read_text(path, _MOST_BYTES)))
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} holds no checkpoint to resume from ({CONFIG_FILE} is missing)") from error
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error


def _prepare_torch(config: Config) -> None:
    if config.run.device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("run.device: torch finds no graphics card for cuda; auto takes one where there is one")
    torch.set_num_threads(config.run.threads)
    set_random_seed(config.run.seed)
    Distribution.set_default_validate_args(False)  # checks of every distribution cost more than the sampling


def _seed(config: Config, *purpose: str) -> int:
    """A seed for one purpose, that differs between purposes and runs."""
    return zlib.crc32(" ".join([str(config.run.seed), *purpose]).encode()) << 24


def _rates(results: dict[tuple[str, str], dict[str, int]]) -> dict[str, float]:
    """Mean reward per game, and the share of points against each opponent, frozen ones together."""
    totals: dict[str, list[float]] = {}
    for (opponent, _), counts in results.items():
        name = PAST if opponent.startswith(PAST + "-") else opponent
        points, games = totals.get(name, (0.0, 0))
        totals[name] = [points + counts["wins"] + counts["draws"] / 2, games + counts["games"]]
    games = sum(count for _, count in totals.values())
    figures = {"reward": 2 * sum(points for points, _ in totals.values()) / games - 1} if games else {}
    return figures | {f"points/{name}": points / count for name, (points, count) in totals.items()}
