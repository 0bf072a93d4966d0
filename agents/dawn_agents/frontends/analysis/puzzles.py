"""Puzzles: decisions of recorded games by which much was lost for certain, one JSON object a line."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.frontends.analysis.loss_profiles import Analysis
from dawn_agents.players.search.decision_judge import rollout_rules
from dawn_env.actions import ACTIONS
from dawn_env.errors import MalformedPosition
from dawn_env.formats.game_record import Seed
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.support.atomic_files import atomic_write
from dawn_env.validation.checked_input import Checked, read
from dawn_env.validation.untrusted_json import parse_json

_LEAST_LOSS = 0.1  # of the chance of winning, two standard errors off
_LEAST_CHOICES = 3
_OBVIOUS = 5  # lead from which on nobody would choose anything else


@dataclass(frozen=True)
class Puzzle(Checked):
    """A decision: the game up to it, the action ``taken`` and the ``better`` one, the loss and its standard error."""

    seed: Seed
    options: dict[str, Any]
    decisions: list[str]
    when: str
    taken: str
    better: str
    loss: float
    error: float


def write_puzzles(analysis: Analysis, records: Iterable[Mapping], path: Path) -> int:
    """Write large certain losses of analysed records to a file, one at most of each round of a game; their number.

    None has an obvious answer. The easier ones come first: those in which the rules of thumb see the better action as
    well.
    """
    by_place, used = dict(zip(analysis.places, records, strict=True)), set()
    found = []
    for mistake in analysis.mistakes:
        place, one = mistake.place, mistake.decision
        if one.loss - 2 * one.error < _LEAST_LOSS or (place, one.when) in used:
            continue
        used.add((place, one.when))
        record = by_place[place]
        puzzle = Puzzle(
            record["seed"], record["options"], record["decisions"][: one.at], one.when, one.taken, one.better,
            round(one.loss, 4), round(one.error, 4),
        )  # fmt: skip
        if (ahead := lead(puzzle)) < _OBVIOUS:
            found.append((ahead, puzzle))
    with atomic_write(path, parents=True) as file:
        for _, puzzle in sorted(found, key=lambda pair: -pair[0]):
            file.write(json.dumps(asdict(puzzle), separators=(",", ":")) + "\n")
    return len(found)


def lead(puzzle: Puzzle) -> float:
    """Lead of the better action in the rule-based player's scores, in victory points; infinite with few choices."""
    game = Game(puzzle.seed, puzzle.options)
    for text in puzzle.decisions:
        game.step(text)
    view, better = View(game.state), ACTIONS.index(puzzle.better)
    if len(view.legal) < _LEAST_CHOICES:
        return math.inf
    scores = np.asarray(rollout_rules(view).scores(view))
    return float(scores[better] - scores[view.legal[view.legal != better]].max())


def read_puzzles(text: str, where: str) -> list[Puzzle]:
    """Puzzles of a file's text; raises ``MalformedPosition`` that begins with ``where``."""
    puzzles = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            puzzles.append(read(Puzzle, parse_json(line)))
        except ValueError:
            raise MalformedPosition(f"{where}, line {number}: no puzzle of dawn analyse --puzzles") from None
    if not puzzles:
        raise MalformedPosition(f"{where}: no puzzles")
    return puzzles
