"""Actors on a Ray cluster (needs the extra ``ray``): each plays some of the games with the newest weights it was given
and sends what it played; one that is lost is replaced, and no more than its last batch is missing."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dawn_agents.training.afterstate_actor import Actor, Afterstates
from dawn_agents.training.training_config import Config, ConfigError
from dawn_agents.work.executor import WorkerDied
from dawn_agents.work.ray_executor import RayCluster
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.progress_bars import print_above_bars

with optional_imports():
    import ray
    from ray.exceptions import RayError, RayTaskError

_MOST_LOST = 20  # in a row; then their work is to blame


class RemoteActor:
    """An actor in a process of its own, with one thread."""

    def __init__(self, config: Config, games: int, seed: int):
        self._actor = Actor(config, games)
        self._actor.begin(np.random.default_rng(seed))

    def play(self, weights: np.ndarray, temperature: float, decisions: int) -> Afterstates:
        """Play; what cannot be learnt is left out."""
        played = self._actor.play(weights.copy(), temperature, decisions)  # what Ray hands over cannot be written to
        known = ~np.isnan(played.targets[:, 0])
        parts = played.observations, played.targets, played.movers
        return Afterstates(*(part[known] for part in parts), played.tally)


class RayActors:
    """``[run] actors`` actors on the cluster ``[run] cluster``, ``games.at_once`` games in all.

    Each plays on while the learner learns, by weights that are a batch old at most.
    """

    def __init__(self, config: Config):
        """Raises ``ExecutorError`` for a cluster that cannot be reached, ``ConfigError`` for too many actors."""
        self._cluster = RayCluster(config.run.cluster)
        count = config.run.actors or self._cluster.size
        if config.games.at_once % count:
            self._cluster.close()
            raise ConfigError(f"games.at_once: a multiple of {count}, the number of actors, expected")
        self._config, self.count = config, count
        self._rng = np.random.default_rng(config.run.seed)
        self._playing: dict[Any, Any] = {}  # actors by what they are about to send
        self._lost = 0  # since the last batch

    def begin(self, rng: np.random.Generator) -> None:
        """Draw the seeds of the actors from ``rng``; they start with the first batch."""
        self._rng = rng

    def _new(self) -> Any:
        games, seed = self._config.games.at_once // self.count, int(self._rng.integers(0, 2**62))
        return ray.remote(num_cpus=1)(RemoteActor).remote(self._config, games, seed)

    def collect(self, weights: np.ndarray, temperature: float, decisions: int) -> Iterator[Afterstates]:
        """As many batches as there are actors, in the order in which they come."""
        newest = ray.put(weights), temperature, decisions
        waiting = [self._new() for _ in range(self.count - len(self._playing))]
        missing = self.count
        while missing:
            self._playing |= {actor.play.remote(*newest): actor for actor in waiting}
            (sent,), _ = ray.wait(list(self._playing), num_returns=1)
            actor = self._playing.pop(sent)
            try:
                played = ray.get(sent)
            except RayTaskError as error:
                raise error.cause from None
            except RayError as error:
                self._lost += 1
                if self._lost > _MOST_LOST:
                    raise WorkerDied(f"{self._lost} actors were lost, one after the other: {error}") from error
                print_above_bars("an actor was lost; another one takes its place")
                waiting = [self._new()]
                continue
            waiting, missing, self._lost = [actor], missing - 1, 0
            yield played
        self._playing |= {actor.play.remote(*newest): actor for actor in waiting}

    def state(self) -> dict[str, Any]:
        """Return nothing: games of a run that goes on begin anew."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Do nothing: games begin anew."""

    def close(self) -> None:
        """End the actors and leave the cluster."""
        self._cluster.close()
