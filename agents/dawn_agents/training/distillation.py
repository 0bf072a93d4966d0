"""Distillation of looking ahead: the networks learn which actions end better in simulations, or by values.

Positions from games of the networks are labelled by judging every likely action (``action_labels``). One position says
little, some hundred thousand of them a lot. A network then maximises, over the candidates of a position, the
expected value over ``temperature`` less the divergence (KL) from the policy that played there: its optimum is that
policy times exp(value / temperature), so it departs only where something is gained for certain.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.players.networks.inference import NOT_LEGAL, one_torch_thread
from dawn_agents.players.registry import make_player
from dawn_agents.players.search.search_options import check_guide
from dawn_agents.training.action_labels import Labeller
from dawn_agents.training.network_trainer import (
    VALUE_WEIGHT,
    Dataset,
    Losses,
    LossFunction,
    Stopped,
    Trainer,
    joined,
    never,
)
from dawn_agents.training.teacher_games import Role, Rollouts
from dawn_agents.training.training_config import ConfigError, Distillation
from dawn_env.options import STANDARD, GameOptions
from dawn_env.state import take_states
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.tables import SIDE_NAMES, SIDES


def check_values(options: Distillation, game: GameOptions) -> None:
    """Raise ``ConfigError`` where values are to judge in games that they were not learnt in, ``BadSpec`` without such a
    guide."""
    if options.deals:
        check_guide(options.guide)
    if options.value_deals and game.is_family:
        raise ConfigError("distillation.value_deals: 0 expected in family mode, which has no shipped values")


def likely(probabilities: np.ndarray, options: Distillation) -> tuple[np.ndarray, np.ndarray]:
    """Candidates and their prior (``label_games``) from probabilities [K, A]."""
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, : options.candidates]
    kept = np.take_along_axis(probabilities, order, 1)
    kept[kept < options.least * kept[:, :1]] = 0
    prior = kept / kept.sum(1, keepdims=True)
    return np.where(kept > 0, order, -1).astype(np.int16), prior.astype(np.float32)


def label_games(
    students: Sequence[NetworkPlayer], options: Distillation, seed: int, stopped: Stopped = never,
    game: GameOptions = STANDARD, title: str = "simulations",
) -> list[Dataset]:  # fmt: skip
    """Datasets by side from new games of the ``students`` (by side), labelled as they are played.

    In each position M actions at most were judged: ``candidates`` int16 [K, M], the likeliest first and -1 beyond the
    last; ``prior`` float32 [K, M]: how likely the policy of the moment made them, 1 in all; and
    ``action_labels.Labels``. ``title``: of the bar. Raises ``KeyboardInterrupt`` once
    ``stopped`` says so.
    """
    check_values(options, game)
    teacher = make_player("heuristic", seed)
    rollouts = Rollouts(options.games, teacher, students, options.student_share, 0.0, seed, game)
    begun: list[list[Callable[[], Dataset]]] = [[] for _ in range(SIDES)]
    with (
        Labeller(options, torch.get_num_threads()) as labeller,
        one_torch_thread(),  # the other cores simulate, and torch would wait for them
        ProgressBar(title, options.games, "games") as gauge,
    ):
        while rollouts.ended < options.games:
            if stopped():
                raise KeyboardInterrupt
            thoughtful = rollouts.turns(Role.TEACHER, Role.STUDENT)
            kept = thoughtful & (rollouts.generator.random(rollouts.width) < options.keep)
            learning, choices = rollouts.turns(Role.STUDENT), np.full(rollouts.width, -1)
            for side, targets in enumerate(begun):
                rows = np.flatnonzero((kept | learning) & (rollouts.batch.actors == side))
                if len(rows):
                    seen, masks = (part[rows] for part in rollouts.batch.shown)
                    probabilities = students[side].probabilities(seen, masks)
                    choices[rows] = students[side].draw(probabilities, seen)
                    chosen = kept[rows]
                    candidates, prior = likely(probabilities[chosen], options)
                    known = rollouts.positions(rows[chosen]) | {"candidates": candidates, "prior": prior}
                    states, generator = rollouts.batch.states, rollouts.generator
                    targets.append(start_labels(labeller, states, rows[chosen], side, known, generator))
            gauge.update(rollouts.step(np.where(learning, choices, -1)))
        return [joined([targets() for targets in parts]) for parts in begun]


def start_labels(
    labeller: Labeller,
    states: np.ndarray,
    rows: np.ndarray,
    side: int,
    known: Dataset,
    generator: np.random.Generator,
) -> Callable[[], Dataset]:
    """Start judging the ``candidates`` of positions ``known`` that have two or more.

    ``rows`` int64 [K]: where the positions are in ``states`` STATE [B]; ``side`` is to act in all of them. Returns a
    function that waits for the dataset.
    """
    is_open = known["candidates"][:, 1] >= 0
    rows, known = rows[is_open], {name: part[is_open] for name, part in known.items()}
    seeds = generator.integers(0, 2**62, len(rows))
    labels = labeller.label(take_states(states, rows), side, known["candidates"], seeds)
    return lambda: known | labels()


def losses(options: Distillation) -> LossFunction:
    """The losses for a ``Trainer`` of what ``label_games`` returns.

    Metrics: ``improvement``, expected value above that of the likeliest candidate of the policy that played, and
    ``points``, the same in victory points by the values; ``changed_actions``, share of positions in which another is
    now the likeliest; ``divergence`` from that policy; ``stray``, probability outside the candidates; ``value_loss``.
    """

    def both(logits: torch.Tensor, values: torch.Tensor, known: dict[str, torch.Tensor]) -> Losses:
        candidates, prior = known["candidates"].long(), known["prior"]
        ends, points = known["values"], known["points"]
        there = candidates >= 0
        logs = logits.log_softmax(1).gather(1, candidates.clamp(min=0)).masked_fill(~there, NOT_LEGAL)
        inside = logs.logsumexp(1)
        logs = logs - inside[:, None]
        probabilities = logs.exp()
        improvement = (probabilities * (ends - ends[:, :1])).sum(1).mean()
        gained = (probabilities * (points - points[:, :1])).sum(1).mean()
        divergence = (probabilities * (logs - prior.clamp(min=1e-9).log()).masked_fill(~there, 0)).sum(1).mean()
        value_loss = functional.mse_loss(values, (probabilities.detach() * ends).sum(1))
        metrics = {
            "improvement": improvement,
            "points": gained,
            "changed_actions": (logs.argmax(1) > 0).float().mean(),
            "divergence": divergence,
            "stray": 1 - inside.exp().mean(),
            "value_loss": value_loss,
        }
        gain = improvement / options.temperature + gained / options.value_temperature
        return divergence - gain - inside.mean() + VALUE_WEIGHT * value_loss, metrics

    return both


def distil(
    networks: Mapping[str, nn.Module],
    options: Distillation,
    seed: int,
    stopped: Stopped = never,
    game: GameOptions = STANDARD,
) -> dict[str, float]:
    """Improve the networks (by side) in rounds: new games of theirs are labelled, and all targets so far learnt.

    Returns the metrics of ``losses`` in the last round as ``side/metric``; raises ``KeyboardInterrupt`` once
    ``stopped`` says so. As many threads simulate as torch has.
    """

    def draw_seed(*purpose: int) -> int:
        return int(np.random.default_rng([seed, *purpose]).integers(0, 2**62))

    known: list[list[Dataset]] = [[] for _ in range(SIDES)]
    metrics: dict[str, float] = {}
    for number in range(options.rounds):
        students = [NetworkPlayer("student", networks[side].eval(), number, sample=True) for side in SIDE_NAMES]
        title = f"simulations, round {number + 1}"
        found = label_games(students, options, draw_seed(number, 0), stopped, game, title)
        for place, (side, parts, more) in enumerate(zip(SIDE_NAMES, known, found, strict=True)):
            parts.append(more)
            trainer = Trainer(networks[side].train(), options, losses(options), stopped)
            learnt = trainer.learn(joined(parts), draw_seed(number, place), title=f"the {side} learns")
            metrics |= {f"{side}/{name}": value for name, value in learnt.items()}
    return metrics
