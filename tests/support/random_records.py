"""Records of games in which both sides choose at random."""

import random
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from paths import DATA

from dawn_env.formats.game_record import read_records, record_from_actions, to_line
from dawn_env.game import Game

GOLDEN = DATA / "golden.jsonl"


def random_game(seed: int, options: dict | None = None, names: dict | None = None) -> dict:
    """Record of a game between random players; ``names``: of the players, by side."""
    return played_record(seed, random.Random(seed).choice, options, names)


def played_record(seed: int, choose: Callable, options: dict | None = None, names: dict | None = None) -> dict:
    """Record of a game in which ``choose`` takes one of the legal actions for both sides."""
    game, actions = Game(seed, options), []
    while not game.over:
        actions.append(choose(game.legal))
        game.step(actions[-1])
    return record_from_actions(seed, actions, options, names)


@cache
def golden_records() -> list[dict]:
    """Records of the golden games, which nobody may change."""
    return list(read_records(GOLDEN))


def golden(number: int) -> dict:
    """Record of a golden game, counted from 1."""
    return golden_records()[number - 1]


def golden_moment(holds: Callable[[Game, str], bool]) -> tuple[dict, int, Game]:
    """A golden record, decisions before the first position for which, with the next action, ``holds``, and that."""
    for record in golden_records():
        game = Game(record["seed"], record["options"])
        for at, action in enumerate(record["decisions"]):
            if holds(game, action):
                return record, at, game
            game.step(action)
    raise AssertionError("no such position")


def write_records(path: Path, records: Iterable[dict]) -> Path:
    """Write a file of records; returns its path."""
    path.write_text("".join(to_line(record) + "\n" for record in records), encoding="utf-8")
    return path
