"""The recipes of ``docs/how-to/recipes.md`` run, each in a process of its own and for a moment only.

An illegal action would raise, so a recipe that ends has sent legal ones alone; its last line says how many.
"""

import re
from importlib.util import find_spec

import pytest
from paths import ROOT
from processes import python

EXAMPLES = ROOT / "docs" / "examples"
RECIPES = {
    "sb3_maskable_ppo": ("sb3_contrib", ["--steps=512", "--games=8"]),
    "cleanrl_ppo": ("torch", ["--steps=256", "--games=4", "--length=32"]),
    "rllib_ppo": ("ray", ["--steps=64", "--batch=64"]),
    "torchrl_ppo": ("torchrl", ["--steps=128", "--frames=64"]),
    "tianshou_dqn": ("tianshou", ["--steps=128", "--games=2"]),
    "agilerl_ppo": ("agilerl", ["--steps=128", "--games=2", "--length=64"]),
    "pettingzoo_registry": ("pettingzoo", ["--steps=150"]),
    "textarena_env": ("textarena", ["--steps=60"]),
    "openenv_server": ("openenv", ["--steps=60"]),
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
    assert "Each script takes `--steps`" in page and all(
        words[0].startswith("--steps=") for _, words in RECIPES.values()
    )


def test_the_notebook_for_colab_runs_once_the_wheel_is_installed():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "colab.ipynb", as_version=4)
    (install,) = (cell for cell in notebook.cells if "%pip install" in cell.source and cell.cell_type == "code")
    install.source = ""
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert "Elo" in notebook.cells[-1].outputs[0].text


def test_the_notebook_shows_the_board():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "board.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("<svg" in output.get("data", {}).get("image/svg+xml", "") for output in shown) == 3
