"""Version numbers are the same wherever they stand."""

import re
import tomllib
from importlib import import_module

from paths import ROOT

import dawn_env


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_what_is_promised_is_what_there_is():
    rows = dict(re.findall(r"^\| .*?`([\w./-]+)` \| ([\d.]+) \|", text("docs/reference/files.md"), re.MULTILINE))
    assert rows.pop("dawn_env/DawnSeat-v0") == "0" and len(rows) > 15
    for name, version in rows.items():
        module, _, constant = name.rpartition(".")
        assert version == str(getattr(import_module(module), constant)), name


def test_the_release_is_named_alike():
    assert re.fullmatch(r"\d+\.\d+\.\d+", dawn_env.__version__)
    assert re.search(rf"^## {re.escape(dawn_env.__version__)}$", text("CHANGELOG.md"), re.MULTILINE)
    assert f"\nversion: {dawn_env.__version__}\n" in text("CITATION.cff")


def test_the_pythons_are_named_alike():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    classified = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert project["requires-python"] == ">=3.11,<3.14" and classified == ["3.11", "3.12", "3.13"]
    assert "Python 3.11, 3.12 and 3.13" in text("docs/reference/files.md") and "Python 3.11 to 3.13" in text(
        "README.md"
    )
