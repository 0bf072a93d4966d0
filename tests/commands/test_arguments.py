"""Seeds and options of a game mean the same on every command line."""

import argparse
import re

import pytest
from dawn_agents.command_line import add_game_options, seed, typed_command
from dawn_agents.commands import evaluate, play, selfplay, tournament

from dawn_env.options import STANDARD, GameOptions


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=seed)
    add_game_options(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("script", "others"),
    [
        (play, []),
        (selfplay, []),
        (tournament, ["--players", "random", "greedy"]),
        (evaluate, ["greedy"]),
    ],
)
def test_wherever_games_are_played(script, others):
    options = script.parse([*others, "--seed", "5", "--extra-support", "3", "20"])
    assert options.seed == 5 and options.game_options == GameOptions((3, 20))
    assert script.parse(others).game_options == STANDARD


def test_good_values():
    assert parse() == argparse.Namespace(seed=None, game_options=STANDARD)
    most = parse("--seed", str(2**63 - 1), "--extra-support", "0", "20")
    assert most == argparse.Namespace(seed=2**63 - 1, game_options=GameOptions((0, 20)))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--extra-support 21 0", "each an integer 0 ... 20, not (21, 0)"),
        ("--extra-support 0 -1", "each an integer 0 ... 20, not (0, '-1')"),
        ("--extra-support 200 3", "each an integer 0 ... 20, not (200, 3)"),
        ("--extra-support 1.5 x", "each an integer 0 ... 20, not ('1.5', 'x')"),
        ("--extra-support 1", "expected 2 arguments"),
        ("--seed -1", "an integer 0 ... 2**63 - 1 expected, not '-1'"),
        ("--seed 9223372036854775808", "not 9223372036854775808"),
        ("--seed 1.7", "not '1.7'"),
        ("--seed nan", "not 'nan'"),
    ],
)
def test_bad_values_end_with_a_line_that_names_good_ones(words, expected, capsys):
    with pytest.raises(SystemExit) as caught:
        parse(*words.split())
    *_, line = capsys.readouterr().err.splitlines()
    assert caught.value.code == 2 and re.search(r"error: argument --(seed|extra-support): ", line) and expected in line


def test_a_command_is_written_as_it_can_be_typed_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / ".venv" / "bin" / "dawn"), "train"])
    assert typed_command("play", "--against", "policy:my runs/a.zip") == (
        ".venv/bin/dawn play --against 'policy:my runs/a.zip'"
    )
    assert "\n  .venv/bin/dawn selfplay --games 1000" in selfplay.make_parser().format_help()
    monkeypatch.setattr("sys.argv", ["scripts/train.py"])
    assert "\n  dawn selfplay --games 1000" in selfplay.make_parser().format_help()
    assert typed_command("play").endswith(" -m dawn_agents.commands.dawn play")
