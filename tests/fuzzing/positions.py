"""Position files."""

from functools import partial
from pathlib import Path
from random import Random

from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.formats import position_file
from dawn_env.game import Game
from dawn_env.state import Decision
from dawn_env.validation.untrusted_json import parse_json
from fuzzing.games import play_out, random_subject
from fuzzing.mutation import mutate_json
from fuzzing.target import Mutant, Target

_ROUND_STARTS = (
    lambda state: state.decision in (Decision.CARD, Decision.ORIGIN) and state.depth <= 2,
    lambda state: state.decision in (Decision.SETUP, Decision.ORIGIN),
)


def mutant(random: Random, folder: Path) -> Mutant:
    data = mutate_json(random, position_file.to_json(random_subject(random, _ROUND_STARTS).game.state))
    return Mutant(partial(_resumed, data, random.randrange(2**63)), partial(play_out, random))


def _resumed(data: bytes, seed: int) -> Game:
    try:
        value = parse_json(data)
    except ValueError as error:
        raise MalformedPosition(f"not JSON: {error}") from None
    game = Game.from_state(position_file.from_json(value, seed)[0])
    game.resume()
    return game


TARGET = Target("positions", mutant, (DawnError,), 5_000)
