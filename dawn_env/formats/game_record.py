"""Game records: one JSON object per line, enough to replay a game from its seed or from its chance alone.

Keys: ``version`` of the format; ``engine``, a hash of the sources; ``options``, as of ``GameOptions.to_json``;
``seed``; ``players`` by side letter; ``decisions``, the action texts in order; ``chance``, a list of
``[n, {kind: outcomes}]`` for every n at which chance fell, n being the decisions taken by then (0: the
start of the game); ``result``, ``reason``, ``vp``, ``turn`` and ``length`` at the end of the record. Saved games of a
person may have ``opponent_seed``, practice games ``practice``: the decisions that were taken back against the rule.
Games of players that count what they cost have ``costs``: by side letter, amounts by name.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval

from dawn_env import engine
from dawn_env.actions import ACTIONS, action_id
from dawn_env.errors import ChanceError, DawnError, MalformedPosition
from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.support.compiled_code import source_hash
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_LETTERS
from dawn_env.validation.checked_input import FROM_LIST, Checked, keyed, read
from dawn_env.validation.untrusted_json import check_format, parse_json

VERSION = 1
OPPONENT_SEED, PRACTICE = "opponent_seed", "practice"
MAX_LINE = 2**22
"""Characters of a line; games of random players have some 10,000, and none has as many as this."""
_NOT_COMPARED = ("engine", "options")
_OF_THE_GENERATOR = ("seed", "generator", "scripted", "tape", "tape_len", "tape_at")
Seed = Annotated[int, Interval(ge=0, lt=2**63)]

# --- making records ----------------------------------------------------------------------------


def record_from_actions(
    seed: int,
    actions: Iterable[int | str],
    options: GameOptions | Mapping | None = None,
    names: dict | None = None,
) -> dict:
    """Replay ``actions`` (ids or texts) from a seed and record the game; it need not be over.

    Raises ``IllegalAction`` or ``GameOver`` for an action that the game does not allow.
    """
    game, decisions = Game(seed, options), []
    chance: list = []
    _record_chance(chance, 0, game)
    for action in actions:
        number = game.check(action)
        engine.advance(game.states, np.array([number]))
        decisions.append(ACTIONS[number])
        _record_chance(chance, len(decisions), game)
    return {
        "version": VERSION,
        "engine": source_hash(),
        "options": game.options.to_json(),
        "seed": int(seed),
        "players": dict(names or {"D": "unknown", "C": "unknown"}),
        "decisions": decisions,
        "chance": chance,
        "result": game.result,
        "reason": game.reason,
        "vp": game.vp,
        "turn": int(game.state.turn),
        "length": len(decisions),
    }


def _record_chance(chance: list, decisions: int, game: Game) -> None:
    if game.states["tape_len"].any():
        chance.append([decisions, game.chance])


# --- reading and writing -----------------------------------------------------------------------


def to_line(record: dict) -> str:
    """The record as one line of JSON, without the newline."""
    return json.dumps(record, separators=(",", ":"))


def from_line(line: str | bytes, where: str = "record") -> dict:
    """Inverse of ``to_line``; raises ``MalformedPosition`` that begins with ``where``."""
    try:
        record = parse_json(line)
    except ValueError as error:
        raise MalformedPosition(f"{where}: not JSON: {error}") from None
    check_shape(record, where)
    return record


def read_records(path: str | Path) -> Iterator[dict]:
    """Records of a file of lines; empty lines are skipped.

    Raises ``MalformedPosition`` that names the file and the line, or what writes records where there is no file.
    """
    try:
        file = open(path, "rb")
    except OSError as error:
        hint = "; dawn selfplay and dawn tournament --records write records"
        missing = isinstance(error, FileNotFoundError)
        raise MalformedPosition(f"{path}: {error.strerror}{hint if missing else ''}") from error
    with file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
            where = f"{path}, line {number}"
            if len(line) > MAX_LINE:
                raise MalformedPosition(f"{where}: longer than the {MAX_LINE:,} bytes that a record can have")
            if line.strip():
                yield from_line(line, where)


@dataclass(frozen=True)
class _Record(Checked):
    """Keys of a record; what the game itself determines is compared by ``verify``."""

    version: int
    engine: Any
    options: GameOptions
    seed: Seed
    players: keyed(dict.fromkeys(SIDE_LETTERS, str))  # type: ignore[valid-type]
    decisions: list[str]
    chance: list[Annotated[tuple[int, dict[str, list]], FROM_LIST]]
    """Decisions taken, and outcomes by kind."""
    result: Any
    reason: Any
    vp: Any
    turn: Any
    length: Any
    opponent_seed: Seed | None = None
    costs: keyed(dict.fromkeys(SIDE_LETTERS, dict[str, float])) | None = None  # type: ignore[valid-type]
    practice: Annotated[int, Interval(ge=0)] | None = None


def check_shape(record: Any, where: str = "record") -> None:
    """Raise ``MalformedPosition`` unless ``record`` has the keys and types of a record."""
    try:
        if isinstance(record, dict):
            check_format(record, VERSION, "version")
        read(_Record, record)
    except ValueError as error:
        raise MalformedPosition(f"{where}: {error}") from None


# --- checking ----------------------------------------------------------------------------------


def verify(record: dict, where: str = "record") -> None:
    """Replay a record from its seed, then from its chance alone, and compare everything it says.

    ``engine`` is not compared: another version that plays alike is fine, and it may know more options. Raises
    ``MalformedPosition`` that begins with ``where`` and says what differs.
    """
    check_shape(record, where)
    again = _replayed(record, where)
    for key in again:
        if key not in _NOT_COMPARED and record[key] != again[key]:
            raise MalformedPosition(f"{where}: {_difference(key, record[key], again[key])}")
    _verify_scripted(record, where)


def _replayed(record: dict, where: str) -> dict:
    left = iter(record["decisions"])
    try:
        return record_from_actions(record["seed"], left, record["options"], record["players"])
    except DawnError as error:
        number = len(record["decisions"]) - len(list(left))
        raise MalformedPosition(f"{where}: decision {number}: {error}") from error


def _difference(key: str, recorded: object, replayed: object) -> str:
    if isinstance(recorded, list) and isinstance(replayed, list):
        common = min(len(recorded), len(replayed))
        at = next((i for i in range(common) if recorded[i] != replayed[i]), common)
        one, other = short_repr(recorded[at : at + 1]), short_repr(replayed[at : at + 1])
        return f"{key}, item {at}: recorded {one}, replayed {other}"
    return f"{key}: recorded {short_repr(recorded)}, replayed {short_repr(replayed)}"


def _verify_scripted(record: dict, where: str) -> None:
    """Play from the recorded chance with a generator that is not the game's, next to the seeded game."""
    seeded = Game(record["seed"], record["options"])
    scripted = seeded.copy()
    scripted.state.generator[:] = 0
    chance = dict(map(tuple, record["chance"]))
    for number, text in enumerate(record["decisions"], 1):
        try:
            scripted.script(chance.get(number, {}))
            scripted.step(text)
            scripted.end_script()
        except (ChanceError, KeyError, ValueError) as error:
            raise MalformedPosition(f"{where}: decision {number}, replayed from chance: {error}") from error
        engine.advance(seeded.states, np.array([action_id(text)]))
        alike = seeded.states.copy()
        for name in _OF_THE_GENERATOR:
            alike[name] = scripted.states[name]
        if alike.tobytes() != scripted.states.tobytes():
            raise MalformedPosition(f"{where}: decision {number}, replayed from chance: another position")
