"""Rows of a dataset: games are played, then replayed to write what the side to act saw at every decision."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dawn_agents.match import FORFEIT, Outcome, Pairing, play_games
from dawn_agents.registry import make_player
from dawn_env.actions import ACTIONS
from dawn_env.batch import Batch
from dawn_env.errors import PlayerFailure
from dawn_env.events.event_feed import EventFeed
from dawn_env.game import Game
from dawn_env.host.random_play import game_seeds
from dawn_env.observation.privileged_view import PRIVILEGED_SIZE, privileged_view
from dawn_env.observation.view_layouts import ViewLayout, layout_of
from dawn_env.options import STANDARD, GameOptions
from dawn_env.tables import SIDES

GAMES_OF_A_SHARD = 50


@dataclass(frozen=True)
class DatasetPlan:
    """Recipe of a dataset; the same plan gives the same bytes.

    ``players`` by specification: games go through all pairs of them in turn, either side to each. ``form``: one of
    ``FORMS``; Minari's file is made from shards of npz. ``privileged``: with the hidden cards; ``events``: with what
    each side was told since its decision before.
    """

    players: tuple[str, ...]
    games: int
    seed: int
    form: str = "npz"
    privileged: bool = False
    events: bool = False
    options: GameOptions = STANDARD

    @property
    def layout(self) -> ViewLayout:
        """Layout of the observations."""
        return layout_of(self.options)

    @cached_property
    def seeds(self) -> np.ndarray:
        """int64 [games]: seed of each game."""
        return game_seeds(self.seed, self.games)

    @property
    def shards(self) -> list["Shard"]:
        """The parts that are written to a file each."""
        starts = range(0, self.games, GAMES_OF_A_SHARD)
        return [Shard(self, start, min(self.games, start + GAMES_OF_A_SHARD)) for start in starts]

    def pairing(self, game: int) -> tuple[str, str]:
        """Democrat and Communist of a game."""
        democrat, communist = divmod(game % len(self.players) ** 2, len(self.players))
        return self.players[democrat], self.players[communist]


@dataclass(frozen=True)
class Shard:
    """The games ``first`` ... ``last - 1`` of a plan."""

    plan: DatasetPlan
    first: int
    last: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.last - self.first

    @property
    def file(self) -> str:
        """Name of its file."""
        suffix = "npz" if self.plan.form == "minari" else self.plan.form
        return f"games-{self.first:06d}-{self.last - 1:06d}.{suffix}"


def shard_rows(shard: Shard) -> dict[str, np.ndarray]:
    """Columns of a shard, a row for each decision, game by game; raises ``PlayerFailure`` for games without an end."""
    games = played(shard)
    plan, lengths = shard.plan, np.array([len(game.actions) for game in games])
    first_rows = np.concatenate([[0], np.cumsum(lengths)])
    columns = _empty(plan, int(first_rows[-1]))
    batch = Batch(shard.games, plan.seeds[shard.first : shard.last], plan.options, auto_restart=False, threads=1)
    actions = np.zeros((shard.games, lengths.max()), np.int64)
    for row, game in enumerate(games):
        actions[row, : lengths[row]] = game.actions
    for decision in range(int(lengths.max())):
        rows = np.flatnonzero(decision < lengths)
        at = first_rows[rows] + decision
        columns["observation"][at], columns["mask"][at] = batch.observations[rows], batch.masks[rows]
        columns["side"][at], columns["action"][at] = batch.actors[rows], actions[rows, decision]
        columns["game"][at], columns["decision"][at] = shard.first + rows, decision
        if plan.privileged:
            columns["privileged"][at] = privileged_view(batch.states[rows], batch.actors[rows])
        batch.step_rows(rows, actions[rows, decision])
    _write_returns(columns, batch.rewards, first_rows)
    return columns | ({"events": events_told(shard, games)} if plan.events else {})


def played(shard: Shard) -> list[Outcome]:
    """The games of a shard, played."""
    plan = shard.plan
    players = {name: make_player(name, plan.seed) for name in plan.players}
    numbers = range(shard.first, shard.last)
    pairings = [Pairing(int(plan.seeds[game]), *(players[name] for name in plan.pairing(game))) for game in numbers]
    try:
        games = dict(play_games(pairings, options=plan.options))
    finally:
        for player in players.values():
            player.close()
    for game in games.values():
        if game.reason == FORFEIT:
            raise PlayerFailure(f"game {game.seed} was forfeited: {game.failure}")
    return [games[number] for number in range(shard.games)]


def events_told(shard: Shard, games: Sequence[Outcome]) -> np.ndarray:
    """JSON in UTF-8, bytes [rows]: events (``docs/reference/protocol.md``) for the side to act since its last one."""
    texts = []
    for number, outcome in enumerate(games, shard.first):
        game = Game(int(shard.plan.seeds[number]), shard.plan.options)
        feeds, taken = [EventFeed(game, side) for side in range(SIDES)], []
        for action in outcome.actions:
            texts.append(json.dumps(feeds[game.actor].news(taken)).encode())
            taken.append(ACTIONS[action])
            game.step(int(action))
    return np.array(texts)


def _empty(plan: DatasetPlan, rows: int) -> dict[str, np.ndarray]:
    columns = {
        "observation": np.zeros((rows, plan.layout.size), np.int8),
        "mask": np.zeros((rows, plan.layout.actions), np.int8),
        "action": np.zeros(rows, np.int16),
        "reward": np.zeros(rows, np.float32),
        "return_to_go": np.zeros(rows, np.float32),
        "side": np.zeros(rows, np.int8),
        "game": np.zeros(rows, np.int32),
        "decision": np.zeros(rows, np.int32),
    }
    return columns | ({"privileged": np.zeros((rows, PRIVILEGED_SIZE), np.int8)} if plan.privileged else {})


def _write_returns(columns: dict[str, np.ndarray], results: np.ndarray, first_rows: np.ndarray) -> None:
    """Write the result of a game, of ``results`` [games, 2], to all rows of a side as return and to its last as
    reward."""
    for game, (start, end) in enumerate(zip(first_rows, first_rows[1:], strict=False)):
        sides = columns["side"][start:end]
        columns["return_to_go"][start:end] = results[game, sides]
        for side in np.unique(sides):
            columns["reward"][start + np.flatnonzero(sides == side)[-1]] = results[game, side]
