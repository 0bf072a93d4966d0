"""The examples of the pages run as written."""

import re
import subprocess
import sys

import pytest
from dawn_agents.match import Pairing, play_games
from paths import ROOT

from dawn_env.players import BatchPlayer, as_player

EXAMPLES = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs/how-to/environments.md").read_text(encoding="utf-8"), re.DOTALL
)


def test_there_are_four_examples():
    assert len(EXAMPLES) == 4


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_runs(number):
    if "sb3_contrib" in EXAMPLES[number]:
        pytest.importorskip("sb3_contrib")
    done = subprocess.run(
        [sys.executable, "-c", EXAMPLES[number]], cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_players_of_the_documentation_play(tmp_path):
    shown = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/players.md").read_text(encoding="utf-8"), re.DOTALL)
    files = [ROOT / f"docs/examples/{name}.py" for name in ("scorer", "last", "front_end")]
    assert shown == [file.read_text(encoding="utf-8") for file in files]
    players = ["docs.examples.scorer:Scorer", "docs.examples.scorer:Scorer:eagerness=0.5", "docs.examples.last:Last"]
    arguments = ["--players", *players, "--pairs", "1", "--workers", "1", "--db", str(tmp_path / "results.db")]
    script = [sys.executable, str(ROOT / "scripts" / "tournament.py")]
    done = subprocess.run([*script, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0 and "eagerness=0.5" in done.stdout, done.stderr


def test_the_front_end_plays_a_game():
    script, lines = ROOT / "docs/examples/front_end.py", "0\n" * 400
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 40
    done = subprocess.run(
        [sys.executable, str(script), "7", "heuristic"],
        cwd=ROOT,
        input=lines,
        capture_output=True,
        text=True,
        timeout=240,
    )
    first, other = First(), as_player("heuristic")
    ((_, outcome),) = play_games([Pairing(7, first, other)])
    expected = f"{outcome.result} ({outcome.reason}), {outcome.vp:+d} VP in turn {outcome.turn}"
    assert done.returncode == 0 and done.stdout.splitlines()[-1].split("? ")[-1].strip() == expected, done.stderr


class First(BatchPlayer):
    """Takes the first legal action, as somebody does who always types 0."""

    def choose(self, observations, masks):
        return masks.argmax(axis=1)


OTHERS = ("README.md", "docs/reference/options.md", "docs/how-to/picture.md", "docs/explanation/policies.md")
"""Other pages whose examples run here."""
ELSEWHERE = ("docs/how-to/environments.md", "docs/how-to/players.md", "docs/how-to/suite.md")
"""Pages whose examples have tests of their own."""


def test_examples_of_every_page_are_run():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found = {str(page.relative_to(ROOT)) for page in pages if "```python\n" in page.read_text(encoding="utf-8")}
    assert found == {*OTHERS, *ELSEWHERE}


@pytest.mark.parametrize("page", OTHERS)
def test_other_pages_have_examples_that_run(page, monkeypatch):
    if page == "docs/explanation/policies.md":
        pytest.importorskip("torch")
    monkeypatch.chdir(ROOT)
    for example in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL):
        exec(re.sub("[0-9]000", "4", example), {})  # fewer games
