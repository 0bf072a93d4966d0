"""Fits the weights of ``chances`` to games of the rule-based player against itself and writes ``weights.py``.

``.venv/bin/python -m agents.search.fit --games 8000 --seed 5``, about two minutes. Each game begins with a random
number of decisions drawn by the softmax of the scores, so that many kinds of position occur; after them both sides
take the best score. Positions of that part, one per card play, and the result of their game go into a logistic
regression.
"""

import argparse
from pathlib import Path

import numpy as np

from agents.heuristic import country, scoring, style
from agents.heuristic.scoring import scorer
from agents.players import evaluation
from agents.search import features, guide
from agents.search.features import FEATURES, TIMES, K, T, write_features
from agents.search.guide import best_action, clock, new_scratch
from dawn_env import engine
from dawn_env.actions import A
from dawn_env.rules.flow import call_step
from dawn_env.state import Result, new_states
from dawn_env.support.compiling import entry_calling, jit
from dawn_env.support.progress import tracked

_MOST = 200  # positions of a game
_RANDOM_DECISIONS = 350
_TEMPERATURES = 0.3, 1.5
_RIDGE = 1e-4
_WEIGHTS = Path(__file__).with_name("weights.py")
_HEAD = '''"""Weights of ``chances``, written by ``fit``: by feature, for 1, t and t**4 (t: 0 ... 1, turn 1 ... 10).

{figures}
"""

# fmt: off
WEIGHTS = {{
'''


@jit
def draw_action(s, scores, temperature):
    """A legal action by the softmax of the scores (by Gumbel noise)."""
    best, best_score = -1, -np.inf
    for action in range(A):
        if s.legal[action]:
            score = scores[action] - temperature * np.log(-np.log(np.random.random()))
            if score > best_score:
                best, best_score = action, score
    return best


@entry_calling(*(module.__file__ for module in (country, scoring, style, evaluation, features, guide)))
def _play(step, score, states, seed, random_decisions, temperature, scratch, rows, turns):
    """Play the game ``states[0]``; fill ``rows`` [n, K] and ``turns`` [n], returns how many."""
    np.random.seed(seed)
    s, used, decisions = states[0], 0, 0
    while s.result == Result.RUNNING and used < len(rows):
        action, before = best_action(score, s, scratch), clock(s)
        if decisions < random_decisions:
            action = draw_action(s, scratch.scores, temperature)
        call_step(step, s, action)
        decisions += 1
        if decisions > random_decisions and clock(s) != before and s.result == Result.RUNNING:
            write_features(s, rows[used])
            turns[used] = s.turn
            used += 1
    return used


def play_games(games: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs float32 [n, T * (K + 1)] of the regression, results [n] (1: the Democrat won) and game numbers [n]."""
    rng, scratch, inputs, results, numbers = np.random.default_rng(seed), new_scratch(), [], [], []
    rows, turns = np.zeros((_MOST, K), np.float32), np.zeros(_MOST, np.int64)
    for game in tracked(range(games), "games", unit="games"):
        states = new_states(1)
        engine.reset(states, rng.integers(0, 2**62, 1))
        noise = int(rng.integers(2**31)), int(rng.integers(_RANDOM_DECISIONS)), rng.uniform(*_TEMPERATURES)
        used = _play(engine.step(), scorer(), states, *noise, scratch, rows, turns)
        inputs.append(expand(rows[:used], turns[:used]))
        results += [{Result.DEMOCRAT: 1.0, Result.DRAW: 0.5}.get(int(states[0].result), 0.0)] * used
        numbers += [game] * used
    return np.concatenate(inputs), np.array(results), np.array(numbers)


def expand(rows: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Features [n, K] and a 1, each times ``TIMES`` of the turn: float32 [n, (K + 1) * T]."""
    rows = np.concatenate([rows, np.ones((len(rows), 1))], 1)
    return (rows[:, :, None] * TIMES[turns][:, None, :]).reshape(len(rows), (K + 1) * T).astype(np.float32)


def regress(inputs: np.ndarray, results: np.ndarray, steps: int = 8) -> np.ndarray:
    """Coefficients of a logistic regression, by Newton's method with a ridge on the scaled inputs."""
    spread = np.maximum(inputs.std(0), 1e-3)
    scaled, weights = inputs / spread, np.zeros(inputs.shape[1])
    ridge = _RIDGE * len(inputs) * np.eye(len(weights))
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        gradient = scaled.T @ (results - chance) - ridge @ weights
        curvature = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + ridge
        weights = weights + np.linalg.solve(curvature, gradient)
    return weights / spread


def log_loss(chance: np.ndarray, results: np.ndarray) -> float:
    """Mean log loss of chances."""
    chance = np.clip(chance, 1e-6, 1 - 1e-6)
    return float(-np.mean(results * np.log(chance) + (1 - results) * np.log(1 - chance)))


def describe(chance: np.ndarray, results: np.ndarray) -> str:
    """How well chances foretell results."""
    loss = log_loss(chance, results)
    right = np.mean((chance > 0.5) == (results > 0.5))
    return f"log loss {loss:.4f}, winner named in {right:.1%} of {len(results)} positions of games kept apart"


def write(weights: np.ndarray, figures: str) -> None:
    """Write ``weights.py``."""
    lines = [
        f'    "{name}": ({", ".join(f"{weight:.4g}" for weight in row)}),\n'
        for name, row in zip((*FEATURES, "constant"), weights.reshape(K + 1, T), strict=True)
    ]
    _WEIGHTS.write_text(_HEAD.format(figures=figures) + "".join(lines) + "}\n", encoding="utf-8")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=8000, help="games to play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=5, help="default: %(default)s")
    options = parser.parse_args()
    inputs, results, numbers = play_games(options.games, options.seed)
    kept = numbers % 5 == 0
    weights = regress(inputs[~kept], results[~kept])
    figures = describe(1 / (1 + np.exp(-inputs[kept] @ weights)), results[kept])
    write(weights, f"From {options.games} games, seed {options.seed}; {figures}.")
    print(figures)


if __name__ == "__main__":
    main()
