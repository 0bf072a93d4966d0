"""Exercises: puzzles from recorded games, and the lesson, as one side meets them."""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from dawn_agents.frontends.analysis.puzzles import Puzzle, read_puzzles
from dawn_agents.frontends.web.analysis_session import line
from dawn_agents.frontends.web.client_messages import BadRequest
from dawn_agents.frontends.web.game_session import Setting
from dawn_agents.frontends.web.position_messages import ask, describe_for
from dawn_agents.frontends.web.replays import Replay
from dawn_agents.players.search.decision_judge import ActionEstimates
from dawn_env.actions import ACTIONS
from dawn_env.errors import MalformedPosition
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.untrusted_json import read_text

_DEALS = 64  # that compare an answer with the best action
_NEWS = 30  # decisions whose log a puzzle shows
_KEPT = 32  # puzzles kept played up to their decision
_LONGEST = 2**26  # bytes of a file of puzzles


def _file(name: str) -> str:
    return (files("dawn_agents.frontends.web") / "data" / name).read_text(encoding="utf-8")


def pose(replay: Replay, at: int, since: int) -> dict:
    """Message with the position after ``at`` decisions: view, question, the log after decision ``since``.

    ``changes``: since the latest decision of the side.
    """
    state = replay.states[at]
    side = int(state.actor)
    own = np.flatnonzero(replay.states[:at]["actor"] == side)
    return {
        "when": replay.when(at),
        **describe_for(state, side, replay.states[own[-1] if own.size else 0]),
        "ask": ask(state),
        "log": [event for number, events in replay.log(side) if since < number <= at for event in events],
    }


class Puzzles:
    """The puzzles of a file, those that come with the project by default."""

    def __init__(self, path: Path | None = None):
        """Raises ``MalformedPosition`` for a file without puzzles."""
        try:
            text = read_text(path, _LONGEST) if path else _file("puzzles.jsonl")
        except (OSError, ValueError) as error:
            raise MalformedPosition(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        self._puzzles: Sequence[Puzzle] = read_puzzles(text, str(path or "puzzles.jsonl"))
        self._replay = lru_cache(_KEPT)(self._played)

    def _puzzle(self, number: int) -> Puzzle:
        if not 1 <= number <= len(self._puzzles):
            raise BadRequest(f"puzzle: 1 ... {len(self._puzzles)} expected, not {number}")
        return self._puzzles[number - 1]

    def _played(self, number: int) -> Replay:
        puzzle = self._puzzle(number)
        return Replay(Setting(puzzle.seed, GameOptions.of(puzzle.options), SIDE_NAMES), puzzle.decisions)

    def tell(self, number: int) -> dict:
        """A puzzle, without its answer."""
        replay = self._replay(number)
        at = len(replay.decisions)
        return pose(replay, at, max(0, at - _NEWS)) | {"count": len(self._puzzles)}

    def verdict(self, number: int, action: str) -> dict:
        """Loss of an answer in shares of the chance of winning, with the best action and how it goes on.

        Deals that both actions are simulated in depend on what the side sees only.
        """
        puzzle, view = self._puzzle(number), View(self._replay(number).states[-1])
        if action not in view.texts:
            raise BadRequest(f"action: a legal one expected, not {short_repr(action)}")
        return {
            "best": puzzle.better, "taken": puzzle.taken, "takenLoss": puzzle.loss, "takenError": puzzle.error,
            "line": line(view, puzzle.better),
        } | _loss(puzzle, view, action)  # fmt: skip


def _loss(puzzle: Puzzle, view: View, action: str) -> dict:
    if action == puzzle.better:
        return {"loss": 0.0, "error": 0.0}
    if action == puzzle.taken:
        return {"loss": puzzle.loss, "error": puzzle.error}
    judgement = ActionEstimates(view, np.array([ACTIONS.index(puzzle.better), ACTIONS.index(action)]), puzzle.seed)
    judgement.add(_DEALS)
    loss, error = judgement.lead(0, 1)
    return {"loss": round(loss, 4), "error": round(error, 4)}


@cache
def _lesson() -> tuple[Replay, list[dict]]:
    lesson = json.loads(_file("lesson.json"))
    return Replay(Setting(lesson["seed"], GameOptions(), SIDE_NAMES), lesson["decisions"]), lesson["steps"]


def lesson_step(number: int) -> dict:
    """A step of the lesson: its position, words, and the action to be taken, or what is to be looked at."""
    replay, steps = _lesson()
    if not 1 <= number <= len(steps):
        raise BadRequest(f"step: 1 ... {len(steps)} expected, not {number}")
    step, since = steps[number - 1], steps[number - 2]["at"] if number > 1 else 0
    action = None if "look" in step else replay.decisions[step["at"]]
    return pose(replay, step["at"], since) | step | {"action": action, "count": len(steps)}
