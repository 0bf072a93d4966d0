"""The warm start: a teacher's games are played and kept, and a network learns its choices and their results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.registry import make_player
from dawn_agents.training.network_trainer import VALUE_WEIGHT, Dataset, Losses, Stopped, Trainer, never
from dawn_agents.training.teacher_games import Rollouts
from dawn_agents.training.training_config import ConfigError, Imitation
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.tables import SIDE_NAMES, SIDES


@dataclass(frozen=True)
class TeacherData(Dataset):
    """Decisions of the teacher on one side.

    ``actions`` int64 [K]; ``outcomes`` float32 [K]: +1, -1 or 0 as the game ended for that side.
    """

    actions: np.ndarray
    outcomes: np.ndarray


_Notes = list[tuple[np.ndarray, ...]]
"""Teacher's decisions of one side: parts of numbers of games, observations, packed masks, and actions."""


def collect(
    options: Imitation, seed: int, students: Sequence[Player] = (), game: GameOptions = STANDARD
) -> tuple[TeacherData, TeacherData]:
    """Datasets of the Democrat and of the Communist, from games of the teacher or, where ``students`` are given
    (by side), partly of theirs; raises ``BadSpec`` for an unknown teacher, ``ConfigError`` for one that plays alone.

    Unless a side is played at random, the teacher's choice is noted, whoever plays.
    """
    teacher = make_player(options.teacher, seed)
    if teacher.one_game_at_a_time:
        raise ConfigError(f"imitation.teacher: {options.teacher!r} plays one game at a time and cannot teach")
    rollouts = Rollouts(options.games, teacher, students, options.student_share, options.random_share, seed, game)
    notes: list[_Notes] = [[] for _ in range(SIDES)]
    with ProgressBar("games", options.games, "games", keep=False) as gauge:
        while rollouts.ended < options.games:
            advice = rollouts.advice()
            _note(rollouts, advice, notes, options.keep)
            gauge.update(rollouts.step(advice))
    democrat, communist = (_dataset(known, rollouts.outcomes[:, side]) for side, known in enumerate(notes))
    return democrat, communist


def _dataset(notes: _Notes, outcomes: np.ndarray) -> TeacherData:
    """Training data from ``notes``, which are cleared, and the ``outcomes`` [games] of their games."""
    games, *rest = (np.concatenate(part) for part in zip(*notes, strict=True))
    notes.clear()
    return TeacherData(*rest, outcomes[games])


def _note(rollouts: Rollouts, advice: np.ndarray, notes: Sequence[_Notes], share: float) -> None:
    """Keep a ``share`` of what the teacher says."""
    kept, batch = rollouts.thoughtful & (rollouts.generator.random(rollouts.width) < share), rollouts.batch
    seen, masks = batch.shown
    for side, known in enumerate(notes):
        rows = np.flatnonzero(kept & (batch.actors == side))
        known.append((rollouts.numbers[rows], seen[rows], np.packbits(masks[rows], axis=1), advice[rows]))


def warm_start(
    networks: Mapping[str, nn.Module],
    options: Imitation,
    seed: int,
    stopped: Stopped = never,
    game: GameOptions = STANDARD,
) -> dict[str, float]:
    """Teach the networks (by side) in rounds of new games: from the second on, they play and are corrected.

    Returns the figures of ``losses`` in the last round, as ``side/figure``; raises ``KeyboardInterrupt`` once
    ``stopped`` says so.
    """
    trainers = {side: Trainer(networks[side], options, losses, stopped) for side in SIDE_NAMES}
    figures: dict[str, float] = {}
    students: list[Player] = []
    with ProgressBar(f"imitation of {options.teacher}", options.rounds, "rounds") as gauge:
        for number in range(options.rounds):
            game_seed, *train_seeds = np.random.default_rng([seed, number]).integers(0, 2**62, 1 + SIDES).tolist()
            datasets = collect(options, game_seed, students, game)
            part = number / options.rounds, (number + 1) / options.rounds
            for (side, trainer), known, train_seed in zip(trainers.items(), datasets, train_seeds, strict=True):
                learnt = trainer.learn(known, train_seed, *part)
                figures |= {f"{side}/{name}": value for name, value in learnt.items()}
            students = [NetworkPlayer("student", networks[side], game_seed, sample=True) for side in SIDE_NAMES]
            gauge.update()
            gauge.note(", ".join(f"{side} agrees in {figures[side + '/agreement']:.0%}" for side in SIDE_NAMES))
    return figures


def losses(network: nn.Module, dataset: TeacherData, rows: np.ndarray) -> Losses:
    """The losses for a ``Trainer`` of ``TeacherData``.

    Figures: ``agreement`` with the teacher (share of equal choices), ``cross_entropy`` and ``value_loss``.
    """
    logits, values = dataset.ask(network, rows)
    actions, outcomes = (
        torch.from_numpy(known[rows]).to(values.device) for known in (dataset.actions, dataset.outcomes)
    )
    cross_entropy = functional.cross_entropy(logits, actions)
    value_loss = functional.mse_loss(values, outcomes)
    agreement = (logits.argmax(1) == actions).float().mean()
    figures = {"agreement": agreement, "cross_entropy": cross_entropy, "value_loss": value_loss}
    return cross_entropy + VALUE_WEIGHT * value_loss, figures
