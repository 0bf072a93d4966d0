"""Distillation of the search: the networks learn which actions end better in simulations.

Positions from games of the networks are labelled by a few simulations of every likely action. One position says
little, some hundred thousand of them a lot. A network then maximises, over the candidates of a position, the
expected value over ``temperature`` less the divergence (KL) from the policy it began with: its optimum is that
policy times exp(value / temperature), so it departs only where something is gained for certain.
"""

import shutil
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agents.files import whole_file
from agents.networks.asking import NOT_LEGAL
from agents.players.policy import NetworkPlayer
from agents.registry import make_player
from agents.search.labelling import Labeller
from agents.training.checkpoint import CheckpointError
from agents.training.config import Distillation
from agents.training.rollouts import Rollouts
from agents.training.trainer import Dataset, Losses, LossFunction, Stopped, Trainer, never
from dawn_env.batch import Batch
from dawn_env.options import STANDARD, GameOptions
from dawn_env.support.progress import Gauge
from dawn_env.tables import SIDE_NAMES, SIDES

_CHUNK = 256  # games between two files
_VALUE_WEIGHT = 0.5  # of the value loss beside the loss of the policy


@dataclass(frozen=True)
class Targets(Dataset):
    """Positions in each of which M actions at most were tried.

    ``candidates`` int16 [K, M], the likeliest first and -1 beyond the last; ``prior`` float32 [K, M]: how likely the
    policy at the start made them, 1 in all; ``values`` float32 [K, M]: mean ends of simulations, -1 ... 1 for the
    side to act.
    """

    candidates: np.ndarray
    prior: np.ndarray
    values: np.ndarray


_FIELDS = [field.name for field in fields(Targets)]


def likely(probabilities: np.ndarray, options: Distillation) -> tuple[np.ndarray, np.ndarray]:
    """Candidates and their prior, see ``Targets``, from probabilities [K, A]."""
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, : options.candidates]
    chances = np.take_along_axis(probabilities, order, 1)
    chances[chances < options.least * chances[:, :1]] = 0
    prior = chances / chances.sum(1, keepdims=True)
    return np.where(chances > 0, order, -1).astype(np.int16), prior.astype(np.float32)


# --- collecting ---------------------------------------------------------------------------------------


class Collector:
    """Labels positions of games as they are played; holds the policies of the start, by side."""

    def __init__(self, references: Sequence[NetworkPlayer], options: Distillation, labeller: Labeller,
                 game: GameOptions = STANDARD):  # fmt: skip
        self._references, self._options, self._labeller, self._game = references, options, labeller, game

    def collect(
        self, students: Sequence[NetworkPlayer], games: int, seed: int, stopped: Stopped = never
    ) -> list[Targets]:
        """Targets by side, from so many games; raises ``KeyboardInterrupt`` once ``stopped`` says so."""
        teacher, share = make_player("heuristic", seed), self._options.student_share
        rollouts = Rollouts(games, teacher, students, share, 0.0, seed, self._game)
        begun: list[list[Callable[[], Targets]]] = [[] for _ in range(SIDES)]
        while rollouts.ended < games:
            if stopped():
                raise KeyboardInterrupt
            kept = rollouts.counts & (rollouts.generator.random(rollouts.width) < self._options.keep)
            for side, targets in enumerate(begun):
                rows = np.flatnonzero(kept & (rollouts.batch.actors == side))
                if len(rows):
                    targets.append(self._label(rollouts.batch, rows, side, rollouts.generator))
            rollouts.step()
        return [Targets.joined([targets() for targets in parts]) for parts in begun]

    def _label(
        self, batch: Batch, rows: np.ndarray, side: int, generator: np.random.Generator
    ) -> Callable[[], Targets]:
        """Begin to label those of ``rows``, all of ``side``, that leave a choice; what is returned waits for the
        targets."""
        seen, masks = (part[rows] for part in batch.shown)
        candidates, prior = likely(self._references[side].probabilities(seen, masks), self._options)
        open_ = candidates[:, 1] >= 0
        rows, candidates = rows[open_], candidates[open_]
        seeds = generator.integers(0, 2**62, len(rows))
        values = self._labeller.label(batch.states[rows], side, candidates, seeds)
        known = seen[open_], np.packbits(masks[open_], axis=1), candidates, prior[open_]
        return lambda: Targets(*known, values())


def save_targets(path: Path, by_side: Sequence[Targets]) -> None:
    """Write targets, by side, to a file, in full or not at all."""
    arrays = {f"{side}.{name}": getattr(found, name) for side, found in enumerate(by_side) for name in _FIELDS}
    with whole_file(path, "wb") as file:
        np.savez_compressed(file, **arrays)


def load_targets(path: Path, sides: int = SIDES) -> list[Targets]:
    """What ``save_targets`` has written, of so many sides; raises ``CheckpointError``."""
    try:
        with np.load(path) as arrays:
            return [Targets(*(arrays[f"{side}.{name}"] for name in _FIELDS)) for side in range(sides)]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise CheckpointError(f"{path}: damaged targets; delete the file to have its games played again") from error


# --- learning -----------------------------------------------------------------------------------------


def losses(temperature: float) -> LossFunction:
    """The losses for a ``Trainer`` of ``Targets``.

    Figures: ``gain``, expected value above that of the likeliest candidate at the start; ``departures``, share of
    positions in which another is now the likeliest; ``divergence`` from the start; ``stray``, probability outside
    the candidates; ``value_loss``.
    """

    def both(network: nn.Module, targets: Targets, rows: np.ndarray) -> Losses:
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
        return divergence - gain / temperature - inside.mean() + _VALUE_WEIGHT * value_loss, figures

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
        self._known: list[list[Targets]] = [[] for _ in range(SIDES)]

    def run(self, threads: int) -> dict[str, float]:
        """The figures of ``losses`` in the last round as ``side/figure``; raises ``KeyboardInterrupt`` once
        ``stopped`` says so."""
        self._folder.mkdir(parents=True, exist_ok=True)
        references = [NetworkPlayer("reference", deepcopy(net).eval(), self._seed) for net in self._by_side()]
        figures: dict[str, float] = {}
        with Labeller(self._options.plays, self._options.deals, threads) as labeller:
            collector = Collector(references, self._options, labeller, self._game)
            for number in range(self._options.rounds):
                self._collect(collector, number)
                figures = self._learn(number)
        shutil.rmtree(self._folder)
        return figures

    def _by_side(self) -> list[nn.Module]:
        return [self._networks[side] for side in SIDE_NAMES]

    def _draw_seed(self, *purpose: int) -> int:
        return int(np.random.default_rng([self._seed, *purpose]).integers(0, 2**62))

    def _collect(self, collector: Collector, number: int) -> None:
        """The targets of a round, a chunk of games at a time."""
        games = self._options.games
        students = [NetworkPlayer("student", net.eval(), number, sample=True) for net in self._by_side()]
        with Gauge(f"simulations, round {number + 1}", games, "games") as gauge:
            for start in range(0, games, _CHUNK):
                count, path = min(_CHUNK, games - start), self._folder / f"{number}-{start}.npz"
                if path.exists():
                    targets = load_targets(path)
                else:
                    targets = collector.collect(students, count, self._draw_seed(number, start), self._stopped)
                    save_targets(path, targets)
                for parts, more in zip(self._known, targets, strict=True):
                    parts.append(more)
                gauge.update(count)

    def _learn(self, number: int) -> dict[str, float]:
        """All that is known by now; the figures."""
        figures: dict[str, float] = {}
        for place, (side, parts) in enumerate(zip(SIDE_NAMES, self._known, strict=True)):
            network, goal = self._networks[side].train(), losses(self._options.temperature)
            trainer = Trainer(network, self._options, goal, self._stopped)
            train_seed, title = self._draw_seed(number, place), f"the {side} learns"
            learnt = trainer.learn(Targets.joined(parts), train_seed, title=title)
            figures |= {f"{side}/{name}": value for name, value in learnt.items()}
        return figures
