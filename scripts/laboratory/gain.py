"""Gain of players' choices over the rule-based player's, in long simulations; less variance than games.

``.venv/bin/python -m scripts.laboratory.gain search:sims=50 search:sims=200,plays=6``, some minutes. Positions are
drawn from games of the rule-based player with a random decision now and then. Where the players choose differently from
it, their choices and its own are simulated in many deals, the same for all, to a far horizon
(``search/simulations.py``). A gain is the difference in the end (-1 ... 1, so twice the chance of winning). It says how
good single choices are if all goes on by the rules of thumb, which is not all of strength, and leaves the evaluation at
the horizon unquestioned.
"""

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np
from dawn_agents.registry import make_player
from dawn_agents.reporting.tables import console
from dawn_agents.search.simulator import Simulator
from rich.table import Table

from dawn_env.observation.player_view import View
from dawn_env.players import Player, choose_action
from dawn_env.tables import DEMOCRAT
from scripts.laboratory.samples import Sampling, sampled_games

_SAMPLING = Sampling(most=5, often=0.02, often_in_struggles=0.02, errors=0.02)
_PLAYS = 12  # card plays of a simulation
_DEALS = 200


def positions(count: int, seed: int) -> Iterator[View]:
    """Sample positions with a choice, a few of each game, as views of the side to act."""
    for _, states, _ in sampled_games(count, seed, _SAMPLING):
        for row in np.flatnonzero(states["legal_count"] > 1):
            if count == 0:
                return
            yield View(states[row])
            count -= 1


def _choices(players: Sequence[Player], view: View) -> tuple[list[int], list[float]]:
    """The action of each player and the processor time it took, in seconds."""
    actions, seconds = [], []
    for player in players:
        start = time.process_time()
        actions.append(choose_action(player, view))
        seconds.append(time.process_time() - start)
    return actions, seconds


def gains(view: View, actions: Sequence[int], simulator: Simulator, seed: int) -> np.ndarray:
    """float64 [n], for the side to act: the ends of ``actions`` less that of the first."""
    different = np.unique(actions)
    if len(different) == 1:
        return np.zeros(len(actions))
    deals = view.deal(np.random.default_rng(seed).integers(0, 2**62, _DEALS))
    ends = simulator.values(deals, different).mean(0) * (1 if view.side == DEMOCRAT else -1)
    return ends[np.searchsorted(different, actions)] - ends[different == actions[0]]


def measure(specs: Sequence[str], count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Gains and seconds of processor time, float64 [count, n] each, of the players' choices in so many positions."""
    players = [make_player(spec, seed) for spec in ("heuristic", *specs)]
    simulator, found, spent = Simulator(False, _PLAYS), [], []
    for number, view in enumerate(positions(count, seed)):
        if number == 0:
            _choices(players, view)  # compiles
        actions, seconds = _choices(players, view)
        found.append(gains(view, actions, simulator, number)[1:])
        spent.append(seconds[1:])
    return np.array(found), np.array(spent)


def _table(specs: Sequence[str], found: np.ndarray, spent: np.ndarray) -> Table:
    table = Table(title=f"Gains a decision in {len(found)} positions, ± one standard error")
    for heading in ("player", "gain", "more than the first", "left the rules' choice", "ms a decision"):
        table.add_column(heading)
    for spec, gain, more, seconds in zip(specs, found.T, (found - found[:, :1]).T, spent.T, strict=True):
        means = [f"{x.mean():+.4f} ± {x.std() / len(x) ** 0.5:.4f}" for x in (gain, more)]
        table.add_row(spec, *means, f"{np.mean(gain != 0):.0%}", f"{1000 * seconds.mean():.1f}")
    return table


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="+", metavar="SPEC", help="players of the standard game")
    parser.add_argument("--positions", type=int, default=1000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the games and deals (default: %(default)s)")
    options = parser.parse_args(arguments)
    if options.positions < 2:
        parser.error(f"--positions must be at least 2, not {options.positions}")
    return options


def main(arguments: list[str] | None = None) -> None:
    """Measure and tell."""
    options = parse(arguments)
    console().print(_table(options.players, *measure(options.players, options.positions, options.seed)))


if __name__ == "__main__":
    main()
