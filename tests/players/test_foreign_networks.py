"""Networks from elsewhere play: models of Stable-Baselines3 and TorchScript modules, sampled and greedily."""

import numpy as np
import pytest
import sb3_contrib
import stable_baselines3
import torch
from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.training.suite.trained_players import checksums
from dawn_agents.training.trained_policies import TrainedPolicy
from gymnasium.wrappers import NormalizeObservation
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecNormalize

from dawn_env import DawnSeat, MaskedSeat
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


# --- models behind wrappers, and of other algorithms -----------------------------------------------


def trained(wrap, *arguments, **options):
    """A MaskablePPO that has learnt a little behind a wrapper, and its environment."""
    env = wrap(DawnVecEnv(4), *arguments, **options)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=16, n_epochs=1, seed=1, device="cpu")
    return model.learn(128), env


def same_choices(model, env, specification):
    """Share of the decisions of some games in which a player takes the likeliest action of a model."""
    player, games = make_player(specification), DawnVecEnv(16)
    games.seed(1)
    seen, same = games.reset(), []
    for _ in range(20):
        masks = games.action_masks().astype(bool)
        chosen, _ = model.predict(env.normalize_obs(seen), action_masks=masks, deterministic=True)
        same += (chosen == player.choose(seen, masks)).tolist()
        seen, *_ = games.step(chosen)
    return sum(same) / len(same)


def test_models_behind_vecnormalize_play_with_its_statistics_only(tmp_path):
    model, env = trained(VecNormalize, norm_reward=False)
    file, statistics = tmp_path / "model.zip", tmp_path / "normalize.pkl"
    model.save(file)
    env.save(str(statistics))
    with pytest.raises(ValueError, match="changed observations: with VecNormalize, sb3:normalize=FILE,MODEL takes"):
        make_player(f"sb3:{file}")
    player = make_player(f"sb3:greedy,normalize={statistics},{file}")
    assert same_choices(model, env, player.name) > 0.99
    version = player.version
    env.obs_rms.mean += 0.1
    env.save(str(statistics))
    assert make_player(player.name).version != version


def test_models_with_normalised_rewards_alone_play(tmp_path):
    model, env = trained(VecNormalize, norm_obs=False)
    model.save(tmp_path / "model.zip")
    env.save(str(tmp_path / "normalize.pkl"))
    for option in ("", f"normalize={tmp_path}/normalize.pkl,"):
        assert same_choices(model, env, f"sb3:greedy,{option}{tmp_path}/model.zip") > 0.99


def test_statistics_that_do_not_fit_are_refused(tmp_path, files):
    _, plain = trained(VecNormalize, norm_obs=False)
    _, normalised = trained(VecNormalize)
    for name, env in {"plain": plain, "normalised": normalised}.items():
        env.save(str(tmp_path / name))
    model, _ = trained(lambda env: env)
    model.save(tmp_path / "model.zip")
    for statistics, why in (
        (tmp_path / "normalised", "trained on observations as they are: leave normalize out"),
        (files / "text.zip", "normalize: .*text.zip: "),
        (tmp_path / "none", "none: no such file"),
    ):
        with pytest.raises(ValueError, match=why):
            make_player(f"sb3:normalize={statistics},{tmp_path}/model.zip")


def test_models_of_the_suite_are_kept_with_their_statistics(tmp_path):
    model, env = trained(VecNormalize)
    specification = TrainedPolicy.write(model, tmp_path / "kept", STANDARD_LAYOUT).specification
    assert same_choices(model, env, specification.replace(":", ":greedy,", 1)) > 0.99
    assert [file["path"] for file in checksums(specification, tmp_path)] == ["kept.pkl", "kept.zip"]


def _seat(wrap):
    return DummyVecEnv([lambda: wrap(DawnSeat())])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: sb3_contrib.QRDQN("MlpPolicy", DawnSeat(), buffer_size=10), "m.zip: QRDQN, where MaskablePPO, PPO,"),
        (lambda: sb3_contrib.RecurrentPPO("MlpLstmPolicy", DawnSeat()), "m.zip: RecurrentPPO, where MaskablePPO"),
        (lambda: sb3_contrib.ARS("LinearPolicy", DawnSeat()), "m.zip: ARS, where MaskablePPO"),
        (
            lambda: stable_baselines3.PPO("MultiInputPolicy", MaskedSeat()),
            "m.zip: its observations are a Dict of action_mask, observation, where those of DawnSeat",
        ),
        (
            lambda: stable_baselines3.PPO("MlpPolicy", VecFrameStack(DawnVecEnv(1), 3)),
            r"m.zip: its observations are stacks of 3 \(VecFrameStack\?\), where those of DawnSeat",
        ),
        (
            lambda: stable_baselines3.PPO("MlpPolicy", _seat(NormalizeObservation)),
            r"m.zip: its observations are Box\(-inf, inf, \(2122,\), float32\), changed by a wrapper",
        ),
    ],
)
def test_other_algorithms_and_observations_are_refused_by_name(tmp_path, make, why):
    model = make()
    model.save(tmp_path / "m.zip")
    with pytest.raises(ValueError, match=why):
        make_player(f"sb3:{tmp_path}/m.zip")


def test_trpo_and_policies_of_ones_own_play(tmp_path):
    sb3_contrib.TRPO("MlpPolicy", DawnSeat(), device="cpu").save(tmp_path / "trpo.zip")
    stable_baselines3.DQN(OwnPolicy, DawnSeat(), buffer_size=10, device="cpu").save(tmp_path / "own.zip")
    batch = Batch(3, 7)
    for name in ("trpo", "own"):
        chosen = make_player(f"sb3:{tmp_path}/{name}.zip").choose(batch.observations, batch.masks)
        assert batch.masks[np.arange(3), chosen].all()


class OwnPolicy(stable_baselines3.dqn.MlpPolicy):
    """A policy class that people have derived."""
