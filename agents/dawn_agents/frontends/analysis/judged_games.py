"""Games judged decision by decision, kept in an SQLite database that takes them as they end."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated

from dawn_agents.players.registry import make_player
from dawn_agents.players.search.decision_judge import Judge
from dawn_agents.sqlite_files import DatabaseKind, StoreError, open_database
from dawn_agents.tournaments.entrants import enter_one
from dawn_agents.tournaments.rating import luck_correction
from dawn_env.actions import ACTIONS, action_id
from dawn_env.bids import is_bid
from dawn_env.errors import BadInput
from dawn_env.events.narration import heading_words
from dawn_env.formats.game_record import read_records, to_line, verify
from dawn_env.game import Game
from dawn_env.glossary import card_name
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.support.compiled_code import source_hash
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import DEMOCRAT, SIDE_LETTERS
from dawn_env.validation.checked_input import FROM_LIST, Checked, read
from dawn_env.validation.untrusted_json import parse_json

FORMAT = 1
"""Of judged games and of reports; goes up with any change of what they hold or of how games are judged."""
SCHEMA = 1
"""Version of the table of the database; goes up with any change of it."""
_TABLE = "CREATE TABLE games (key TEXT PRIMARY KEY, told TEXT NOT NULL);"
_FILES = DatabaseKind("a database of judged games", 0x1989A7, SCHEMA, (_TABLE,))


@dataclass(frozen=True)
class JudgedDecision(Checked):
    """A real choice. ``at``: decisions taken before; ``card``: the one played or resolved, empty for none; ``when``: a
    heading; ``taken`` and ``better``: action texts, the same where the search agrees; ``loss`` and ``error``: see
    ``decision_judge``.
    """

    at: int
    side: int
    turn: int
    kind: str
    card: str
    when: str
    taken: str
    better: str
    loss: float
    error: float
    mistake: bool


@dataclass(frozen=True)
class JudgedGame(Checked):
    """``players`` by side; ``luck``: points that chance gave the Democrat, None where it is not measured."""

    seed: int
    players: Annotated[tuple[str, str], FROM_LIST]
    result: str
    reason: str
    vp: int
    turn: int
    luck: float | None
    decisions: Annotated[tuple[JudgedDecision, ...], FROM_LIST]

    def luck_of(self, side: int) -> float | None:
        """Points that chance gave a side."""
        return self.luck if self.luck is None or side == DEMOCRAT else -self.luck

    def loss_of(self, side: int) -> float:
        """Sum of the losses of its decisions."""
        return sum(decision.loss for decision in self.decisions if decision.side == side)


@dataclass(frozen=True)
class Judging:
    """Identity of the judge: a search by its canonical specification and version, deals that compare two actions, the
    seed of both. ``only``: the player whose decisions are judged, None for all.
    """

    search: str
    version: str
    deals: int
    seed: int
    only: str | None

    @classmethod
    def by(cls, spec: str, deals: int, seed: int = 0, only: str | None = None) -> "Judging":
        """Raises ``BadInput`` for what is no player, no search, or a search with a budget of time."""
        player = enter_one(spec)
        if player.name.partition(":")[0] != "search":
            raise BadInput(f"--player: search or search:key=value,... expected, not {short_repr(spec)}")
        if player.options["ms"] is not None:
            raise BadInput("--player: sims expected, not ms: what is found in a time differs from run to run")
        return cls(player.name, player.version, deals, seed, only)

    def key(self, record: dict) -> str:
        """Key of a judged record; changes with everything the result depends on."""
        parts = [FORMAT, *asdict(self).values(), source_hash(), luck_correction.version(), to_line(record)]
        return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


@cache
def _judge(judging: Judging) -> Judge:
    return Judge(make_player(judging.search, judging.seed), judging.deals, judging.seed)


@dataclass(frozen=True)
class JudgingTask:
    """A game to judge; ``where``: file and number, for messages."""

    record: dict
    where: str
    judging: Judging
    key: str


def read_tasks(paths: Sequence[Path], judging: Judging, first: int = 1, last: int | None = None) -> list[JudgingTask]:
    """Games number ``first`` to ``last`` (None: all) of the files one after another, replayed and compared.

    Raises ``MalformedPosition`` for a damaged record or file, ``BadInput`` where there is no game or nothing of the
    player.
    """
    tasks = []
    numbered = (
        (record, f"{path}, game {number}") for path in paths for number, record in enumerate(read_records(path), 1)
    )
    for record, where in islice(numbered, first - 1, last):
        verify(record, where)
        tasks.append(JudgingTask(record, where, judging, judging.key(record)))
    if not tasks:
        raise BadInput(f"no game {first} in {', '.join(map(str, paths))}")
    if judging.only is None:
        return tasks
    names = {name for task in tasks for name in task.record["players"].values()}
    if judging.only not in names:
        raise BadInput(f"--of: {short_repr(judging.only)} plays in none of the games; {', '.join(sorted(names))} do")
    return [task for task in tasks if judging.only in task.record["players"].values()]


def judge_game(task: JudgingTask) -> tuple[str, JudgedGame]:
    """The key of a task and its game, judged."""
    record = task.record
    options = GameOptions.of(record["options"])
    actions = [action_id(text) for text in record["decisions"]]
    luck = luck_correction.luck(record["seed"], actions, options) if luck_correction.is_measured(options) else None
    game = JudgedGame(
        seed=record["seed"], players=tuple(record["players"][letter] for letter in SIDE_LETTERS),
        result=record["result"], reason=record["reason"], vp=record["vp"], turn=record["turn"], luck=luck,
        decisions=tuple(_decisions(task)),
    )  # fmt: skip
    return task.key, game


def _decisions(task: JudgingTask) -> Iterator[JudgedDecision]:
    record, judging = task.record, task.judging
    game = Game(record["seed"], record["options"])
    for at, text in enumerate(record["decisions"]):
        if not is_bid(game.state.decision) and judging.only in (None, record["players"][SIDE_LETTERS[game.actor]]):
            view = View(game.state)
            if len(view.legal) > 1:
                verdict = _judge(judging).verdict(view, action_id(text))
                yield JudgedDecision(
                    at=at, side=view.side, turn=int(game.state.turn), kind=view.decision, card=_card(game, text),
                    when=heading_words(game), taken=text, better=ACTIONS[verdict.better], loss=verdict.loss,
                    error=verdict.error, mistake=verdict.is_mistake,
                )  # fmt: skip
        game.step(text)


def _card(game: Game, text: str) -> str:
    """Number and title of the card that is played or resolved; the title alone of what is none; empty for nothing."""
    if game.decision == "card" and text.startswith("card:"):
        return card_name(int(text.removeprefix("card:")))
    frames = game.state.frames[: game.state.depth]
    sources = [int(frame.source) for frame in frames if frame.source]
    return card_name(sources[-1]) if sources else ""


class KeptGames(AbstractContextManager["KeptGames"]):
    """An open database; use it in a ``with`` statement.

    Keys are those of ``Judging``.
    """

    def __init__(self, path: Path):
        """Open it, or make it anew; raises ``StoreError`` for a file of something else, and ``OSError``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._db = open_database(path, _FILES, isolation_level=None, contents=())

    def __exit__(self, *_) -> None:
        self._db.close()

    def add(self, key: str, game: JudgedGame) -> None:
        """Keep a game."""
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (key, json.dumps(asdict(game))))

    def find(self, keys: Iterable[str]) -> dict[str, JudgedGame]:
        """Subset of the keys that are kept; raises ``StoreError`` when the file is damaged."""
        try:
            found = {key: self._db.execute("SELECT told FROM games WHERE key = ?", (key,)).fetchone() for key in keys}
            return {key: read(JudgedGame, parse_json(row[0])) for key, row in found.items() if row}
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise StoreError(f"{self._path}: damaged; analyse into another file") from error
