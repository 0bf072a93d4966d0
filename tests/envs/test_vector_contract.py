"""Gymnasium's contract of vector environments: seeding, masks of resets, autoreset, spaces, infos."""

import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import DtypeObservation, FlattenObservation, NormalizeObservation

from dawn_env import dawn_v0
from dawn_env.envs.masked_seat import MaskedVectorEnv
from dawn_env.envs.seat import DawnSeat
from dawn_env.envs.vector import DawnVectorEnv
from dawn_env.errors import GameOver, IllegalAction
from dawn_env.players import RandomPlayer

LEARNER, RIVAL = RandomPlayer(1, "learner"), RandomPlayer(2, "rival")
MODES = list(AutoresetMode)
ROWS = 4


def ready(mode=AutoresetMode.SAME_STEP, **arguments):
    env = DawnVectorEnv(ROWS, opponents=RIVAL, autoreset_mode=mode, **arguments)
    return env, *env.reset(seed=1)


def first_end(env, seen, infos):
    """All that a step returns in which games end, others not."""
    while True:
        done = env.step(LEARNER.choose(seen, infos["action_mask"]))
        seen, infos = done[0], done[4]
        if done[2].any() and not done[2].all():
            return done


def test_resets_without_a_seed_follow_from_the_last_one_with_a_seed():
    for seed in (1, [5, 6, 7, 8]):
        one, two = (ready()[0] for _ in range(2))
        for env in (one, two):
            env.reset(seed=seed)
        assert one.np_random_seed == two.np_random_seed == (seed if seed == 1 else one.np_random_seed)
        first, second = ([env.reset()[0] for _ in range(2)] for env in (one, two))
        assert all(map(np.array_equal, first, second)) and not np.array_equal(*first)


def test_resets_of_stable_baselines_without_a_seed_follow_too():
    sb3 = pytest.importorskip("dawn_env.envs.sb3")
    one, two, other = (sb3.DawnVecEnv(2) for _ in range(3))
    for env, seed in ((one, 3), (two, 3), (other, 4)):
        env.seed(seed)
        env.reset()
    first, second, third = ([env.reset() for _ in range(2)] for env in (one, two, other))
    assert all(map(np.array_equal, first, second)) and not np.array_equal(*first)
    assert not any(map(np.array_equal, first, third))
    one.set_options({"opponents": RIVAL, "extra_support": (2, 0)})
    one.reset()
    assert one.games.opponent(1).name == "rival" and (one.games.states["extra_support"][:, 0] == 2).all()
    one.set_options([{"opponents": RIVAL}, {}])
    with pytest.raises(ValueError, match="^options: the same for all rows"):
        one.reset()


@pytest.mark.parametrize("mode", MODES)
def test_a_reset_mask_leaves_other_rows_alone(mode):
    env, seen, infos = ready(mode)
    for _ in range(5):
        seen, *_, infos = env.step(LEARNER.choose(seen, infos["action_mask"]))
    states, chosen = env.games.states.copy(), np.array([False, True, False, True])
    again, told = env.reset(seed=7, options={"reset_mask": chosen, "extra_support": (1, 0)})
    assert (env.games.states[~chosen] == states[~chosen]).all() and (again[~chosen] == seen[~chosen]).all()
    assert all((told[name][~chosen] == infos[name][~chosen]).all() for name in ("action_mask", "side", "vp", "result"))
    whole = DawnVectorEnv(ROWS, opponents=RIVAL, autoreset_mode=mode)
    fresh, _ = whole.reset(seed=7, options={"extra_support": (1, 0)})
    assert (again[chosen] == fresh[chosen]).all()
    for _ in range(5):
        actions = [LEARNER.choose(env.games.observations, env.action_masks()) for env in (env, whole)]
        actions[0][chosen] = actions[1][chosen]
        one, two = (each.step(taken) for each, taken in zip((env, whole), actions, strict=True))
        assert (one[0][chosen] == two[0][chosen]).all()
    with pytest.raises(ResetNeeded):
        DawnVectorEnv(ROWS).reset(options={"reset_mask": chosen})


def test_a_reset_mask_beside_games_that_have_just_ended_changes_nothing_there():
    env, seen, infos = ready()
    seen, _, ended, _, infos = first_end(env, seen, infos)
    row = int(np.flatnonzero(~ended)[0])
    seen, infos = env.reset(seed=[7] * ROWS, options={"reset_mask": np.arange(ROWS) == row})
    before = env.games.states.copy()
    env.step(LEARNER.choose(seen, infos["action_mask"]))
    assert (env.games.states["seed"] == before["seed"]).all() and (
        env.games.states["decisions"] > before["decisions"]
    ).all()


@pytest.mark.parametrize(
    "mask", ["x", [True] * ROWS, np.ones(3, bool), np.ones(ROWS, int), np.zeros(ROWS, bool)], ids=repr
)
def test_bad_reset_masks(mask):
    env, *_ = ready()
    states, generator = env.games.states.copy(), env.np_random.bit_generator.state
    with pytest.raises(ValueError, match=r"^reset_mask: a bool array \[4\], not all False, expected, not"):
        env.reset(seed=3, options={"reset_mask": mask})
    assert (env.games.states == states).all() and env.np_random.bit_generator.state == generator


@pytest.mark.parametrize("mode", MODES)
def test_all_autoreset_modes_play_the_same_games(mode):
    env, seen, infos = ready(mode, shaping=0.01)
    assert env.autoreset_mode == env.metadata["autoreset_mode"] == mode
    same, *start = ready(shaping=0.01)
    seen, rewards, ended, _, infos = first_end(env, seen, infos)
    last = first_end(same, *start)
    over = np.flatnonzero(ended)
    assert (ended == last[2]).all() and (rewards == last[1]).all() and (seen[~ended] == last[0][~ended]).all()
    if mode == AutoresetMode.SAME_STEP:
        return
    assert not infos["action_mask"][over].any() and "final_obs" not in infos
    for row in over:
        assert (seen[row] == last[4]["final_obs"][row]).all()
    actions = LEARNER.choose(seen, np.where(ended[:, None], 1, infos["action_mask"]).astype(np.int8))
    actions[over] = -7  # ignored
    if mode == AutoresetMode.DISABLED:
        with pytest.raises(GameOver, match=f"in rows .*{over[0]}.*: reset before the next step"):
            env.step(actions)
        begun = env.reset(options={"reset_mask": ended})[0]
        assert (begun[~ended] == seen[~ended]).all() and (env.games.result == 0).all()
        actions[over] = env.action_masks()[over].argmax(1)
        env.step(actions)
        return
    wrong = actions.copy()
    wrong[~ended] = -1
    states = env.games.states.copy()
    with pytest.raises(IllegalAction):
        env.step(wrong)
    assert (env.games.states == states).all() and (env.games.ended == ended).all()
    seen, rewards, none, _, infos = env.step(actions)
    assert (seen[over] == last[0][over]).all() and (infos["action_mask"][over] == last[4]["action_mask"][over]).all()
    assert not rewards[over].any() and not none[over].any() and (infos["result"][over] == 0).all()


def _as_floats(env):
    return DtypeObservation(env, np.float32)


@pytest.mark.parametrize("wrapper", [NormalizeObservation, FlattenObservation, _as_floats])
def test_wrappers_of_gymnasium_take_the_next_step_mode(wrapper):
    with pytest.raises(ValueError, match="SAME_STEP"):
        wrapper(DawnVectorEnv(2))
    env = wrapper(DawnVectorEnv(2, autoreset_mode="NextStep"))
    env.reset(seed=1)
    env.step(env.unwrapped.action_masks().argmax(1))
    with pytest.raises(
        ValueError, match="^autoreset_mode: one of 'NextStep', 'SameStep', 'Disabled' expected, not 'no'"
    ):
        DawnVectorEnv(2, autoreset_mode="no")


@pytest.mark.parametrize("mode", MODES)
def test_spaces_and_infos_fit(mode):
    env, seen, infos = ready(mode)
    assert env.observation_space == batch_space(env.single_observation_space, ROWS)
    assert env.action_space == batch_space(env.single_action_space, ROWS)
    ends = 0
    while ends < 3:
        assert seen in env.observation_space and all(len(infos[name]) == ROWS for name in infos if name != "final_info")
        assert env.action_masks() is not infos["action_mask"] and (env.action_masks() == infos["action_mask"]).all()
        seen, rewards, ended, truncated, infos = env.step(env.action_space.sample())
        assert rewards.shape == ended.shape == truncated.shape == (ROWS,) and not truncated.any()
        ends += ended.sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            seen, infos = env.reset(options={"reset_mask": ended})


def test_samples_of_the_action_space_are_legal_uniform_and_seeded():
    env, _, infos = ready()
    copied = copy.deepcopy(env)
    for each in (env, copied):
        each.action_space.seed(3)
    counts = np.zeros_like(infos["action_mask"], int)
    for _ in range(2000):
        actions = env.action_space.sample()
        assert actions in env.action_space and (actions == copied.action_space.sample()).all()
        counts[np.arange(ROWS), actions] += 1
    legal = infos["action_mask"] != 0
    assert not counts[~legal].any() and (counts[legal] > 0).all()
    copied.step(copied.action_space.sample())
    copied.step(copied.action_space.sample())


KEYS = [{"opponent": RIVAL}, {"Opponents": RIVAL}, {"weight": [1]}, {"extra_suport": (1, 0)}, {"side": "democrat"}]


@pytest.mark.parametrize("options", KEYS, ids=lambda keys: next(iter(keys)))
def test_keys_that_look_like_ours_are_refused(options):
    (key,), more = options, ("", ", opponents, weights", ", opponents, weights, reset_mask")
    for env, known in zip((dawn_v0.env(), DawnSeat(), DawnVectorEnv(2)), more, strict=True):
        with pytest.raises(ValueError, match=f"^options: reset takes extra_support{known} here, not '{key}'"):
            env.reset(seed=1, options=options)
        env.reset(seed=1, options={"model": 5, "difficulty": 3})


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_opponents_are_named_alike_everywhere(mode):
    several = [RIVAL, RandomPlayer(7, "other")]
    seat = gymnasium.make("dawn_env/DawnSeat-v0", opponents=several, weights=[1, 0]).unwrapped
    seat.reset(seed=1)
    assert seat.opponent is RIVAL
    seat.set_opponents(several, [0, 1])
    seat.reset(seed=1)
    assert seat.opponent is several[1]
    many = gymnasium.make_vec("dawn_env/DawnSeat-v0", 2, mode, opponents=several, weights=[1, 0])
    many.reset(seed=1)
    for env in (DawnSeat(), DawnVectorEnv(2)):
        env.reset(seed=1, options={"opponents": several, "weights": [0, 1]})
        assert (env.opponent if isinstance(env, DawnSeat) else env.games.opponent(1)) is several[1]
        with pytest.raises(ValueError, match="^weights: expected beside opponents only"):
            env.reset(options={"weights": [1]})
    for make in (lambda: DawnSeat(opponent=RIVAL), lambda: DawnVectorEnv(2, opponent=RIVAL)):
        with pytest.raises(TypeError):
            make()


@pytest.mark.filterwarnings("ignore")
def test_the_masked_seat_is_the_seat_with_its_mask_inside():
    arguments = {"observation_key": "obs", "mask_key": "mask", "dtype": np.float32}
    masked = gymnasium.make("dawn_env/DawnMaskedSeat-v0", **arguments)
    plain = gymnasium.make("dawn_env/DawnSeat-v0")
    check_env(masked.unwrapped)
    (seen, told), (plain_seen, plain_told) = masked.reset(seed=4), plain.reset(seed=4)
    ended = False
    while not ended:
        assert seen["obs"].dtype == np.float32 and seen in masked.observation_space
        assert (seen["obs"] == plain_seen).all() and (seen["mask"] == plain_told["action_mask"]).all()
        assert (told["action_mask"] == seen["mask"]).all()
        action = np.flatnonzero(seen["mask"])[-1]
        seen, reward, ended, _, told = masked.step(action)
        plain_seen, plain_reward, plain_ended, _, plain_told = plain.step(action)
        assert (reward, ended) == (plain_reward, plain_ended)
    assert not seen["mask"].any()


def test_the_two_keys_differ():
    with pytest.raises(ValueError, match="two different names expected, not 'obs' twice"):
        gymnasium.make("dawn_env/DawnMaskedSeat-v0", observation_key="obs", mask_key="obs")


@pytest.mark.parametrize("dtype", [np.int8, np.float32])
def test_the_masked_vector_environment_is_the_vector_environment_with_masks_inside(dtype):
    keys = {"observation_key": "obs", "mask_key": "mask", "dtype": dtype}
    plain, same, infos = ready()
    masked = gymnasium.make_vec("dawn_env/DawnMaskedSeat-v0", ROWS, opponents=RIVAL, **keys)
    one = gymnasium.make("dawn_env/DawnMaskedSeat-v0", **keys)
    assert isinstance(masked, DawnVectorEnv) and masked.single_observation_space == one.observation_space
    seen, told = masked.reset(seed=1)
    ended = np.zeros(ROWS, bool)
    while not ended.any():
        assert seen in masked.observation_space and seen["obs"].dtype == seen["mask"].dtype == dtype
        assert (seen["obs"] == same).all() and (seen["mask"] == infos["action_mask"]).all()
        assert all((told[name] == infos[name]).all() for name in ("action_mask", "side", "vp", "result"))
        actions = LEARNER.choose(same, infos["action_mask"])
        (same, *_, infos), (seen, _, ended, _, told) = (env.step(actions) for env in (plain, masked))
    for row in np.flatnonzero(ended):
        last = told["final_obs"][row]
        assert last in one.observation_space and not last["mask"].any()
        assert (last["obs"] == infos["final_obs"][row]).all()


@pytest.mark.filterwarnings("ignore")
def test_torchrl_wraps_many_games():
    envs, torch = pytest.importorskip("torchrl.envs"), pytest.importorskip("torch")
    plain = envs.GymWrapper(DawnVectorEnv(2, autoreset_mode="Disabled"), categorical_action_encoding=True)
    assert plain.reset().batch_size == (2,)
    env = envs.GymWrapper(MaskedVectorEnv(2, autoreset_mode="Disabled"), categorical_action_encoding=True)
    seen = env.reset()
    while "done" not in seen or not seen["done"].any():
        seen["action"] = torch.multinomial(seen["action_mask"].float(), 1).squeeze(-1)
        seen = env.step(seen)["next"].clone()
    over = seen["done"].flatten()
    seen["_reset"] = seen["done"]
    begun = env.reset(seen)
    assert begun["action_mask"][over].any() and (begun["observation"][~over] == seen["observation"][~over]).all()


# --- cut off, rendered, made by name ---------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_games_are_cut_off_after_their_steps(mode):
    env, seen, infos = ready(mode, max_episode_steps=3)
    free, *_ = ready(AutoresetMode.NEXT_STEP)
    for step in range(3):
        actions = LEARNER.choose(seen, infos["action_mask"])
        seen, rewards, ended, truncated, infos = env.step(actions)
        uncut, _, none, _, told = free.step(actions)
        assert truncated.tolist() == [step == 2] * ROWS and not (ended | rewards.astype(bool) | none).any()
    if mode == AutoresetMode.SAME_STEP:
        assert (np.stack(infos["final_obs"]) == uncut).all() and infos["_final_obs"].all()
        assert (infos["final_info"]["side"] == told["side"]).all() and not infos["final_info"]["result"].any()
    else:
        assert (seen == uncut).all() and "final_obs" not in infos
    if mode == AutoresetMode.DISABLED:
        with pytest.raises(GameOver, match="reset before the next step"):
            env.step(actions)
        assert env.reset(options={"reset_mask": truncated})[0].shape == seen.shape
    elif mode == AutoresetMode.NEXT_STEP:
        seen, _, ended, truncated, infos = env.step(actions)  # ignored
        assert not (ended | truncated).any()
    for _ in range(3):
        seen, _, ended, truncated, infos = env.step(env.action_masks().argmax(1))
    assert truncated.all() and not env.games.results()


def test_games_that_end_are_not_cut_off_and_the_next_have_all_their_steps():
    env, seen, infos = ready(max_episode_steps=120)
    steps, lengths = np.zeros(ROWS, int), []
    while len(lengths) < 12:
        seen, rewards, ended, truncated, infos = env.step(LEARNER.choose(seen, infos["action_mask"]))
        steps += 1
        assert not (ended & truncated).any() and (truncated == (steps == 120) & ~ended).all()
        assert [game.learner_decisions for game in env.games.finished] == steps[ended].tolist()
        lengths += steps[ended | truncated].tolist()
        steps[ended | truncated] = 0
    assert 120 in lengths and min(lengths) < 120


@pytest.mark.parametrize("name", ["dawn_env/DawnSeat-v0", "dawn_env/DawnMaskedSeat-v0"])
def test_many_games_are_made_with_gymnasiums_usual_arguments(name):
    for mode in (None, "ansi"):
        env = gymnasium.make_vec(name, 2, render_mode=mode, max_episode_steps=2)
        env.reset(seed=1)
        assert env.render_mode == mode and "ansi" in env.metadata["render_modes"] and env.metadata["render_fps"] == 1
        assert not env.step(env.action_space.sample())[3].any() and env.step(env.action_space.sample())[3].all()
    with pytest.raises(ValueError, match="^max_episode_steps: "):
        gymnasium.make_vec(name, 2, max_episode_steps=0)
    with pytest.raises(ValueError, match="^render_mode: one of human, ansi, rgb_array or None"):
        gymnasium.make_vec(name, 2, render_mode="depth")


def test_many_games_are_rendered_as_each_alone(capsys):
    env = DawnVectorEnv(2, opponents=RIVAL, render_mode="ansi")
    seats = [DawnSeat(opponents=RIVAL, render_mode="ansi") for _ in range(2)]
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=[1, 2])
    for row, seat in enumerate(seats):
        seat.reset(seed=row + 1)
    alone = tuple(seat.render() for seat in seats)
    assert env.render() == alone and capsys.readouterr().out == ""
    watched = DawnVectorEnv(2, opponents=RIVAL, render_mode="human")
    watched.reset(seed=[1, 2])
    assert capsys.readouterr().out == "".join(text + "\n" for text in alone) and watched.render() is None


def test_pixels_of_many_games_are_of_one_size():
    pytest.importorskip("resvg_py")
    env = DawnVectorEnv(2, render_mode="rgb_array")
    env.reset(seed=1)
    one, two = env.render()
    assert one.shape == two.shape and one.dtype == np.uint8 and (one != two).any()


def test_stable_baselines_renders_many_games():
    sb3 = pytest.importorskip("dawn_env.envs.sb3")
    pixels, texts = (sb3.DawnVecEnv(2, render_mode=mode) for mode in ("rgb_array", "ansi"))
    for env in (pixels, texts):
        env.seed(1)
        env.reset()
    one, _ = pixels.get_images()
    both = pixels.render()
    assert both.shape[2] == 3 and both.size >= 2 * one.size
    alone = DawnSeat(render_mode="ansi")
    alone.reset(seed=1)
    assert texts.render().startswith(alone.render()) and texts.get_images() == [None, None]


@pytest.mark.parametrize("mode", MODES)
def test_every_key_of_infos_has_its_mask(mode):
    env, seen, infos = ready(mode, privileged=True)
    keys = {"action_mask", "side", "vp", "result", "privileged"}
    assert set(infos) == keys | {f"_{key}" for key in keys}
    infos = first_end(env, seen, infos)[4]
    names = {name for name in infos if not name.startswith("_")}
    assert keys <= names and {f"_{name}" for name in names} == set(infos) - names
    for name in names:
        assert infos[f"_{name}"].dtype == bool and infos[f"_{name}"].shape == (ROWS,)
    assert all(infos[f"_{key}"].all() for key in keys)


@pytest.mark.parametrize(
    "made", [DawnSeat, lambda side: DawnVectorEnv(2, side), lambda side: MaskedVectorEnv(2, side=side)]
)
def test_sides_are_named_by_the_constants_too(made):
    for side, name in enumerate(("democrat", "communist")):
        assert made(side).games.side == made(np.int64(side)).games.side == made(name).games.side == side
    for wrong in (2, -1, True, "both", 0.0):
        with pytest.raises(ValueError, match=r"^side: democrat \(0\), communist \(1\) or None"):
            made(wrong)
