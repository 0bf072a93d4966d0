"""Networks from elsewhere play: models of Stable-Baselines3 and TorchScript modules, sampled and greedily."""

import numpy as np
import pytest
import sb3_contrib
import stable_baselines3
import torch
from dawn_agents.match import Pairing, play_games
from dawn_agents.registry import make_player
from dawn_agents.specification import BadSpec

from dawn_env.batch import Batch
from dawn_env.envs.sb3 import DawnVecEnv
from dawn_env.observation.view_layouts import STANDARD_LAYOUT


class Linear(torch.nn.Module):
    def __init__(self, features: int = STANDARD_LAYOUT.size):
        super().__init__()
        self.layer = torch.nn.Linear(features, STANDARD_LAYOUT.actions)

    def forward(self, observations, masks):
        return self.layer(observations / 4)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    torch.manual_seed(1)
    env = DawnVecEnv(2)
    for algorithm in ("MaskablePPO", "PPO", "DQN"):
        source = sb3_contrib if algorithm == "MaskablePPO" else stable_baselines3
        more = {"buffer_size": 10} if algorithm == "DQN" else {}
        getattr(source, algorithm)("MlpPolicy", env, device="cpu", **more).save(folder / algorithm)
    torch.jit.script(Linear()).save(str(folder / "linear.pt"))
    torch.jit.script(Linear(7)).save(str(folder / "other.pt"))
    (folder / "text.zip").write_text("nothing")
    return folder


def specifications(folder):
    return [f"sb3:{folder}/{name}.zip" for name in ("MaskablePPO", "PPO", "DQN")] + [f"torchscript:{folder}/linear.pt"]


def test_they_play_whole_games_both_ways(files):
    for specification in specifications(files):
        for way in ("", "greedy,"):
            player = make_player(specification.replace(":", f":{way}"))
            (_, game), *_ = play_games([Pairing(3, player, make_player("random"))])
            assert game.reason != "forfeit", game.failure
            assert player.options["sample"] == (not way)


def test_an_answer_does_not_depend_on_the_rows_beside_it(files):
    batch = Batch(45, 7)
    for specification in specifications(files):
        player = make_player(specification)
        together = player.choose(batch.observations, batch.masks)
        alone = [player.choose(batch.observations[i : i + 1], batch.masks[i : i + 1])[0] for i in range(batch.count)]
        assert together.tolist() == alone and batch.masks[np.arange(45), together].all()


def test_sampling_draws_by_the_probabilities_and_greedy_takes_the_likeliest(files):
    batch = Batch(64, 3)
    sampled, greedy = (make_player(f"torchscript:{way}{files}/linear.pt") for way in ("", "greedy,"))
    cold = make_player(f"torchscript:temperature=0.0001,{files}/linear.pt")
    best = sampled.probabilities(batch.observations, batch.masks).argmax(1)
    assert (greedy.choose(batch.observations, batch.masks) == best).all()
    assert (cold.choose(batch.observations, batch.masks) == best).mean() > 0.95
    assert (sampled.choose(batch.observations, batch.masks) != best).mean() > 0.5


@pytest.mark.parametrize(
    "wrong, why",
    [("sb3:none.zip", "no such file"), ("sb3:{}/text.zip", "no model of Stable-Baselines3"),
     ("torchscript:{}/text.zip", "no TorchScript module"), ("torchscript:{}/other.pt", "bool masks"),
     ("torchscript:sample=false,temperature=2,{}/linear.pt", "needs sample=true"), ("sb3", "path is missing")],
)  # fmt: skip
def test_files_that_cannot_play_are_refused(files, wrong, why):
    with pytest.raises((BadSpec, ValueError), match=why):
        make_player(wrong.format(files))
