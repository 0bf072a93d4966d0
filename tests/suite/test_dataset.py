"""Datasets: rows are those of the games, bytes follow from the command, kills cost nothing, damage is found."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from dawn_agents.commands import dataset as command
from dawn_agents.dataset.dataset_files import checked_metadata, read_shards
from dawn_agents.dataset.dataset_making import GAMES_OF_A_SHARD, DatasetPlan, make_dataset, played
from dawn_agents.work.executor import LocalExecutor
from dawn_agents.work.process_pool import Processes
from processes import wait_until

from dawn_env.actions import ACTIONS
from dawn_env.errors import BadInput
from dawn_env.events.event_feed import EventFeed
from dawn_env.game import Game
from dawn_env.observation import SLICES, observe
from dawn_env.observation.privileged_view import PRIVILEGED_SLICES
from dawn_env.observation.view_layouts import layout_of
from dawn_env.options import GameOptions
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


@pytest.mark.parametrize(
    "damage, why",
    [
        (lambda folder: next(folder.glob("*.npz")).write_bytes(b"PK"), "its checksum is not"),
        (lambda folder: next(folder.glob("*.npz")).unlink(), "missing"),
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


def test_a_damaged_shard_of_an_unfinished_dataset_is_named(small, tmp_path):
    folder = Path(shutil.copytree(small, tmp_path / "copy"))
    told = json.loads((folder / "metadata.json").read_text()) | {"complete": False}
    (folder / "metadata.json").write_text(json.dumps(told))
    next(folder.glob("*.npz")).write_bytes(b"PK")
    with pytest.raises(BadInput, match="damaged shard"):
        make_dataset(DatasetPlan(("random",), 2, 1), folder, LocalExecutor())


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
