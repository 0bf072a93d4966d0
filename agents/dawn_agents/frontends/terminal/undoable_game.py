"""One game of a person against a player: taking back, saving, going on."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.bids import is_bid
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.events import EventObserver
from dawn_env.events.narration import event_lines
from dawn_env.formats.game_record import MAX_LINE, OPPONENT_SEED, from_line, record_from_actions, to_line
from dawn_env.game import Game
from dawn_env.observation.view_layouts import layout_of
from dawn_env.options import GameOptions
from dawn_env.rules.bid import FIRST
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.seeds import row_seeds
from dawn_env.tables import SIDE_LETTERS
from dawn_env.validation.untrusted_json import read_text

HUMAN = "human"
"""Name of the person in records."""

_WORLDS = 128  # dealings in which a decision must have led to the same view to be taken back


class UndoableGame:
    """A game, the side the person plays, and who plays the other.

    The person may take back their latest decisions as long as they have learnt nothing by them: no die was
    rolled, no card drawn, the opponent decided nothing, and in 128 dealings of all that is hidden from them
    the decision led to the same view as it did here.
    """

    def __init__(
        self,
        seed: int,
        human: int,
        opponent: str,
        options: GameOptions | Mapping | None = None,
        opponent_seed: int | None = None,
    ):
        """``opponent``: specification of the player of the other side; ``options`` as for ``GameOptions.of``.

        In a game with a bid the person is the first player, whose side ``human`` is known once the bid is over.
        ``opponent_seed``: drawn if None. Neither seed tells anything about the other.
        """
        self.game = Game(seed, options)
        self.seat = FIRST if self.game.options.bid else human
        self.seed, self.human, self.opponent = seed, self.seat, opponent
        self.opponent_seed = int(row_seeds(None, 1)[0]) if opponent_seed is None else opponent_seed
        self.decisions: list[str] = []
        self._earlier: list[Game] = []
        self._observer = EventObserver(self.seat)

    def step(self, action: int | str) -> list[str]:
        """Take a legal action and return a line of text for each visible event. Raises ``IllegalAction``."""
        before, number = self.game.copy(), self.game.check(action)
        self.game.step(number)
        self.decisions.append(ACTIONS[number])
        if is_bid(before.state.decision):
            self.human = self.seat ^ int(self.game.state.swapped)
        elif before.actor == self.human and is_undoable(before, self.game, number):
            self._earlier.append(before)
        else:
            self._earlier.clear()
        return event_lines(self._observer.see(before, self.game, ACTIONS[number]))

    @property
    def can_undo(self) -> bool:
        """Return True if the latest decision can be taken back."""
        return bool(self._earlier)

    def undo(self) -> str:
        """Take back the latest decision, which is returned; only if ``can_undo``."""
        self.game = self._earlier.pop()
        return self.decisions.pop()

    # --- keeping -------------------------------------------------------------------------------

    def record(self) -> dict:
        """The game so far as a game record."""
        names = {SIDE_LETTERS[self.human]: HUMAN, SIDE_LETTERS[1 - self.human]: self.opponent}
        record = record_from_actions(self.seed, self.decisions, self.game.options, names)
        return record | {OPPONENT_SEED: self.opponent_seed}

    def save(self, path: Path) -> None:
        """Write the record; what was in the file stays until the new one is complete. Raises ``OSError``."""
        with atomic_write(path) as file:
            file.write(to_line(self.record()) + "\n")

    @classmethod
    def load(cls, path: Path) -> tuple["UndoableGame", list[str]]:
        """A saved game, and what happened in it since the person's last decision.

        Raises ``OSError``, and ``MalformedPosition`` when the file is no game of a person.
        """
        try:
            text = read_text(path, MAX_LINE)
        except ValueError as error:
            raise MalformedPosition(f"{path}: not a text file: {error}") from None
        record = from_line(text, str(path))
        sides = [side for side, letter in enumerate(SIDE_LETTERS) if record["players"][letter] == HUMAN]
        if len(sides) != 1:
            raise MalformedPosition(
                f"{path}: one player called {HUMAN!r} expected, not {json.dumps(record['players'])}"
            )
        human = sides[0]
        opponent = record["players"][SIDE_LETTERS[1 - human]]
        table = cls(record["seed"], human, opponent, record["options"], record.get(OPPONENT_SEED))
        return table, table._replay(record["decisions"], path)

    def _replay(self, decisions: list[str], path: Path) -> list[str]:
        news: list[str] = []
        for number, action in enumerate(decisions, 1):
            kept = [] if self.game.actor == self.human else news
            try:
                news = kept + self.step(action)
            except DawnError as error:
                raise MalformedPosition(f"{path}: decision {number}: {error}") from None
        return news


def is_undoable(before: Game, after: Game, action: int) -> bool:
    """Return True if ``action`` revealed nothing to its side that it could not foresee."""
    side = before.actor
    if after.over or after.actor != side or after.chance:
        return False
    worlds = engine.redeal(before.states[np.zeros(_WORLDS, np.int64)], side, np.arange(_WORLDS))
    engine.advance(worlds, np.full(_WORLDS, action))
    layout = layout_of(after.options)
    seen, legal = layout.views(worlds, np.full(_WORLDS, side, np.int8))
    return bool((seen == layout.one(after.state, side)).all() and (legal == after.mask).all())
