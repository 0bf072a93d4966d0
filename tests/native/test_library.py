"""The library in its folder."""

import pytest

from dawn_env.native import library
from dawn_env.native.exports import EXPORTS, named, sources_hash


@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export.name)
def test_what_is_exported_exists(export):
    assert callable(named(export.source))


@pytest.mark.skipif(library.fitting() is None, reason="no library for this machine")
def test_other_files_beside_the_library_do_no_harm(tmp_path, monkeypatch):
    folder = tmp_path / library.fitting()
    folder.mkdir()
    (folder / "sources").write_text(sources_hash())
    for name in (".DS_Store", "libdawn.so", "libdawn.so~"):
        (folder / name).touch()
    monkeypatch.setenv("DAWN_ENV_LIBRARY", str(tmp_path))
    monkeypatch.setattr(library, "Library", lambda path: path)
    assert library.loaded.__wrapped__() == folder / "libdawn.so"
