"""Replay recorded action rounds and compare every decision, every legal set and the outcome with the engine's.

    python -m dawn_env.conformance rounds.jsonl.gz --exceptions known.txt

A record holds the position ``before``, the ``decisions`` with what was legal and taken, the ``chance`` in
queues, and the position ``after`` (or the result of the game). Exit status: 0 all agree or are listed
exceptions, 1 some other record disagrees, 2 the input cannot be read.
"""

import argparse
import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from dawn_env.errors import ChanceError, MalformedPosition
from dawn_env.formats.position_file import from_json, to_json
from dawn_env.game import Game
from dawn_env.state import REASONS, Reason
from dawn_env.support.progress_bars import print_above_bars, with_progress
from dawn_env.tables import SIDE_LETTERS
from dawn_env.validation.untrusted_json import parse_json

_RECORD_KEYS = {"id": str, "before": dict, "decisions": list, "chance": dict, "after": dict}
_DECISION_KEYS = {"by": str, "at": str, "legal": list, "take": str}
_RESULT_KEYS = {"result": str, "vp": int, "turn": int, "reason": str}
_CARD_LISTS = ("hands.D", "hands.C", "draw_pile", "discard", "removed", "in_play", "events_enabled")
_RESULT_NAMES = {"D": "democrat", "C": "communist", "draw": "draw"}


# --- one record --------------------------------------------------------------------------------


def replay(record: dict) -> str | None:
    """First difference when a record is played by the engine, ``None`` if there is none.

    Raises ``MalformedPosition`` when the record itself cannot be read.
    """
    game = _load(record)
    try:
        game.resume()
    except ChanceError as error:
        return f"before the first decision: {error}"
    for index, listed in enumerate(record["decisions"]):
        if difference := _play(game, listed):
            return f"decision {index} {listed['at']}: {difference}"
    return _end_difference(game, record["after"])


def _load(record: dict) -> Game:
    """The game before the round, set to stop at the next one."""
    _check(record, "record", _RECORD_KEYS)
    for index, listed in enumerate(record["decisions"]):
        _check(listed, f"decision {index}", _DECISION_KEYS)
    if "result" in record["after"]:
        _check(record["after"], "after", _RESULT_KEYS)
    game = Game.of(from_json(record["before"])[0])
    game.state.stop_at_round = 1
    try:
        game.script(record["chance"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise MalformedPosition(f"chance: {error}") from error
    return game


def _check(value, name: str, keys: dict[str, type]) -> None:
    if not isinstance(value, dict):
        raise MalformedPosition(f"{name}: an object expected, not {value!r}")
    for key, kind in keys.items():
        if not isinstance(value.get(key), kind):
            raise MalformedPosition(f"{name}: {key} must be a {kind.__name__}, not {value.get(key)!r}")


def _play(game: Game, listed: dict) -> str | None:
    """Compare the pending decision with a listed one and take its action."""
    expected, pending = f"{listed['by']} {listed['at']}", _pending(game)
    if pending != expected:
        return f"expected {expected} of {sorted(listed['legal'])}, the engine has {pending}{_choices(game)}"
    if difference := _set_difference(listed["legal"], game.legal):
        return difference
    try:
        game.step(listed["take"])
    except ValueError as error:  # illegal, or not the chance that the record has
        return f"{listed['take']}: {error}"
    return None


def _set_difference(expected: list, found: list) -> str | None:
    missing, excess = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    return f"the engine lacks {missing}, has in excess {excess}" if missing or excess else None


def _choices(game: Game) -> str:
    return "" if game.decision == "none" else f" of {game.legal}"


def _pending(game: Game) -> str:
    """Pending decision and its side, or the end of the game."""
    if game.over:
        return f"the end of the game ({game.result}, {game.reason})"
    if game.decision == "none":
        return "the start of the next round"
    return f"{SIDE_LETTERS[game.actor]} {game.decision}"


def _end_difference(game: Game, after: dict) -> str | None:
    """Compare what the engine has after the last listed decision with the end of the record."""
    is_end, pending = "result" in after, _pending(game)
    expected = "the end of the game" if is_end else "the start of the next round"
    if not pending.startswith(expected):
        return f"after the last decision: expected {expected}, the engine has {pending}{_choices(game)}"
    differences = _result_differences(game, after) if is_end else _differences("", after, to_json(game.state))
    try:
        game.end_script()
    except ChanceError as error:
        differences.append(f"chance {error}")
    return f"after: {'; '.join(differences)}" if differences else None


def _result_differences(game: Game, after: dict) -> list[str]:
    expected = {"result": _RESULT_NAMES.get(after["result"]), "vp": after["vp"], "turn": after["turn"]}
    found = {"result": game.result, "vp": game.vp, "turn": int(game.state.turn)}
    differences = _differences("", expected, found)
    reasons = [REASONS[reason] for reason in _reasons(after["reason"])]
    if game.reason not in reasons:
        differences.append(f"reason: expected {' or '.join(reasons)}, the engine has {game.reason}")
    return differences


def _reasons(text: str) -> tuple[int, ...]:
    """The reasons that a recorded text can stand for."""
    if text.startswith("New Year's Eve"):
        return (Reason.PARTY,)
    if "held scoring card" in text:
        return (Reason.HELD_SCORING_CARD,)
    return (Reason.AUTOMATIC_VICTORY, Reason.FINAL_SCORING)


def _differences(name: str, expected, found) -> list[str]:
    """One text per value that differs, named by its path."""
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = [*expected, *(key for key in found if key not in expected)]
        return [
            text
            for key in keys
            for text in _differences(f"{name}.{key}".lstrip("."), expected.get(key), found.get(key))
        ]
    if expected == found:
        return []
    cards_differ = name in _CARD_LISTS and isinstance(expected, list) and _set_difference(expected, found)
    return [f"{name}: {cards_differ or f'expected {expected}, the engine has {found}'}"]


# --- files -------------------------------------------------------------------------------------


def read_records(path: Path) -> Iterator[tuple[int, dict]]:
    """Line number and record for each line of a ``.jsonl`` or ``.jsonl.gz`` file; blank lines are skipped."""
    opener = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, parse_json(line)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise MalformedPosition(f"{path}, line {max(number, 1)}: {error}") from error


def read_exceptions(path: Path) -> dict[str, str]:
    """Reason by record id, from lines ``id reason``; ``#`` starts a comment line."""
    exceptions = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise MalformedPosition(f"{path}: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, _, reason = line.strip().partition(" ")
        if not reason.strip() or name in exceptions:
            raise MalformedPosition(f"{path}, line {number}: 'id reason' expected, each id once, not {line!r}")
        exceptions[name] = reason.strip()
    return exceptions


def report(paths: Iterable[Path], exceptions: dict[str, str], max_print: int) -> int:
    """Print what differs; the number of mismatches that are no listed exceptions."""
    mismatches, known, agreeing, outdated = 0, 0, 0, []
    for path in paths:
        for number, record in with_progress(read_records(path), path.name, unit="records"):
            try:
                mismatch = replay(record)
            except MalformedPosition as error:
                raise MalformedPosition(f"{path}, line {number}: {error}") from error
            name = record["id"]
            if mismatch is None:
                agreeing += 1
                outdated += [name] if name in exceptions else []
            elif name in exceptions:
                known += 1
            else:
                mismatches += 1
                if mismatches <= max_print:
                    print_above_bars(f"{name}: {mismatch}")
    if mismatches > max_print:
        print(f"... and {mismatches - max_print} more mismatches")
    for name in outdated:
        print(f"{name}: listed as an exception ({exceptions[name]}), but agrees")
    print(f"{agreeing + known + mismatches} records, {agreeing} agree, {known} exceptions")
    return mismatches


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m dawn_env.conformance", description="Replay recorded action rounds and print what differs."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="records: .jsonl or .jsonl.gz")
    parser.add_argument("--exceptions", type=Path, metavar="FILE", help="known mismatches: lines 'id reason'")
    parser.add_argument("--max-print", type=int, default=20, metavar="N", help="mismatches to print (default 20)")
    options = parser.parse_args(arguments)
    try:
        exceptions = read_exceptions(options.exceptions) if options.exceptions else {}
        return 1 if report(options.files, exceptions, options.max_print) else 0
    except MalformedPosition as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
