"""The training run: a warm start by imitation or distillation, then iterations of a learner."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import torch
from annotated_types import Ge
from torch.distributions import Distribution

from dawn_agents.players.networks.network_options import NetworkOptions
from dawn_agents.players.specification import BadSpec, split
from dawn_agents.training.checkpoint import (
    FILE,
    CheckpointError,
    damaged,
    load_checkpoint,
    random_state,
    restore_random_state,
    save_checkpoint,
    seed_generators,
)
from dawn_agents.training.distillation import distil
from dawn_agents.training.environments import Environments
from dawn_agents.training.imitation import warm_start
from dawn_agents.training.league import anchors, make_learner
from dawn_agents.training.learner import (
    LEARNERS,
    Learner,
    Policy,
    PolicyMetadata,
    full_name,
    purpose_seed,
)
from dawn_agents.training.network_policies import TrainablePolicy
from dawn_agents.training.policy_matches import MatchesStopped, Scores, evaluate, mean_rate
from dawn_agents.training.training_config import Config, ConfigError, load_config, to_tables
from dawn_agents.training.training_log import METRICS_FILE, TrainingLog, plot_rates
from dawn_env.errors import BadInput, DawnError
from dawn_env.options import GameOptions
from dawn_env.support.atomic_files import write_json
from dawn_env.support.file_lock import lock_file
from dawn_env.support.progress_bars import print_above_bars
from dawn_env.support.thread_pool import checked_threads
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.checked_input import keyed, read

CONFIG_FILE, LOCK_FILE, PLOT_FILE = "config.json", "run.lock", "rates.png"
_STATE = {
    "iteration": Annotated[int, Ge(0)], "decisions": Annotated[int, Ge(0)], "seconds": Annotated[float, Ge(0)],
    "best_rates": dict[str, float], "origins": dict[str, dict[str, Any]],
}  # fmt: skip
_STATE_KINDS = keyed(_STATE)


class Training:
    """A run in a folder: ``begin`` or ``resume`` it, ``run``, then ``finish``.

    ``stop``: set it to end the run after the iteration in progress, or in the middle of matches, which are played anew
    when the run goes on.
    """

    def __init__(self, config: Config, folder: Path):
        """Raises ``ConfigError`` for players that cannot be had and devices that are not there, ``CheckpointError``
        while the run is being trained."""
        self.config, self.folder, self.stop = config, folder, False
        self.iteration, self.seconds = 0, 0.0
        self.sides = config.run.sides
        self.best_rates = dict.fromkeys(self.sides, -1.0)  # means over the anchors, of the policies kept
        self.origins: dict[str, dict[str, Any]] = {}  # by side, how the policies gone on from were trained
        self.anchors = anchors(config.league, config.run.seed)
        if config.run.device == "cuda" and not torch.cuda.is_available():
            raise ConfigError("run.device: torch finds no graphics card for cuda; auto takes one where there is one")
        torch.set_num_threads(self.threads)
        seed_generators(config.run.seed)
        Distribution.set_default_validate_args(False)  # checks of every distribution cost more than the sampling
        (folder / "policies").mkdir(parents=True, exist_ok=True)
        try:
            self._lock = lock_file(folder / LOCK_FILE)
        except TimeoutError:
            raise CheckpointError(f"{folder} is being trained already, perhaps by another process") from None
        for part in folder.glob(f".{FILE}.*"):
            part.unlink()  # of a process that was killed while it saved
        self.environments = Environments(config.games.options, folder=folder)
        self.learner = _learner(config, self.environments)
        self.progress: TrainingLog | None = None

    @property
    def threads(self) -> int:
        """Number of threads: ``run.threads``, else ``OMP_NUM_THREADS``, else the number of cores."""
        return checked_threads(self.config.run.threads)

    def _seed(self, *purpose: str) -> int:
        """A seed for one purpose, that differs between purposes and runs."""
        return purpose_seed(self.config.run.seed, *purpose)

    @property
    def decisions(self) -> int:
        """Decisions of the learner so far."""
        return self.environments.spent

    @decisions.setter
    def decisions(self, count: int) -> None:
        self.environments.spent = count

    def remaining(self) -> float:
        """Share of the run that is left, by the limit that comes first."""
        return 1 - self._share(self.decisions, self.seconds)

    def _share(self, decisions: float, seconds: float) -> float:
        """Share of the run that so many decisions or seconds are, by the limit that comes first."""
        limits = self.config.limits
        used = [decisions / limits.decisions]
        if limits.minutes is not None:
            used.append(seconds / 60 / limits.minutes if limits.minutes else 1.0)
        return min(1.0, max(used))

    # --- beginning -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Start from fresh or given networks: write the settings, do the warm start, save a checkpoint, play
        the first matches.

        Raises ``PolicyFileError`` and ``ConfigError`` for policies that cannot be gone on from, and
        ``KeyboardInterrupt`` if ``stop`` is set during the warm start.
        """
        if self.config.run.start is not None:
            self._load_start(Path(self.config.run.start))
        if (self.folder / CONFIG_FILE).exists():
            print_above_bars(f"{self.folder} holds no checkpoint yet: the run begins anew")
        write_json(to_tables(self.config), self.folder / CONFIG_FILE)
        started = time.monotonic()
        metrics = {"decisions": 0} | self._warm_start()
        self.learner.begin(self.config.run.seed)
        self.progress = TrainingLog(self.folder, self.config, [])
        self.progress.add({"iteration": 0} | metrics)
        self.seconds += time.monotonic() - started
        self.save()
        self._measure()

    def _load_start(self, folder: Path) -> None:
        for side in SIDE_NAMES:
            path = folder / f"{side}.zip"
            if side not in self.sides and not path.exists():
                continue
            network = None if self.learner.starts_from_files else self._network_policy(side, "run.start")
            start, facts = self.learner.load(path)
            if facts.side != side:
                raise ConfigError(f"run.start: {path} is a policy of the {facts.side}")
            if (mode := GameOptions.of(facts.rules).mode) != self.config.games.options.mode:
                raise ConfigError(f"run.start: {path} is a policy of the {mode} game")
            if network is None:
                self.learner.start_from(side, start)
            else:
                self._check_shape(folder, start.options)
                network.load_weights(start.trainable())
            self.origins[side] = facts.training

    def _check_shape(self, folder: Path, options: NetworkOptions) -> None:
        """Raise ``ConfigError`` for networks of ``run.start`` that differ in shape from those of the settings."""
        theirs, ours = options.shape(), self.config.network.shape()
        different = [
            f"network.{name}: {theirs.get(name)} in the files, {value} in the settings"
            for name, value in ours.items()
            if theirs.get(name) != value
        ]
        if different:
            raise ConfigError(f"run.start: the policies in {folder} have other settings: {', '.join(different)}")

    def _warm_start(self) -> dict[str, float]:
        """Warm start: training of the networks before self-play; returns its metrics."""
        config, metrics = self.config, {}
        methods = (("imitation", config.imitation, warm_start), ("distillation", config.distillation, distil))
        for name, options, teach in methods:
            if options.games:
                policies = {side: self._network_policy(side, f"{name}.games") for side in SIDE_NAMES}
                networks = {side: policy.trainable() for side, policy in policies.items()}
                learnt = teach(networks, options, self._seed(name), lambda: self.stop, config.games.options)
                for side, policy in policies.items():
                    policy.load_weights(networks[side])
                metrics |= {f"{name}/{metric}": value for metric, value in learnt.items()}
        return metrics

    def _network_policy(self, side: str, setting: str) -> TrainablePolicy:
        """The policy of a learner of networks; raises ``ConfigError`` that names the ``setting`` for another one."""
        policy = self.learner.policies[side] if self.learner.has_networks else None
        if not isinstance(policy, TrainablePolicy):
            raise ConfigError(f"{setting}: a learner of networks expected, not {self.config.run.learner}")
        return policy

    # --- going on ------------------------------------------------------------------------------

    def run(self) -> None:
        """Begin, if that has not been done, and iterate until a limit is reached or ``stop`` is set; the latest
        state is saved."""
        if self.progress is None:
            self.begin()
        else:
            self._measure()  # matches that a stop broke off
        while self.remaining() > 0 and not (self.stop or self.learner.done):
            self._iterate()
            if self.iteration % self.config.checkpoint.every == 0:
                self.save()
        self.save()

    def _iterate(self) -> None:
        self.iteration += 1
        before, started = self.decisions, time.perf_counter()
        learnt = self.learner.iterate(self.iteration, self.remaining())
        seconds = time.perf_counter() - started
        learnt = {"decisions_per_second": (self.decisions - before) / seconds} | dict(learnt)
        metrics = {name if "/" in name else f"learner/{name}": value for name, value in learnt.items()}
        self.progress.add(self._place() | metrics)
        self.seconds += seconds
        self._measure()

    def _place(self) -> dict[str, float]:
        """Where the run is, as metrics."""
        return {"iteration": self.iteration, "decisions": self.decisions, "minutes": self.seconds / 60}

    # --- measuring -----------------------------------------------------------------------------

    def _matches_are_due(self) -> bool:
        """Return True before the first matches, and after each of the ``evaluation.times`` equal parts of the run but
        the last, whose matches ``finish`` plays."""
        times, latest = self.config.evaluation.times, self.progress.latest_matches
        if latest is None:
            return True
        measured = int(times * self._share(latest["decisions"], 60 * latest.get("minutes", 0)))
        return measured < int(times * self._share(self.decisions, self.seconds)) < times

    def _measure(self) -> None:
        """Play evaluation matches if they are due, log the scores, and save the policies that are the best so far."""
        if not self._matches_are_due():
            return
        started = time.monotonic()
        try:
            scores = self.evaluate(self.config.evaluation.games, "matches")
        except MatchesStopped:
            return
        for side, policy in self._policies().items():
            rate = mean_rate(scores, side)
            if rate >= self.best_rates[side] or self.learner.latest_is_best:
                self.best_rates[side] = rate
                policy.save(self.policy_path(side), self._facts(side))
        self.seconds += time.monotonic() - started
        self.progress.add(self._place() | _rates(scores))

    def _policies(self) -> dict[str, Policy]:
        policies = self.learner.policies
        return {side: policies[side] for side in self.sides}

    def evaluate(
        self, games: int, purpose: str, policies: dict[str, Policy] | None = None, sample: bool = False
    ) -> Scores:
        """Scores against the anchors; the same ``purpose``, the same deals. ``policies``: those that learn if left
        out. Raises ``MatchesStopped`` if ``stop`` is set."""
        seed, width = self._seed(purpose), self.config.evaluation.at_once
        policies = policies or self._policies()
        return evaluate(
            policies, self.anchors, games, width, seed, self.config.games.options, sample, lambda: self.stop
        )

    def _facts(self, side: str) -> PolicyMetadata:
        training = {"config": to_tables(self.config), "iteration": self.iteration, "decisions": self.decisions}
        if side in self.origins:
            training["start"] = self.origins[side]
        return PolicyMetadata(side, self.config.games.options.to_json(), training)

    def policy_path(self, side: str) -> Path:
        """File of the best policy of a side."""
        return self.folder / "policies" / f"{side}.zip"

    def _choose(self) -> None:
        """Choose the policy of each side to keep, by matches on new deals: the one kept so far, whose best score may be
        luck, or a candidate of the learner. Of learners that only get better the latest is kept, without matches."""
        if self.learner.latest_is_best:
            for side, policy in self._policies().items():
                policy.save(self.policy_path(side), self._facts(side))
            return
        kept = {side: policy for side, (policy, _) in self._kept().items()}
        tried = self.learner.candidates()
        games = self.config.evaluation.games
        found = [(policies, self.evaluate(games, "choice", policies)) for policies in (kept, *tried)]
        for side in self.sides:
            policies, _ = max(found, key=lambda candidate: mean_rate(candidate[1], side))
            if policies is not kept:
                policies[side].save(self.policy_path(side), self._facts(side))

    def _kept(self) -> dict[str, tuple[Policy, PolicyMetadata]]:
        """The policies kept, by side."""
        return {side: self.learner.load(self.policy_path(side)) for side in self.sides}

    def finish(self) -> tuple[Scores, Scores | None]:
        """Choose the best policies, play the final matches, write the scores to the policy files and the log, and draw
        the plot.

        Scores at their best, which are recorded, and with sampled actions on the same deals, if all of them can sample.
        """
        self._choose()
        kept = self._kept()
        policies = {side: policy for side, (policy, _) in kept.items()}
        games = self.config.evaluation.final_games
        scores = self.evaluate(games, "final", policies)
        sampled = self.evaluate(games, "final", policies, sample=True) if self.learner.can_sample else None
        for side, (policy, facts) in kept.items():
            ratings = {
                anchor: {"games": score.games, "points": score.rate, "interval": score.interval()}
                for (measured, anchor), score in scores.items() if measured == side
            }  # fmt: skip
            policy.save(self.policy_path(side), replace(facts, ratings=ratings))
        self.progress.add(self._place() | _rates(scores))
        self.progress.save()
        plot_rates(self.progress.history, self.folder / PLOT_FILE)
        return scores, sampled

    # --- saving --------------------------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint that ``resume`` goes on from exactly, and the metrics."""
        state = {name: getattr(self, name) for name in _STATE}
        state |= {"history": self.progress.history, "learner": self.learner.state(), "random": random_state()}
        save_checkpoint(self.folder, _fixed_settings(self.config), state)
        self.progress.save()

    @classmethod
    def resume(cls, folder: Path) -> "Training":
        """The run of a folder, as it was saved last; raises ``CheckpointError`` and ``ConfigError``.

        A run that was broken off in its warm start begins once more.
        """
        if not (folder / CONFIG_FILE).exists():
            raise CheckpointError(f"{folder} holds no checkpoint to resume from ({CONFIG_FILE} is missing)")
        config = load_config(folder / CONFIG_FILE)
        saved = any(path.exists() for path in (folder / FILE, folder / METRICS_FILE))
        training = cls(config, folder)
        if saved:
            state = load_checkpoint(folder, _fixed_settings(config))
            try:
                training._restore(state)
            except DawnError:
                raise
            except Exception as error:  # whatever is in the file
                raise damaged(folder, error) from error
        return training

    def _restore(self, state: dict[str, Any]) -> None:
        for name, value in read(_STATE_KINDS, {name: state[name] for name in _STATE}).items():
            setattr(self, name, value)
        read(keyed(dict.fromkeys(self.sides, float)), self.best_rates, "best_rates")
        self.learner.begin(self.config.run.seed)
        self.learner.restore(state["learner"])
        self.progress = TrainingLog(self.folder, self.config, state["history"])
        restore_random_state(state["random"])

    def close(self) -> None:
        """Close files and the bar, and let other processes go on with the run."""
        if self.progress:
            self.progress.close()
        self.learner.close()
        self._lock.release()


def _rates(scores: Scores) -> dict[str, float]:
    """Points per game as metrics, by name."""
    return {f"anchor/{side}/{anchor}": score.rate for (side, anchor), score in scores.items()}


def _learner(config: Config, environments: Environments) -> Learner:
    try:
        learner = make_learner(config.run.learner, environments, config)
    except (BadSpec, BadInput) as error:
        raise ConfigError(f"run.learner: {error}") from error
    if config.run.executor == "ray" and not learner.plays_on_ray:
        raise ConfigError(f"run.executor: local expected with {config.run.learner}; on Ray, afterstate learns")
    if set(learner.sides) > set(config.run.sides):
        raise ConfigError(f"run.side: both expected with {config.run.learner}, which learns both sides at once")
    return learner


def _fixed_settings(config: Config) -> dict[str, Any]:
    """Settings, by name, that a resumed run must share with its checkpoint."""
    return {
        "run.seed": config.run.seed,
        "run.learner": split("learner", LEARNERS, full_name(config.run.learner))[0],
        "run.side": config.run.side,
        "games.at_once": config.games.at_once,
        "games.options": config.games.options.to_json(),
        **{f"network.{name}": value for name, value in config.network.shape().items()},
        "league.anchors": sorted(config.league.anchors),
    }
