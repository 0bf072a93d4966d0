"""Datasets for ``minari.load_dataset``: an episode for each seat of each game (needs the extra ``minari``)."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.spaces import Box, Discrete

from dawn_agents.training.dataset.dataset_files import MINARI_FILE, read_shard
from dawn_env.errors import BadInput
from dawn_env.observation.view_layouts import ViewLayout
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES, SIDES

with optional_imports():
    import h5py
    import minari
    from minari.dataset.minari_storage import MinariStorage
    from minari.namespace import NAMESPACE_METADATA_FILENAME

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*-v[0-9]+")
_LEVEL = 1  # of compression: rows are mostly zeros


def check_name(folder: Path) -> None:
    """Raise ``BadInput`` unless Minari can load a dataset by the name of this folder."""
    if not _NAME.fullmatch(folder.resolve().name):
        raise BadInput(
            f"{escape_text(folder)}: Minari wants a name with a version, such as {escape_text(folder.name)}-v0"
        )


def dataset_id(folder: Path) -> str:
    """Id of a dataset in this folder: below ``MINARI_DATASETS_PATH`` its path from there, namespaces first; else its
    name."""
    folder, root = folder.resolve(), os.environ.get("MINARI_DATASETS_PATH")
    inside = root and folder.is_relative_to(Path(root).resolve())
    return folder.relative_to(Path(root).resolve()).as_posix() if inside else folder.name


def environment_spec(players: Sequence[str], options: Mapping[str, Any]) -> EnvSpec:
    """Specification of the environment that ``recover_environment`` makes: the Democrat against the players."""
    kwargs = {"side": SIDE_NAMES[0], "opponents": list(players), "options": dict(options)}
    return EnvSpec(id="dawn_env/DawnSeat-v0", entry_point="dawn_env.envs.seat:DawnSeat", kwargs=kwargs)


def write_minari(
    folder: Path, metadata: Mapping[str, Any], shards: Sequence[Mapping[str, Any]], layout: ViewLayout
) -> None:
    """Write the episodes of finished ``shards`` of a dataset with this ``metadata``, all of them or none."""
    part, steps, episodes, plan = folder / "data.part", 0, 0, metadata["plan"]
    shutil.rmtree(part, ignore_errors=True)
    space, actions = Box(layout.low(), layout.high(), dtype=np.int8), Discrete(layout.actions)
    spec = environment_spec(plan["players"], plan["options"])
    storage = MinariStorage.new(part, space, actions, spec, data_format="hdf5", jpeg_encoding=False)
    with h5py.File(part / Path(MINARI_FILE).name, "a", track_order=True) as file:
        for shard in shards:
            columns = read_shard(folder / shard["file"], metadata["columns"])
            for rows in _seats(columns):
                _write_episode(file.create_group(f"episode_{episodes}"), columns, rows, episodes)
                episodes, steps = episodes + 1, steps + len(rows)
    facts = {"total_episodes": episodes, "total_steps": steps, "minari_version": minari.__version__}
    facts |= {"author": {"dawn_env"}, "algorithm_name": " ".join(plan["players"]), "description": json.dumps(plan)}
    name = dataset_id(folder)
    storage.update_metadata({"dataset_id": name, **facts})
    for parent, _ in zip(folder.resolve().parents, name.split("/")[:-1], strict=False):  # the folders of its namespaces
        if not (parent / NAMESPACE_METADATA_FILENAME).exists():
            (parent / NAMESPACE_METADATA_FILENAME).write_text(json.dumps({}), encoding="utf-8")
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
