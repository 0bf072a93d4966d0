"""The recipes of ``docs/how-to/recipes.md`` run, each in a process of its own and for a moment only.

An illegal action would raise, so a recipe that ends has sent legal ones alone; its last line says how many.
"""

import re
from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from paths import ROOT
from processes import python

import dawn_env  # noqa: F401  - registers the environments

EXAMPLES = ROOT / "docs" / "examples"
RECIPES = {
    "sb3_maskable_ppo": ("sb3_contrib", ["--steps=512", "--games=8"]),
    "cleanrl_ppo": ("torch", ["--steps=256", "--games=4", "--length=32"]),
    "rllib_ppo": ("ray", ["--steps=64", "--batch=64"]),
    "torchrl_ppo": ("torchrl", ["--steps=128", "--frames=64"]),
    "tianshou_dqn": ("tianshou", ["--steps=128", "--games=2"]),
    "agilerl_ppo": ("agilerl", ["--steps=128", "--games=2", "--length=64"]),
    "pettingzoo_registry": ("pettingzoo", ["--cycles=150"]),
    "pettingzoo_sb3": ("sb3_contrib", ["--steps=64", "--length=64"]),
}
"""By file: the package that it shows, and settings with which it takes seconds."""


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_runs(name):
    package, arguments = RECIPES[name]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed; docs/how-to/recipes.md says with what it was run")
    done = python(EXAMPLES / f"{name}.py", *arguments)
    assert done.returncode == 0, done.stderr
    steps = re.fullmatch(r"(\d+) steps, .*", done.stdout.strip().splitlines()[-1])
    assert int(steps[1]) >= int(re.sub(r"\D", "", arguments[0]))


def test_every_recipe_is_described():
    page = (ROOT / "docs" / "how-to" / "recipes.md").read_text(encoding="utf-8")
    assert all(f"examples/{name}.py" in page for name in RECIPES) and "examples/board.ipynb" in page


def test_the_notebook_shows_the_board():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "board.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("<svg" in output.get("data", {}).get("image/svg+xml", "") for output in shown) == 3


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
