"""One mutant, from its making to its end."""

import contextlib
import shutil
import traceback
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

from fuzzing.target import BrokenRule, Mutant, Target

REFUSED, ACCEPTED, TRACEBACK, BROKEN, CRASHED, HUNG = (
    "refused", "accepted", "traceback", "broken rule", "crash", "hang",
)  # fmt: skip
FINDINGS = (TRACEBACK, BROKEN, CRASHED, HUNG)
_LONGEST_MESSAGE = 8_000  # some name all actions that are legal, or all spaces there are


class Outcome(NamedTuple):
    """Result of a mutant: its number, one of the words above, and the class of the error or what was found."""

    number: int
    kind: str
    what: str = ""


def attempt(target: Target, seed: int, number: int, work: Path) -> Outcome:
    """Make a mutant, which depends on the seed and number only, and try it, in folders of ``work``."""
    folder = work / "mutant"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mutant = target.mutant(Random(f"{target.name} {seed} {number}"), folder)
    before = contents(mutant.kept)
    try:
        return _tried(target, mutant, number, before)
    except BrokenRule as broken:
        return Outcome(number, BROKEN, str(broken))
    except Exception as error:
        return Outcome(number, TRACEBACK, _told(error))


def _tried(target: Target, mutant: Mutant, number: int, before: list[bytes | None]) -> Outcome:
    try:
        taken = mutant.take_in()
    except target.refusals as error:
        check_message(str(error), mutant.where)
        _check_kept(mutant, before)
        return Outcome(number, REFUSED, type(error).__name__)
    _check_kept(mutant, before)
    mutant.play_on(taken)
    return Outcome(number, ACCEPTED)


def contents(paths: Iterable[Path]) -> list[bytes | None]:
    """Contents of files, None for missing ones."""
    found = []
    for path in paths:
        found.append(None)
        with contextlib.suppress(FileNotFoundError):
            found[-1] = path.read_bytes()
    return found


def _check_kept(mutant: Mutant, before: list[bytes | None]) -> None:
    if contents(mutant.kept) != before:
        raise BrokenRule("a file that was only to be read has changed")


def check_message(message: str, where: str) -> None:
    """Raise ``BrokenRule`` unless the message is one line, not too long, and names what it is about."""
    if not message.strip() or not message.isprintable() or len(message) > _LONGEST_MESSAGE:
        raise BrokenRule(f"a message that is not one clear line: {message[:300]!r}")
    if where not in message:
        raise BrokenRule(f"a message that does not name {where}: {message[:300]!r}")


def _told(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno}"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]} ({place})"
