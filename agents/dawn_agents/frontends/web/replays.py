"""A game from its record, decision by decision: positions, logs, the course of VP and of the chance of winning."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.frontends.web.client_messages import BadRequest, NotFound
from dawn_agents.frontends.web.game_session import HUMAN, Setting
from dawn_agents.frontends.web.kept_results import KeptResults, ResultFolder, key_of
from dawn_agents.frontends.web.live_rooms import NotPrepared, Rooms, waiting_message
from dawn_agents.frontends.web.position_messages import changes, describe, outcome, seen_by
from dawn_agents.players.search.decision_judge import DecisionLoss
from dawn_agents.players.search.family_simulations import family_win_probabilities
from dawn_agents.players.win_probability.win_probability_network import win_probabilities
from dawn_env.bids import is_bid
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.events import EVERYTHING, EventObserver
from dawn_env.events.narration import decision_words, heading_words
from dawn_env.formats.game_record import PRACTICE, record_from_actions, to_line
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.state import DECISIONS, STATE, copy_states
from dawn_env.tables import SIDE_LETTERS
from dawn_env.views.questions import question_fields
from dawn_env.views.viewer_position import FamilyPosition, StandardPosition


class _Log:
    """Log of a game in the view of one reader. ``entries``: ``[decisions taken, events]``; ``read_on`` adds more."""

    def __init__(self, game: Game, reader: int):
        """``game``: before its first decision."""
        self._game, self._observer = game, EventObserver(reader)
        self.entries: list[list] = []

    def read_on(self, decisions: Sequence[str]) -> None:
        """Read what the decisions have brought since the last time."""
        for number in range(len(self.entries), len(decisions)):
            before = self._game.copy()
            self._game.step(decisions[number])
            self.entries.append([number + 1, self._observer.see(before, self._game, decisions[number])])


class Replay:
    """All positions of a game; position n is the one after n decisions. What is worked out of them is kept.

    ``verdicts``: of decisions that were judged, by their number.
    """

    def __init__(self, setting: Setting, decisions: Sequence[str]):
        """Raises ``MalformedPosition`` at a decision that the game does not allow."""
        self.setting = setting
        self.decisions: list[str] = []
        self.states = copy_states(setting.game().states)
        self.verdicts: dict[int, DecisionLoss] = {}
        self._logs: dict[int, _Log] = {}  # by reader
        self._kept: KeptResults | None = None  # of a game that is over
        self._course: dict | None = None
        self._growing, self._reading = threading.Lock(), threading.Lock()
        self.extend(decisions)

    def extend(self, decisions: Sequence[str]) -> None:
        """Go on to all ``decisions`` of the game, which begin with those that are there.

        Raises ``MalformedPosition`` at one that the game does not allow.
        """
        with self._growing:
            game, states = Game.of(self.states[-1]), [self.states]
            for number in range(len(self.decisions), len(decisions)):
                try:
                    game.step(decisions[number])
                except DawnError as error:
                    raise MalformedPosition(f"decision {number + 1}: {error}") from None
                states.append(copy_states(game.states))
            self.states, self.decisions = np.concatenate(states, dtype=STATE), list(decisions)
            self._course = None

    def keep_in(self, folder: ResultFolder) -> None:
        """Use what a folder has of this game, which is over, and keep there what is worked out."""
        if self._kept is None:
            self._kept = KeptResults(folder, key_of(self.setting, self.decisions))
            told = self._kept.get("verdicts") or []
            self.verdicts = {at: DecisionLoss(*verdict) for at, *verdict in told} | self.verdicts

    def keep_verdicts(self) -> None:
        """Keep the verdicts so far between runs of the server, too."""
        if self._kept and len(self.verdicts) > len(self._kept.get("verdicts") or []):
            known = dict(self.verdicts)  # other threads judge on
            told = [[at, int(one.better), float(one.loss), float(one.error)] for at, one in known.items()]
            self._kept.put("verdicts", told)

    def _worked_out(self, name: str, work_out: Callable[[], Any]) -> Any:
        """A result that is kept, or else one that is worked out now."""
        found = self._kept and self._kept.get(name)
        if found is None:
            found = work_out()
            if self._kept:
                self._kept.put(name, found)
        return found

    def game(self, at: int) -> Game:
        """A copy of the game in position ``at``."""
        return Game.from_state(self.states[at])

    def record(self, practice: int | None) -> str:
        """A line of a file of records (``formats.game_record``); raises ``BadRequest`` where the game has none.

        ``practice``: decisions that were taken back freely, None for a game that was no practice.
        """
        setting = self.setting
        if setting.position:
            raise BadRequest("the game did not begin with its set-up, so it has no record; copy a position instead")
        names = dict(zip(SIDE_LETTERS, setting.players, strict=True))
        record = record_from_actions(setting.seed, self.decisions, setting.options, names)
        return to_line(record | ({} if practice is None else {PRACTICE: practice})) + "\n"

    def tell(self, at: int, viewer: int | None) -> dict:
        """Position ``at`` in the view of a side, or of both together (None), and the decision that follows.

        ``question``: fields of its question, None when the game is over.
        """
        state = self.states[at]
        over = outcome(state)
        seen, before = self._seen(at, viewer), self._seen(at - 1, viewer) if at else None
        return {
            "at": at,
            **describe(seen),
            "decision": DECISIONS[state["decision"]],
            "changes": changes(seen, before),
            "over": over,
            "question": None if over else question_fields(View(state)),
            "next": self.decisions[at] if at < len(self.decisions) else None,
        }

    def _seat(self, side: int) -> int:
        """The seat of a side, whether or not it has been given out yet."""
        return side ^ int(self.states[-1]["swapped"])

    def _seen(self, at: int, viewer: int | None) -> StandardPosition | FamilyPosition:
        """View of a side, or of both (None); until sides are given out, of the player who gets it."""
        state = self.states[at]
        return seen_by(state, None if viewer is None else self._seat(viewer) ^ int(state["swapped"]))

    def log(self, viewer: int | None) -> list[list]:
        """Entries ``[decisions taken, events]`` of the log of a side; None: with all hidden information."""
        with self._reading:
            reader = self._reader(viewer)
            return self._worked_out(f"log {reader}", partial(self._read, reader))

    def _read(self, reader: int) -> list[list]:
        if reader not in self._logs:
            self._logs[reader] = _Log(self.game(0), reader)
        self._logs[reader].read_on(self.decisions)
        return [entry for entry in self._logs[reader].entries if entry[1]]

    def share_read(self, viewer: int | None) -> float:
        """Share 0 ... 1 of the log of a side (None: of all) that has been read."""
        log = self._logs.get(self._reader(viewer))
        return len(log.entries) / max(1, len(self.decisions)) if log else 0.0

    def _reader(self, viewer: int | None) -> int:
        """Reader of the log of a side (None: of all): a seat, or ``EVERYTHING``."""
        return EVERYTHING if viewer is None else self._seat(viewer)

    def course(self) -> dict:
        """Series by position: VP, the Democrat's chance of winning with all cards known (even in a bid), turn."""
        if self._course is None:
            self._course = self._worked_out("course", self._estimated_course)
        return self._course

    def _estimated_course(self) -> dict:
        if self.setting.options.is_family:
            probabilities = family_win_probabilities(self.states)
        else:
            probabilities = np.where(is_bid(self.states["decision"]), 0.5, win_probabilities(self.states))
        return {
            "vp": self.states["vp"].tolist(),
            "chance": [round(float(probability), 3) for probability in probabilities],
            "turn": self.states["turn"].tolist(),
        }

    def when(self, at: int) -> str:
        """Heading of position ``at``: its turn and round."""
        return heading_words(Game.of(self.states[at]))

    def words(self, at: int) -> str:
        """Decision taken in position ``at``."""
        game = Game.of(self.states[at])
        return decision_words(game.actor, game.decision, self.decisions[at])


_KEPT = 8
_SOON = 0.5  # seconds after which who waits for a log is told how much of it has been read
NO_FILE = "there is no opened file at this address; the oldest are deleted when the storage limit is reached"
"""Error message for games of opened files."""


class Replays:
    """Replays by address: the replay token of a game, or ``TOKEN.NUMBER`` for a record of a shelf."""

    def __init__(self, rooms: Rooms):
        self._rooms, self._store = rooms, rooms.store
        self._kept: OrderedDict[str, Replay] = OrderedDict()  # by address; the latest asked for last
        self._folder = ResultFolder(Path(f"{self._store.path}.replays"))
        self._readings: dict[tuple[Replay, int | None], asyncio.Task] = {}

    async def of(self, address: str) -> tuple[Replay, dict]:
        """A replay, and how it stands: ``players``, ``running``, ``over`` (result and reason, or None), ``practice``
        (as for ``Replay.record``), ``length``.

        Raises ``NotFound``, and ``DawnError`` for a record that cannot be replayed.
        """
        token, _, number = address.partition(".")
        self._rooms.preparation.require()
        setting, decisions, facts = self._record(token, number) if number else self._game(token)
        replay = await self._played(address, setting, decisions)
        if not facts["running"]:
            await asyncio.to_thread(replay.keep_in, self._folder)
        return replay, facts | {"length": len(replay.decisions)}

    async def _played(self, address: str, setting: Setting, decisions: list[str]) -> Replay:
        """The replay that is kept for an address, which goes on as its game does, or a new one."""
        decisions, replay = list(decisions), self._kept.get(address)
        if replay is None or replay.decisions != decisions[: len(replay.decisions)]:
            replay = await asyncio.to_thread(Replay, setting, decisions)
        elif len(replay.decisions) < len(decisions):
            await asyncio.to_thread(replay.extend, decisions)
        self._kept[address] = replay
        self._kept.move_to_end(address)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return replay

    async def log(self, replay: Replay, viewer: int | None) -> list[list]:
        """Log of a replay; raises ``NotPrepared`` after a moment while it is still being read."""
        key = replay, viewer
        if key not in self._readings:
            self._readings[key] = asyncio.create_task(asyncio.to_thread(replay.log, viewer))
            self._readings[key].add_done_callback(lambda _: self._readings.pop(key))
        try:
            return await asyncio.wait_for(asyncio.shield(self._readings[key]), _SOON)
        except TimeoutError:
            words = f"{len(replay.decisions)} decisions."
            message = waiting_message("Reading the game", replay.share_read(viewer), words)
            raise NotPrepared("the game is being read; ask again in a moment", message) from None

    def _game(self, token: str) -> tuple[Setting, list[str], dict]:
        stored = self._store.by_replay(token)
        if stored is None:
            raise NotFound("there is no replay at this address")
        room = self._rooms.of(stored)
        session = room.session
        if not session.over and HUMAN in stored.setting.players:
            raise NotFound("this game goes on: its replay opens when it is over")
        room.go_on()
        practice = session.freely_undone if session.practice else None
        facts = {"players": session.players, "running": not session.over, "over": session.outcome, "practice": practice}
        return stored.setting, session.decisions, facts

    def _record(self, token: str, number: str) -> tuple[Setting, list[str], dict]:
        record = self._store.record(token, int(number)) if number.isdecimal() and len(number) < 10 else None
        if record is None:
            raise NotFound(NO_FILE)
        if record.get("unfinished"):
            raise NotFound(
                "this game goes on: its replay opens when it is over; the list of its file has a button to go on"
            )
        players = record["players"]["D"], record["players"]["C"]
        over = {"result": record["result"], "reason": record["reason"]} if record["result"] != "running" else None
        options, position = GameOptions.of(record["options"]), record.get("position", "")
        setting = Setting(record["seed"], options, players, position=position)
        return setting, record["decisions"], {
            "players": list(players), "running": False, "over": over, "practice": record.get(PRACTICE),
        }  # fmt: skip
