"""Files of game records, read and verified as ``dawn replay`` does."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from dawn_env.errors import DawnError
from dawn_env.events.narration import narrate
from dawn_env.formats.game_record import read_records, record_from_actions, to_line, verify
from fuzzing.games import random_subject
from fuzzing.mutation import mutate_bytes, mutate_json
from fuzzing.target import Mutant, Target

_TOLD = 10  # decisions of the set-up: all were replayed before


def mutant(random: Random, folder: Path) -> Mutant:
    subject = random_subject(random)
    record = record_from_actions(subject.seed, subject.actions, subject.options)
    path = folder / "games.jsonl"
    way, line = random.random(), to_line(record).encode()
    data = mutate_json(random, record) if way < 0.8 else mutate_bytes(random, line)
    path.write_bytes(data if way < 0.7 else line + b"\n" + data)
    return Mutant(lambda: _verified(path), _tell, path.name)


def _verified(path: Path) -> list[dict]:
    records = list(read_records(path))
    for number, record in enumerate(records, 1):
        verify(record, f"{path}, game {number}")
    return records


def _tell(records: Sequence[dict]) -> None:
    for record in records:
        narrate(record | {"decisions": record["decisions"][:_TOLD]}).encode()


TARGET = Target("records", mutant, (DawnError,), 5_000)
