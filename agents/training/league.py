"""Whom a learner plays: the newest policy of the other side, frozen past ones, and anchors that never change."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from agents.networks.policy_file import PolicyInfo, load_policy, save_policy
from agents.player import BatchPlayer
from agents.players.policy import NetworkPlayer
from agents.registry import BadSpec, make_player
from agents.training.config import ConfigError, League
from dawn_env.players import Player

NEWEST = "newest"
PAST = "past"
_LEAST_SHARE = 0.05  # added to a rate of wins, so that nobody is forgotten


class Clock:
    """Seconds that the players of a pool have thought."""

    seconds = 0.0


class TimedPlayer:
    """A player whose thinking is timed."""

    def __init__(self, player: Player, clock: Clock):
        self.name, self.player, self._clock = player.name, player, clock

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """As the player's."""
        started = time.perf_counter()
        actions = self.player.choose(observations, masks)
        self._clock.seconds += time.perf_counter() - started
        return actions


@dataclass
class Past:
    """A frozen policy and its ``score`` against the learner: rate of wins, draws half, recent games first."""

    player: TimedPlayer
    score: float = 0.5


def anchors(options: League, seed: int) -> dict[str, BatchPlayer]:
    """The anchors by specification; raises ``ConfigError`` for those that there are not or that think game by game."""
    try:
        players = {spec: make_player(spec, seed) for spec in options.anchors}
    except BadSpec as error:
        raise ConfigError(f"league.anchors: {error}") from error
    for spec, player in players.items():
        if not isinstance(player, BatchPlayer):
            raise ConfigError(f"league.anchors: {spec!r} answers one position at a time and cannot be an anchor")
    return players


class Pool:
    """The opponents of one learner.

    ``folder`` holds the frozen policies as files, so that a resumed run finds them again.
    """

    def __init__(self, options: League, side: str, anchors: dict[str, BatchPlayer], newest: nn.Module, folder: Path,
                 seed: int):  # fmt: skip
        """``side`` is that of the opponents, ``newest`` their network of the moment, which goes on learning."""
        self.options, self.side, self.folder, self._seed = options, side, folder, seed
        self._device = next(newest.parameters()).device
        self.clock = Clock()
        self.anchors = [TimedPlayer(player, self.clock) for player in anchors.values()]
        self.newest = TimedPlayer(NetworkPlayer(NEWEST, newest, seed, sample=True), self.clock)
        self.past: list[Past] = []

    def opponents(self) -> tuple[list[Player], list[float]]:
        """The players, and the share of games against each."""
        rates = [(past.score + _LEAST_SHARE) ** self.options.focus for past in self.past]
        shares = [self.options.past * rate / sum(rates) for rate in rates]
        newest = self.options.newest + (0 if self.past else self.options.past)
        players = [self.newest, *self.anchors, *(past.player for past in self.past)]
        return players, [newest, *self.options.anchors.values(), *shares]

    def networks(self) -> list[nn.Module]:
        """Those of the frozen policies."""
        return [past.player.player.network for past in self.past]

    def note(self, results: dict[tuple[str, str], dict[str, int]]) -> None:
        """Take in what was just played: results as of ``SeatGames.results``."""
        by_name = {opponent: counts for (opponent, _), counts in results.items()}
        for past in self.past:
            counts = by_name.get(past.player.name)
            if counts:
                score = (counts["losses"] + counts["draws"] / 2) / counts["games"]
                past.score += (1 - self.options.memory) * (score - past.score)

    def freeze(self, network: nn.Module, info: PolicyInfo, iteration: int) -> None:
        """Add a copy of ``network``; when there are too many, the one that is beaten most often leaves."""
        name = f"{PAST}-{iteration:05}"
        save_policy(self._path(name), network, info)
        self.past.append(Past(self._load(name)))
        if len(self.past) > self.options.size:
            self.past.remove(min(self.past[:-1], key=lambda past: past.score, default=self.past[0]))

    def _path(self, name: str) -> Path:
        return self.folder / f"{self.side}-{name}.zip"

    def _load(self, name: str) -> TimedPlayer:
        network, _ = load_policy(self._path(name))
        return TimedPlayer(NetworkPlayer(name, network.to(self._device), self._seed, sample=True), self.clock)

    # --- saving --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Names and scores of the frozen policies."""
        return {"past": [(past.player.name, past.score) for past in self.past]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from ``state``; raises ``PolicyFileError`` when a file has gone."""
        self.past = [Past(self._load(name), score) for name, score in state["past"]]

    def find(self, name: str) -> Player:
        """An opponent by name, those that have left the pool included."""
        players = {player.name: player for player in self.opponents()[0]}
        return players[name] if name in players else self._load(name)
