"""The commands of the README and of the documents can be typed as they stand, in the folder of the project."""

import importlib
import re
import shlex
import sys
from pathlib import Path

import pytest
from dawn_agents.commands import dawn
from paths import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def commands(page: Path) -> list[list[str]]:
    """Words of every command in the blocks of a page that name no language."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    blocks += [("", block) for block in re.findall(r"(?:^ {4}\S.*\n)+", text, re.MULTILINE)]
    lines = "\n".join(block for language, block in blocks if not language).replace("\\\n", " ").splitlines()
    return [
        shlex.split(line, comments=True) for line in lines if re.search(r"\.venv/bin/|^ *(make|dawn) |python3? ", line)
    ]


COMMANDS = [pytest.param(words, id=f"{page.name}: {shlex.join(words)}") for page in PAGES for words in commands(page)]


def test_there_are_commands():
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_understood(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some create the folders of their results
    (tmp_path / "bot.token").write_text("abcdefghijklmnop\n")  # which some read at once
    if words[0] == "for":
        words = words[words.index("do") + 1 : words.index("done")]
    if words[0] == "make":
        assert set(word for word in words[1:] if "=" not in word) <= TARGETS
    elif words[0] in (".venv/bin/dawn", "dawn"):
        words = words[: words.index(">")] if ">" in words else words
        dawn.module(words[1]).parse([word.rstrip(";") for word in words[2:]])
    elif words[:2] == [".venv/bin/python", "-m"]:
        importlib.import_module(words[2]).parse(words[3:])
    elif words[0] == ".venv/bin/python":
        script = Path(words[1])
        assert (ROOT / script).exists()
        importlib.import_module(script.stem).parse([word.rstrip(";") for word in words[2:]])
    elif words[0] == "node":
        assert (ROOT / words[1]).exists() and words[-2:] == [".venv/bin/dawn", "serve-engine"]
    else:
        assert words[0] == ".venv/bin/tensorboard"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_has_to_be_activated(page):
    bare = re.findall(r"(?<![\w/.:-])python3? (?:scripts/|-m )\S*", page.read_text(encoding="utf-8"))
    assert not bare and "activate" not in page.read_text(encoding="utf-8").replace("nothing needs to be activated", "")


def test_outputs_are_not_put_under_version_control():
    """Whatever the commands write lies in ``runs/`` or is a saved game."""
    written = [word for param in COMMANDS for word in param.values[0] if re.search(r"\.(html|db|jsonl|csv)$", word)]
    assert written and all(word.startswith(("runs/", "tests/data/")) for word in written)  # the latter are read
    assert {"/runs/", "1989-*.json"} <= set((ROOT / ".gitignore").read_text(encoding="utf-8").split())
