"""Distillation of the search: the networks learn which actions end better in simulations.

Positions from games of the networks are labelled by a few simulations of every likely action. One position says
little, some hundred thousand of them a lot. A network then maximises, over the candidates of a position, the
expected value over ``temperature`` less the divergence (KL) from the policy that played there: its optimum is that
policy times exp(value / temperature), so it departs only where something is gained for certain.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from dawn_agents.networks.inference import NOT_LEGAL, one_torch_thread
from dawn_agents.players.network_player import NetworkPlayer
from dawn_agents.registry import make_player
from dawn_agents.search.action_labels import Labeller
from dawn_agents.training.checkpoint import CheckpointError
from dawn_agents.training.network_trainer import VALUE_WEIGHT, Dataset, Losses, LossFunction, Stopped, Trainer, never
from dawn_agents.training.teacher_games import Role, Rollouts
from dawn_agents.training.training_config import Distillation
from dawn_env.options import STANDARD, GameOptions
from dawn_env.state import take_states
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.progress_bars import ProgressBar
from dawn_env.support.safe_text import first_line
from dawn_env.tables import SIDE_NAMES, SIDES

_CHUNK = 512  # games of a file


@dataclass(frozen=True)
class ActionValueData(Dataset):
    """Positions in each of which M actions at most were tried.

    ``candidates`` int16 [K, M], the likeliest first and -1 beyond the last; ``prior`` float32 [K, M]: how likely the
    policy of the moment made them, 1 in all; ``values`` float32 [K, M]: mean ends of simulations, -1 ... 1 for the
    side to act.
    """

    candidates: np.ndarray
    prior: np.ndarray
    values: np.ndarray


_FIELDS = [field.name for field in fields(ActionValueData)]


def likely(probabilities: np.ndarray, options: Distillation) -> tuple[np.ndarray, np.ndarray]:
    """Candidates and their prior (``ActionValueData``) from probabilities [K, A]."""
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, : options.candidates]
    chances = np.take_along_axis(probabilities, order, 1)
    chances[chances < options.least * chances[:, :1]] = 0
    prior = chances / chances.sum(1, keepdims=True)
    return np.where(chances > 0, order, -1).astype(np.int16), prior.astype(np.float32)


# --- collecting ---------------------------------------------------------------------------------------


def label_games(
    students: Sequence[NetworkPlayer], options: Distillation, games: int, seed: int, threads: int,
    game: GameOptions = STANDARD, stopped: Stopped = never,
) -> list[ActionValueData]:  # fmt: skip
    """Targets by side from new games, labelled as they are played.

    ``students``: the policies of the moment, by side. Raises ``KeyboardInterrupt`` once ``stopped`` says so.
    """
    rollouts = Rollouts(games, make_player("heuristic", seed), students, options.student_share, 0.0, seed, game)
    begun: list[list[Callable[[], ActionValueData]]] = [[] for _ in range(SIDES)]
    with (
        one_torch_thread(),  # the other cores simulate, and torch would wait for them
        Labeller(options.plays, options.deals, threads, options.guide) as labeller,
    ):
        while rollouts.ended < games:
            if stopped():
                raise KeyboardInterrupt
            kept = rollouts.thoughtful & (rollouts.generator.random(rollouts.width) < options.keep)
            choices = np.zeros(rollouts.width, np.int64)
            for side, targets in enumerate(begun):
                rows = np.flatnonzero((kept | rollouts.turns(Role.STUDENT)) & (rollouts.batch.actors == side))
                if len(rows):
                    seen, masks = (part[rows] for part in rollouts.batch.shown)
                    chances = students[side].probabilities(seen, masks)
                    choices[rows] = students[side].draw(chances, seen)
                    states, chosen = take_states(rollouts.batch.states, rows[kept[rows]]), kept[rows]
                    candidates, prior = likely(chances[chosen], options)
                    known = states, seen[chosen], masks[chosen], candidates, prior
                    targets.append(_label(labeller, side, *known, rollouts.generator))
            rollouts.step(choices=choices)
        return [ActionValueData.joined([targets() for targets in parts]) for parts in begun]


def _label(
    labeller: Labeller, side: int, states: np.ndarray, seen: np.ndarray, masks: np.ndarray,
    candidates: np.ndarray, prior: np.ndarray, generator: np.random.Generator,
) -> Callable[[], ActionValueData]:  # fmt: skip
    """Start labelling the positions of ``side`` with two or more candidates; returns a function that waits for the
    targets."""
    open_ = candidates[:, 1] >= 0
    candidates, seeds = candidates[open_], generator.integers(0, 2**62, int(open_.sum()))
    values = labeller.label(states[open_], side, candidates, seeds)
    known = seen[open_], np.packbits(masks[open_], axis=1), candidates, prior[open_]
    return lambda: ActionValueData(*known, values())


def save_targets(path: Path, by_side: Sequence[ActionValueData]) -> None:
    """Write targets, by side, to a file, in full or not at all."""
    arrays = {f"{side}.{name}": getattr(found, name) for side, found in enumerate(by_side) for name in _FIELDS}
    with atomic_write(path, "wb") as file:
        np.savez_compressed(file, **arrays)


def load_targets(path: Path) -> list[ActionValueData]:
    """Read what ``save_targets`` has written, by side; raises ``CheckpointError``."""
    try:
        with np.load(path) as arrays:
            return [ActionValueData(*(arrays[f"{side}.{name}"] for name in _FIELDS)) for side in range(SIDES)]
    except Exception as error:  # numpy raises many kinds for damaged data
        problem = f"damaged targets; delete the file to have its games played again ({first_line(error)})"
        raise CheckpointError(f"{path}: {problem}") from error


# --- learning -----------------------------------------------------------------------------------------


def losses(temperature: float) -> LossFunction:
    """The losses for a ``Trainer`` of ``ActionValueData``.

    Figures: ``gain``, expected value above that of the likeliest candidate of the policy that played;
    ``departures``, share of positions in which another is now the likeliest; ``divergence`` from that policy;
    ``stray``, probability outside the candidates; ``value_loss``.
    """

    def both(network: nn.Module, targets: ActionValueData, rows: np.ndarray) -> Losses:
        logits, values = targets.ask(network, rows)
        candidates, prior, ends = (
            torch.from_numpy(known[rows]).to(values.device)
            for known in (targets.candidates, targets.prior, targets.values)
        )
        there, candidates = candidates >= 0, candidates.long().clamp(min=0)
        logs = logits.log_softmax(1).gather(1, candidates).masked_fill(~there, NOT_LEGAL)
        inside = logs.logsumexp(1)
        logs = logs - inside[:, None]
        chances = logs.exp()
        gain = (chances * (ends - ends[:, :1])).sum(1).mean()
        divergence = (chances * (logs - prior.clamp(min=1e-9).log()).masked_fill(~there, 0)).sum(1).mean()
        value_loss = functional.mse_loss(values, (chances.detach() * ends).sum(1))
        figures = {
            "gain": gain, "departures": (logs.argmax(1) > 0).float().mean(), "divergence": divergence,
            "stray": 1 - inside.exp().mean(), "value_loss": value_loss,
        }  # fmt: skip
        return divergence - gain / temperature - inside.mean() + VALUE_WEIGHT * value_loss, figures

    return both


class Distiller:
    """Improves networks (by side) in rounds: new games of theirs are labelled, and all targets so far learnt.

    ``folder`` keeps the targets until the end of ``run``; if an earlier one was broken off, with the same networks,
    options and seed, it goes on from them.
    """

    def __init__(
        self, networks: Mapping[str, nn.Module], options: Distillation, seed: int, folder: Path,
        stopped: Stopped = never, game: GameOptions = STANDARD,
    ):  # fmt: skip
        self._networks, self._options, self._seed = networks, options, seed
        self._folder, self._stopped, self._game = folder, stopped, game
        self._known: list[list[ActionValueData]] = [[] for _ in range(SIDES)]

    def run(self, threads: int) -> dict[str, float]:
        """The figures of ``losses`` in the last round as ``side/figure``; raises ``KeyboardInterrupt`` once
        ``stopped`` says so. ``threads`` simulate."""
        self._folder.mkdir(parents=True, exist_ok=True)
        figures: dict[str, float] = {}
        for number in range(self._options.rounds):
            self._collect(number, threads)
            figures = self._learn(number)
        shutil.rmtree(self._folder)
        return figures

    def _draw_seed(self, *purpose: int) -> int:
        return int(np.random.default_rng([self._seed, *purpose]).integers(0, 2**62))

    def _collect(self, number: int, threads: int) -> None:
        """The targets of a round, a part at a time; those that are kept already are not sought again."""
        games = self._options.games
        networks = [self._networks[side].eval() for side in SIDE_NAMES]
        students = [NetworkPlayer("student", network, number, sample=True) for network in networks]
        with ProgressBar(f"simulations, round {number + 1}", games, "games") as gauge:
            for start in range(0, games, _CHUNK):
                path, size = self._folder / f"{number}-{start}.npz", min(_CHUNK, games - start)
                if not path.exists():
                    seed = self._draw_seed(number, start)
                    found = label_games(students, self._options, size, seed, threads, self._game, self._stopped)
                    save_targets(path, found)
                gauge.update(size)
                for parts, more in zip(self._known, load_targets(path), strict=True):
                    parts.append(more)

    def _learn(self, number: int) -> dict[str, float]:
        """Learn from all targets so far; returns the figures."""
        figures: dict[str, float] = {}
        for place, (side, parts) in enumerate(zip(SIDE_NAMES, self._known, strict=True)):
            network, goal = self._networks[side].train(), losses(self._options.temperature)
            trainer = Trainer(network, self._options, goal, self._stopped)
            train_seed, title = self._draw_seed(number, place), f"the {side} learns"
            learnt = trainer.learn(ActionValueData.joined(parts), train_seed, title=title)
            figures |= {f"{side}/{name}": value for name, value in learnt.items()}
        return figures
