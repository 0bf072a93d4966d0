"""Games of a learner against the player to be beaten, in which likely actions are tried out."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from dawn_agents.best_response.position_rollouts import PlayOuts
from dawn_agents.players.policy_player import NetworkPlayer
from dawn_agents.training.distillation import Targets, likely
from dawn_agents.training.network_trainer import never
from dawn_agents.training.training_config import Distillation
from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.observation import F
from dawn_env.players import Player, decide_by_side
from dawn_env.state import take_states

_AT_ONCE = 3000  # play-outs together: as they end batches shrink, and a row costs more in a small one


@dataclass
class _Waiting:
    """Positions with candidates still to be simulated."""

    states: list[np.ndarray] = field(default_factory=list)
    known: list[tuple[np.ndarray, ...]] = field(default_factory=list)
    tries: int = 0


class Collector:
    """Plays one side as a learner does and labels what was decided; the ``target`` plays the other.

    ``reference`` names the candidates and their prior (see ``Targets``), ``options`` how many are kept and tried.
    """

    def __init__(self, side: int, target: Player, reference: NetworkPlayer, options: Distillation):
        self._side, self._target, self._reference, self._options = side, target, reference, options

    def collect(
        self, learner: NetworkPlayer, best: NetworkPlayer, games: int, seed: int, enough: Callable[[], bool] = never
    ) -> Targets:
        """Targets from so many games, or fewer once there is ``enough``.

        ``learner`` plays the games, drawing its actions, so that they vary; ``best`` goes on in the play-outs.
        """
        generator = np.random.default_rng(seed)
        batch = Batch(games, generator.integers(0, 2**62, games))
        play_outs = PlayOuts(self._seated(best), self._options.plays)
        waiting, found, ended = _Waiting(), [self._nothing()], 0
        while ended < games and not enough():
            mine = batch.actors == self._side
            kept = np.flatnonzero(mine & (generator.random(games) < self._options.keep))
            self._note(batch, kept, waiting)
            if waiting.tries * self._options.deals >= _AT_ONCE:
                found.append(self._label(waiting, play_outs, generator))
                waiting = _Waiting()
            batch.step(decide_by_side(self._seated(learner), batch.states, batch.actors, *batch.shown))
            ended += int(batch.ended.sum())
        if waiting.tries:
            found.append(self._label(waiting, play_outs, generator))
        return Targets.joined(found)

    def _nothing(self) -> Targets:
        width = self._options.candidates
        return Targets(
            np.zeros((0, F), np.int8), np.zeros((0, -(-A // 8)), np.uint8), np.zeros((0, width), np.int16),
            np.zeros((0, width), np.float32), np.zeros((0, width), np.float32),
        )  # fmt: skip

    def _seated(self, player: Player) -> tuple[Player, Player]:
        """Players by side, with ``player`` on the learner's."""
        return (player, self._target) if self._side == 0 else (self._target, player)

    def _note(self, batch: Batch, rows: np.ndarray, waiting: _Waiting) -> None:
        """Keep those of ``rows`` that leave a choice."""
        if len(rows) == 0:
            return
        seen, masks = (part[rows] for part in batch.shown)
        candidates, prior = likely(self._reference.probabilities(seen, masks), self._options)
        open_ = candidates[:, 1] >= 0
        waiting.states.append(take_states(batch.states, rows[open_]))
        waiting.known.append((seen[open_], np.packbits(masks[open_], axis=1), candidates[open_], prior[open_]))
        waiting.tries += int((candidates[open_] >= 0).sum())

    def _label(self, waiting: _Waiting, play_outs: PlayOuts, generator: np.random.Generator) -> Targets:
        """Every candidate of every position tried, all of a position with the same dice."""
        seen, masks, candidates, prior = (np.concatenate(parts) for parts in zip(*waiting.known, strict=True))
        states, deals = np.concatenate(waiting.states), self._options.deals
        rows, places = np.nonzero(candidates >= 0)
        seeds = generator.integers(0, 2**62, (len(states), deals))
        ends = play_outs.ends(
            take_states(states, np.repeat(rows, deals)),
            np.repeat(candidates[rows, places], deals).astype(np.int64),
            seeds[rows].ravel(),
        )
        values = np.zeros(candidates.shape, np.float32)
        values[rows, places] = ends.reshape(-1, deals).mean(1) * (1 if self._side == 0 else -1)
        return Targets(seen, masks, candidates, prior, values)
