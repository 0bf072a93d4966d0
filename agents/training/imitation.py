"""The warm start: a teacher's games are played and kept, and a network learns its choices and their results."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from tqdm import tqdm, trange

from agents.policy import NetworkPlayer
from agents.registry import make_player
from agents.training.config import Imitation
from agents.training.inputs import advised, plain
from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.players import Player
from dawn_env.tables import SIDE_NAMES, SIDES

_WIDTH = 256  # games at a time
_VALUE_WEIGHT = 0.5  # of the value loss beside the cross-entropy
_MAX_GRAD_NORM = 1.0
_TEACHER, _STUDENT, _RANDOM = range(3)  # who plays a side


@dataclass(frozen=True)
class Lessons:
    """Decisions of the teacher on one side, K of them.

    ``observations`` int8 [K, F]; ``masks`` uint8 [K, ceil(A / 8)], packed bits; ``actions`` int64 [K];
    ``outcomes`` float32 [K]: +1, -1 or 0 as the game ended for that side.
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    outcomes: np.ndarray

    def __len__(self) -> int:
        return len(self.actions)


class _Notes:
    """What the teacher did on one side, as it is collected."""

    def __init__(self):
        self._parts: list[tuple[np.ndarray, ...]] = []

    def add(self, games: np.ndarray, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        self._parts.append((games, observations, np.packbits(masks, axis=1), actions))

    def lessons(self, outcomes: np.ndarray) -> Lessons:
        """The notes with the ``outcomes`` [games] of the games they belong to."""
        games, *rest = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        self._parts = []
        return Lessons(*rest, outcomes[games])


class _Classroom:
    """The games in progress. Each side of each is played by the teacher, by the students, or at random; unless
    it is played at random, the teacher's choice is noted, whoever plays."""

    def __init__(self, options: Imitation, students: Sequence[Player], seed: int):
        self.options, self.students, self.generator = options, students, np.random.default_rng(seed)
        self.width = min(_WIDTH, options.games)
        self.batch = Batch(self.width, self.generator.integers(0, 2**62, self.width))
        self.teacher, self.random = make_player(options.teacher, seed), make_player("random", seed)
        self.games = np.arange(self.width)  # number of the game in each row; those beyond options.games do not count
        self.begun = self.width
        self.roles = self._draw_roles(self.width)
        self.outcomes = np.zeros((options.games, SIDES), np.float32)
        self.notes = tuple(_Notes() for _ in range(SIDES))

    def _draw_roles(self, count: int) -> np.ndarray:
        """int64 [count, 2]: who plays each side."""
        roles = np.full((count, SIDES), _TEACHER)
        if self.students:
            roles[self.generator.random((count, SIDES)) < self.options.student_share] = _STUDENT
        odd = np.flatnonzero(self.generator.random(count) < self.options.random_share)
        roles[odd, self.generator.integers(0, SIDES, len(odd))] = _RANDOM
        return roles

    def step(self) -> int:
        """One decision in every game; how many games that count have ended."""
        batch = self.batch
        roles = self.roles[np.arange(self.width), batch.actors]
        taught = roles != _RANDOM
        advice = self._ask(self.teacher, taught)
        actions = advice + self._ask(self.random, ~taught)
        for side, student in enumerate(self.students):
            theirs = (roles == _STUDENT) & (batch.actors == side)
            actions = np.where(theirs, self._ask(student, theirs), actions)
        self._note(taught, advice)
        batch.step(actions)
        return self._renew(np.flatnonzero(batch.ended)) if batch.ended.any() else 0

    def _ask(self, player: Player, where: np.ndarray) -> np.ndarray:
        """Choices of ``player`` int64 [width], 0 but for the rows ``where`` bool [width]."""
        actions, rows = np.zeros(self.width, np.int64), np.flatnonzero(where)
        if len(rows):
            actions[rows] = player.choose(self.batch.observations[rows], self.batch.masks[rows])
        return actions

    def _note(self, taught: np.ndarray, advice: np.ndarray) -> None:
        kept = taught & (self.games < self.options.games) & (self.generator.random(self.width) < self.options.keep)
        for side, notes in enumerate(self.notes):
            rows = np.flatnonzero(kept & (self.batch.actors == side))
            notes.add(self.games[rows], self.batch.observations[rows], self.batch.masks[rows], advice[rows])

    def _renew(self, rows: np.ndarray) -> int:
        """Note how games ended, and give numbers to those that have begun in their rows."""
        counted = rows[self.games[rows] < self.options.games]
        self.outcomes[self.games[counted]] = self.batch.rewards[counted]
        self.games[rows] = self.begun + np.arange(len(rows))
        self.begun += len(rows)
        self.roles[rows] = self._draw_roles(len(rows))
        return len(counted)


def collect(options: Imitation, seed: int, students: Sequence[Player] = ()) -> tuple[Lessons, Lessons]:
    """Lessons of the Democrat and of the Communist, from games of the teacher or, where ``students`` are given
    (by side), partly of theirs; raises ``agents.registry.BadSpec`` for an unknown teacher."""
    room = _Classroom(options, students, seed)
    ended = 0
    with tqdm(total=options.games, unit="game", desc="games", leave=False, disable=None) as bar:
        while ended < options.games:
            more = room.step()
            ended += more
            bar.update(more)
    democrat, communist = (notes.lessons(room.outcomes[:, side]) for side, notes in enumerate(room.notes))
    return democrat, communist


def warm_start(networks: Mapping[str, nn.Module], options: Imitation, seed: int) -> dict[str, float]:
    """Teach the networks (by side) in rounds of new games: from the second on, they play and are corrected.

    Returns the figures of ``Pupil.learn`` in the last round, as ``side/figure``.
    """
    pupils = {side: Pupil(networks[side], options) for side in SIDE_NAMES}
    figures: dict[str, float] = {}
    students: list[Player] = []
    rounds = trange(options.rounds, unit="round", desc=f"imitation of {options.teacher}", disable=None)
    for number in rounds:
        game_seed, *lesson_seeds = np.random.default_rng([seed, number]).integers(0, 2**62, 1 + SIDES).tolist()
        lessons = collect(options, game_seed, students)
        for (side, pupil), known, lesson_seed in zip(pupils.items(), lessons, lesson_seeds, strict=True):
            learnt = pupil.learn(known, number, lesson_seed)
            figures |= {f"{side}/{name}": value for name, value in learnt.items()}
        rounds.set_postfix({side: f"{figures[side + '/agreement']:.0%}" for side in SIDE_NAMES})
        students = [NetworkPlayer("student", networks[side], game_seed, sample=True) for side in SIDE_NAMES]
    return figures


class Pupil:
    """A network that is taught, over all rounds."""

    def __init__(self, network: nn.Module, options: Imitation):
        self.network, self.options = network, options
        self._optimizer = torch.optim.Adam(network.parameters(), options.learning_rate)

    def learn(self, lessons: Lessons, number: int, seed: int) -> dict[str, float]:
        """Learn the lessons of round ``number`` (from 0); means of the last epoch: ``agreement`` with the
        teacher (share of equal choices), ``cross_entropy`` and ``value_loss``."""
        generator, epochs = np.random.default_rng(seed), self.options.epochs
        figures: dict[str, float] = {}
        for epoch in range(epochs):
            batches = _batches(generator.permutation(len(lessons)), self.options.batch_size)
            done, part = number * epochs + epoch, 1 / (self.options.rounds * epochs)
            figures = self._epoch(lessons, batches, done * part, part)
        return figures

    def _epoch(self, lessons: Lessons, batches: list[np.ndarray], done: float, part: float) -> dict[str, float]:
        """One pass, which is ``part`` of the warm start, of which the share ``done`` lies behind."""
        totals: dict[str, float] = {}
        for number, rows in enumerate(batches):
            progress = done + part * number / len(batches)
            for group in self._optimizer.param_groups:
                group["lr"] = self.options.learning_rate * (1 + math.cos(math.pi * progress)) / 2
            for name, value in self._step(lessons, rows).items():
                totals[name] = totals.get(name, 0.0) + value * len(rows) / len(lessons)
        return totals

    def _step(self, lessons: Lessons, rows: np.ndarray) -> dict[str, float]:
        """One gradient step on some of the lessons."""
        loss, figures = _losses(self.network, lessons, rows, self.options.choices)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), _MAX_GRAD_NORM)
        self._optimizer.step()
        return figures


def _batches(order: np.ndarray, size: int) -> list[np.ndarray]:
    """Rows of each gradient step, ascending, which reads memory faster."""
    return [np.sort(order[start : start + size]) for start in range(0, len(order), size)]


def _losses(
    network: nn.Module, lessons: Lessons, rows: np.ndarray, choices: float
) -> tuple[torch.Tensor, dict[str, float]]:
    """The loss on some lessons, that on the teacher's choices weighted by ``choices``; and figures for people."""
    device = next(network.parameters()).device
    legal = np.unpackbits(lessons.masks[rows], axis=1, count=A)
    see = advised if network.advice else plain
    wanted = (see(lessons.observations[rows], legal.view(np.int8)), lessons.actions[rows], lessons.outcomes[rows])
    inputs, actions, outcomes = (torch.from_numpy(values).to(device) for values in wanted)
    logits, values = network(inputs)
    logits = logits.masked_fill(torch.from_numpy(legal == 0).to(device), -1e9)
    cross_entropy = functional.cross_entropy(logits, actions)
    value_loss = functional.mse_loss(values, outcomes)
    agreement = (logits.argmax(1) == actions).float().mean()
    figures = {"agreement": agreement, "cross_entropy": cross_entropy, "value_loss": value_loss}
    loss = choices * cross_entropy + _VALUE_WEIGHT * value_loss
    return loss, {name: value.item() for name, value in figures.items()}
