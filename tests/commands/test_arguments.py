"""Seeds and options of a game mean the same on every command line."""

import pytest
from dawn_agents.command_line import typed_command
from dawn_agents.commands import play, selfplay, tournament

from dawn_env.options import STANDARD, GameOptions


@pytest.mark.parametrize(
    ("script", "others"),
    [(play, []), (selfplay, []), (tournament, ["--players", "random", "greedy"])],
)
def test_wherever_games_are_played(script, others):
    options = script.make_parser().parse_args([*others, "--seed", str(2**63 - 1), "--extra-support", "0", "20"])
    assert options.seed == 2**63 - 1 and options.game_options == GameOptions((0, 20))
    assert script.make_parser().parse_args(others).game_options == STANDARD


def test_a_command_is_written_as_it_can_be_typed_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / ".venv" / "bin" / "dawn"), "train"])
    assert typed_command("play", "--against", "policy:my runs/a.zip") == (
        ".venv/bin/dawn play --against 'policy:my runs/a.zip'"
    )
    assert "\n  .venv/bin/dawn selfplay --games 1000" in selfplay.make_parser().format_help()
    monkeypatch.setattr("sys.argv", ["scripts/train.py"])
    assert "\n  dawn selfplay --games 1000" in selfplay.make_parser().format_help()
    assert typed_command("play").endswith(" -m dawn_agents play")
