"""Making a dataset: games are played and replayed, a row for each decision; whole shards are kept after a kill."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.entrants import Entrant, enter
from dawn_agents.tournaments.match import FORFEIT, Outcome, Pairing, play_games
from dawn_agents.training.dataset.dataset_files import (
    FORMAT,
    METADATA,
    MINARI_FILE,
    checksum,
    column_of,
    damaged_files,
    differences,
    metadata_file,
    read_metadata,
    read_shard,
    write_metadata,
    write_shard,
)
from dawn_agents.work.executor import Executor
from dawn_env import __version__
from dawn_env.actions import ACTIONS
from dawn_env.batch import Batch
from dawn_env.errors import BadInput, PlayerFailure
from dawn_env.events.event_feed import EventFeed
from dawn_env.game import Game
from dawn_env.host.random_play import game_seeds, warm_up
from dawn_env.observation.privileged_view import PRIVILEGED_SIZE, PRIVILEGED_VERSION, privileged_view
from dawn_env.observation.view_layouts import ViewLayout, layout_of
from dawn_env.options import STANDARD, GameOptions
from dawn_env.support.compiled_code import source_hash
from dawn_env.support.file_lock import lock_file
from dawn_env.support.progress_bars import ProgressBar, print_above_bars
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDES

LICENCE = "MIT"
GAMES_OF_A_SHARD = 50
_COLUMNS = {
    "observation": "int8 [F]: what the side to act saw",
    "mask": "int8 [A]: its legal actions",
    "action": "int16: the one it took",
    "reward": "float32: +1, -1 or 0 for a draw in the last row of a side in a game, else 0",
    "return_to_go": "float32: the result of the game for the side",
    "side": "int8: 0 Democrat, 1 Communist",
    "game": "int32: number of the game",
    "decision": "int32: number of the decision in the game, both sides counted",
    "privileged": "int8 [P]: hidden cards",
    "events": "bytes: JSON list of the events that the side was told since its decision before",
}


@dataclass(frozen=True)
class DatasetPlan:
    """Recipe of a dataset; the same plan gives the same bytes.

    ``players`` by specification: games go through all pairs of them in turn, either side to each. ``form``: one of
    ``FORMS``; Minari's file is made from shards of npz. ``privileged``: with the hidden cards; ``events``: with what
    each side was told since its decision before.
    """

    players: tuple[str, ...]
    games: int
    seed: int
    form: str = "npz"
    privileged: bool = False
    events: bool = False
    options: GameOptions = STANDARD

    @property
    def layout(self) -> ViewLayout:
        """Layout of the observations."""
        return layout_of(self.options)

    @cached_property
    def seeds(self) -> np.ndarray:
        """int64 [games]: seed of each game."""
        return game_seeds(self.seed, self.games)

    @property
    def columns(self) -> dict[str, str]:
        """Types and meanings of the columns by name."""
        without = {name for name in ("privileged", "events") if not getattr(self, name)}
        return {name: text for name, text in _COLUMNS.items() if name not in without}

    @property
    def shards(self) -> dict[str, range]:
        """The games of each shard by the name of its file."""
        suffix = "npz" if self.form == "minari" else self.form
        starts = range(0, self.games, GAMES_OF_A_SHARD)
        shards = [range(start, min(self.games, start + GAMES_OF_A_SHARD)) for start in starts]
        return {f"games-{games[0]:06d}-{games[-1]:06d}.{suffix}": games for games in shards}

    def pairing(self, game: int) -> tuple[str, str]:
        """Democrat and Communist of a game."""
        democrat, communist = divmod(game % len(self.players) ** 2, len(self.players))
        return self.players[democrat], self.players[communist]

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "players": list(self.players), "games": self.games, "seed": self.seed, "format": self.form,
            "privileged": self.privileged, "events": self.events, "options": self.options.to_json(),
        }  # fmt: skip


def make_dataset(plan: DatasetPlan, folder: Path, executor: Executor) -> dict[str, Any]:
    """Write the missing and damaged files of a dataset into ``folder``; returns its metadata.

    Raises ``BadInput`` for a folder of something else and players that nobody could ask again, and what players
    raise.
    """
    entrants = enter(sorted(set(plan.players)))
    if outside := [entrant.name for entrant in entrants if entrant.is_external]:
        raise BadInput(f"{', '.join(map(escape_text, outside))}: programs and people cannot be asked again")
    metadata = _metadata(plan, entrants)
    if plan.form == "minari":
        from dawn_agents.training.dataset.minari_writer import check_name  # needs the extra minari

        check_name(folder)
    try:
        lock = lock_file(folder.absolute().with_name(f".{folder.absolute().name}.lock"))
    except TimeoutError:
        raise BadInput(f"{escape_text(folder)} is being made already, perhaps by another process") from None
    try:
        return _make_missing(plan, folder, executor, metadata)
    finally:
        lock.release()


def _make_missing(plan: DatasetPlan, folder: Path, executor: Executor, metadata: dict[str, Any]) -> dict[str, Any]:
    """Write what is missing in a folder that no other process writes to."""
    kept = _claim(plan, folder, metadata)
    if kept["complete"]:
        damaged = damaged_files(folder, kept)
        if not damaged:
            return kept
        for path, why in damaged.items():
            print_above_bars(f"{escape_text(path)}: {why}; it is made anew")
        for path in damaged.keys() & {folder / name for name in plan.shards}:
            path.unlink(missing_ok=True)
    warm_up()
    written: list[dict[str, Any]] = []
    results = executor.done(partial(_make, plan, folder), list(plan.shards.items()), in_order=True)
    with ProgressBar("dataset", plan.games, "games") as gauge, closing(results):
        for shard in results:
            written.append(shard)
            gauge.update(shard["games"])
    if plan.form == "minari":
        from dawn_agents.training.dataset.minari_writer import write_minari

        write_minari(folder, metadata, written, plan.layout)
        metadata["minari_sha256"] = checksum(folder / MINARI_FILE)
    for left_by_a_kill in folder.glob(".games-*"):
        left_by_a_kill.unlink()
    together = hashlib.sha256("\n".join(shard["sha256"] for shard in written).encode()).hexdigest()
    metadata |= {"complete": True, "shards": written}
    metadata |= {"rows": sum(shard["rows"] for shard in written), "checksum": together}
    write_metadata(metadata, folder, blank_columns(plan, 0))
    return metadata


def _make(plan: DatasetPlan, folder: Path, shard: tuple[str, range]) -> dict[str, Any]:
    """Write a shard, unless an earlier process has; its entry in the metadata."""
    name, games = shard
    path = folder / name
    columns = _kept_shard(plan, games, path) if path.exists() else None
    if columns is None:
        columns = shard_rows(plan, games)
        write_shard(columns, path)
    return {"file": name, "games": len(games), "rows": len(columns["action"]), "sha256": checksum(path)}


def _kept_shard(plan: DatasetPlan, games: range, path: Path) -> dict[str, np.ndarray] | None:
    """Columns of a shard of an earlier process; None, said in a line, if it cannot be read or holds other games."""
    try:
        columns = read_shard(path, plan.columns)
        begins = columns["decision"] == 0
        batch = Batch(len(games), plan.seeds[games], plan.options, auto_restart=False, threads=1)
        if columns["game"][begins].tolist() != list(games) or not np.isin(columns["game"], games).all():
            raise BadInput(f"{escape_text(path)}: other games than {games[0]} to {games[-1]}")
        if not np.array_equal(columns["observation"][begins], batch.observations):
            raise BadInput(f"{escape_text(path)}: games of other seeds")
    except BadInput as problem:
        print_above_bars(f"{problem}; it is made anew")
        return None
    return columns


def _claim(plan: DatasetPlan, folder: Path, metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of the folder, begun if there are none; raises ``BadInput`` where they are of another dataset."""
    if not metadata_file(folder, plan.form).is_file() and not (folder / METADATA).is_file():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"{escape_text(folder)}: a new or empty folder expected")
        folder.mkdir(parents=True, exist_ok=True)
        write_metadata(metadata, folder, blank_columns(plan, 0))
        return metadata
    kept = read_metadata(folder)
    asked = metadata["plan"] | {key: metadata[key] for key in ("engine", "versions")}
    if different := differences(kept | kept["plan"], asked):
        raise BadInput(f"{escape_text(folder)} holds another dataset ({different}); choose another folder")
    return kept


def _metadata(plan: DatasetPlan, entrants: Sequence[Entrant]) -> dict[str, Any]:
    """Metadata of a dataset that has just begun."""
    parts = {name: [place.start, place.stop] for name, place in plan.layout.slices.items()}
    return {
        "format": FORMAT, "complete": False, "licence": LICENCE, "plan": plan.to_json(), "engine": source_hash(),
        "dawn_env": __version__, "versions": {entrant.name: entrant.version for entrant in entrants},
        "observation": {"layout": plan.layout.name, "version": plan.layout.version, "parts": parts},
        "privileged": PRIVILEGED_VERSION if plan.privileged else None, "columns": plan.columns,
        "rows": 0, "shards": [], "checksum": "",
    }  # fmt: skip


# --- rows ------------------------------------------------------------------------------------------


def blank_columns(plan: DatasetPlan, rows: int) -> dict[str, np.ndarray]:
    """Columns of a shard, all zero."""
    widths = {"observation": plan.layout.size, "mask": plan.layout.actions, "privileged": PRIVILEGED_SIZE}
    return {
        name: np.zeros((rows, widths[name]) if name in widths else rows, column_of(name, declared).dtype)
        for name, declared in plan.columns.items()
    }


def shard_rows(plan: DatasetPlan, numbers: range) -> dict[str, np.ndarray]:
    """Columns of a shard, a row for each decision, game by game; raises ``PlayerFailure`` for games without an end."""
    games = played(plan, numbers)
    lengths = np.array([len(game.actions) for game in games])
    first_rows = np.concatenate([[0], np.cumsum(lengths)])
    columns = blank_columns(plan, int(first_rows[-1]))
    batch = Batch(len(games), plan.seeds[numbers], plan.options, auto_restart=False, threads=1)
    actions = np.zeros((len(games), lengths.max()), np.int64)
    for row, game in enumerate(games):
        actions[row, : lengths[row]] = game.actions
    for decision in range(int(lengths.max())):
        rows = np.flatnonzero(decision < lengths)
        at = first_rows[rows] + decision
        columns["observation"][at], columns["mask"][at] = batch.observations[rows], batch.masks[rows]
        columns["side"][at], columns["action"][at] = batch.actors[rows], actions[rows, decision]
        columns["game"][at], columns["decision"][at] = numbers[0] + rows, decision
        if plan.privileged:
            columns["privileged"][at] = privileged_view(batch.states[rows], batch.actors[rows])
        batch.step_rows(rows, actions[rows, decision])
    for game, (start, end) in enumerate(zip(first_rows, first_rows[1:], strict=False)):
        sides = columns["side"][start:end]
        columns["return_to_go"][start:end] = batch.rewards[game, sides]
        for side in np.unique(sides):
            columns["reward"][start + np.flatnonzero(sides == side)[-1]] = batch.rewards[game, side]
    return columns | ({"events": events_told(plan, games)} if plan.events else {})


def played(plan: DatasetPlan, numbers: range) -> list[Outcome]:
    """The games of a plan with these ``numbers``, played."""
    players = {name: make_player(name, plan.seed) for name in plan.players}
    pairings = [Pairing(int(plan.seeds[game]), *(players[name] for name in plan.pairing(game))) for game in numbers]
    try:
        games = dict(play_games(pairings, options=plan.options))
    finally:
        for player in players.values():
            player.close()
    for game in games.values():
        if game.reason == FORFEIT:
            raise PlayerFailure(f"game {game.seed} was forfeited: {game.failure}")
    return [games[number] for number in range(len(numbers))]


def events_told(plan: DatasetPlan, games: Sequence[Outcome]) -> np.ndarray:
    """JSON in UTF-8, bytes [rows]: events (``docs/reference/protocol.md``) for the side to act since its last one."""
    texts = []
    for outcome in games:
        game = Game(outcome.seed, plan.options)
        feeds, taken = [EventFeed(game, side) for side in range(SIDES)], []
        for action in outcome.actions:
            texts.append(json.dumps(feeds[game.actor].news(taken)).encode())
            taken.append(ACTIONS[action])
            game.step(int(action))
    return np.array(texts)
