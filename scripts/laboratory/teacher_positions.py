"""Collects positions labelled by the trained policies: what they make of every legal action, for ``fit_sparse``.

``.venv/bin/python -m scripts.laboratory.teacher_positions FOLDER --games 6000 --seed 1``: in every game each side is
played by one of ``--players``, drawn at random, and every position with a choice is kept with the teacher's
probabilities and value. A file holds the games of one piece; pieces that are there already are not played again.
Needs torch.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import torch
from dawn_agents.networks.inference import ask, network_inputs
from dawn_agents.networks.policy_file import load_policy
from dawn_agents.players.choosing import Choosing
from dawn_agents.players.network_player import PRETRAINED
from dawn_agents.players.sparse_player import CompactPlayer
from dawn_agents.registry import make_player
from torch import nn

from dawn_env.actions import A
from dawn_env.batch import Batch
from dawn_env.observation import F
from dawn_env.players import Player, choose_actions
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.progress_bars import with_progress
from dawn_env.tables import SIDE_NAMES

TEACHER = "teacher"
"""Among players: the trained policies themselves, drawing by their probabilities."""
PIECE_GAMES = 512
_ERRORS = 0.01  # share of decisions made at random


class Positions(NamedTuple):
    """K labelled positions; the nonzero entries of their network inputs lie one after the other (N in all)."""

    sides: np.ndarray  # int8 [K], of who decides
    masks: np.ndarray  # uint8 [K, ceil(A / 8)], packed bits
    counts: np.ndarray  # int16 [K], nonzero entries of each position
    places: np.ndarray  # int16 [N], in 0 ... F + ADVICE - 1
    entries: np.ndarray  # int8 [N]
    legal_counts: np.ndarray  # int16 [K]
    chances: np.ndarray  # float16 [M], the teacher's, of the legal actions of each position in turn
    values: np.ndarray  # float16 [K], the teacher's, -1 ... 1

    @classmethod
    def of(cls, observations: np.ndarray, masks: np.ndarray, logits: np.ndarray, values: np.ndarray) -> Self:
        """Compact form of ``observations`` int8 [K, F], ``masks`` int8 [K, A], ``logits`` [K, A], ``values`` [K]."""
        inputs, legal = network_inputs(True, observations, masks), masks != 0
        opinions = inputs[:, F : F + A]
        opinions[~legal] = 0
        rows, places = np.nonzero(inputs)
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        return cls(
            observations[:, 0].copy(), np.packbits(legal, axis=1),
            np.bincount(rows, minlength=len(inputs)).astype(np.int16), places.astype(np.int16), inputs[rows, places],
            legal.sum(1).astype(np.int16), chances[legal].astype(np.float16), values.astype(np.float16),
        )  # fmt: skip

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """One after the other."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def teacher_networks() -> list[nn.Module]:
    """Networks of the trained policies, by side."""
    return [load_policy(PRETRAINED / f"{side}.zip")[0] for side in SIDE_NAMES]


def ask_both(networks: Sequence[nn.Module], batch: Batch, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits float32 [K, A] and values [K] of ``rows`` [K], each by the network of its side."""
    logits, values = np.zeros((len(rows), A), np.float32), np.zeros(len(rows), np.float32)
    for side, network in enumerate(networks):
        here = np.flatnonzero(batch.actors[rows] == side)
        if len(here):
            seen, masks = (part[rows[here]] for part in batch.shown)
            with torch.inference_mode():
                logits[here], values[here] = (part.numpy() for part in ask(network, seen, masks))
    return logits, values


def drawn(logits: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Actions [K] drawn by the softmax of ``logits`` [K, A]."""
    return (logits + random.gumbel(size=logits.shape)).argmax(1)


def play_piece(games: int, seed: Sequence[int], players: Sequence[Player | None]) -> Positions:
    """Positions of so many games; ``None`` among ``players`` stands for the teacher."""
    random, networks, found = np.random.default_rng(seed), teacher_networks(), []
    batch = Batch(games, random.integers(0, 2**62, games), auto_restart=False)
    seats = random.integers(0, len(players), (games, 2))
    while len(rows := np.flatnonzero(~batch.ended)):
        logits, values = ask_both(networks, batch, rows)
        actions, masks = drawn(logits, random), batch.masks[rows]
        for number, player in enumerate(players):
            here = np.flatnonzero(seats[rows, batch.actors[rows]] == number)
            if player is not None and len(here):
                actions[here] = choose_actions(player, batch.states, *batch.shown, rows[here])
        open_ = masks.sum(1) > 1
        found.append(Positions.of(batch.observations[rows[open_]], masks[open_], logits[open_], values[open_]))
        odd = random.random(len(rows)) < _ERRORS
        actions[odd] = drawn(np.where(masks[odd], 0.0, -np.inf), random)
        batch.step_rows(rows, actions)
    return Positions.joined(found)


def save(path: Path, positions: Positions) -> None:
    """Write a file, as a whole or not at all."""
    with atomic_write(path, "wb") as file:
        np.savez(file, **positions._asdict())


def load(paths: Sequence[Path], side: int) -> Positions:
    """Positions of several files in which ``side`` decides."""
    parts = []
    for path in paths:
        with np.load(path) as arrays:
            known = Positions(*(arrays[name] for name in Positions._fields))
        kept = known.sides == side
        entries, legal = np.repeat(kept, known.counts), np.repeat(kept, known.legal_counts)
        chosen = {"places": entries, "entries": entries, "chances": legal}
        parts.append(Positions(*(part[chosen.get(name, kept)] for name, part in known._asdict().items())))
    return Positions.joined(parts)


def named(spec: str, seed: int) -> Player | None:
    """One of ``--players``; ``None`` for the teacher."""
    if spec == TEACHER:
        return None
    folder = Path(spec)
    if folder.is_dir():
        return CompactPlayer(spec, seed, Choosing(), folder)
    return make_player(spec, seed)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=6000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument(
        "--players", nargs="+", default=[TEACHER, "heuristic"], metavar="PLAYER",
        help=f"specifications, {TEACHER}, or folders that fit_sparse has written, whose policies play greedily; a "
        "player named twice plays twice as often (default: %(default)s)",
    )  # fmt: skip
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Play and write."""
    options = parse(arguments)
    torch.set_num_threads(1)  # the same sums in the same order
    players = [named(spec, options.seed) for spec in options.players]
    options.folder.mkdir(parents=True, exist_ok=True)
    for start in with_progress(range(0, options.games, PIECE_GAMES), "pieces"):
        path = options.folder / f"{options.seed}-{start}.npz"
        if not path.exists():
            games = min(PIECE_GAMES, options.games - start)
            save(path, play_piece(games, [options.seed, start], players))


if __name__ == "__main__":
    main()
