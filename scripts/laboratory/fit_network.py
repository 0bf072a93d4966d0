"""Fits the network of ``win_probability_network`` to games; writes its ``network.json``. Needs torch.

``.venv/bin/python -m scripts.laboratory.fit_network --games 80000 --seed 21``, some twenty minutes. Positions are drawn
from so many games of the rule-based player and a seventh as many of the trained policies, in which one decision in a
hundred is made at random (``samples.py``). A result says little about a position far from the end, so what is learnt is
the mean, weighted by ``_TRACES``, of the result and of the win probabilities at the positions that follow in the
game: by the regression first, then, for a second network, by the first one.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from dawn_agents.players.registry import make_player
from dawn_agents.players.win_probability.win_probability_network import (
    FACTS,
    FILE,
    HELD,
    D,
    NetworkWeights,
    new_work,
    write_inputs,
)
from dawn_agents.players.win_probability.win_probability_regression import tables
from torch import nn
from torch.nn import functional

from dawn_env.support.compiling import entry
from scripts.laboratory.samples import Sample, Sampling, describe, games_of, kept_apart, sampled_games

_SAMPLING = Sampling(most=80, often=0.025, often_in_struggles=0.025, errors=0.01)
_POLICIES, _POLICY_GAMES = "pretrained:sample=true", 1 / 7  # games by them take longer: fewer, with more positions each
_POLICY_SAMPLING = Sampling(most=160, often=0.075, often_in_struggles=0.075, errors=0.01)
_UNITS = 32
_TRACES = 0.7, 0.5
_EPOCHS, _BATCH = 3, 1024
_RATE, _DECAY = 2e-3, 0.05  # of the weights
_DIGITS = 5  # significant ones
_LEAST_GAMES = 70  # so that some games of each kind are kept apart


class Positions(NamedTuple):
    """Positions as the network takes them: n of them, in the order of their games, each of a game with a ``result``."""

    numbers: np.ndarray  # float32 [n, D]
    facts: np.ndarray  # int16 [n, HELD]
    odds: np.ndarray  # float32 [n], log odds by the regression
    results: np.ndarray  # float32 [n], 1: the Democrat won
    games: np.ndarray  # int32 [n]


@entry
def _read(states, tables, work, numbers, facts, odds):
    """Fill float32 [n, D], int16 [n, HELD] and float32 [n] for ``states`` STATE [n]."""
    for row in range(len(states)):
        odds[row] = write_inputs(states[row], tables, work)
        for i in range(D):
            numbers[row, i] = work.numbers[i]
        for i in range(HELD):
            facts[row, i] = work.facts[i]


def play_games(games: int, seed: int) -> Iterator[Positions]:
    """Positions of so many games of the rule-based player, and of fewer of the trained policies."""
    policies = make_player(_POLICIES, seed)
    yield read(sampled_games(games, seed, _SAMPLING))
    yield read(games_of(policies, max(1, round(games * _POLICY_GAMES)), seed + 2, _POLICY_SAMPLING))


def read(samples: Iterable[Sample]) -> Positions:
    """Network inputs of positions."""
    found, work = [], new_work()
    for game, states, result in samples:
        n = len(states)
        seen = np.zeros((n, D), np.float32), np.zeros((n, HELD), np.int16), np.zeros(n, np.float32)
        _read(states, tables(), work, *seen)
        found.append([*seen, np.full(n, result, np.float32), np.full(n, game, np.int32)])
    return Positions(*map(np.concatenate, zip(*found, strict=True)))


def joined(parts: Sequence[Positions]) -> Positions:
    """Positions of several kinds of games, each game with a number of its own."""
    starts = np.cumsum([0, *(part.games.max() + 1 for part in parts)])
    parts = [part._replace(games=part.games + start) for part, start in zip(parts, starts[:-1], strict=True)]
    return Positions(*map(np.concatenate, zip(*parts, strict=True)))


def returns(positions: Positions, odds: np.ndarray, trace: float) -> np.ndarray:
    """float32 [n], what is learnt: ``trace`` of what is learnt at the next position of the game, the rest of the chance
    there, by log odds [n]; at the last position the result."""
    learnt, probabilities = positions.results.copy(), 1 / (1 + np.exp(-odds))
    for row in reversed(range(len(learnt) - 1)):
        if positions.games[row] == positions.games[row + 1]:
            learnt[row] = trace * learnt[row + 1] + (1 - trace) * probabilities[row + 1]
    return learnt


class _Network(nn.Module):
    """``NetworkWeights``, of numbers scaled to mean 0 and deviation 1."""

    def __init__(self, numbers: np.ndarray):
        super().__init__()
        self.mean, self.deviation = numbers.mean(0), np.maximum(numbers.std(0), 0.01)
        self.numbers = nn.Linear(D, _UNITS)
        self.facts = nn.EmbeddingBag(FACTS, _UNITS, mode="sum")
        self.units = nn.Linear(_UNITS, 1, bias=False)
        nn.init.normal_(self.facts.weight, 0, 0.05)
        nn.init.normal_(self.units.weight, 0, 0.02)

    def forward(self, numbers: np.ndarray, facts: np.ndarray, odds: np.ndarray) -> torch.Tensor:
        """Log odds [n]."""
        scaled = torch.from_numpy((numbers - self.mean) / self.deviation)
        units = functional.relu(self.numbers(scaled) + self.facts(torch.from_numpy(facts.astype(np.int64))))
        return torch.from_numpy(odds) + self.units(units)[:, 0]

    def weights(self) -> NetworkWeights:
        """Weights for unscaled numbers; the shift by the mean goes into the facts of one kind, of which one holds."""
        numbers, facts, units = (part.weight.detach().numpy().astype(np.float64) for part in self.children())
        numbers = numbers.T / self.deviation[:, None]
        constant = self.numbers.bias.detach().numpy() - self.mean @ numbers
        return NetworkWeights(numbers, facts + constant / HELD, units[0])


def _batches(rows: np.ndarray) -> Iterator[np.ndarray]:
    return (rows[start : start + _BATCH] for start in range(0, len(rows), _BATCH))


def learn(positions: Positions, goals: np.ndarray, rows: np.ndarray, seed: int) -> _Network:
    """A network that has learnt ``goals`` float32 [n] in the positions ``rows``."""
    torch.manual_seed(seed)
    random, network = np.random.default_rng(seed), _Network(positions.numbers[rows])
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = _EPOCHS * -(-len(rows) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps, pct_start=0.1)
    for _ in range(_EPOCHS):
        for batch in _batches(random.permutation(rows)):
            odds = network(*(column[batch] for column in positions[:3]))
            loss = functional.binary_cross_entropy_with_logits(odds, torch.from_numpy(goals[batch]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return network


def odds_of(network: _Network, positions: Positions) -> np.ndarray:
    """float32 [n], log odds of the Democrat."""
    with torch.no_grad():
        parts = [
            network(*(c[batch] for c in positions[:3])).numpy() for batch in _batches(np.arange(len(positions.odds)))
        ]
    return np.concatenate(parts)


def write(weights: NetworkWeights, made: str) -> None:
    """Write ``network.json``."""
    rounded = {
        name: np.vectorize(lambda value: float(f"{value:.{_DIGITS}g}"))(part).tolist()
        for name, part in weights._asdict().items()
    }
    FILE.write_text(json.dumps({"made": made} | rounded, separators=(",", ":")) + "\n", encoding="utf-8")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=80000, help="of each guide (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=21, help="default: %(default)s")
    options = parser.parse_args(arguments)
    if options.games < _LEAST_GAMES:
        parser.error(f"--games must be at least {_LEAST_GAMES}, not {options.games}")
    return options


def fit(parts: Sequence[Positions], seed: int) -> tuple[_Network, str]:
    """A network that has learnt from positions, and in words how well it foretells the results of games kept apart, in
    each of ``parts``."""
    positions = joined(parts)
    kept, odds = kept_apart(positions.games), positions.odds
    for trace in _TRACES:
        network = learn(positions, returns(positions, odds, trace), np.flatnonzero(~kept), seed)
        odds = odds_of(network, positions)
    columns, ends = (1 / (1 + np.exp(-odds)), positions.results, kept), np.cumsum([len(part.odds) for part in parts])
    of_parts = (np.split(column, ends[:-1]) for column in columns)
    metrics = (describe(told[apart], result[apart]) for told, result, apart in zip(*of_parts, strict=True))
    return network, "; ".join(metrics)


def main(arguments: list[str] | None = None) -> None:
    """Play, learn and write."""
    options = parse(arguments)
    torch.set_num_threads(1)  # the same sums in the same order
    network, metrics = fit(list(play_games(options.games, options.seed)), options.seed)
    print(metrics)
    write(network.weights(), f"scripts.laboratory.fit_network: {options.games} games, seed {options.seed}; {metrics}")


if __name__ == "__main__":
    main()
