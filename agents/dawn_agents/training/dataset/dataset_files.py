"""Files of a dataset: shards as npz or parquet, and ``metadata.json`` with what they were made from and checksums.

Datasets come from strangers, too: metadata fit ``_METADATA``, shards are regular files of the folder, and their columns
have the names, types and lengths that the metadata promise before anything is read.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, NamedTuple

import numpy as np
from annotated_types import Interval, Len
from pydantic import StringConstraints

from dawn_env.errors import BadInput, MissingExtra
from dawn_env.support.atomic_files import atomic_write, write_json
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text, first_line, short_repr
from dawn_env.validation.checked_input import keyed, read
from dawn_env.validation.untrusted_json import check_format, parse_json, read_format

FORMAT = 1
METADATA = "metadata.json"
PARQUET_METADATA = "metadata.parquet"
"""Metadata of a dataset of parquet: a table without rows, so that readers of a whole folder find the same columns in
every file; the metadata are in its schema."""
MINARI_FILE = "data/main_data.hdf5"
"""Where ``minari.load_dataset`` looks for the episodes."""
FORMS = ("npz", "parquet", "minari")
LANE = {"observation", "mask", "privileged"}
"""Columns with several numbers a row."""
_LONGEST = 2**24  # bytes of metadata
_KEY = b"dawn_env"  # of the metadata in a schema
_MOST_ROWS, _MOST_BYTES = 10**6, 2**32  # of a shard, once unpacked

Name = Annotated[str, Len(0, 10_000)]
Count = Annotated[int, Interval(ge=0, le=10**12)]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
_SHARD = keyed(
    {
        "file": Annotated[str, StringConstraints(pattern=r"^games-\d{6,7}-\d{6,7}\.(npz|parquet)$")],
        "games": Count, "rows": Annotated[int, Interval(ge=0, le=_MOST_ROWS)], "sha256": Sha256,
    }
)  # fmt: skip
_PLAN = keyed(
    {
        "players": list[Name], "games": Annotated[int, Interval(ge=1, le=10**6)], "seed": Count,
        "format": Literal[FORMS], "privileged": bool, "events": bool, "options": dict[str, Any],
    }
)  # fmt: skip
_METADATA = keyed(
    {
        "format": int, "complete": bool, "licence": Name, "plan": _PLAN, "engine": Name, "dawn_env": Name,
        "versions": dict[str, str], "observation": dict[str, Any], "privileged": int | None,
        "columns": dict[str, str], "rows": Count, "shards": list[_SHARD], "checksum": Name,
    },
    {"minari_sha256": Sha256},
)  # fmt: skip
"""Metadata as they are read."""


class Column(NamedTuple):
    """A column of a shard: dtype of its numbers; how many a row has, None for any, 0 for a plain column."""

    dtype: np.dtype
    width: int | None


def column_of(name: str, declared: str) -> Column:
    """The column that metadata declare, such as ``int8 [F]: what it is`` or ``bytes: ...``; raises ``ValueError``."""
    kind = declared.partition(":")[0].split(" ")[0]
    if kind not in ("int8", "int16", "int32", "float32", "bytes"):
        raise ValueError(f"columns.{name}: int8, int16, int32, float32 or bytes expected, not {short_repr(kind)}")
    return Column(np.dtype("S" if kind == "bytes" else kind), None if name in LANE else 0)


# --- shards ----------------------------------------------------------------------------------------


def write_shard(columns: Mapping[str, np.ndarray], path: Path) -> None:
    """Write columns, all of them or none; the same columns give the same bytes."""
    with atomic_write(path, "wb") as file:
        if path.suffix == ".parquet":
            _write_parquet(columns, file, {})
        else:
            np.savez_compressed(file, **columns)  # without time stamps


def _write_parquet(columns: Mapping[str, np.ndarray], file: Any, facts: Mapping[bytes, bytes]) -> None:
    with optional_imports():
        import pyarrow
        from pyarrow import parquet
    arrays = {
        name: pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(column.reshape(-1)), column.shape[1])
        if column.ndim == 2
        else pyarrow.array(column)
        for name, column in columns.items()
    }
    table = pyarrow.table(arrays).replace_schema_metadata(dict(facts) or None)
    with parquet.ParquetWriter(file, table.schema, compression="zstd") as writer:
        if len(table):  # readers stumble over groups without rows
            writer.write_table(table, row_group_size=8192)


def read_shard(path: Path, columns: Mapping[str, str], rows: int | None = None) -> dict[str, np.ndarray]:
    """Columns of a shard by name; raises ``BadInput`` unless it has those declared (``column_of``), ``rows`` of each.

    Types and lengths are looked at before memory is taken.
    """
    expected = {name: column_of(name, declared) for name, declared in columns.items()}
    try:
        if not path.is_file():
            raise ValueError("no regular file")
        read = _read_parquet if path.suffix == ".parquet" else _read_npz
        return read(path, expected, rows)
    except MissingExtra:
        raise
    except Exception as error:  # zipfile, zlib, numpy and pyarrow raise many kinds for damaged data
        raise BadInput(f"{escape_text(path)}: damaged shard of a dataset: {first_line(error)}") from None


def _check_column(name: str, column: Column, dtype: np.dtype, shape: tuple[int, ...], rows: int) -> None:
    alike = dtype.kind == "S" if column.dtype.kind == "S" else dtype == column.dtype
    dimensions = 1 if column.width == 0 else 2
    if not alike or len(shape) != dimensions:
        raise ValueError(f"{name}: {column.dtype} in {dimensions} dimensions expected, not {dtype} {shape}")
    if shape[0] != rows:
        raise ValueError(f"{name}: {rows} rows expected, not {shape[0]}")
    if rows > _MOST_ROWS or dtype.itemsize * int(np.prod(shape, dtype=object)) > _MOST_BYTES:
        raise ValueError(f"{name}: {shape} of {dtype} are more than a shard holds")


def _read_npz(path: Path, expected: Mapping[str, Column], rows: int | None) -> dict[str, np.ndarray]:
    found = {}
    with zipfile.ZipFile(path) as archive:
        _check_names({name.removesuffix(".npy") for name in archive.namelist()}, expected)
        for name, column in expected.items():
            with archive.open(f"{name}.npy") as file:
                shape, dtype = _npy_header(file)
                rows = shape[0] if rows is None and shape else rows
                _check_column(name, column, dtype, shape, -1 if rows is None else rows)
                size = dtype.itemsize * int(np.prod(shape))
                data = file.read(size)
                if len(data) != size or file.read(1):
                    raise ValueError(f"{name}: {size:,} bytes expected")
                found[name] = np.frombuffer(data, dtype).reshape(shape).copy()
    return found


def _npy_header(file: BinaryIO) -> tuple[tuple[int, ...], np.dtype]:
    version = np.lib.format.read_magic(file)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
    shape, in_columns, dtype = read(file)
    if in_columns or dtype.hasobject or any(length < 0 for length in shape):
        raise ValueError(f"plain rows expected, not {dtype} {shape}")
    return shape, dtype


def _check_names(found: set[str], expected: Mapping[str, Column]) -> None:
    if different := found ^ expected.keys():
        raise ValueError(
            f"columns {', '.join(expected)} expected; {', '.join(sorted(map(short_repr, different)))} differ"
        )


def _read_parquet(path: Path, expected: Mapping[str, Column], rows: int | None) -> dict[str, np.ndarray]:
    with optional_imports():
        from pyarrow import parquet
    columns = {}
    with parquet.ParquetFile(path) as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows if rows is None else rows
        _check_names(set(schema.names), expected)
        for name, column in expected.items():
            kind = schema.field(name).type
            width = getattr(kind, "list_size", 0)
            told = str(kind.value_type if width else kind)
            dtype = np.dtype("S1") if told == "binary" else np.dtype({"float": "float32"}.get(told, told))
            shape = (file.metadata.num_rows, width) if width else (file.metadata.num_rows,)
            _check_column(name, column, dtype, shape, rows)
        table = file.read()
    for name, column in expected.items():
        values = table.column(name).combine_chunks()
        flat = (values.flatten() if column.width is None else values).to_numpy(zero_copy_only=False)
        flat = np.array(list(flat), "S") if column.dtype.kind == "S" else flat
        columns[name] = flat.reshape(rows, -1) if column.width is None else flat
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


def metadata_file(folder: Path, form: str) -> Path:
    """File of the metadata of a dataset of a ``form``."""
    return folder / (PARQUET_METADATA if form == "parquet" else METADATA)


def write_metadata(metadata: Mapping[str, Any], folder: Path, blank: Mapping[str, np.ndarray]) -> None:
    """Write metadata; ``blank``: the columns of a shard without rows."""
    path = metadata_file(folder, metadata["plan"]["format"])
    if path.suffix == ".json":
        write_json(metadata, path)
        return
    with atomic_write(path, "wb") as file:
        _write_parquet(blank, file, {_KEY: json.dumps(metadata).encode()})


def read_metadata(folder: Path) -> dict[str, Any]:
    """The metadata of a dataset, finished or not; raises ``BadInput``."""
    path, what, remedy = folder / PARQUET_METADATA, "metadata of a dataset", "dawn dataset make makes a dataset"
    if path.is_file():
        try:
            with optional_imports():
                from pyarrow import parquet
            if path.stat().st_size > _LONGEST:
                raise ValueError(f"longer than {_LONGEST:,} bytes")
            told = parse_json((parquet.read_schema(path).metadata or {}).get(_KEY, b"").decode())
            check_format(told, FORMAT)
        except MissingExtra:
            raise
        except Exception as error:  # pyarrow raises many kinds for damaged data
            raise BadInput(f"{escape_text(path)}: no {what}: {first_line(error)}") from None
    else:
        path = folder / METADATA
        told = read_format(path, what, FORMAT, most=_LONGEST, remedy=remedy)
    try:
        for name, declared in read(_METADATA, told)["columns"].items():
            column_of(name, declared)
    except ValueError as error:
        raise BadInput(f"{escape_text(path)}: damaged metadata of a dataset: {error}") from None
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
        path = folder / shard["file"]
        if not path.is_file():
            found[path] = "missing"
        elif not path.resolve().is_relative_to(folder.resolve()):
            found[path] = "a file of the folder expected, not a link to another"
        elif checksum(path) != shard["sha256"]:
            found[path] = "damaged: its checksum is not that of the metadata"
    return found


def read_shards(folder: Path | str) -> Iterator[dict[str, np.ndarray]]:
    """The columns of a checked dataset, shard by shard: so much is in memory at a time. Raises ``BadInput``."""
    metadata = checked_metadata(Path(folder))
    for shard in metadata["shards"]:
        yield read_shard(Path(folder, shard["file"]), metadata["columns"], shard["rows"])
