"""The search for a best response: rounds of games against the target, labelled by play-outs, and of learning."""

import itertools
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from dawn_agents.best_response.candidate_games import Collector
from dawn_agents.best_response.run_settings import Progress, Settings, load, save
from dawn_agents.players.policy_player import PRETRAINED, NetworkPlayer
from dawn_agents.registry import make_player
from dawn_agents.training.distillation import Targets, load_targets, losses, save_targets
from dawn_agents.training.learner import Facts, NetworkPolicy
from dawn_agents.training.network_trainer import Trainer
from dawn_agents.training.policy_matches import Scores, evaluate
from dawn_agents.training.training_config import ConfigError, Distillation
from dawn_env.errors import PlayerFailure
from dawn_env.options import STANDARD
from dawn_env.support.progress_bars import Gauge
from dawn_env.tables import SIDE_NAMES

LEARNING = Distillation(keep=0.25, least=0.01, plays=2, deals=4, epochs=3, learning_rate=5e-4)
"""How positions are labelled and learnt. Play-outs are short: what they say has less chance in it, and twice as many
fit into the time."""
_TEMPERATURE = 8.0
"""The temperature of what is learnt from one position. It falls with the root of their number, as does what chance has
in gains: with too low a one, a policy would learn the luck of its play-outs."""
_CHUNK = 64  # games between two files
_COLLECTING = 0.75  # of the time of a round; the rest is for learning and matches
_CHOICE_GAMES, _FINAL_GAMES, _AT_ONCE = 400, 1000, 256  # of matches against the target


def default_start(target: str) -> Path:
    """The folder of a target that is a policy, if the policies of both sides are there; else that of ``pretrained``."""
    name, _, options = target.partition(":")
    folder = Path(options.rpartition(",")[2]).parent
    both = all((folder / f"{side}.zip").exists() for side in SIDE_NAMES)
    return folder if name == "policy" and both else PRETRAINED


class Exploiter:
    """A search in a folder, begun or ``resume``d: ``run`` it, then ``finish``.

    ``stop``: set it to end the run; what was collected is kept.
    """

    def __init__(
        self, settings: Settings, folder: Path, progress: Progress | None = None, say: Callable[[str], None] = print
    ):
        """``say``: tells a line about each round. Raises ``ConfigError`` for a target that cannot be met so,
        ``PolicyFileError`` for policies to begin with that cannot be used, and what ``make_player`` raises."""
        self.settings, self.folder, self.progress, self.stop = settings, folder, progress or Progress(), False
        self.say = say
        self.target = make_player(settings.target, settings.seed)
        self._check_target()
        self.start = {side: self._load(Path(settings.start) / f"{side}.zip", side) for side in settings.sides}
        torch.set_num_threads(settings.threads)

    @classmethod
    def resume(cls, folder: Path) -> "Exploiter":
        """The search of a folder as it was saved; raises ``CheckpointError`` besides."""
        settings, progress = load(folder)
        return cls(settings, folder, progress)

    def _check_target(self) -> None:
        if self.target.one_game_at_a_time:
            raise ConfigError(f"{self.target.name} plays one game at a time: it cannot be met in play-outs")
        for side in self.settings.sides:
            try:
                self.target.begin_game(1 - SIDE_NAMES.index(side), STANDARD)
            except PlayerFailure as error:
                raise ConfigError(f"{error}; a best response to it is sought with --side") from error

    @staticmethod
    def _load(path: Path, side: str) -> NetworkPolicy:
        policy, facts = NetworkPolicy.load(path, "cpu")
        if facts.side != side:
            raise ConfigError(f"{path} is a policy of the {facts.side}, not of the {side}")
        return policy

    # --- rounds --------------------------------------------------------------------------------

    @property
    def _seconds_left(self) -> float:
        return self.settings.minutes * 60 - self.progress.seconds

    def run(self) -> None:
        """The rounds that are still to come, as long as there is time; raises ``KeyboardInterrupt`` once ``stop`` is
        set."""
        for part in ("targets", "rounds", "policies"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        self._save()
        if not self.progress.points:
            self._end_round(0, self.start)
        while self.progress.rounds < self.settings.rounds and (self.settings.games or self._seconds_left > 0):
            number = self.progress.rounds + 1
            self._collect(number)
            self._end_round(number, {side: self._learn(number, side) for side in self.settings.sides})

    def _save(self) -> None:
        save(self.folder, self.settings, self.progress)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self.progress.seconds += time.monotonic() - started

    def _seed(self, *purpose: int) -> int:
        return int(np.random.default_rng([self.settings.seed, *purpose]).integers(0, 2**62))

    def _end_round(self, number: int, policies: dict[str, NetworkPolicy]) -> None:
        """Keep the policies of a round (0: the start), and the best so far as the answer."""
        with self._timed():
            for (side, _), score in self._measure(policies, _CHOICE_GAMES, purpose=0).items():
                self.say(f"round {number}, {side}: {score.rate:.1%} of {score.games} games")
                facts = self._facts(side, number)
                policies[side].save(self._round_path(number, side), facts)
                if score.rate >= self.progress.points.get(side, 0):
                    self.progress.points[side] = score.rate
                    policies[side].save(self.path(side), facts)
        self.progress.rounds = number
        self._save()

    def _measure(self, policies: dict[str, NetworkPolicy], games: int, purpose: int) -> Scores:
        return evaluate(policies, {self.target.name: self.target}, games, _AT_ONCE, self._seed(purpose))

    def path(self, side: str) -> Path:
        """File of the best policy of a side."""
        return self.folder / "policies" / f"{side}.zip"

    def _round_path(self, number: int, side: str) -> Path:
        return self.folder / "rounds" / f"{side}-{number}.zip"

    def _facts(self, side: str, number: int) -> Facts:
        told: dict[str, Any] = {"best_response_to": self.settings.target, "seed": self.settings.seed}
        return Facts(side, STANDARD.to_json(), told | {"round": number, "positions": self.progress.positions})

    # --- collecting ----------------------------------------------------------------------------

    def _collect(self, number: int) -> None:
        """Targets of a round, chunks of games in turn for each side, as many as were asked for or there is time for."""
        rounds = self.settings.rounds - number + 1
        end = self.progress.seconds + self._seconds_left / rounds * _COLLECTING
        learners = {side: self._load(self._round_path(number - 1, side), side) for side in self.settings.sides}
        with Gauge(f"round {number} of {self.settings.rounds}", None, "positions") as gauge:
            for chunk, side in ((chunk, side) for chunk in itertools.count() for side in self.settings.sides):
                if self.settings.games and chunk * _CHUNK >= self.settings.games:
                    return
                is_over = not self.settings.games and self.progress.seconds >= end
                if is_over and side == self.settings.sides[0]:  # each side has a file of every chunk, if an empty one
                    return
                path = self.folder / "targets" / f"{number}-{chunk}-{side}.npz"
                if not path.exists():
                    with self._timed():
                        found = self._collect_chunk(learners[side], side, self._seed(1, number, chunk), end)
                    self.progress.positions += len(found)
                    save_targets(path, [found])
                    self._save()
                    gauge.update(len(found))

    def _collect_chunk(self, learner: NetworkPolicy, side: str, seed: int, end: float) -> Targets:
        began = time.monotonic() - self.progress.seconds

        def enough() -> bool:
            if self.stop:
                raise KeyboardInterrupt
            return not self.settings.games and time.monotonic() - began >= end

        reference = NetworkPlayer("reference", self.start[side].network)
        collector = Collector(SIDE_NAMES.index(side), self.target, reference, LEARNING)
        games = min(_CHUNK, self.settings.games or _CHUNK)
        return collector.collect(learner.player("learner", seed, True), learner.player("learner"), games, seed, enough)

    # --- learning ------------------------------------------------------------------------------

    def _learn(self, number: int, side: str) -> NetworkPolicy:
        """The policy of the round before, after it has learnt all targets so far."""
        policy = self._load(self._round_path(number - 1, side), side)
        paths = sorted((self.folder / "targets").glob(f"*-{side}.npz"))
        known = Targets.joined([load_targets(path, 1)[0] for path in paths])
        goal = losses(_TEMPERATURE / math.sqrt(max(1, len(known))))
        trainer = Trainer(policy.network.train(), LEARNING, goal, lambda: self.stop)
        with self._timed():
            trainer.learn(known, self._seed(2, number), title=f"the {side} learns")
        policy.network.eval()
        return policy

    # --- the end -------------------------------------------------------------------------------

    def finish(self) -> tuple[Scores, Scores]:
        """Measure the start and the best policies in the same new games, and note it in the files of the latter."""
        best = {side: NetworkPolicy.load(self.path(side), "cpu") for side in self.settings.sides}
        before = self._measure(self.start, _FINAL_GAMES, purpose=3)
        after = self._measure({side: policy for side, (policy, _) in best.items()}, _FINAL_GAMES, purpose=3)
        for (side, name), score in after.items():
            policy, facts = best[side]
            rating = {"games": score.games, "points": score.rate, "interval": score.interval()}
            policy.save(self.path(side), replace(facts, ratings={name: rating}))
        return before, after
