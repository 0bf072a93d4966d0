"""Records of games in which both sides choose at random."""

import random

from dawn_env.formats.game_record import play_record


def random_game(seed: int, options: dict | None = None, names: dict | None = None) -> dict:
    """Record of a game between random players; ``names``: of the players, by side."""
    rng = random.Random(seed)
    return play_record(seed, *[lambda game: rng.choice(game.legal)] * 2, options, names)
