"""Datasets: rows are those of the games, bytes follow from the command, kills cost nothing, damage is found."""

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas
import pytest
from dawn_agents.commands import dataset as command
from dawn_agents.training.dataset.dataset_files import checked_metadata, read_shard, read_shards, write_shard
from dawn_agents.training.dataset.dataset_making import (
    GAMES_OF_A_SHARD,
    DatasetPlan,
    make_dataset,
    played,
    shard_rows,
)
from dawn_agents.work.executor import LocalExecutor
from dawn_agents.work.process_pool import Processes
from processes import wait_until
from pyarrow import parquet

from dawn_env.actions import ACTIONS
from dawn_env.errors import BadInput
from dawn_env.events.event_feed import EventFeed
from dawn_env.game import Game
from dawn_env.observation import SLICES, observe
from dawn_env.observation.privileged_view import PRIVILEGED_SLICES
from dawn_env.observation.view_layouts import layout_of
from dawn_env.options import GameOptions
from dawn_env.support.file_lock import lock_file
from dawn_env.tables import COMMUNIST, DEMOCRAT


def whole(folder):
    shards = list(read_shards(str(folder)))
    return {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}


def test_parquet_has_the_same_columns(tmp_path):
    pytest.importorskip("pyarrow")
    for form in ("npz", "parquet"):
        make_dataset(DatasetPlan(("random",), 1, 7, form, True, True), tmp_path / form, LocalExecutor())
    one, other = whole(tmp_path / "npz"), whole(tmp_path / "parquet")
    assert one.keys() == other.keys() and all((one[name] == other[name]).all() for name in one)
    told = [checked_metadata(tmp_path / form) for form in ("npz", "parquet")]
    assert told[0]["rows"] == told[1]["rows"] and told[0]["versions"] == told[1]["versions"]
    assert (
        make_dataset(DatasetPlan(("random",), 1, 7, "parquet", True, True), tmp_path / "parquet", LocalExecutor())
        == told[1]
    )


def test_readers_of_a_folder_of_parquet_find_tables_only(tmp_path):
    """Any other file, hidden ones too, stops pandas, pyarrow, polars or datasets."""
    make_dataset(DatasetPlan(("random",), 2, 7, "parquet"), tmp_path / "set", LocalExecutor())
    files = sorted((tmp_path / "set").iterdir())
    assert [path.name for path in files] == ["games-000000-000001.parquet", "metadata.parquet"]
    assert parquet.ParquetFile(files[1]).num_row_groups == 0
    schemas = [parquet.read_schema(path).remove_metadata() for path in files]
    assert schemas[0] == schemas[1]
    rows = checked_metadata(tmp_path / "set")["rows"]
    assert len(pandas.read_parquet(tmp_path / "set")) == len(parquet.read_table(tmp_path / "set")) == rows
    (tmp_path / "set" / "metadata.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadInput, match="metadata.parquet: no metadata of a dataset: "):
        checked_metadata(tmp_path / "set")


def test_rows_are_the_decisions_of_the_games(tmp_path):
    plan = DatasetPlan(("pretrained", "random"), 3, 7, privileged=True, events=True)
    told = make_dataset(plan, tmp_path / "set", LocalExecutor())
    rows = whole(tmp_path / "set")
    assert told["rows"] == len(rows["action"]) and [plan.pairing(game) for game in range(3)] == [
        ("pretrained", "pretrained"), ("pretrained", "random"), ("random", "pretrained"),
    ]  # fmt: skip
    for number, outcome in enumerate(played(plan, range(3))):
        if number == 0:  # those in which each player has either side are enough, all rows take long
            continue
        mine, game = rows["game"] == number, Game(int(plan.seeds[number]))
        assert rows["decision"][mine].tolist() == list(range(mine.sum()))
        feeds, taken = [EventFeed(game, side) for side in (DEMOCRAT, COMMUNIST)], []
        for at in np.flatnonzero(mine):
            assert (rows["observation"][at] == observe(game.state, game.actor)).all()
            assert (rows["mask"][at] == game.mask).all() and rows["side"][at] == game.actor
            theirs = rows["privileged"][at, PRIVILEGED_SLICES["their_hand"]].sum()
            assert theirs == rows["observation"][at, SLICES["their_hand_size"]][0]
            told = json.loads(rows["events"][at])
            assert told == feeds[game.actor].news(taken), "what the side to act was told, and nothing else"
            taken.append(ACTIONS[rows["action"][at]])
            game.step(int(rows["action"][at]))
        assert game.over and game.result == outcome.result
        for side in (DEMOCRAT, COMMUNIST):
            own = mine & (rows["side"] == side)
            expected = 2 * outcome.points[side] - 1
            assert (rows["return_to_go"][own] == expected).all()
            assert rows["reward"][own].sum() == rows["reward"][own][-1] == expected


def test_bytes_follow_from_the_plan_wherever_it_is_made(tmp_path):
    plan = DatasetPlan(("pretrained",), GAMES_OF_A_SHARD + 3, 1)
    with Processes(2) as place:
        one = make_dataset(plan, tmp_path / "one", place)
    two = make_dataset(plan, tmp_path / "two", LocalExecutor())
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert one == two and len(names) == 3
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
    assert make_dataset(plan, tmp_path / "one", LocalExecutor()) == one


def test_a_killed_dataset_goes_on_to_the_same_bytes(tmp_path):
    words = ["make", "--games=150", "--workers=1", "--out"]
    program = [sys.executable, "-m", "dawn_agents", "dataset", *words, str(tmp_path / "cut")]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: list((tmp_path / "cut").glob("games-*.npz")) or process.poll() is not None)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with pytest.raises(BadInput, match="unfinished"):
        checked_metadata(tmp_path / "cut")
    first = min((tmp_path / "cut").glob("games-*.npz"))
    written = first.stat().st_mtime_ns
    assert command.main([*words, str(tmp_path / "cut")]) == command.main([*words, str(tmp_path / "whole")]) == 0
    assert first.stat().st_mtime_ns == written and not list((tmp_path / "cut").glob(".games-*"))
    assert checked_metadata(tmp_path / "cut") == checked_metadata(tmp_path / "whole")


def env_of(dataset):
    """The environment that the dataset names, after a step."""
    env = dataset.recover_environment()
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    return env


def test_minari_loads_an_episode_for_each_seat(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    words = ["make", "--players=random", "--games=3", "--format=minari", "--workers=1", "--out"]

    for name in ("random-v0", "again-v0"):
        assert command.main([*words, str(tmp_path / name)]) == 0
    loaded, rows = minari.load_dataset("random-v0"), whole(tmp_path / "random-v0")
    assert (loaded.total_episodes, loaded.total_steps) == (6, len(rows["action"]))
    for number, episode in enumerate(loaded.iterate_episodes()):
        mine = (rows["game"] == number // 2) & (rows["side"] == number % 2)
        assert (episode.observations[:-1] == rows["observation"][mine]).all() and not episode.observations[-1].any()
        assert (episode.infos["mask"][:-1] == rows["mask"][mine]).all()
        assert (episode.actions == rows["action"][mine]).all()
        assert (episode.rewards == rows["reward"][mine]).all()
        assert episode.terminations.tolist() == [False] * (mine.sum() - 1) + [True] and not episode.truncations.any()
    assert loaded.observation_space == env_of(loaded).observation_space
    assert command.main([*words, str(tmp_path / "dawn" / "games-v1")]) == 0
    assert set(minari.list_local_datasets()) == {"random-v0", "again-v0", "dawn/games-v1"}
    assert minari.load_dataset("dawn/games-v1").total_episodes == 6
    file = "data/main_data.hdf5"
    assert (tmp_path / "random-v0" / file).read_bytes() == (tmp_path / "again-v0" / file).read_bytes()
    (tmp_path / "again-v0" / file).write_bytes(b"HDF")
    with pytest.raises(BadInput, match="main_data.hdf5: damaged"):
        checked_metadata(tmp_path / "again-v0")
    assert command.main([*words, str(tmp_path / "again-v0")]) == 0
    assert (tmp_path / "random-v0" / file).read_bytes() == (tmp_path / "again-v0" / file).read_bytes()


def test_family_mode_has_rows_of_its_own_layout(tmp_path):
    options = GameOptions(mode="family")
    told = make_dataset(DatasetPlan(("heuristic",), 2, 1, options=options), tmp_path / "set", LocalExecutor())
    assert GameOptions.of(told["plan"]["options"]) == options
    assert whole(tmp_path / "set")["observation"].shape[1] == layout_of(options).size


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small") / "set"
    make_dataset(DatasetPlan(("random",), 2, 1), folder, LocalExecutor())
    return folder


def _moved_away(folder):
    """A shard of the right checksum outside the folder, and a link to it."""
    shard = next(folder.glob("*.npz"))
    shard.rename(folder.parent / "outside.npz")
    shard.symlink_to(folder.parent / "outside.npz")


@pytest.mark.parametrize(
    "damage, why",
    [
        (lambda folder: next(folder.glob("*.npz")).write_bytes(b"PK"), "its checksum is not"),
        (lambda folder: next(folder.glob("*.npz")).unlink(), "missing"),
        (_moved_away, "not a link to another"),
        (lambda folder: (folder / "metadata.json").write_text("{"), "no metadata of a dataset"),
        (lambda folder: (folder / "metadata.json").write_text('{"format": 9}'), "format 9, but format 1 is needed"),
        (lambda folder: (folder / "metadata.json").unlink(), "dawn dataset make makes one|makes a dataset"),
    ],
)
def test_damage_is_found_and_named(small, damage, why, tmp_path, capsys):
    folder = Path(shutil.copytree(small, tmp_path / "copy"))
    damage(folder)
    with pytest.raises(BadInput, match=why):
        list(read_shards(folder))
    assert command.main(["info", str(folder)]) == 2 and "error: " in capsys.readouterr().err


def _other_games(shard, plan, tmp_path):
    """A shard of the same games by number, of another seed."""
    make_dataset(DatasetPlan(("random",), 2, 9), tmp_path / "other", LocalExecutor())
    shutil.copy(next((tmp_path / "other").glob("*.npz")), shard)


def _other_numbers(shard, plan, tmp_path):
    write_shard(shard_rows(DatasetPlan(("random",), 4, 1), range(2, 4)), shard)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda shard, *_: shard.write_bytes(shard.read_bytes()[:500]), "damaged shard"),
        (lambda shard, *_: (shard.unlink(), os.mkfifo(shard)), "no regular file"),
        (_other_games, "games of other seeds"),
        (_other_numbers, "other games than 0 to 1"),
    ],
    ids=["cut", "a pipe", "other seed", "other numbers"],
)
def test_an_unfinished_dataset_makes_anew_what_is_not_its_own(small, damage, why, tmp_path, capsys):
    plan, folder = DatasetPlan(("random",), 2, 1), Path(shutil.copytree(small, tmp_path / "copy"))
    told = json.loads((folder / "metadata.json").read_text()) | {"complete": False, "shards": []}
    (folder / "metadata.json").write_text(json.dumps(told))
    (shard,) = folder.glob("*.npz")
    whole = shard.read_bytes()
    damage(shard, plan, tmp_path)
    assert make_dataset(plan, folder, LocalExecutor()) == checked_metadata(small)
    assert shard.read_bytes() == whole and why in capsys.readouterr().out


def test_two_makers_do_not_meet_in_a_folder(small, tmp_path):
    folder = Path(shutil.copytree(small, tmp_path / "copy"))
    lock = lock_file(tmp_path / ".copy.lock")
    with pytest.raises(BadInput, match="is being made already, perhaps by another process"):
        make_dataset(DatasetPlan(("random",), 2, 1), folder, LocalExecutor())
    lock.release()
    make_dataset(DatasetPlan(("random",), 2, 1), folder, LocalExecutor())


def _npy(shape: str, descr: str = "'|i1'", data: bytes = b"") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def _flipped(path, at: int, byte: int):
    """A byte of both headers of the first member changed."""
    data = bytearray(path.read_bytes())
    central = data.find(b"PK\x01\x02")
    data[at] = data[central + at + 2] = byte
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: _zipped(path, _npy("(10**13,)".replace("10**13", str(10**13)))),
        lambda path: _zipped(path, _npy("(-5,)")),
        lambda path: _zipped(path, _npy("(3,)", "'|O'", b"x" * 24)),
        lambda path: _zipped(path, _npy("(1,)", "[('a', 'O')]", b"x" * 8)),
        lambda path: _zipped(path, _npy("(3,)", "'<f8'", b"x" * 24)),
        lambda path: _zipped(path, b"hello"),
        lambda path: _zipped(path, b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little") + b"[" * 999),
        lambda path: _flipped(path, 8, 99),  # an unknown method
        lambda path: _flipped(path, 6, 1),  # encrypted
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-40] + bytes(40)),
    ],
)
def test_hostile_shards_are_refused_in_a_line(tmp_path, damage):
    path = tmp_path / "games-000000-000001.npz"
    np.savez_compressed(path, action=np.arange(3, dtype=np.int16))
    damage(path)
    with pytest.raises(BadInput, match="damaged shard of a dataset") as error:
        read_shard(path, {"action": "int16: the one it took"}, 3)
    assert "\n" not in str(error.value)


def _zipped(path, data: bytes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("action.npy", data)


def test_columns_are_those_of_the_metadata(tmp_path):
    for suffix in ("npz", "parquet"):
        path = tmp_path / f"games-000000-000001.{suffix}"
        write_shard({"action": np.arange(3, dtype=np.int16)}, path)
        for columns, rows in (
            ({"action": "int32: other type"}, 3),
            ({"action": "int16: other length"}, 4),
            ({"mask": "int8 [A]: other name"}, 3),
            ({"action": "int16: one", "side": "int8: more"}, 3),
        ):
            with pytest.raises(BadInput, match="damaged shard of a dataset"):
                read_shard(path, columns, rows)
        assert read_shard(path, {"action": "int16: right"}, 3)["action"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "change",
    [
        {"shards": 5},
        {"shards": [{}]},
        {"shards": [{"file": "/etc/passwd", "games": 1, "rows": 1, "sha256": "0" * 64}]},
        {"shards": [{"file": "../games-000000-000001.npz", "games": 1, "rows": 1, "sha256": "0" * 64}]},
        {"shards": [{"file": "games-000000-000001.npz", "games": 1, "rows": 10**13, "sha256": "0" * 64}]},
        {"plan": {}},
        {"plan": 5},
        {"complete": "no"},
        {"columns": ["x"]},
        {"columns": {"action": "object: anything"}},
        {"versions": []},
        {"rows": {}},
        {"minari_sha256": 4},
        {"surplus": 1},
    ],
    ids=str,
)
def test_metadata_of_others_are_refused_in_a_line(small, tmp_path, change, capsys):
    folder = Path(shutil.copytree(small, tmp_path / "copy"))
    told = json.loads((folder / "metadata.json").read_text()) | change
    (folder / "metadata.json").write_text(json.dumps(told))
    with pytest.raises(BadInput, match="damaged metadata of a dataset: ") as error:
        list(read_shards(folder))
    assert "\n" not in str(error.value)
    assert command.main(["info", str(folder)]) == 2 and capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "damage, why", [(lambda shard: shard.write_bytes(b"PK"), "damaged"), (lambda shard: shard.unlink(), "missing")]
)
def test_the_same_command_repairs_a_finished_dataset(small, damage, why, tmp_path, capsys):
    folder = Path(shutil.copytree(small, tmp_path / "copy"))
    (shard,) = folder.glob("*.npz")
    whole, told = shard.read_bytes(), checked_metadata(folder)
    damage(shard)
    assert make_dataset(DatasetPlan(("random",), 2, 1), folder, LocalExecutor()) == told
    assert shard.read_bytes() == whole and f"{shard}: {why}" in capsys.readouterr().out


def test_a_folder_of_another_dataset_is_refused(small, capsys):
    assert command.main(["make", "--games=3", "--players=random", "--workers=1", "--out", str(small)]) == 2
    assert "holds another dataset (games: 2 there, 3 here); choose another folder" in capsys.readouterr().err


def test_info_describes_it(small, capsys):
    assert command.main(["info", str(small)]) == 0
    assert "2 games" in capsys.readouterr().out
    told = json.loads((small / "metadata.json").read_text())
    assert told["observation"]["parts"]["vp"] == [4, 5] and told["licence"] == "MIT" and told["versions"]["random"]
