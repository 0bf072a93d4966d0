"""The blocks of code of every page run from top to bottom, with small settings, or say in a comment why they do not.

A block is shell (no language, or ``bash``), ``python`` or ``pycon``. What is not run stands behind a comment
``<!-- not run: REASON -->``; it is parsed all the same. Pages that other tests run are named in ``ELSEWHERE``.
"""

import contextlib
import doctest
import importlib
import io
import re
import shlex
import tomllib

import pytest
from dawn_agents.commands import dawn
from dawn_agents.training.training_config import parse_config
from page_blocks import blocks, command_lines
from paths import ROOT

DOCS = ROOT / "docs"
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
PAGES = [path for path in FILES if "notes" not in path.parts]
ELSEWHERE = {"suite.md": "tests/suite/test_suite_page.py"}
TARGETS = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
LANGUAGES = {"bash", "python", "pycon", "text", "toml", "yaml", "c", "js", "{toctree}", "{eval-rst}", "{include}"}
DAWN = ".venv/bin/dawn"
"""The command in blocks; prose says ``dawn``."""
SMALL = {
    "tournament": "--pairs 1 --workers 1 --no-luck",
    "evaluate": "--games 2 --workers 1",
    "ladder add": "--games 2 --workers 1",
    "analyse": "--player search:sims=2 --deals 2 --games 1-1 --workers 1",
    "selfplay": "--games 2 --workers 1",
    "suite run": "--decisions 4200 --seeds 1 --games 2 --curve-games 2 --workers 1",
    "suite score": "--games 2 --curve-games 2 --workers 1",
    "dataset make": "--games 2 --workers 1",
}
"""Options that make a command short to run; the last of equal options counts."""


def smaller(words: list[str]) -> list[str]:
    words = [re.sub(r"sims=\d+", "sims=2", re.sub(r"^search$", "search:sims=2", word)) for word in words]
    if words[0] == "check-bot":  # what follows the options is the bot
        words = [words[0], "--games", "1", *words[1:]]
    name = next((" ".join(words[:count]) for count in (2, 1) if " ".join(words[:count]) in SMALL), "")
    extra = SMALL.get(name, "").split()
    return words + extra


def check(words: list[str]) -> None:
    if words[0] == "make":
        assert {word for word in words[1:] if "=" not in word} <= TARGETS
    elif words[0] == DAWN:
        try:
            dawn.module(words[1]).make_parser().parse_args(words[2 : words.index(">") if ">" in words else None])
        except SystemExit as end:  # of options that list something and stop
            assert not end.code
    elif words[:2] == [".venv/bin/python", "-m"]:
        importlib.import_module(words[2]).parse(words[3:])


def run(words: list[str]) -> None:
    assert words[0] == DAWN, f"{shlex.join(words)}: only dawn commands are run"
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        status = dawn.main(smaller(words[1:]))
    assert status in ((0, 3, 4) if "--sprt" in words else (0,)), f"{shlex.join(words)}: {status}\n{shown.getvalue()}"


def check_settings(code: str) -> None:
    """Check that a TOML block holds valid training settings."""
    parse_config(tomllib.loads(code))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder as a reader has it: the project's files, and an empty ``runs``."""
    for path in ROOT.iterdir():
        if path.name not in ("runs", ".git"):
            (tmp_path / path.name).symlink_to(path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "bot.token").write_text("abcdefghijklmnop\n")  # read where commands are parsed
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda path: path.stem)
def test_the_blocks_of_a_page(page, project):
    names: dict = {}
    for language, code, why in blocks(page):
        assert not language or language.split(" ")[0] in LANGUAGES, f"{page.name}: a block in {language!r}"
        if language in ("", "bash"):
            for words in command_lines(code) if not why or language == "" else []:
                check(words) if why or page.name in ELSEWHERE else run(words)
        elif language == "js" and (saved := re.search(r"Save this as `([^`]+)`", page.read_text(encoding="utf-8"))):
            (project / saved[1]).write_text(code, encoding="utf-8")
        elif language == "python" and not why and page.name not in ELSEWHERE:
            exec(compile(code, page.name, "exec"), {"__name__": "__main__"})
        elif language == "toml":
            check_settings(code)
        elif language == "pycon":
            example = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
            example.globs = names
            runner = doctest.DocTestRunner()
            runner.run(example, clear_globs=False)
            assert not runner.failures, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_commands_have_one_form(page):
    """They stand in fenced blocks (indented ones would escape these tests), and nothing has to be activated."""
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    assert not re.findall(r"^ {4,}(?:\.venv/bin/|make |dawn ).*", prose, re.MULTILINE)
    shell = [line for block in blocks(page) if block.language in ("", "bash") for line in command_lines(block.code)]
    assert not [words for words in shell if words[0] == "dawn"] and f"`{DAWN} " not in text
    assert not re.findall(r"(?<![\w/.:-])python3? (?:scripts/|-m )\S*", text.replace("python3 -m venv", ""))
    assert "activate" not in text


@pytest.mark.parametrize("page", sorted((DOCS / "tutorials").glob("*.md")), ids=lambda path: path.stem)
def test_tournaments_of_a_tutorial_have_a_database_of_their_own(page):
    """What has been played elsewhere would stand in the tables that the page describes."""
    shell = [block.code for block in blocks(page) if block.language in ("", "bash")]
    lines = [words for code in shell for words in command_lines(code) if words[1:2] == ["tournament"]]
    assert all("--db" in words for words in lines)
    kept = [words[words.index("--db") + 1] for words in lines]
    assert len(set(kept)) == len(kept) and "runs/tournament.db" not in kept


def test_most_blocks_are_run():
    found = [block for page in PAGES if page.name not in ELSEWHERE for block in blocks(page)]
    runnable = [block for block in found if block.language in ("", "python", "pycon")]
    assert len(runnable) > 60 and sum(not block.why for block in runnable) > 0.6 * len(runnable)


def test_the_tests_that_run_other_blocks_exist():
    why = " ".join(block.why for page in PAGES for block in blocks(page))
    named = [*re.findall(r"tests/[\w/.]*\w", why), *ELSEWHERE.values()]
    assert len(named) > 5 and all((ROOT / path).exists() for path in named)
