"""Players that have been edited: their versions, and what a tournament says of games played before."""

import sys
from importlib import invalidate_caches

import pytest
from dawn_agents.commands import tournament
from dawn_agents.players.registry import make_player, source_of
from paths import ROOT

BOT = """
from dawn_env import ViewPlayer
from dataclasses import dataclass
{imports}

class Bot(ViewPlayer):
    {version}

    @dataclass(frozen=True)
    class Options:
        weights: str = ""

    def choose(self, view):
        return int(view.legal[{choice}])

def choose(view):
    return int(view.legal[{choice}])
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files into a folder, which is the working directory, and forgets what has been imported from it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write_files(**files):
        for name, text in files.items():
            path = tmp_path / (name.replace("__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        forget()

    def forget():
        for name in [*sys.modules]:
            if name.partition(".")[0] in {"mb", "beside", "further"}:
                del sys.modules[name]
        invalidate_caches()

    yield write_files
    forget()


def bot(choice=0, imports="", version=""):
    return BOT.format(choice=choice, imports=imports, version=version)


def version(spec="mb.bot:Bot"):
    return make_player(spec).version


def test_the_version_of_a_player_follows_from_its_module(write):
    write(mb__bot=bot())
    first = version()
    assert version("mb.bot:choose") == first != "1"
    write(mb__bot=bot(choice=-1))
    assert version() != first and version("mb.bot:choose") != first
    write(mb__bot=bot())
    assert version() == first, "as before"


@pytest.mark.parametrize(
    ("imports", "module"),
    [
        ("import mb.helper", "mb__helper"),
        ("from . import helper", "mb__helper"),
        ("from .helper import *", "mb__helper"),
        ("def later():\n    from mb import helper", "mb__helper"),
        ("import beside", "beside"),
    ],
)
def test_modules_that_it_imports_count_too(write, imports, module):
    write(mb__bot=bot(imports=imports), **{module: "import further", "further": "DEPTH = 1"})
    first = version()
    write(mb__other="of nobody = ", unrelated="DEPTH = 1")
    assert version() == first
    write(further="DEPTH = 2")
    assert version() != first


def test_files_that_its_options_name_count_too(write, tmp_path):
    write(mb__bot=bot())
    (tmp_path / "weights").write_bytes(b"1")
    first = version("mb.bot:Bot:weights=weights")
    (tmp_path / "weights").write_bytes(b"2")
    assert first != version("mb.bot:Bot:weights=weights") != version()


def test_a_declared_version_stays_and_an_inherited_one_goes_first(write):
    write(mb__bot=bot(version="version = '7'"))
    first = source_of("mb.bot:Bot")
    assert version() == "7"
    write(mb__bot=bot(version="version = '7'", choice=1))
    assert version() == "7" and source_of("mb.bot:Bot") != first
    inherited = "from dawn_agents.players.search.search_player import SearchPlayer\nclass Mine(SearchPlayer): pass\n"
    write(mb__mine=inherited)
    assert version("mb.mine:Mine") == f"{version('search')}+{source_of('mb.mine:Mine')}"


def play(*players, pairs=2, db="results.db"):
    return tournament.main([
        "--players", "random", *players, "--pairs", str(pairs), "--workers", "1", "--no-luck", "--db", db,
    ])  # fmt: skip


def test_an_edited_player_does_not_keep_its_results(write, capsys):
    write(mb__bot=bot())
    assert play("mb.bot:Bot") == 0
    assert "4 games played now, 0 stored before" in capsys.readouterr().out
    assert play("mb.bot:Bot", pairs=3) == 0
    assert "2 games played now, 4 stored before" in capsys.readouterr().out
    write(mb__bot=bot(choice=-1))
    assert play("mb.bot:Bot") == 2
    assert "so it has been changed since; name another database" in capsys.readouterr().err


def test_players_edited_under_a_declared_version_are_named(write, capsys):
    write(mb__bot=bot(version="version = '7'"))
    play("mb.bot:Bot")
    write(mb__bot=bot(version="version = '7'", choice=-1))
    play("mb.bot:Bot", db="other.db")
    assert "edited" not in capsys.readouterr().out
    for arguments in (
        lambda: play("mb.bot:Bot"),
        lambda: tournament.main(["--db", "results.db", "--merge", "other.db"]),
    ):
        assert arguments() == 0
        assert "mb.bot:Bot has been edited since its first games in results.db" in capsys.readouterr().out


def test_programs_edited_under_a_declared_version_are_named(write, tmp_path, capsys):
    program = f"process:{sys.executable} mine.py"
    text = (ROOT / "docs" / "examples" / "bot.py").read_text()
    write(mine=f"import beside\n{text}", beside="DEPTH = 1")
    play(program, pairs=1)
    write(beside="DEPTH = 2")
    play(program, pairs=1)
    assert capsys.readouterr().out.count("mine.py has been edited since its first games in results.db") == 1
