"""Information-set Monte Carlo tree search in one file, with random play-outs: no knowledge but the rules.

    .venv/bin/dawn suite score plan-10ms docs.examples.is_mcts:Player:ms=10 --track "tabula rasa" --out runs/suite/mcts

Every simulation deals the hidden cards anew, as the view allows, and goes down one tree that is shared by all deals: a
node is a sequence of actions, and among its children only those count that are legal in the deal (Cowling, Powley and
Whitehouse 2012, "SO-ISMCTS").

Elo ratings on the standing scale with 95 % confidence intervals: +205 (+144 to +267) from 200 games at 10 ms a
decision, +305 (+224 to +389) from 100 games at 100 ms.
"""

import math
import time
from dataclasses import dataclass

import numpy as np

from dawn_env import View, ViewPlayer, engine, view_seed
from dawn_env.host.random_play import play_out
from dawn_env.state import Result
from dawn_env.tables import SIDE_NAMES

_POINTS = {Result.DEMOCRAT: 1.0, Result.COMMUNIST: 0.0}  # of the Democrat; half for a draw


class Node:
    """A sequence of actions: visits, points of the side that took the last one, and how often it could be taken."""

    def __init__(self):
        self.visits, self.points, self.available = 0, 0.0, 0
        self.children: dict[int, Node] = {}

    def value(self, exploration: float) -> float:
        """Upper confidence bound."""
        return self.points / self.visits + exploration * math.sqrt(math.log(self.available) / self.visits)


class Player(ViewPlayer):
    """Information-set MCTS with random play-outs."""

    looks_ahead = True

    @dataclass(frozen=True)
    class Options:
        """``ms``: milliseconds a decision; without, ``sims`` simulations."""

        ms: float | None = None
        sims: int = 100
        exploration: float = 0.7

    def __init__(self, name: str, seed: int, options: Options):
        super().__init__(name, seed, options)
        self._limits = options

    def choose(self, view: View) -> int:
        """The action visited most."""
        end = time.monotonic() + self._limits.ms / 1000 if self._limits.ms else None
        root, random = Node(), np.random.default_rng(view_seed(view, self.seed))
        done = 0
        while time.monotonic() < end if end else done < self._limits.sims:
            self._simulate(root, view, random)
            done += 1
        if not root.children:
            return int(view.legal[0])
        return max(root.children, key=lambda action: root.children[action].visits)

    def _simulate(self, root: Node, view: View, random: np.random.Generator) -> None:
        """Descend to a new node, play on at random, and note the result on the way back."""
        state = view.deal(random.integers(0, 2**62, 1))
        node, path, fresh = root, [], False
        while state["result"][0] == Result.RUNNING and not fresh:
            side, legal = SIDE_NAMES[state["actor"][0]], np.flatnonzero(state["legal"][0]).tolist()
            fresh_actions = [action for action in legal if action not in node.children]
            fresh = bool(fresh_actions)
            action = int(random.choice(fresh_actions)) if fresh else self._best(node, legal)
            if fresh:
                node.children[action] = Node()
            for known in legal:
                if known in node.children:
                    node.children[known].available += 1
            node = node.children[action]
            path.append((node, side))
            engine.advance(state, np.array([action]))
        play_out(engine.step(), state, random.integers(0, 2**62, 1))
        points = _POINTS.get(Result(int(state["result"][0])), 0.5)
        for visited, side in path:
            visited.visits += 1
            visited.points += points if side == SIDE_NAMES[0] else 1 - points

    def _best(self, node: Node, legal: list[int]) -> int:
        return max(legal, key=lambda action: node.children[action].value(self._limits.exploration))
