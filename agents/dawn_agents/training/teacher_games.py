"""Games to learn from, in which a teacher plays, or the networks do, or chance."""

from collections.abc import Sequence
from enum import auto

import numpy as np

from dawn_env.batch import Batch
from dawn_env.bids import is_bid, offer_of, play_bids, sample_offers
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player, RandomPlayer, choose_actions
from dawn_env.state import put_states, take_states
from dawn_env.support.compiling import AutoIntEnum
from dawn_env.tables import SIDES

_WIDTH = 512  # games at a time


class Role(AutoIntEnum):
    """Players of a side."""

    TEACHER = auto()
    STUDENT = auto()
    RANDOM = auto()


class Rollouts:
    """Games side by side; in each of them the teacher, a student or chance plays each side.

    ``batch``: the games; ``numbers`` int64 [width]: the number of the game in each row; ``outcomes`` float32
    [games, 2]: +1, -1 or 0 by side, as far as they have ended. Rows rest once the last game has begun elsewhere; their
    numbers are from ``games`` on.
    """

    def __init__(self, games: int, teacher: Player, students: Sequence[Player], student_share: float,
                 random_share: float, seed: int, options: GameOptions = STANDARD):  # fmt: skip
        """``students`` by side, or none; ``student_share`` of the sides are theirs; in ``random_share`` of the
        games one side plays at random."""
        self.games, self.width = games, min(_WIDTH, games)
        self.generator = np.random.default_rng(seed)
        self.batch = Batch(self.width, self.generator.integers(0, 2**62, self.width), options)
        self.numbers, self.ended = np.arange(self.width), 0
        self.outcomes = np.zeros((games, SIDES), np.float32)
        self._teacher, self._students, self._random = teacher, students, RandomPlayer(seed)
        self._shares = student_share if students else 0.0, random_share
        self._roles = np.zeros((self.width, SIDES), np.int64)
        self._begin(np.arange(self.width))

    def turns(self, *roles: Role) -> np.ndarray:
        """bool [width]: running rows in which a player of one of the ``roles`` decides."""
        deciding = self._roles[np.arange(self.width), self.batch.actors]
        return (self.numbers < self.games) & np.isin(deciding, roles)

    def step(self, known: np.ndarray) -> int:
        """Play one decision in every game; return the number of games that have ended.

        ``known`` int64 [width]: actions, or -1 where the player is to be asked.
        """
        actions, unknown = known.copy(), known < 0
        asked = [(self._teacher, self.turns(Role.TEACHER)), (self._random, self.turns(Role.RANDOM))]
        for side, student in enumerate(self._students):
            asked.append((student, self.turns(Role.STUDENT) & (self.batch.actors == side)))
        for player, turns in asked:
            self.ask(player, turns & unknown, actions)
        rows = np.flatnonzero(self.numbers < self.games)
        self.batch.step_rows(rows, actions[rows])
        ended = rows[self.batch.ended[rows]]
        if len(ended):
            self.outcomes[self.numbers[ended]] = self.batch.rewards[ended]
            self.numbers[ended] = self.width + self.ended + np.arange(len(ended))
            self.ended += len(ended)
            self._begin(ended)
        return len(ended)

    def ask(self, player: Player, where: np.ndarray, actions: np.ndarray) -> None:
        """Write choices of ``player`` into ``actions`` int64 [width], in the rows ``where`` bool [width]."""
        rows = np.flatnonzero(where)
        if len(rows):
            actions[rows] = choose_actions(player, self.batch.states, *self.batch.shown, rows)

    def positions(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Observations of the sides to act in ``rows`` (``network_trainer.Dataset``)."""
        seen, masks = self.batch.shown
        return {"observations": seen[rows], "masks": np.packbits(masks[rows], axis=1)}

    def _begin(self, rows: np.ndarray) -> None:
        """Draw who plays each side of the games that begin in ``rows``, and have their bids made, around the teacher's
        offer, until sides are known."""
        student_share, random_share = self._shares
        roles = np.where(self.generator.random((len(rows), SIDES)) < student_share, Role.STUDENT, Role.TEACHER)
        odd = np.flatnonzero(self.generator.random(len(rows)) < random_share)
        roles[odd, self.generator.integers(0, SIDES, len(odd))] = Role.RANDOM
        self._roles[rows] = roles
        batch = self.batch
        rows = rows[(self.numbers[rows] < self.games) & is_bid(batch.states["decision"][rows])]
        if len(rows):
            states = take_states(batch.states, rows)
            play_bids(states, sample_offers([offer_of(self._teacher, batch.options)] * len(rows), states["seed"]))
            put_states(batch.states, rows, states)
            batch.write_rows(rows)
