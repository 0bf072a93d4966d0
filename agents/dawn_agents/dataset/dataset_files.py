"""Files of a dataset: shards as npz or parquet, and ``metadata.json`` with what they were made from and checksums."""

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dawn_env.errors import BadInput
from dawn_env.support.atomic_files import atomic_write
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text, short_repr
from dawn_env.validation.untrusted_json import read_format

FORMAT = 1
METADATA = "metadata.json"
MINARI_FILE = "data/main_data.hdf5"
"""Where ``minari.load_dataset`` looks for the episodes."""
FORMS = ("npz", "parquet", "minari")
_LONGEST = 2**24  # bytes of metadata
_KEYS = ("format", "complete", "plan", "shards", "columns", "rows", "checksum")


# --- shards ----------------------------------------------------------------------------------------


def write_shard(columns: Mapping[str, np.ndarray], path: Path) -> None:
    """Write columns, all of them or none; the same columns give the same bytes."""
    with atomic_write(path, "wb") as file:
        if path.suffix == ".parquet":
            _write_parquet(columns, file)
        else:
            np.savez_compressed(file, **columns)  # without time stamps


def _write_parquet(columns: Mapping[str, np.ndarray], file: Any) -> None:
    with optional_imports():
        import pyarrow
        from pyarrow import parquet
    arrays = {
        name: pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(column.reshape(-1)), column.shape[1])
        if column.ndim == 2
        else pyarrow.array(column)
        for name, column in columns.items()
    }
    parquet.write_table(pyarrow.table(arrays), file, compression="zstd", row_group_size=8192)


def read_shard(path: Path) -> dict[str, np.ndarray]:
    """Columns of a shard; raises ``BadInput``."""
    try:
        if path.suffix == ".parquet":
            return _read_parquet(path)
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, zipfile.BadZipFile, KeyError, EOFError) as error:
        raise BadInput(f"{escape_text(path)}: damaged shard of a dataset: {escape_text(str(error)[:200])}") from None


def _read_parquet(path: Path) -> dict[str, np.ndarray]:
    with optional_imports():
        from pyarrow import parquet
    table = parquet.read_table(path)
    columns = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        rows = hasattr(column.type, "list_size")
        values = (column.flatten() if rows else column).to_numpy(zero_copy_only=False)
        columns[name] = values.reshape(len(table), -1) if rows else values
    return columns


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Keys of ``here`` with another value ``there``, such as "games: 60 there, 100 here"; empty if there are none."""
    return "; ".join(
        f"{escape_text(key)}: {short_repr(there.get(key))} there, {short_repr(value)} here"
        for key, value in here.items()
        if there.get(key) != value
    )


# --- metadata --------------------------------------------------------------------------------------


def read_metadata(folder: Path) -> dict[str, Any]:
    """The metadata of a dataset, finished or not; raises ``BadInput``."""
    path, remedy = folder / METADATA, "dawn dataset make makes a dataset"
    told = read_format(path, "metadata of a dataset", FORMAT, most=_LONGEST, remedy=remedy)
    if missing := sorted(set(_KEYS) - set(told)):
        raise BadInput(f"{escape_text(path)}: damaged metadata of a dataset: {', '.join(missing)} expected")
    return told


def checked_metadata(folder: Path) -> dict[str, Any]:
    """Metadata of a finished dataset whose files match their checksums; raises ``BadInput``."""
    told = read_metadata(folder)
    if not told["complete"]:
        raise BadInput(f"{escape_text(folder)}: unfinished; the command that began it goes on with it")
    for path, why in damaged_files(folder, told).items():
        raise BadInput(f"{escape_text(path)}: {why}; the command that made the dataset makes it anew")
    return told


def damaged_files(folder: Path, metadata: Mapping[str, Any]) -> dict[Path, str]:
    """Files of a finished dataset that are missing, or whose checksums differ from those of the metadata, and why."""
    minari = [{"file": MINARI_FILE, "sha256": metadata["minari_sha256"]}] if "minari_sha256" in metadata else []
    found = {}
    for shard in (*metadata["shards"], *minari):
        path = folder / str(shard["file"])
        if not path.is_file():
            found[path] = "missing"
        elif checksum(path) != shard["sha256"]:
            found[path] = "damaged: its checksum is not that of the metadata"
    return found


def read_shards(folder: Path | str) -> Iterator[dict[str, np.ndarray]]:
    """The columns of a checked dataset, shard by shard: so much is in memory at a time. Raises ``BadInput``."""
    for shard in checked_metadata(Path(folder))["shards"]:
        yield read_shard(Path(folder, shard["file"]))
