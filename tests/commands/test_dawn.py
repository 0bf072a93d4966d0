"""The commands behind one name: what ``dawn`` lists, calls, completes and refuses."""

import json
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from dawn_agents.commands import dawn
from paths import ROOT
from processes import python

import dawn_env
from dawn_env.formats.game_record import record_from_actions, to_line
from dawn_env.options import GameOptions
from dawn_env.support.compiling import COMPILED

LIGHT = "import sys; from dawn_agents.commands.dawn import main\ntry: main({words})\nexcept SystemExit: pass\n"


def run(capsys, *words: str) -> tuple[int, str, str]:
    try:
        status = dawn.main([*words])
    except SystemExit as end:
        status = end.code
    return status, *capsys.readouterr()


TOLD = """
import json
from dawn_agents.commands import check_bot, dawn
from dawn_agents.players.registry import describe_players
parsers = [dawn.module(name).make_parser().description for name in dawn.COMMANDS]
print(json.dumps([dawn.overview(), parsers, describe_players(), [check.title for check in check_bot.CHECKS]]))
"""


def test_what_people_read_does_not_depend_on_docstrings():
    """As ``PYTHONOPTIMIZE=2`` removes them."""
    texts = [python(*words, "-c", TOLD, check=True).stdout for words in ((), ("-OO",))]
    assert texts[0] == texts[1]
    _, parsers, players, checks = json.loads(texts[1])
    assert all(parsers) and all(line for *_, line in players) and all(checks)


def test_every_command_has_a_module_and_a_line_of_the_help(capsys):
    files = {path.stem.replace("_", "-") for path in (ROOT / "agents" / "dawn_agents" / "commands").glob("*.py")}
    modules = files - {"--init--", "dawn", "training-command"}
    assert modules == set(dawn.COMMANDS)
    for words in ([], ["--help"]):
        status, said, _ = run(capsys, *words)
        said = " ".join(said.split())  # a long name has its line to itself
        assert status == 0 and all(f" {name} {told} " in f"{said} " for name, told in dawn.COMMANDS.items())


def test_output_that_nobody_reads_ends_without_a_word():
    command = [sys.executable, "-m", "dawn_agents", "data", "--indent=2"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"{\n"
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait() == 141


def test_letters_that_the_output_does_not_have_are_replaced(tmp_path):
    """As on Windows, where output to a file is cp1252."""
    (tmp_path / "games.jsonl").write_text(to_line(record_from_actions(3, ["space:Rostock"])))
    words = ["-m", "dawn_agents", "replay", "--show", 1, tmp_path / "games.jsonl"]
    done = python(*words, variables={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "?" in done.stdout and not done.stderr


def test_a_terminal_without_columns_has_a_width(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "0")
    assert "pretrained" in run(capsys, "tournament", "--list-players")[1]


@pytest.mark.parametrize("command", dawn.COMMANDS)
def test_the_help_of_a_command_ends_with_examples_that_work(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.token").write_text("abcdefghijklmnop\n")
    parser = dawn.module(command).make_parser()
    examples = [shlex.split(line) for line in parser.epilog.splitlines()[1:]]
    assert [words[1] for words in examples].count(command) >= (2 if command != "compile" else 1)
    assert parser.format_help().rstrip().endswith(parser.epilog)
    for program, called, *arguments in examples:
        assert program == "dawn"
        dawn.module(called).make_parser().parse_args(arguments)


def test_files_of_examples_are_there_or_made_by_the_examples_before():
    for command in dawn.COMMANDS:
        made = set()
        for line in dawn.module(command).make_parser().epilog.splitlines()[1:]:
            words = shlex.split(line)
            before = [None, *words]
            written = {word for option, word in zip(before, words, strict=False) if str(option).startswith("--")}
            for word in " ".join(words[2:]).split():
                if "/" in word and word not in written:
                    assert word in made or (ROOT / word).exists(), line
            made |= written


@pytest.mark.parametrize("word", ["-V", "--version"])
def test_the_version(capsys, word):
    status, out, err = run(capsys, word)
    engine = f"compiled by numba {metadata.version('numba')}" if COMPILED else "plain Python"
    assert (status, out, err) == (0, f"dawn_env {dawn_env.__version__}, engine: {engine}\n", "")


def test_what_is_no_command_is_refused_with_the_names_of_those_there_are(capsys):
    status, said, errors = run(capsys, "plya", "--as", "democrat")
    assert status == 2 and not said
    assert "plya" in errors.splitlines()[-1] and all(name in errors.splitlines()[-1] for name in dawn.COMMANDS)


@pytest.mark.parametrize(("word", "meant"), [("tournement", "tournament"), ("plya", "play"), ("analyze", "analyse")])
def test_a_command_of_a_similar_name_is_suggested(word, meant, capsys):
    assert f"did you mean 'dawn {meant}'? known: " in run(capsys, word)[2]


def test_the_help_needs_no_engine():
    """Neither does a command need the packages of the others."""
    for words, absent in ((["--help"], {"numpy", "numba", "dawn_env"}), (["replay", "--help"], {"torch", "scipy"})):
        code = LIGHT.format(words=words) + f"print({absent} & set(sys.modules), file=sys.stderr)"
        assert python("-c", code).stderr.strip() == "set()", words


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").glob("*.py")), ids=lambda path: path.stem)
def test_scripts_are_doors_or_of_developers(script):
    lines = script.read_text(encoding="utf-8").splitlines()
    of_developers = script.stem in ("fuzz", "make_docs")
    assert of_developers or f"from dawn_agents.commands.{script.stem} import main" in lines


def test_settings_have_names():
    train = pytest.importorskip("dawn_agents.commands.train")
    for path in (ROOT / "configs").glob("*.toml"):
        found = train.make_parser().parse_args([path.stem]).config
        assert found.stem == path.stem and found.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("options", [{}, {"mode": "family"}, {"extra_support": (2, 0)}, {"bid": True}], ids=str)
def test_a_run_ends_with_commands_that_can_be_typed(options, monkeypatch, tmp_path):
    training_command = pytest.importorskip("dawn_agents.commands.training_command")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "dawn"), "train"])
    config = SimpleNamespace(games=SimpleNamespace(options=GameOptions(**options)))
    run = SimpleNamespace(
        config=config,
        sides=("communist",),
        learner=SimpleNamespace(specification=lambda path: f"policy:{path}"),
        policy_path=lambda side: Path("runs/my run") / f"{side}.zip",
    )
    head, *commands = training_command.next_steps(run).splitlines()
    measuring = "tournament" if options else "evaluate"
    assert head == "next:" and [shlex.split(line)[1] for line in commands] == [measuring, "play", "web"]
    for line in commands:
        _, command, *words = shlex.split(line)
        assert "runs/my run/communist.zip" in " ".join(words)
        parsed = dawn.module(command).make_parser().parse_args(words)
        assert command in ("web", "evaluate") or parsed.game_options == GameOptions(**options)
