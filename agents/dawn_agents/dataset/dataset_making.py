"""Making a dataset: shards are played and written wherever that is done; whole ones are kept after a kill."""

import hashlib
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from dawn_agents.dataset.dataset_files import (
    FORMAT,
    METADATA,
    MINARI_FILE,
    checksum,
    damaged_files,
    differences,
    read_metadata,
    read_shard,
    write_shard,
)
from dawn_agents.dataset.dataset_rows import DatasetPlan, Shard, shard_rows
from dawn_agents.tournament.entrants import Entrant, enter
from dawn_agents.work.executor import Executor
from dawn_env import __version__
from dawn_env.errors import BadInput
from dawn_env.host.random_play import warm_up
from dawn_env.observation.privileged_view import PRIVILEGED_VERSION
from dawn_env.support.atomic_files import write_json
from dawn_env.support.compiling import source_hash
from dawn_env.support.progress_bars import ProgressBar, print_above_bars
from dawn_env.support.safe_text import escape_text

LICENCE = "MIT"


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
        from dawn_agents.dataset.minari_writer import check_name, write_minari  # needs the extra minari

        check_name(folder)
    kept = _claim(folder, metadata)
    if kept["complete"]:
        damaged = damaged_files(folder, kept)
        if not damaged:
            return kept
        for path, why in damaged.items():
            print_above_bars(f"{escape_text(path)}: {why}; it is made anew")
        for path in damaged.keys() & {folder / shard.file for shard in plan.shards}:
            path.unlink(missing_ok=True)
    warm_up()
    written: list[dict[str, Any]] = []
    results = executor.done(partial(_make, folder), plan.shards, in_order=True)
    with ProgressBar("dataset", plan.games, "games") as gauge, closing(results):
        for shard in results:
            written.append(shard)
            gauge.update(shard["games"])
    if plan.form == "minari":
        facts = {"author": {"dawn_env"}, "algorithm_name": " ".join(plan.players), "description": metadata["command"]}
        write_minari(folder, [shard["file"] for shard in written], facts)
        metadata["minari_sha256"] = checksum(folder / MINARI_FILE)
    for left_by_a_kill in folder.glob(".games-*"):
        left_by_a_kill.unlink()
    together = hashlib.sha256("\n".join(shard["sha256"] for shard in written).encode()).hexdigest()
    metadata |= {"complete": True, "shards": written}
    metadata |= {"rows": sum(shard["rows"] for shard in written), "checksum": together}
    write_json(metadata, folder / METADATA)
    return metadata


def _make(folder: Path, shard: Shard) -> dict[str, Any]:
    """Write a shard, unless an earlier process has; its entry in the metadata."""
    path = folder / shard.file
    if path.is_file():
        columns = read_shard(path)
    else:
        columns = shard_rows(shard)
        write_shard(columns, path)
    return {"file": shard.file, "games": shard.games, "rows": len(columns["action"]), "sha256": checksum(path)}


def _claim(folder: Path, metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of the folder, begun if there are none; raises ``BadInput`` where they are of another dataset."""
    if not (folder / METADATA).is_file():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"{escape_text(folder)}: a new or empty folder expected")
        write_json(metadata, folder / METADATA)
        return metadata
    kept = read_metadata(folder)
    asked = metadata["plan"] | {key: metadata[key] for key in ("engine", "versions")}
    if different := differences(kept | kept["plan"], asked):
        raise BadInput(f"{escape_text(folder)} holds another dataset ({different}); choose another folder")
    return kept


def _metadata(plan: DatasetPlan, entrants: Sequence[Entrant]) -> dict[str, Any]:
    """Metadata of a dataset that has just begun."""
    columns = {name: [place.start, place.stop] for name, place in plan.layout.slices.items()}
    made_from = {
        "players": list(plan.players), "games": plan.games, "seed": plan.seed, "format": plan.form,
        "privileged": plan.privileged, "events": plan.events, "options": plan.options.to_json(),
    }  # fmt: skip
    return {
        "format": FORMAT, "complete": False, "licence": LICENCE, "command": _command(plan), "plan": made_from,
        "engine": source_hash(), "dawn_env": __version__,
        "versions": {entrant.name: entrant.version for entrant in entrants},
        "observation": {"layout": plan.layout.name, "version": plan.layout.version, "parts": columns},
        "privileged": PRIVILEGED_VERSION if plan.privileged else None,
        "columns": _COLUMNS | {name: text for name, text in _OPTIONAL.items() if made_from[name]},
        "rows": 0, "shards": [], "checksum": "",
    }  # fmt: skip


_COLUMNS = {
    "observation": "int8 [F]: what the side to act saw",
    "mask": "int8 [A]: its legal actions",
    "action": "int16: the one it took",
    "reward": "float32: +1, -1 or 0 for a draw in the last row of a side in a game, else 0",
    "return_to_go": "float32: the result of the game for the side",
    "side": "int8: 0 Democrat, 1 Communist",
    "game": "int32: number of the game",
    "decision": "int32: number of the decision in the game, both sides counted",
}
_OPTIONAL = {
    "privileged": "int8 [P]: hidden cards",
    "events": "bytes: JSON list of the events that the side was told since its decision before",
}


def _command(plan: DatasetPlan) -> str:
    words = [f"--players {' '.join(plan.players)}", f"--games {plan.games}", f"--seed {plan.seed}"]
    words += [f"--format {plan.form}"] + (["--privileged"] if plan.privileged else [])
    words += ["--events"] if plan.events else []
    for name, value in plan.options.non_defaults().items():
        values = value if isinstance(value, list | tuple) else [] if value is True else [value]
        words.append(" ".join([f"--{name.replace('_', '-')}", *map(str, values)]))
    return f"dawn dataset make {' '.join(words)}"
