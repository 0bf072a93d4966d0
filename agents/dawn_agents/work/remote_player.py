"""Runs one player on several workers: positions of many games are thought about wherever tasks are done."""

import atexit
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from dawn_agents.registry import make_player
from dawn_agents.work.executor import Executor, LocalExecutor
from dawn_env.bids import Offer
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import Player, ViewPlayer

_TOGETHER = 4  # positions of a task


def remote_player(player: Player, executor: Executor) -> Player:
    """The same player, asked in ``executor`` if it thinks about each position and that is somewhere else."""
    thinks = isinstance(player, ViewPlayer) and not player.one_game_at_a_time
    return RemotePlayer(player, executor) if thinks and not isinstance(executor, LocalExecutor) else player


class RemotePlayer(ViewPlayer):
    """Answers as ``player``, which is made again, from its name and seed, wherever it is asked."""

    def __init__(self, player: ViewPlayer, executor: Executor):
        super().__init__(player.name, player.seed, player.options)
        self.version = player.version
        self._player, self._executor = player, executor

    def choose(self, view: View) -> int:
        return self.choose_each([view])[0]

    def choose_each(self, views: Sequence[View]) -> list[int]:
        """A legal action in each position; raises ``WorkerDied``, and what the player raises."""
        pieces = [views[start : start + _TOGETHER] for start in range(0, len(views), _TOGETHER)]
        answers = self._executor.done(partial(_answers, self.name, self.seed), pieces, in_order=True, games=lambda _: 0)
        return [action for piece in answers for action in piece]

    def bid(self, options: GameOptions) -> Offer:
        return self._player.bid(options)

    def begin_game(self, side: int, options: GameOptions) -> None:
        self._player.begin_game(side, options)

    def end_game(self, outcome: Mapping[str, Any]) -> None:
        self._player.end_game(outcome)

    def close(self) -> None:
        self._player.close()


def _answers(name: str, seed: int, views: Sequence[View]) -> list[int]:
    return [int(kept_player(name, seed).choose(view)) for view in views]


@cache
def kept_player(name: str, seed: int) -> Player:
    """A player that lives as long as the process: to load one may take long."""
    player = make_player(name, seed)
    atexit.register(player.close)
    return player
