"""A league: learners of both sides, and their opponents: the newest policy of the other side, frozen past ones, and
anchors that never change."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dawn_agents.players.specification import parse_options, split
from dawn_agents.training.environments import TRACKS, Environments
from dawn_agents.training.learner import (
    LEARNERS,
    Learner,
    Policy,
    PolicyMetadata,
    SideLearner,
    full_name,
    learner_class,
    purpose_seed,
)
from dawn_agents.training.network_policies import TrainablePolicy
from dawn_agents.training.opponents import opponent_player
from dawn_agents.training.training_config import Config, LeagueConfig, to_tables
from dawn_env.players import Player
from dawn_env.tables import SIDE_NAMES

NEWEST = "newest"
PAST = "past"
_LEAST_SHARE = 0.05  # added to a rate of wins, so that nobody is forgotten
_OTHER = dict(zip(SIDE_NAMES, reversed(SIDE_NAMES), strict=True))


@dataclass(eq=False)  # each is itself: comparing weights is neither quick nor meant
class FrozenPolicy:
    """A frozen policy, how it plays, and its ``score`` against the learner: rate of wins, draws half, recent games
    first."""

    policy: Policy
    player: Player
    score: float


def anchors(options: LeagueConfig, seed: int) -> dict[str, Player]:
    """The anchors by specification; raises ``ConfigError`` for those that there are not or that play alone."""
    return {spec: opponent_player(spec, seed, "league.anchors") for spec in options.anchors}


class LeaguePool:
    """The opponents of one learner.

    ``folder`` holds the frozen policies as files, so that a resumed run finds them again.
    """

    def __init__(self, options: LeagueConfig, other: SideLearner, anchors: dict[str, Player], folder: Path, seed: int):
        """Opponents of a learner; ``other``: learner of the other side, met with its present policy."""
        self.options, self.folder, self._other, self._seed = options, folder, other, seed
        self.anchors = list(anchors.values())
        self.newest = other.policy.player(NEWEST, seed, sample=True)
        self.past: list[FrozenPolicy] = []

    def opponents(self) -> tuple[list[Player], list[float]]:
        """The players, and the share of games against each."""
        rates = [(past.score + _LEAST_SHARE) ** self.options.focus for past in self.past]
        shares = [self.options.past * rate / sum(rates) for rate in rates]
        newest = self.options.newest + (0 if self.past else self.options.past)
        players = [self.newest, *self.anchors, *(past.player for past in self.past)]
        return players, [newest, *self.options.anchors.values(), *shares]

    def update_scores(self, results: dict[tuple[str, str], dict[str, int]]) -> None:
        """Update each frozen policy's score from the latest results, those of ``LearnerGames.results``."""
        by_name = {opponent: counts for (opponent, _), counts in results.items()}
        for past in self.past:
            counts = by_name.get(past.player.name)
            if counts:
                score = (counts["losses"] + counts["draws"] / 2) / counts["games"]
                past.score += (1 - self.options.memory) * (score - past.score)

    def freeze(self, facts: PolicyMetadata, iteration: int) -> None:
        """Add a copy of the current policy; above ``league.size``, remove the policies that lose most often."""
        name = f"{PAST}-{iteration:05}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._other.policy.save(self._path(name), facts)
        self.past.append(self._load(name))
        while len(self.past) > self.options.size:
            self.past.remove(min(self.past[:-1], key=lambda past: past.score, default=self.past[0]))

    def _path(self, name: str) -> Path:
        return self.folder / f"{self._other.side}-{name}.zip"

    def _load(self, name: str, score: float = 0.5) -> FrozenPolicy:
        policy, _ = self._other.load(self._path(name))
        return FrozenPolicy(policy, policy.player(name, self._seed, sample=True), score)

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Names and scores of the frozen policies."""
        return {"past": [(past.player.name, past.score) for past in self.past]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from ``state``; raises ``ValueError`` when a file has gone."""
        self.past = [self._load(name, score) for name, score in state["past"]]

    def find(self, name: str) -> Player:
        """An opponent by name, those that have left the pool included."""
        players = {player.name: player for player in self.opponents()[0]}
        return players[name] if name in players else self._load(name).player


class League(Learner):
    """Learners of one side each, in turn, in games against the opponents of ``[league]``.

    ``learners`` by side, those that only play included; ``pools`` by side that learns.
    """

    has_networks: ClassVar[bool] = True
    side_learner: ClassVar[str] = ""
    """Specification of the learner of each side, for derived classes."""

    def __init__(
        self,
        environments: Environments,
        config: Config,
        options: Any = None,
        found: type[SideLearner] | None = None,
    ):
        """Create a learner of each side: of class ``found``, with ``options``, or else as ``side_learner`` says.

        Raises ``ConfigError`` for players that cannot be opponents.
        """
        super().__init__(environments, config, options)
        if found is None:
            name, text = split("learner", LEARNERS, self.side_learner)
            found = learner_class(name)
            self.options = parse_options(name, found.Options, text)
        known, folder = anchors(config.league, config.run.seed), environments.folder / "league"
        self.learners = {side: found(side, environments, config, self.options) for side in SIDE_NAMES}
        self.sides = config.run.sides
        knows = config.network.advice or set(config.league.anchors) - {"random"}
        self.track = TRACKS[1] if knows else TRACKS[0]
        self.pools: dict[str, LeaguePool] = {}
        for side in self.sides:
            seed = purpose_seed(config.run.seed, "opponents", side)
            self.pools[side] = LeaguePool(config.league, self.learners[_OTHER[side]], known, folder, seed)

    def begin(self, seed: int) -> None:
        """Draw the opponents and start all games."""
        self._draw_opponents()
        for side in self.sides:
            self.learners[side].begin(purpose_seed(seed, "games", side))

    def _draw_opponents(self) -> None:
        for side, pool in self.pools.items():
            self.learners[side].games.set_opponents(*pool.opponents())

    def iterate(self, number: int, remaining: float) -> dict[str, float]:
        """Train one side after the other; every ``freeze_every`` iterations, freeze the policies."""
        metrics: dict[str, float] = {}
        for side, pool in self.pools.items():
            learner, before, started = self.learners[side], self.environments.spent, time.perf_counter()
            learner.games.set_opponents(*pool.opponents())
            learnt = learner.iterate(number, remaining)
            learnt["decisions_per_second"] = (self.environments.spent - before) / (time.perf_counter() - started)
            results = learner.games.results(clear=True)
            pool.update_scores(results)
            metrics |= {f"{side}/{name}": value for name, value in (learnt | _rates(results)).items()}
        if number % self.config.league.freeze_every == 0:
            training = {"config": to_tables(self.config), "iteration": number, "decisions": self.environments.spent}
            for side, pool in self.pools.items():
                pool.freeze(PolicyMetadata(_OTHER[side], self.environments.options.to_json(), training), number)
        return metrics

    def player(self) -> Mapping[str, Policy]:
        """Current policies by side."""
        return {side: learner.policy for side, learner in self.learners.items()}

    def candidates(self) -> list[Mapping[str, Policy]]:
        """Candidates of the learners that learn."""
        frozen = {_OTHER[side]: [past.policy for past in pool.past] for side, pool in self.pools.items()}
        found = (self.learners[side].candidates(frozen.get(side, [])) for side in self.sides)
        return [dict(zip(self.sides, policies, strict=True)) for policies in zip(*found, strict=True)]

    def load(self, path: Path) -> tuple[Policy, PolicyMetadata]:
        """A policy of one of its learners."""
        return self.learners[self.sides[0]].load(path)

    def specification(self, path: Path) -> str:
        """Player of a policy's file, or of a folder with those of both sides."""
        return self.learners[self.sides[0]].specification(path)

    # --- saving --------------------------------------------------------------------------------

    def _idle(self) -> dict[str, TrainablePolicy]:
        """Trainable policies of the sides that do not learn, by side; ``run.start`` can load weights into them."""
        policies = {side: learner.policy for side, learner in self.learners.items() if side not in self.sides}
        return {side: policy for side, policy in policies.items() if isinstance(policy, TrainablePolicy)}

    def state(self) -> dict[str, Any]:
        """State of learners, games and opponents."""
        return {
            "learners": {side: self.learners[side].state() for side in self.sides},
            "idle": {side: dict(policy.trainable().state_dict()) for side, policy in self._idle().items()},
            "games": {side: self.learners[side].games.state() for side in self.sides},
            "pools": {side: pool.state() for side, pool in self.pools.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state``; raises ``ValueError`` when a file has gone."""
        for side, policy in self._idle().items():
            network = policy.trainable()
            network.load_state_dict(state["idle"][side])
            policy.load_weights(network)
        for side, pool in self.pools.items():
            pool.restore(state["pools"][side])
        self._draw_opponents()
        for side, pool in self.pools.items():
            games = state["games"][side]
            self.learners[side].games.restore(games, {name: pool.find(name) for name in games["players"]})
            self.learners[side].restore(state["learners"][side])


def _rates(results: dict[tuple[str, str], dict[str, int]]) -> dict[str, float]:
    """Mean reward per game, and the share of points against each opponent, frozen ones together."""
    points, games = Counter(), Counter()
    for (opponent, _), counts in results.items():
        name = PAST if opponent.startswith(PAST + "-") else opponent
        points[name] += counts["wins"] + counts["draws"] / 2
        games[name] += counts["games"]
    metrics = {"reward": 2 * points.total() / games.total() - 1} if games else {}
    return metrics | {f"points/{name}": points[name] / games[name] for name in games}


def make_learner(specification: str, environments: Environments, config: Config) -> Learner:
    """The learner that a specification names, a ``League`` of two for one that learns one side; raises ``BadSpec`` and
    ``BadInput``."""
    found = learner_class(specification)
    name, text = split("learner", LEARNERS, full_name(specification))
    options = parse_options(name, found.Options, text)
    if issubclass(found, SideLearner):
        return League(environments, config, options, found)
    return found(environments, config, options)
