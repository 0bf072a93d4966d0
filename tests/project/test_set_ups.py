"""What each command of the Makefile installs, and what publishing consists of."""

import os
import re
import shutil
import subprocess

import pytest
from paths import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def commands(target, folder, path=os.environ["PATH"]):
    """What ``make`` would run for a target, with nothing installed."""
    words = ["make", "--dry-run", target, f"VENV={folder / 'venv'}"]
    return subprocess.run(
        words, cwd=ROOT, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True
    ).stdout


def extras(shown):
    (installed,) = re.findall(r"-e '\.\[([\w,]+)\]'", shown)
    return set(installed.split(","))


@pytest.mark.parametrize(
    "target, expected",
    [("web", {"numba", "web"}), ("play", {"numba", "web"}), ("train", {"train", "reports"})],
)
def test_each_command_installs_what_it_needs(target, expected, tmp_path):
    assert extras(commands(target, tmp_path)) == expected


def test_a_second_set_up_adds_to_the_first(tmp_path):
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "bin" / "python").touch(0o755)
    (tmp_path / "venv" / ".web").touch()
    assert "-e" not in commands("web", tmp_path), "is made once"
    later = commands("test", tmp_path)
    assert "venv/bin/python ||" in later and {"test", "web", "train", "reports", "ray"} <= extras(later)


def test_uv_installs_where_it_is(tmp_path):
    (tmp_path / "uv").write_text("#!/bin/sh\n")
    (tmp_path / "uv").chmod(0o755)
    shown = commands("web", tmp_path, f"{tmp_path}:{os.environ['PATH']}")
    assert "uv venv" in shown and "uv pip install" in shown and "-m pip" not in shown
    without = ":".join(folder for folder in os.environ["PATH"].split(":") if not os.path.exists(f"{folder}/uv"))
    shown = commands("web", tmp_path, without)
    assert "-m venv" in shown and "-m pip install" in shown


def test_openenv_is_tested_with_the_version_that_its_recipe_names(tmp_path):
    version = re.search(r"openenv (\S+)\.\n", (ROOT / "docs/examples/openenv_server.py").read_text(encoding="utf-8"))[1]
    shown = subprocess.run(["make", "--dry-run", "-B", "openenv"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"openenv=={version} " in shown.stdout and "test_recipes.py -k openenv" in shown.stdout


def test_publishing_builds_tries_and_attests():
    workflow = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    assert "make wheels" in workflow and "id-token: write" in workflow and "attest" in workflow
    assert "password" not in workflow and "token:" not in workflow.replace("id-token:", "")
    assert all(name in commands("wheels", ROOT / "build") for name in ("make_wheels.py", "--sdist", "twine check"))
