"""Positions labelled by the trained policies, and networks of kind ``sparse`` that are fitted to them."""

import numpy as np
import pytest
import torch
from dawn_agents.networks.inference import network_inputs
from dawn_agents.networks.policy_metadata import read_sparse_policy
from dawn_agents.registry import make_player

from dawn_env.batch import Batch
from dawn_env.observation import F
from dawn_env.tables import SIDE_NAMES
from scripts.laboratory import fit_sparse, teacher_positions
from scripts.laboratory.fit_sparse import Labelled
from scripts.laboratory.teacher_positions import Positions


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Labelled positions of four games."""
    folder = tmp_path_factory.mktemp("positions")
    teacher_positions.main([str(folder), "--games", "4", "--seed", "7"])
    return folder


def test_positions_are_kept_as_they_were_seen():
    batch, player = Batch(32, 3), make_player("heuristic")
    for _ in range(150):
        batch.step(player.choose(batch.observations, batch.masks))
    rows = np.flatnonzero(batch.masks.sum(1) > 1)
    seen, masks = batch.observations[rows], batch.masks[rows]
    logits = np.where(masks, np.random.default_rng(1).normal(size=masks.shape), -1e9)
    values = np.linspace(-1, 1, len(rows))
    kept = Labelled(Positions.of(seen, masks, logits, values))
    inputs, legal, chances, ends = kept.take(np.arange(len(kept))[::-1])
    assert (inputs[::-1] == network_inputs(True, seen, masks)).all() and (legal[::-1] == masks).all()
    expected = torch.from_numpy(logits).softmax(1).numpy()
    assert chances[::-1] == pytest.approx(expected, abs=1e-3)
    assert ends[::-1] == pytest.approx(values, abs=1e-3)


def test_the_same_seed_gives_the_same_positions_and_those_there_are_stay(folder, tmp_path):
    (path,) = folder.glob("*.npz")
    before, written = teacher_positions.load([path], 0), path.stat().st_mtime_ns
    teacher_positions.main([str(folder), "--games", "4", "--seed", "7"])
    assert path.stat().st_mtime_ns == written
    teacher_positions.main([str(tmp_path), "--games", "4", "--seed", "7"])
    again = teacher_positions.load([tmp_path / path.name], 0)
    assert all((one == two).all() for one, two in zip(before, again, strict=True))
    assert len(before.sides) > 200 and (before.sides == 0).all()
    assert before.places.max() > F, "advice too"


def test_a_network_comes_nearer_to_the_teacher_and_plays_in_the_next_round(folder, tmp_path):
    written = []
    for epochs in (1, 20):
        target = tmp_path / str(epochs)
        settings = ["--positions", str(folder), "--epochs", str(epochs), "--width", "16", "--batch-size", "128"]
        fit_sparse.main([str(target), *settings])
        infos = [read_sparse_policy(target / f"{side}.zip")[0] for side in SIDE_NAMES]
        assert [info.side for info in infos] == list(SIDE_NAMES) and infos[0].training["seed"] == 1
        written.append([info.training["divergence"] for info in infos])
    assert all(late < 0.8 * early for early, late in zip(*written, strict=True))
    teacher_positions.main([str(tmp_path / "next"), "--games", "2", "--players", str(target)])
    assert len(list((tmp_path / "next").glob("*.npz"))) == 1
