"""The warm start: a teacher's games are played and kept, and a network learns its choices and their results."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.registry import make_player
from dawn_agents.training.network_trainer import VALUE_WEIGHT, Dataset, Losses, Stopped, Trainer, joined, never
from dawn_agents.training.teacher_games import Role, Rollouts
from dawn_agents.training.training_config import ConfigError, Imitation
from dawn_env.options import STANDARD, GameOptions
from dawn_env.players import Player
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.tables import SIDE_NAMES, SIDES


def collect(
    options: Imitation, seed: int, students: Sequence[Player] = (), game: GameOptions = STANDARD
) -> list[Dataset]:
    """Decisions of the teacher by side, from its games or, where ``students`` are given (by side), partly of theirs;
    raises ``BadSpec`` for an unknown teacher, ``ConfigError`` for one that plays alone.

    Unless a side is played at random, the teacher's choice is recorded, whoever plays: ``actions`` int64 [K], and
    ``outcomes`` float32 [K]: +1, -1 or 0 as the game ended for that side.
    """
    teacher = make_player(options.teacher, seed)
    if teacher.one_game_at_a_time:
        raise ConfigError(f"imitation.teacher: {options.teacher!r} plays one game at a time and cannot teach")
    rollouts = Rollouts(options.games, teacher, students, options.student_share, options.random_share, seed, game)
    collected: list[list[Dataset]] = [[] for _ in range(SIDES)]
    with ProgressBar("games", options.games, "games", keep=False) as gauge:
        while rollouts.ended < options.games:
            thoughtful, advice = rollouts.turns(Role.TEACHER, Role.STUDENT), np.zeros(rollouts.width, np.int64)
            rollouts.ask(teacher, thoughtful, advice)
            kept = thoughtful & (rollouts.generator.random(rollouts.width) < options.keep)
            for side, known in enumerate(collected):
                rows = np.flatnonzero(kept & (rollouts.batch.actors == side))
                known.append(rollouts.positions(rows) | {"actions": advice[rows], "games": rollouts.numbers[rows]})
            gauge.update(rollouts.step(np.where(rollouts.turns(Role.TEACHER), advice, -1)))
    datasets = []
    for side, parts in enumerate(collected):
        known = joined(parts)
        parts.clear()  # so that nothing is in memory twice
        known["outcomes"] = rollouts.outcomes[known.pop("games"), side]
        datasets.append(known)
    return datasets


def warm_start(
    networks: Mapping[str, nn.Module],
    options: Imitation,
    seed: int,
    stopped: Stopped = never,
    game: GameOptions = STANDARD,
) -> dict[str, float]:
    """Teach the networks (by side) in rounds of new games: from the second on, they play and are corrected.

    Returns the metrics of ``losses`` in the last round, as ``side/metric``; raises ``KeyboardInterrupt`` once
    ``stopped`` says so.
    """
    trainers = {side: Trainer(networks[side], options, losses, stopped) for side in SIDE_NAMES}
    metrics: dict[str, float] = {}
    students: list[Player] = []
    with ProgressBar(f"imitation of {options.teacher}", options.rounds, "rounds") as gauge:
        for number in range(options.rounds):
            game_seed, *train_seeds = np.random.default_rng([seed, number]).integers(0, 2**62, 1 + SIDES).tolist()
            datasets = collect(options, game_seed, students, game)
            part = number / options.rounds, (number + 1) / options.rounds
            for (side, trainer), known, train_seed in zip(trainers.items(), datasets, train_seeds, strict=True):
                learnt = trainer.learn(known, train_seed, *part)
                metrics |= {f"{side}/{name}": value for name, value in learnt.items()}
            students = [NetworkPlayer("student", networks[side], game_seed, sample=True) for side in SIDE_NAMES]
            gauge.update()
            gauge.set_postfix(", ".join(f"{side} agrees in {metrics[side + '/agreement']:.0%}" for side in SIDE_NAMES))
    return metrics


def losses(logits: torch.Tensor, values: torch.Tensor, known: Mapping[str, torch.Tensor]) -> Losses:
    """The losses for a ``Trainer`` of what ``collect`` returns.

    Metrics: ``agreement`` with the teacher (share of equal choices), ``cross_entropy`` and ``value_loss``.
    """
    cross_entropy = functional.cross_entropy(logits, known["actions"])
    value_loss = functional.mse_loss(values, known["outcomes"])
    agreement = (logits.argmax(1) == known["actions"]).float().mean()
    metrics = {"agreement": agreement, "cross_entropy": cross_entropy, "value_loss": value_loss}
    return cross_entropy + VALUE_WEIGHT * value_loss, metrics
