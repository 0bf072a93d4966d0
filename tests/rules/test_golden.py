"""Two dozen complete random games, kept as records: every run must replay them to the last die.

After a change of the rules, the generator or the action space write them anew and commit them:

    PYTHONPATH=tests/support python tests/rules/test_golden.py --write
"""

import sys

import pytest
from random_records import GOLDEN, golden_records, write_records

from dawn_env.formats.game_record import verify
from dawn_env.host.random_play import game_seeds, random_games, random_record

GAMES, SEED = 20, 24
OPTION_GAMES, OPTION = 4, (2, 1)


def made() -> list[dict]:
    """The records as this engine makes them: plain games, then games with the option of the bid."""
    return [*_played(GAMES, None), *_played(OPTION_GAMES, {"extra_support": OPTION})]


def _played(games: int, options: dict | None) -> list[dict]:
    seeds = game_seeds(SEED, games)
    return [random_record(*game, options) for game in zip(seeds, random_games(seeds, options), strict=True)]


@pytest.mark.parametrize("index", range(GAMES + OPTION_GAMES))
def test_golden_game_replays(index):
    verify(golden_records()[index], f"{GOLDEN.name}, line {index + 1}")


if __name__ == "__main__" and "--write" in sys.argv:
    write_records(GOLDEN, made())
    print(f"wrote {GOLDEN}")
