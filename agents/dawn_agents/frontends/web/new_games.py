"""New games as pages ask for them, and what they are opened from: records and databases."""

import json
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from dawn_agents.frontends.web.client_messages import BadRequest, NotFound
from dawn_agents.frontends.web.game_session import HUMAN, Session, Setting, seat_names
from dawn_agents.frontends.web.replays import Replay
from dawn_agents.sqlite_files import StoreError
from dawn_agents.tournaments.entrants import EntryError, enter_one
from dawn_agents.tournaments.result_database import ResultDatabase
from dawn_agents.tournaments.strength.ladder import opponents
from dawn_agents.tournaments.strength.rating_scale import read_scale
from dawn_env.actions import ACTIONS
from dawn_env.bids import is_bid
from dawn_env.errors import DawnError, MalformedPosition
from dawn_env.formats import position_file
from dawn_env.formats.game_record import OPPONENT_SEED, PRACTICE, read_records
from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.state import MODES
from dawn_env.support.safe_text import short_repr
from dawn_env.support.seeds import checked_seed
from dawn_env.tables import SIDE_LETTERS, SIDE_NAMES
from dawn_env.validation.untrusted_json import parse_json

_STANDARD = MODES[:1]
_SHOWN = (
    ("random", "Random", "takes any legal action", MODES),
    *(
        (f"heuristic:level={level}", f"Rules of thumb, level {level}", "answers at once", MODES)
        for level in range(1, 10)
    ),
    ("heuristic", "Rules of thumb", "answers at once", MODES),
    ("pretrained:sample=true,temperature=3", "Trained policy, careless", "answers at once", _STANDARD),
    ("value", "Learnt by itself, looks ahead", "answers at once", _STANDARD),
    ("pretrained", "Trained policy", "answers at once", _STANDARD),
    ("distilled", "Trained policy, taught by search", "answers at once", _STANDARD),
    ("search:sims=16", "Search, 16 simulations", "answers nearly at once", _STANDARD),
    ("search", "Strongest (search, 200 simulations)", "a few seconds", MODES),
)
"""Specification, name, how it plays, modes that it plays: the players of the standing scale."""
_STRENGTHS = {
    "heuristic:level=3": ("Beginner", "makes many mistakes"),
    "heuristic:level=6": ("Casual", "makes a mistake now and then"),
    "heuristic": ("Experienced", "follows good rules of thumb"),
    "search": ("Strongest", "thinks for a few seconds"),
}
"""The players that the start page offers first, in plain words; they play all kinds of games."""


def player_names() -> dict[str, str]:
    """Names of players for people, by specification."""
    return {spec: name for spec, name, _, _ in _SHOWN} | {HUMAN: "A person"}


def offers(more: Sequence[str] = (), own_ladder: Path | None = None) -> list[dict]:
    """The players of the standing scale and of ``own_ladder``, weakest first, then those named ``more``.

    Raises ``StoreError`` when the file is no ladder.
    """
    rated = read_scale().ratings()
    rows = [(*row, round(rated[row[0]].both.value), _STRENGTHS.get(row[0])) for row in _SHOWN]
    for place, entrant in opponents(own_ladder) if own_ladder else []:
        rows.append((place.name, place.label, "on your ladder", _modes(entrant.name), round(place.rating), None))
    rows.sort(key=lambda row: row[4])
    listed = {row[0] for row in rows}
    rows += [(spec, spec, "", MODES, None, None) for spec in more if spec not in listed]
    keys = ("spec", "name", "note", "modes", "rating", "strength")
    return [dict(zip(keys, row, strict=True)) for row in rows]


def _modes(spec: str) -> tuple[str, ...]:
    """Modes that a player plays on one side at least."""
    found = []
    for mode in MODES:
        with suppress(EntryError):
            enter_one(spec, options=GameOptions(mode=mode))
            found.append(mode)
    return tuple(found)


_SQLITE = b"SQLite format 3\0"
_OTHER_FILE = (
    "this file cannot be opened: it holds no game records, saved game, position or database of a tournament's results"
)
_DAMAGED = "this file is damaged"
UNFINISHED = "unfinished"
"""Key of records of games that a person saved at the terminal, to go on with."""
_MOST_RECORDS = 20_000
_LONGEST_POSITION = 2**18  # bytes
_KEPT = ("seed", "options", "players", "decisions", "result", "reason", "vp", "turn")


def read_setting(wanted: dict, offered: Iterable[dict]) -> Setting:
    """The game that a page asks for (``client_messages.NewGame``).

    Raises ``BadRequest``, ``BadSeed`` and ``BadOptions``. ``offered``: the players there are, as from ``offers``.
    """
    options, seed = GameOptions.of(wanted.get("options")), wanted.get("seed")
    players = _players(wanted["players"], seat_names(options), offered, options)
    if isinstance(seed, str) and seed.isdecimal():
        seed = int(seed)  # JSON from a browser has no whole numbers beyond 2**53
    return Setting(secrets.randbits(63) if seed in (None, "") else checked_seed(seed), options, players)


def game_from_replay(wanted: dict[str, str], replay: Replay, at: int, offered: Iterable[dict]) -> Setting:
    """The game that goes on from position ``at`` of a replay, with players ``wanted`` by side; raises ``BadRequest``.

    While there is a bid the players are named by seat, as when it began.
    """
    setting, state = replay.setting, replay.states[at]
    seats = seat_names(setting.options) if is_bid(state["decision"]) else SIDE_NAMES
    players = _players(wanted, seats, offered, setting.options)
    players = players[::-1] if state["swapped"] else players
    return replace(setting, players=players, opening=tuple(replay.decisions[:at]))


def _players(
    wanted: dict[str, str], seats: tuple[str, str], offered: Iterable[dict], options: GameOptions
) -> tuple[str, str]:
    """Players by seat, for a game with these options."""
    names = tuple(wanted.get(seat, "") for seat in seats)
    if not {*names} <= {HUMAN, *(offer["spec"] for offer in offered if options.mode in offer["modes"])}:
        raise BadRequest(
            f"players: for {' and '.join(seats)} human or one on offer for this game expected, not {short_repr(wanted)}"
        )
    return names


def records_of(contents: bytes) -> Iterator[dict]:
    """The games in a file of records or a database of a tournament, without their chance; or a position, as a game in
    which nothing was done yet.

    Raises ``MalformedPosition`` when it is none of them, is damaged, or holds too many.
    """
    if not contents.strip():
        raise MalformedPosition("this file is empty")
    if fields := _position_fields(contents):
        try:
            yield _position_record(read_position(fields))
        except DawnError as error:
            raise MalformedPosition(f"this position cannot be used ({error})") from None
        return
    with tempfile.TemporaryDirectory() as folder:
        path, number = Path(folder) / "opened", 0
        path.write_bytes(contents)
        try:
            read = _of_database(path) if contents.startswith(_SQLITE) else read_records(path)
            for number, record in enumerate(read, 1):
                if number > _MOST_RECORDS:
                    raise MalformedPosition(f"more than {_MOST_RECORDS:,} games")
                marks = {PRACTICE: record.get(PRACTICE), UNFINISHED: _is_unfinished(record)}
                yield {key: record[key] for key in _KEPT} | marks
        except DawnError as error:
            if number > _MOST_RECORDS:
                raise
            problem = str(error).replace(f"{path}, ", "").replace(f"{path}: ", "")  # the name of the temporary file
            raise MalformedPosition(f"{_DAMAGED if number else _OTHER_FILE} ({problem})") from None


def _is_unfinished(record: dict) -> bool:
    """Return True for a game saved at the terminal that is not over; only these have the seed of the opponent."""
    is_saved = record.get(OPPONENT_SEED) is not None and [*record["players"].values()].count(HUMAN) == 1
    return is_saved and record["result"] == "running"


def saved_game(record: dict, opponent: str, offered: Iterable[dict]) -> tuple[Setting, list[tuple[int, str]]]:
    """The game of an unfinished save and its journal, against ``opponent``, which must be on offer.

    Raises ``BadRequest`` for another opponent or another kind of record, ``MalformedPosition`` for a damaged one.
    """
    if not record.get(UNFINISHED):
        raise BadRequest("an unfinished game that was saved at the terminal expected")
    options = GameOptions.of(record["options"])
    seats = seat_names(options)
    own = (
        0 if options.bid else [record["players"][letter] for letter in SIDE_LETTERS].index(HUMAN)
    )  # who bids: the first
    wanted = {seat: HUMAN if number == own else opponent for number, seat in enumerate(seats)}
    session = Session(Setting(record["seed"], options, _players(wanted, seats, offered, options)))
    for number, text in enumerate(record["decisions"], 1):
        try:
            session.enter(session.actor, text)
        except DawnError as error:
            raise MalformedPosition(f"{_DAMAGED} (decision {number}: {error})") from None
    return session.setting, session.journal


def _position_fields(contents: bytes) -> dict | None:
    """The fields of what may be a position; None for other files."""
    if len(contents) > _LONGEST_POSITION or not contents.lstrip().startswith(b"{"):
        return None
    try:
        fields = parse_json(contents)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) and not isinstance(fields.get("decisions"), list) else None


def read_position(fields: dict) -> Game:
    """A game from a position: of ``Game.to_json``, or as in position files; raises ``MalformedPosition``."""
    if "frames" in fields:
        game = Game.from_json(json.dumps(fields))
        game.state.scripted, game.state.tape_len[:], game.state.tape_at[:] = 0, 0, 0  # it goes on by its generator
        return game
    game = Game.from_state(position_file.from_json(fields, secrets.randbits(63))[0])
    game.resume()
    return game


def _position_record(game: Game) -> dict:
    return {
        "seed": int(game.state.seed),
        "options": game.options.to_json(),
        "players": dict(zip(SIDE_LETTERS, map(str.capitalize, SIDE_NAMES), strict=True)),
        "decisions": [],
        "result": game.result,
        "reason": game.reason,
        "vp": game.vp,
        "turn": int(game.state.turn),
        "position": game.to_json(),
    }


def _of_database(path: Path) -> Iterator[dict]:
    with ResultDatabase(path, read_only=True) as store:
        options = store.options.to_json()
        for game in store.outcomes():
            yield record_of(game, options)


def record_of(game, options: Mapping) -> dict:
    """Stored game of a tournament (``dawn_agents.tournaments.match.Outcome``)."""
    reason = f"{game.reason}: {game.failure}" if game.failure else game.reason
    return {
        "seed": game.seed,
        "options": dict(options),
        "players": {"D": game.democrat, "C": game.communist},
        "decisions": [ACTIONS[action] for action in game.actions],
        "result": game.result,
        "reason": reason,
        "vp": game.vp,
        "turn": game.turn,
    }


def find_result(results: Sequence[Path], seed: int, democrat: str, communist: str, first: str) -> dict:
    """Stored game of one of the databases; raises ``NotFound`` when there is none.

    ``first``: the player who bid first, empty in games without a bid.
    """
    for path in results:
        try:
            with ResultDatabase(path, read_only=True) as store:
                for game in store.outcomes():
                    if (game.seed, *game.players, game.first) == (seed, democrat, communist, first):
                        return record_of(game, store.options.to_json())
        except StoreError as error:
            raise MalformedPosition(str(error)) from None
    if results:
        raise NotFound("no such game in the databases that the server was started with (--results)")
    raise NotFound("no databases of results here; start the server with --results FILE")
