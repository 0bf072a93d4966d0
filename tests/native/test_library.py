"""The library in its folder."""

import json

import pytest
from dawn_agents.players.win_probability.win_probability_network import new_evaluation
from dawn_native.exports import EXPORTS, library_index, named

from dawn_env.host.host import Host
from dawn_env.native import library


@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export.name)
def test_what_is_exported_exists(export):
    assert callable(named(export.source))


@pytest.mark.skipif(library.fitting() is None, reason="no library for this machine")
def test_other_files_beside_the_library_do_no_harm(tmp_path, monkeypatch):
    folder = tmp_path / library.fitting()
    folder.mkdir()
    (folder / library.INDEX).write_text(json.dumps(library_index()))
    for name in (".DS_Store", "libdawn.so", "libdawn.so~"):
        (folder / name).touch()
    monkeypatch.setenv("DAWN_ENV_LIBRARY", str(tmp_path))
    monkeypatch.setattr(library, "Library", lambda path, _: path)
    assert library.loaded.__wrapped__() == folder / "libdawn.so"


def loop_arguments():
    return Host(3)._new_arguments()


@pytest.mark.parametrize(
    ("name", "make"),
    [("dawn_host_rows", loop_arguments), ("dawn_network_win_probabilities", new_evaluation)],
)
def test_fields_of_tuples_are_declared_as_they_are_made(name, make):
    (export,) = (export for export in EXPORTS if export.name == name)
    (parameter,) = (parameter for parameter in export.parameters if parameter.fields)
    assert_fits(parameter, make())


def assert_fits(parameter, value):
    assert [field.name for field in parameter.fields] == (list(value._fields) if parameter.fields else [])
    for field in parameter.fields:
        assert_fits(field, getattr(value, field.name))
    if parameter.dimensions:
        assert (value.dtype, value.ndim) == (parameter.dtype, parameter.dimensions), parameter.name
