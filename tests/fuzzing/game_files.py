"""Files of game records, read and verified as ``dawn replay`` does, and position files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.events.narration import narrate
from dawn_env.formats import position_file
from dawn_env.formats.game_record import read_records, record_from_actions, to_line, verify
from dawn_env.game import Game
from dawn_env.state import Decision
from dawn_env.validation.untrusted_json import parse_json
from fuzzing.games import play_out, random_subject
from fuzzing.mutation import mutate_bytes, mutate_json
from fuzzing.target import Mutant, Target

_TOLD = 10  # decisions of the set-up: all were replayed before
_ROUND_STARTS = (
    lambda state: state.decision in (Decision.CARD, Decision.ORIGIN) and state.depth <= 2,
    lambda state: state.decision in (Decision.SETUP, Decision.ORIGIN),
)


def record_mutant(random: Random, folder: Path) -> Mutant:
    subject = random_subject(random)
    record = record_from_actions(subject.seed, subject.actions, subject.options)
    path = folder / "games.jsonl"
    way, line = random.random(), to_line(record).encode()
    data = mutate_json(random, record) if way < 0.8 else mutate_bytes(random, line)
    path.write_bytes(data if way < 0.7 else line + b"\n" + data)
    return Mutant(lambda: _verified(path), _tell, path)


def _verified(path: Path) -> list[dict]:
    records = list(read_records(path))
    for number, record in enumerate(records, 1):
        verify(record, f"{path}, game {number}")
    return records


def _tell(records: Sequence[dict]) -> None:
    for record in records:
        narrate(record | {"decisions": record["decisions"][:_TOLD]}).encode()


RECORDS = Target("records", record_mutant, (DawnError,), 5_000)


def position_mutant(random: Random, folder: Path) -> Mutant:
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


POSITIONS = Target("positions", position_mutant, (DawnError,), 5_000)
