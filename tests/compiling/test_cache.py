"""Compiled code on disk: whose folders are used, and what a terminal is told."""

import importlib
import inspect
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dawn_agents import compiling_ahead
from dawn_agents.registry import PLAYERS
from numba.core import config
from paths import ROOT

from dawn_env.support import compile_cache, compiling, sources
from dawn_env.support.cache_folder import is_private
from dawn_env.support.compiling import COMPILED


def chosen(tmp_path, named: Path | None = None) -> tuple[Path, str]:
    """The folder a new process without a home takes, and what it says; ``DAWN_ENV_CACHE_DIR`` is ``named`` or unset."""
    code = "from dawn_env.support.cache_folder import *; at = cache_folder(); print(at, at.stat().st_mode & 0o777)"
    environment = os.environ | {"HOME": os.devnull, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment.pop("DAWN_ENV_CACHE_DIR", None)
    if named:
        environment["DAWN_ENV_CACHE_DIR"] = str(named)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    folder, mode = done.stdout.split()
    assert int(mode) == 0o700
    return Path(folder), done.stderr


def test_the_folder_among_temporary_files_is_this_users_alone(tmp_path):
    mine = tmp_path / f"dawn_env-{os.getuid()}"
    assert chosen(tmp_path) == (mine, "") == chosen(tmp_path)


@pytest.mark.parametrize("kind", ["open to others", "link", "file"])
def test_a_folder_that_others_could_have_written_is_not_used(tmp_path, kind):
    theirs = tmp_path / f"dawn_env-{os.getuid()}"
    if kind == "file":
        theirs.touch()
    elif kind == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        theirs.symlink_to(tmp_path / "elsewhere")
    else:
        theirs.mkdir()
        theirs.chmod(0o777)
    folder, said = chosen(tmp_path)
    assert folder.parent == tmp_path and folder != theirs and not folder.exists(), "it is gone with the process"
    assert "is not a folder that only this user can write" in said and "set DAWN_ENV_CACHE_DIR" in said


@pytest.mark.parametrize("link", [False, True])
def test_a_named_folder_that_others_could_have_written_is_not_used(tmp_path, link):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    theirs.chmod(0o777)
    named = tmp_path / "link" if link else theirs
    if link:
        named.symlink_to(theirs)
    folder, said = chosen(tmp_path, named)
    assert folder.parent == tmp_path and folder != theirs and f"{theirs} is not a folder that only this user" in said
    theirs.chmod(0o700)
    assert chosen(tmp_path, named) == (theirs, "")


def test_a_named_folder_is_made_for_this_user_alone(tmp_path):
    assert chosen(tmp_path, tmp_path / "new") == (tmp_path / "new", "")


def test_a_folder_of_another_user_is_not_private(tmp_path, monkeypatch):
    assert is_private(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert not is_private(tmp_path)


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_cache_that_cannot_be_written_is_done_without(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    made = compile_cache.CheckedCache(test_a_folder_of_another_user_is_not_private)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compile_cache.FunctionCache, "save_overload", full)
    made.save_overload(None, None)
    assert capsys.readouterr().err == "dawn_env: compiled code cannot be kept: [Errno 28] No space left on device\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_told_what_is_being_compiled(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in ("outer", "inner"):
        compile_cache.begin_notice(name)
    for name in ("inner", "outer", "outer"):
        compile_cache.end_notice(name)
    shown = terminal.getvalue().replace("\033[K", "").split("\r")[1:]
    assert shown == [f"dawn_env: compiling {name} ..." for name in ("outer", "inner", "outer")] + [""]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_the_line_is_there_while_a_function_is_compiled_for_the_first_time(tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(compiling, "CACHE_DIR", tmp_path)
    for _ in range(2):
        compiling.entry(lambda number: number + 1)(1)
    assert terminal.getvalue().count("compiling test_cache.") == 1 and terminal.getvalue().endswith("\r\033[K")


def test_what_is_compiled_ahead_is_compiled_anew_when_the_code_of_its_players_has_changed():
    read = sources.source_files(compiling_ahead.__name__, compiling_ahead.__file__)
    for name in ("heuristic", "tuned"):
        assert inspect.getfile(importlib.import_module(PLAYERS[name][0])) in read
