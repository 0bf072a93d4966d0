"""Datasets for ``minari.load_dataset``: an episode for each seat of each game (needs the extra ``minari``)."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from dawn_agents.dataset.dataset_files import MINARI_FILE, read_shard
from dawn_env.errors import BadInput
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDES

with optional_imports():
    import h5py
    import minari
    from minari.dataset.minari_storage import MinariStorage

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*-v[0-9]+")
_LEVEL = 1  # of compression: rows are mostly zeros


def check_name(folder: Path) -> None:
    """Raise ``BadInput`` unless Minari can load a dataset by the name of this folder."""
    if not _NAME.fullmatch(folder.resolve().name):
        raise BadInput(
            f"{escape_text(folder)}: Minari wants a name with a version, such as {escape_text(folder.name)}-v0"
        )


def write_minari(folder: Path, shards: Sequence[str], facts: Mapping[str, Any]) -> None:
    """Write the episodes of finished ``shards`` of a dataset, all of them or none; ``facts`` are added to metadata."""
    part, steps, episodes = folder / "data.part", 0, 0
    shutil.rmtree(part, ignore_errors=True)
    first, limits = read_shard(folder / shards[0]), np.iinfo(np.int8)
    space = Box(limits.min, limits.max, first["observation"].shape[1:], np.int8)
    actions = Discrete(first["mask"].shape[1])
    storage = MinariStorage.new(part, space, actions, data_format="hdf5", jpeg_encoding=False)
    with h5py.File(part / Path(MINARI_FILE).name, "a", track_order=True) as file:
        for name in shards:
            columns = read_shard(folder / name)
            for rows in _seats(columns):
                _write_episode(file.create_group(f"episode_{episodes}"), columns, rows, episodes)
                episodes, steps = episodes + 1, steps + len(rows)
    facts = {"total_episodes": episodes, "total_steps": steps, "minari_version": minari.__version__, **facts}
    storage.update_metadata({"dataset_id": folder.resolve().name, **facts})
    shutil.rmtree(folder / "data", ignore_errors=True)
    part.rename(folder / "data")


def _seats(columns: Mapping[str, np.ndarray]) -> Iterator[np.ndarray]:
    """Rows of each seat of each game."""
    for game in np.unique(columns["game"]):
        for side in range(SIDES):
            rows = np.flatnonzero((columns["game"] == game) & (columns["side"] == side))
            if len(rows):
                yield rows


def _write_episode(group: "h5py.Group", columns: Mapping[str, np.ndarray], rows: np.ndarray, number: int) -> None:
    """Write the decisions of one seat as an episode, with zeros as the observation after the last action."""
    group.attrs.update({"id": number, "total_steps": len(rows)})
    infos = [name for name in ("mask", "side", "game", "decision", "privileged", "events") if name in columns]
    arrays = {
        "observations": _and_zeros(columns["observation"][rows]),
        "actions": columns["action"][rows].astype(np.int64),
        "rewards": columns["reward"][rows],
        "terminations": np.arange(1, len(rows) + 1) == len(rows),
        "truncations": np.zeros(len(rows), bool),
    } | {f"infos/{name}": _and_zeros(columns[name][rows]) for name in infos}
    for name, array in arrays.items():
        group.create_dataset(name, data=array, chunks=array.shape, compression="gzip", compression_opts=_LEVEL)


def _and_zeros(rows: np.ndarray) -> np.ndarray:
    return np.concatenate([rows, np.zeros_like(rows[:1])])
