"""Targets of the fuzzer, the trial of one mutant, and the report of many."""

import faulthandler
import shutil
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

_LONGEST_MESSAGE = 8_000  # some name all actions that are legal, or all spaces there are


class BrokenRule(Exception):
    """Input was accepted, and then something did not hold that always holds."""


@dataclass(frozen=True)
class Mutant:
    """Valid input that was changed at random.

    ``take_in`` reads it as its reader does: it raises a refusal, or returns what ``play_on`` then uses, where
    every error is a finding. ``path``: the file that it is read from, which the message of a refusal must name, and
    which must be left as it is.
    """

    take_in: Callable[[], Any]
    play_on: Callable[[Any], None]
    path: Path | None = None


@dataclass(frozen=True)
class Target:
    """A reader of untrusted input. Its functions are those of modules, since they go to other processes.

    ``refusals``: the errors that are clear ones. ``seconds``: longer is a hang. ``count``: mutants of a full run.

    ``mutant`` makes one from chance and an empty folder; ``prepare`` is called once before, with a folder for what
    all mutants share.
    """

    name: str
    mutant: Callable[[Random, Path], Mutant]
    refusals: tuple[type[Exception], ...]
    count: int
    seconds: float = 30.0
    prepare: Callable[[Path], object] = str


class Kind(StrEnum):
    """Result of a mutant; all but the first two are findings."""

    REFUSED = "refused"
    ACCEPTED = "accepted"
    TRACEBACK = "traceback"
    BROKEN = "broken rule"
    CRASHED = "crash"
    HUNG = "hang"


class Outcome(NamedTuple):
    """Result of a mutant: its number, and the class of the error or what was found."""

    number: int
    kind: Kind
    what: str = ""


def attempt(target: Target, seed: int, number: int, work: Path) -> Outcome:
    """Mutate an example, seeded by ``seed`` and ``number``, and run the target on it in a subfolder of ``work``."""
    folder = work / "mutant"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    faulthandler.dump_traceback_later(target.seconds, exit=True)
    try:
        return Outcome(number, *_tried(target, target.mutant(Random(f"{target.name} {seed} {number}"), folder)))
    except BrokenRule as broken:
        return Outcome(number, Kind.BROKEN, str(broken))
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        words, place = " ".join(str(error).split())[:300], f"{Path(last.filename).name}:{last.lineno}"
        return Outcome(number, Kind.TRACEBACK, f"{type(error).__name__}: {words} ({place})")
    finally:
        faulthandler.cancel_dump_traceback_later()


def _tried(target: Target, mutant: Mutant) -> tuple[Kind, str]:
    before, refusal = mutant.path and mutant.path.read_bytes(), None
    try:
        taken = mutant.take_in()
    except target.refusals as error:
        refusal = error
        check_message(str(error), mutant.path.name if mutant.path else "")
    if mutant.path and mutant.path.read_bytes() != before:
        raise BrokenRule("a file that was only to be read has changed")
    if refusal:
        return Kind.REFUSED, type(refusal).__name__
    mutant.play_on(taken)
    return Kind.ACCEPTED, ""


def check_message(message: str, where: str) -> None:
    """Raise ``BrokenRule`` unless the message is one line, not too long, and names what it is about."""
    if not message.strip() or not message.isprintable() or len(message) > _LONGEST_MESSAGE:
        raise BrokenRule(f"a message that is not one clear line: {message[:300]!r}")
    if where not in message:
        raise BrokenRule(f"a message that does not name {where}: {message[:300]!r}")


def findings(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], list[int]]:
    """Numbers of the mutants by (kind, what) of each finding, the most frequent first."""
    found = defaultdict(list)
    for outcome in outcomes:
        if outcome.kind not in (Kind.REFUSED, Kind.ACCEPTED):
            found[outcome.kind, outcome.what].append(outcome.number)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def report(name: str, outcomes: Sequence[Outcome], seed: int) -> Iterator[str]:
    """Lines: how many were refused and accepted, and each finding with what repeats it."""
    refused = Counter(outcome.what for outcome in outcomes if outcome.kind == Kind.REFUSED)
    accepted = sum(outcome.kind == Kind.ACCEPTED for outcome in outcomes)
    classes = ", ".join(f"{error} {count}" for error, count in refused.most_common())
    yield f"{name}: {len(outcomes)} mutants, seed {seed}"
    yield f"  refused with a clear error: {refused.total()}" + (f" ({classes})" if classes else "")
    yield f"  accepted and played on legally: {accepted}"
    yield f"  findings: {len(outcomes) - refused.total() - accepted}"
    for (kind, what), numbers in findings(outcomes).items():
        yield f"    {kind}: {what}"
        yield f"      numbers {', '.join(map(str, numbers))}; repeat: {again(name, seed, numbers[0])}"


def again(name: str, seed: int, number: int) -> str:
    return f"python scripts/fuzz.py --target {name} --seed {seed} --only {number}"
