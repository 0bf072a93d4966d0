"""Fuzzing target: a reader of untrusted input, and a generator of such input."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any


class BrokenRule(Exception):
    """Input was accepted, and then something did not hold that always holds."""


@dataclass(frozen=True)
class Mutant:
    """Valid input that was changed at random.

    ``take_in`` reads it as its reader does: it raises a refusal, or returns what ``play_on`` then uses, where
    every error is a finding. ``where``: what the message of a refusal must name. ``kept``: files that ``take_in``
    must leave as they are.
    """

    take_in: Callable[[], Any]
    play_on: Callable[[Any], None]
    where: str = ""
    kept: tuple[Path, ...] = ()


def _nothing(folder: Path) -> None:
    """Default of targets whose mutants share nothing."""


@dataclass(frozen=True)
class Target:
    """Its functions are those of modules, since they go to other processes.

    ``refusals``: the errors that are clear ones. ``seconds``: longer is a hang. ``count``: mutants of a full run.

    ``mutant`` makes one from chance and an empty folder; ``prepare`` is called once before, with a folder for what
    all mutants share.
    """

    name: str
    mutant: Callable[[Random, Path], Mutant]
    refusals: tuple[type[Exception], ...]
    count: int
    seconds: float = 30.0
    prepare: Callable[[Path], None] = _nothing
