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
        self.numbers, self._begun = np.arange(self.width), self.width
        self.outcomes = np.zeros((games, SIDES), np.float32)
        self.ended = 0
        self._teacher, self._students, self._random = teacher, students, RandomPlayer(seed)
        self._shares = student_share if students else 0.0, random_share
        self._roles = self._draw_roles(self.width)
        self._end_bids(np.arange(self.width))

    def turns(self, role: Role) -> np.ndarray:
        """bool [width]: rows in which who has this ``role`` decides."""
        return self._running & (self._role == role)

    @property
    def thoughtful(self) -> np.ndarray:
        """Running rows in which the side to move does not play at random: bool [width]."""
        return self._running & (self._role != Role.RANDOM)

    @property
    def _running(self) -> np.ndarray:
        return self.numbers < self.games

    @property
    def _role(self) -> np.ndarray:
        """int64 [width]: who decides now."""
        return self._roles[np.arange(self.width), self.batch.actors]

    def advice(self) -> np.ndarray:
        """int64 [width]: what the teacher would do, 0 where chance plays."""
        return self._ask(self._teacher, self.thoughtful)

    def choices(self) -> np.ndarray:
        """int64 [width]: what the students do, 0 where others play."""
        turns, actions = self.turns(Role.STUDENT), np.zeros(self.width, np.int64)
        for side, student in enumerate(self._students):
            actions += self._ask(student, turns & (self.batch.actors == side))
        return actions

    def step(self, advice: np.ndarray | None = None, choices: np.ndarray | None = None) -> int:
        """One decision in every game; how many have ended. ``advice`` and ``choices``: as of the methods, if they are
        known already; only those of the teacher's and the students' own turns are looked at."""
        taught, learning = self.turns(Role.TEACHER), self.turns(Role.STUDENT)
        actions = self._ask(self._random, self.turns(Role.RANDOM))
        actions = np.where(taught, self._ask(self._teacher, taught) if advice is None else advice, actions)
        actions = np.where(learning, self.choices() if choices is None else choices, actions)
        rows = np.flatnonzero(self._running)
        self.batch.step_rows(rows, actions[rows])
        ended = rows[self.batch.ended[rows]]
        if len(ended):
            self._renew(ended)
        return len(ended)

    def _ask(self, player: Player, where: np.ndarray) -> np.ndarray:
        """Choices of ``player`` int64 [width], 0 but for the rows ``where`` bool [width]."""
        actions, rows = np.zeros(self.width, np.int64), np.flatnonzero(where)
        if len(rows):
            batch = self.batch
            actions[rows] = choose_actions(player, batch.states, *batch.shown, rows)
        return actions

    def _renew(self, rows: np.ndarray) -> None:
        """Note how games ended, and give numbers to those that have begun in their rows."""
        self.outcomes[self.numbers[rows]] = self.batch.rewards[rows]
        self.ended += len(rows)
        self.numbers[rows] = self._begun + np.arange(len(rows))
        self._begun += len(rows)
        self._roles[rows] = self._draw_roles(len(rows))
        self._end_bids(rows[self._running[rows]])

    def _end_bids(self, rows: np.ndarray) -> None:
        """Have the bids of games that begin in ``rows`` made, around the teacher's offer, until sides are known."""
        batch = self.batch
        rows = rows[is_bid(batch.states["decision"][rows])]
        if len(rows):
            states = take_states(batch.states, rows)
            play_bids(states, sample_offers([offer_of(self._teacher, batch.options)] * len(rows), states["seed"]))
            put_states(batch.states, rows, states)
            batch.write_rows(rows)

    def _draw_roles(self, count: int) -> np.ndarray:
        """int64 [count, 2]: who plays each side."""
        student_share, random_share = self._shares
        roles = np.where(self.generator.random((count, SIDES)) < student_share, Role.STUDENT, Role.TEACHER)
        odd = np.flatnonzero(self.generator.random(count) < random_share)
        roles[odd, self.generator.integers(0, SIDES, len(odd))] = Role.RANDOM
        return roles
