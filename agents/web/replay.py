"""A game from its record, decision by decision: positions, logs, the course of VP and of the chance of winning."""

from collections.abc import Iterator, Sequence

import numpy as np

from agents.search.chances import win_chances
from agents.terminal.narration import Narrator
from agents.web.position import describe, draw_map, outcome, seen_by
from agents.web.session import Setting
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.formats.narrate import decision_words, tell_decisions
from dawn_env.game import Game
from dawn_env.state import Result, copy_states


class Replay:
    """All positions of a game; position n is the one after n decisions."""

    def __init__(self, setting: Setting, decisions: Sequence[str]):
        """Raises ``MalformedPosition`` at a decision that the game does not allow."""
        self.setting, self.decisions = setting, list(decisions)
        game = Game(setting.seed, setting.options)
        states = [copy_states(game.states)]
        for number, text in enumerate(self.decisions, 1):
            try:
                game.step(text)
            except DawnError as error:
                raise MalformedPosition(f"decision {number}: {error}") from None
            states.append(copy_states(game.states))
        self.states = np.concatenate(states)

    def game(self, at: int) -> Game:
        """A copy of the game in position ``at``."""
        return Game.from_state(self.states[at])

    def tell(self, at: int, viewer: int | None, layout: str) -> dict:
        """Position ``at`` as a side sees it, or both together (None), and the decision that follows."""
        state = self.states[at]
        seen = seen_by(state, viewer)
        before = seen_by(self.states[at - 1], viewer) if at else None
        return {
            "at": at,
            **describe(seen),
            "map": draw_map(seen, before, layout),
            "over": outcome(state),
            "next": self.decisions[at] if at < len(self.decisions) else None,
        }

    def log(self, viewer: int | None) -> list[list]:
        """Entries ``[decisions taken, heading, lines]``, as ``Session.logs``; all is told to both together (None)."""
        entries = []
        for number, lines in enumerate(self._told(viewer), 1):
            if lines:
                state = self.states[number - 1]
                heading = [int(state.turn), int(state.action_round), int(state.phasing)]
                entries.append([number, heading, lines])
        return entries

    def _told(self, viewer: int | None) -> Iterator[list[str]]:
        """Lines by decision."""
        if viewer is None:
            setting = self.setting
            yield from tell_decisions({"seed": setting.seed, "options": setting.options, "decisions": self.decisions})
            return
        narrator = Narrator(viewer)
        for number, text in enumerate(self.decisions):
            yield narrator.tell(self._as_game(number), self._as_game(number + 1), text)

    def _as_game(self, at: int) -> Game:
        """Like ``game``, unchecked: these positions came from the rules."""
        game = Game.__new__(Game)
        game.states = self.states[at : at + 1]
        return game

    def course(self) -> dict:
        """By position: VP, the Democrat's chance of winning, turn and who decides (-1 at the end)."""
        running = self.states["result"] == Result.RUNNING
        return {
            "vp": self.states["vp"].tolist(),
            "chance": [round(float(chance), 3) for chance in win_chances(self.states)],
            "turn": self.states["turn"].tolist(),
            "round": self.states["action_round"].tolist(),
            "actor": np.where(running, self.states["actor"], -1).tolist(),
        }

    def words(self, at: int) -> str:
        """What is decided in position ``at``."""
        game = self._as_game(at)
        return decision_words(game.actor, game.decision, self.decisions[at])
