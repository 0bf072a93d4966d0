"""Tests of the example players and the example front end in ``docs/examples``."""

import re

from dawn_agents.commands import tournament
from dawn_agents.tournaments.match import Pairing, play_games
from paths import ROOT
from processes import python

from dawn_env.players import BatchPlayer, as_player


def test_the_players_of_the_documentation_play(tmp_path, monkeypatch, capsys):
    shown = re.findall(r"```python\n(.*?)```", (ROOT / "docs/how-to/players.md").read_text(encoding="utf-8"), re.DOTALL)
    files = [ROOT / f"docs/examples/{name}.py" for name in ("scorer", "last", "front_end")]
    assert shown == [file.read_text(encoding="utf-8") for file in files]
    players = ["docs.examples.scorer:Scorer", "docs.examples.scorer:Scorer:eagerness=0.5", "docs.examples.last:Last"]
    arguments = ["--players", *players, "--pairs", "1", "--workers", "1", "--db", str(tmp_path / "results.db")]
    monkeypatch.chdir(ROOT)
    assert tournament.main(arguments) == 0 and "eagerness=0.5" in capsys.readouterr().out


def test_the_front_end_plays_a_game():
    script, lines = ROOT / "docs/examples/front_end.py", "0\n" * 400
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 40
    done = python(script, "7", "heuristic", input=lines)
    first, other = First(), as_player("heuristic")
    ((_, outcome),) = play_games([Pairing(7, first, other)])
    expected = f"{outcome.result} ({outcome.reason}), {outcome.vp:+d} VP in turn {outcome.turn}"
    assert done.returncode == 0 and done.stdout.splitlines()[-1].split("? ")[-1].strip() == expected, done.stderr


class First(BatchPlayer):
    def choose(self, observations, masks):
        return masks.argmax(axis=1)
