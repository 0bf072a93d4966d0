"""Fits networks of kind ``sparse`` to positions that the trained policies have labelled (``teacher_positions``).

``.venv/bin/python -m scripts.laboratory.fit_sparse FOLDER --positions DIRECTORY --seed 1`` writes a policy file a side
to FOLDER. A network learns the teacher's probabilities by their divergence (KL), and its values. Needs torch.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from dawn_agents.heuristic.action_scores import ADVICE
from dawn_agents.networks.inference import NOT_LEGAL
from dawn_agents.networks.network_options import NetworkOptions
from dawn_agents.networks.policy_file import PolicyInfo, save_policy
from dawn_agents.networks.policy_networks import build_network
from dawn_agents.training.network_trainer import Losses, Trainer
from torch import nn
from torch.nn import functional

from dawn_env.actions import A
from dawn_env.observation import F
from dawn_env.support.compiling import entry
from dawn_env.tables import SIDE_NAMES
from scripts.laboratory.teacher_positions import Positions, load

_VALUE_WEIGHT = 0.5  # of the value loss beside the divergence


@dataclass(frozen=True)
class Schedule:
    """Gradient steps (``network_trainer.Schedule``)."""

    epochs: int
    batch_size: int
    learning_rate: float


@entry
def _fill(rows, starts, places, entries, inputs):
    """Write the nonzero entries of positions ``rows`` into ``inputs`` int8 [B, F + ADVICE], all 0."""
    for at in range(len(rows)):
        for i in range(starts[rows[at]], starts[rows[at] + 1]):
            inputs[at, places[i]] = entries[i]


class Labelled:
    """Positions as ``Trainer`` takes them."""

    def __init__(self, positions: Positions):
        self._all = positions
        self._starts = np.concatenate([[0], np.cumsum(positions.counts, dtype=np.int64)])
        self._first_legal = np.concatenate([[0], np.cumsum(positions.legal_counts, dtype=np.int64)])

    def __len__(self) -> int:
        return len(self._all.sides)

    def take(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Inputs int8 [B, F + ADVICE], legal bool [B, A], the teacher's chances [B, A] and values [B]."""
        known = self._all
        inputs = np.zeros((len(rows), F + ADVICE), np.int8)
        _fill(rows, self._starts, known.places, known.entries, inputs)
        legal = np.unpackbits(known.masks[rows], axis=1, count=A).astype(bool)
        inputs[:, F : F + A][~legal] = -128
        chances = np.zeros((len(rows), A), np.float32)
        spans = zip(self._first_legal[rows], self._first_legal[rows + 1], strict=True)
        chances[legal] = np.concatenate([known.chances[start:end] for start, end in spans])
        return inputs, legal, chances / chances.sum(1, keepdims=True), known.values[rows].astype(np.float32)


def losses(network: nn.Module, labelled: Labelled, rows: np.ndarray) -> Losses:
    """Divergence from the teacher and squared error of its values; ``agreement``: share of equal likeliest actions."""
    inputs, legal, chances, ends = map(torch.from_numpy, labelled.take(rows))
    logits, values = network(inputs)
    logs = logits.masked_fill(~legal, NOT_LEGAL).log_softmax(1)
    divergence = functional.kl_div(logs.masked_fill(~legal, 0), chances, reduction="batchmean")
    value_loss = functional.mse_loss(values, ends)
    agreement = (logs.argmax(1) == chances.argmax(1)).float().mean()
    figures = {"divergence": divergence, "agreement": agreement, "value_loss": value_loss}
    return divergence + _VALUE_WEIGHT * value_loss, figures


def fit(positions: Positions, name: str, options: argparse.Namespace) -> tuple[nn.Module, dict[str, float]]:
    """The network of a side, and the figures of the last epoch."""
    torch.manual_seed(options.seed)
    schedule = Schedule(options.epochs, options.batch_size, options.learning_rate)
    network = build_network(network_options(options))
    return network, Trainer(network, schedule, losses).learn(Labelled(positions), options.seed, title=name)


def network_options(options: argparse.Namespace) -> NetworkOptions:
    """Shape of the networks."""
    return NetworkOptions("sparse", options.width, depth=0, advice=True, dtype="float16")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=Path, nargs="+", required=True, metavar="DIRECTORY")
    parser.add_argument("--sides", nargs="+", choices=SIDE_NAMES, default=SIDE_NAMES)
    for name, default in (("width", 128), ("epochs", 6), ("batch-size", 1024), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default, help="default: %(default)s")
    parser.add_argument("--learning-rate", type=float, default=2e-3, help="default: %(default)s")
    parser.add_argument("--commit", default="unknown", help="of the code, kept in the files")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn and write."""
    options = parse(arguments)
    torch.set_num_threads(1)  # the same sums in the same order
    paths = sorted(path for folder in options.positions for path in folder.glob("*.npz"))
    options.folder.mkdir(parents=True, exist_ok=True)
    for side, name in enumerate(SIDE_NAMES):
        if name in options.sides:
            positions = load(paths, side)
            network, figures = fit(positions, name, options)
            training = {key: value for key, value in vars(options).items() if isinstance(value, int | float | str)}
            games = {"positions": len(positions.sides)}
            training |= {"command": "scripts.laboratory.fit_sparse"} | games
            save_policy(
                options.folder / f"{name}.zip",
                network,
                PolicyInfo(name, network_options(options), {}, training | figures),
            )
            print(name, {key: round(value, 4) for key, value in figures.items()}, flush=True)


if __name__ == "__main__":
    main()
