"""Exercises: puzzles from recorded games, and the lesson, as one side meets them."""

import hashlib
import json
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dawn_agents.frontends.analysis.action_gains import gain_words
from dawn_agents.frontends.analysis.puzzles import Puzzle, read_puzzles
from dawn_agents.frontends.web.analysis_session import judged_decision, line
from dawn_agents.frontends.web.client_messages import BadRequest
from dawn_agents.frontends.web.game_session import Setting
from dawn_agents.frontends.web.page_facts import GAMES
from dawn_agents.frontends.web.position_messages import ask, describe_for
from dawn_agents.frontends.web.replays import Replay
from dawn_agents.players.search.decision_judge import ActionEstimates
from dawn_env.actions import ACTIONS
from dawn_env.bids import is_bid
from dawn_env.errors import MalformedPosition
from dawn_env.observation.player_view import View, view_seed
from dawn_env.options import GameOptions
from dawn_env.state import MODES
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_NAMES
from dawn_env.validation.untrusted_json import read_text

_DEALS, _CHUNK = 64, 16  # deals that compare each choice with the best one
_SALT = 1  # of the seeds of these deals
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
    """The puzzles of a file, those that come with the project by default, in a set for each mode of the game."""

    def __init__(self, path: Path | None = None):
        """Raises ``MalformedPosition`` for a file without puzzles."""
        try:
            text = read_text(path, _LONGEST) if path else _file("puzzles.jsonl")
        except (OSError, ValueError) as error:
            raise MalformedPosition(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        found = read_puzzles(text, str(path or "puzzles.jsonl"))
        by_mode = {mode: [one for one in found if GameOptions.of(one.options).mode == mode] for mode in MODES}
        self._sets = {mode: puzzles for mode, puzzles in by_mode.items() if puzzles}
        self._replay, self._choices = lru_cache(_KEPT)(self._played), lru_cache(_KEPT)(self._judged)

    def sets(self) -> list[dict]:
        """Sets of puzzles as JSON: ``mode``, ``title``, and an id for each puzzle, a hash of its content."""
        titles = {game["name"]: game["title"] for game in GAMES}
        return [
            {"mode": mode, "title": titles[mode], "ids": [_id(puzzle) for puzzle in puzzles]}
            for mode, puzzles in self._sets.items()
        ]

    def _puzzle(self, mode: str, number: int) -> Puzzle:
        puzzles = self._sets.get(mode, [])
        if not 1 <= number <= len(puzzles):
            raise BadRequest(f"puzzle: {mode} 1 ... {len(puzzles)} expected, not {number}")
        return puzzles[number - 1]

    def _played(self, mode: str, number: int) -> Replay:
        puzzle = self._puzzle(mode, number)
        return Replay(Setting(puzzle.seed, GameOptions.of(puzzle.options), SIDE_NAMES), puzzle.decisions)

    def tell(self, mode: str, number: int) -> dict:
        """A puzzle of a set, counted from 1, without its answer."""
        replay = self._replay(mode, number)
        at = len(replay.decisions)
        return pose(replay, at, max(0, at - _NEWS))

    def _judged(self, mode: str, number: int) -> list[dict]:
        puzzle = self._puzzle(mode, number)
        return choice_losses(View(self._replay(mode, number).states[-1]), puzzle)

    def verdict(self, mode: str, number: int, action: str) -> dict:
        """An answer judged (``answer_verdict``)."""
        puzzle, view = self._puzzle(mode, number), View(self._replay(mode, number).states[-1])
        return answer_verdict(view, puzzle, self._choices(mode, number), action)


def _id(puzzle: Puzzle) -> str:
    return hashlib.blake2b(json.dumps([puzzle.seed, puzzle.decisions]).encode(), digest_size=6).hexdigest()


class Loss(NamedTuple):
    """Loss of a decision and its standard error; the ``better`` action and the one ``taken``."""

    better: str
    taken: str
    loss: float
    error: float


def choice_losses(view: View, puzzle: Puzzle | Loss) -> list[dict]:
    """All choices with their ``loss`` in shares of the chance of winning and its standard ``error``, the best first.

    Each is simulated in the same deals as the best one; they depend on what the side sees only.
    """
    others = [text for text in view.texts if text not in (puzzle.better, puzzle.taken)]
    actions = [puzzle.better, *others]
    judgement = ActionEstimates(view, np.array([ACTIONS.index(text) for text in actions]), view_seed(view, _SALT))
    for _ in range(_DEALS // _CHUNK):
        judgement.add(_CHUNK)
    losses = {text: judgement.lead(0, at) for at, text in enumerate(actions)}
    losses |= {puzzle.taken: (puzzle.loss, puzzle.error), puzzle.better: (0.0, 0.0)}
    rows = [
        {"action": text, "loss": round(loss, 4), "error": round(error, 4)} for text, (loss, error) in losses.items()
    ]
    return sorted(rows, key=lambda row: (row["action"] != puzzle.better, row["loss"]))


def answer_verdict(view: View, puzzle: Puzzle | Loss, choices: list[dict], action: str) -> dict:
    """Loss of an answer, with all choices and their losses, the best one, how it goes on, and why it is better.

    ``against``: the answer, or where that is the best one, the action that was taken. Raises ``BadRequest`` for an
    action that is not legal.
    """
    row = next((row for row in choices if row["action"] == action), None)
    if row is None:
        raise BadRequest(f"action: a legal one expected, not {short_repr(action)}")
    against = puzzle.taken if action == puzzle.better else action
    return row | {
        "best": puzzle.better, "taken": puzzle.taken, "choices": choices, "line": line(view, puzzle.better),
        "against": against, "why": gain_words(view, puzzle.better, against, view_seed(view, _SALT)),
    }  # fmt: skip


def mistake(replay: Replay, at: int) -> dict:
    """The decision taken in position ``at`` of a replay as a puzzle, without its answer. Raises ``BadRequest``."""
    _check_judged(replay, at)
    return pose(replay, at, max(0, at - _NEWS))


def mistake_verdict(replay: Replay, at: int, action: str) -> dict:
    """An answer to such a puzzle judged (``answer_verdict``)."""
    view = _check_judged(replay, at)
    judged = judged_decision(replay, at, view)
    replay.keep_verdicts()
    loss = Loss(ACTIONS[judged.better], replay.decisions[at], round(judged.loss, 4), round(judged.error, 4))
    return answer_verdict(view, loss, choice_losses(view, loss), action)


def _check_judged(replay: Replay, at: int) -> View:
    """The view of position ``at``; raises ``BadRequest`` where nothing was chosen that can be judged."""
    if not 0 <= at < len(replay.decisions) or is_bid(replay.states[at]["decision"]):
        raise BadRequest(f"at: a decision 0 ... {len(replay.decisions) - 1} that is no offer expected, not {at}")
    return View(replay.states[at])


@cache
def _lesson() -> tuple[Replay, list[dict]]:
    lesson = json.loads(_file("lesson.json"))
    return Replay(Setting(lesson["seed"], GameOptions(), SIDE_NAMES), lesson["decisions"]), lesson["steps"]


def lesson_step(number: int) -> dict:
    """Message of a lesson step: position, explanation, and the action to take or the part of the board to show."""
    replay, steps = _lesson()
    if not 1 <= number <= len(steps):
        raise BadRequest(f"step: 1 ... {len(steps)} expected, not {number}")
    step, since = steps[number - 1], steps[number - 2]["at"] if number > 1 else 0
    action = None if "look" in step else replay.decisions[step["at"]]
    return pose(replay, step["at"], since) | step | {"action": action, "count": len(steps)}
