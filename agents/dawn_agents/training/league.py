"""Opponents of a learner: the newest policy of the other side, frozen past ones, and anchors that never change."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.training.learner import Policy, PolicyMetadata, SideLearner
from dawn_agents.training.training_config import ConfigError, League
from dawn_env.players import Player

NEWEST = "newest"
PAST = "past"
_LEAST_SHARE = 0.05  # added to a rate of wins, so that nobody is forgotten


@dataclass(eq=False)  # each is itself: comparing weights is neither quick nor meant
class FrozenPolicy:
    """A frozen policy, how it plays, and its ``score`` against the learner: rate of wins, draws half, recent games
    first."""

    policy: Policy
    player: Player
    score: float


def anchors(options: League, seed: int) -> dict[str, Player]:
    """The anchors by specification; raises ``ConfigError`` for those that there are not or that play alone."""
    try:
        players = {spec: make_player(spec, seed) for spec in options.anchors}
    except BadSpec as error:
        raise ConfigError(f"league.anchors: {error}") from error
    for spec, player in players.items():
        if player.one_game_at_a_time:
            raise ConfigError(f"league.anchors: {spec!r} plays one game at a time and cannot be an anchor")
    return players


class LeaguePool:
    """The opponents of one learner.

    ``folder`` holds the frozen policies as files, so that a resumed run finds them again.
    """

    def __init__(self, options: League, other: SideLearner, anchors: dict[str, Player], folder: Path, seed: int):
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

    def note(self, results: dict[tuple[str, str], dict[str, int]]) -> None:
        """Take in what was just played: results as of ``LearnerGames.results``."""
        by_name = {opponent: counts for (opponent, _), counts in results.items()}
        for past in self.past:
            counts = by_name.get(past.player.name)
            if counts:
                score = (counts["losses"] + counts["draws"] / 2) / counts["games"]
                past.score += (1 - self.options.memory) * (score - past.score)

    def freeze(self, facts: PolicyMetadata, iteration: int) -> None:
        """Add a copy of the current policy; above ``league.size``, remove the policies that lose most often."""
        name = f"{PAST}-{iteration:05}"
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
