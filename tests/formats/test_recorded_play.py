"""Recorded games of players: matches, environments, what players are told."""

import hashlib

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from listening_player import Listening

from dawn_env.envs.vector import DawnVectorEnv


class Alone(Listening):
    one_game_at_a_time = True


def by_view(view):
    return int(view.legal[int(view.observation.astype(int).sum()) % len(view.legal)])


def many(observations, masks):
    return masks.argmax(1)


def feed(digest, found):
    """Take in whatever an environment returns, types of arrays included."""
    if isinstance(found, dict):
        found = [part for name in sorted(found) for part in (name, found[name])]
    if isinstance(found, np.ndarray) and found.dtype != object:
        digest.update(f"{found.dtype} {found.shape}".encode() + found.tobytes())
    elif isinstance(found, tuple | list | np.ndarray):
        for part in found:
            feed(digest, part)
    else:
        digest.update(repr(found).encode())


def drawn(masks, random):
    return (masks * random.random(masks.shape, np.float32)).argmax(-1)


MATCHES = [
    ("heuristic", "pretrained", {}, 10, "2f2f2e9ab764f3ef"),
    ("greedy", "random", {"bid": True}, 4, "49243123e4793a6f"),
    ("heuristic", "random", {"mode": "family"}, 10, "332f7546a1af8402"),
    ("listening", "heuristic", {}, 1, "bf37fff30d8442ed"),
    ("listening", "random", {"bid": True}, 1, "6867885a184a5bb5"),
]


@pytest.mark.parametrize("one, two, options, pairs, recorded", MATCHES)
def test_matches(one, two, options, pairs, recorded):
    first, second = (Alone(name) if name == "listening" else make_player(name) for name in (one, two))
    games = [Pairing(seed, *pair) for seed in range(pairs) for pair in ((first, second), (second, first))]
    outcomes = dict(play_games(games, 7, options))
    digest = hashlib.sha256()
    feed(digest, [tuple(outcomes[game]._replace(seconds=())) for game in sorted(outcomes)])
    feed(digest, getattr(first, "log", []))
    assert digest.hexdigest()[:16] == recorded


VECTORS = [
    (["random"], {}, 400, "ec377eac4fc0b76a"),
    (["heuristic"], {"options": {"mode": "family"}}, 200, "ecd7003b10064ae5"),
    (["random", "heuristic", many, by_view], {"weights": [3, 2, 1, 1], "shaping": 0.1}, 160, "ad86e387dbced984"),
    ([many, "heuristic"], {"options": {"bid": True}}, 250, "fb6c9423b17ecdb2"),
    (["heuristic"], {"options": {"bid": True}, "side": "communist"}, 250, "23c4bfdf9bddfcca"),
]


@pytest.mark.parametrize("opponents, options, steps, recorded", VECTORS)
def test_vector_environments(opponents, options, steps, recorded):
    env, random, digest = DawnVectorEnv(12, opponents=opponents, **options), np.random.default_rng(0), hashlib.sha256()
    result = env.reset(seed=7)
    for step in range(steps):
        feed(digest, result)
        result = env.step(drawn(result[-1]["action_mask"], random))
        feed(digest, env.games.finished)
        if step == steps // 2:
            env.set_opponents(["random", many])
    feed(digest, sorted(env.results().items()))
    assert digest.hexdigest()[:16] == recorded and sum(counts["games"] for counts in env.results().values())
