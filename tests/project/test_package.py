"""The package as it is published: archive and wheel are built; ``tests/native/test_wheel.py`` installs a wheel."""

import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from paths import ROOT
from processes import python

import dawn_env

FOLDERS = ("agents/dawn_agents", "dawn_env")
FOR_TESTS = (".github", "configs", "docs", "packages", "scripts", "tests")
FILES = (
    ".dockerignore", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "Dockerfile", "LICENSE",
    "MANIFEST.in", "Makefile", "NOTICE", "README.md", "constraints.txt", "pyproject.toml",
)  # fmt: skip
LABORATORY = {"fuzzing", "invariants", "laboratory", "scripts", "tests"}
OF_DEVELOPERS = {"agents/dawn_agents/frontends/web/jsconfig.json"}
MADE = {f"packages/js/{name}" for name in ("pretrained.bin", "dawn.wasm", "layout.js", "LICENSE", "NOTICE")}
"""Files that ``make js`` builds: ignored by git, and not part of the archive."""

pytest.importorskip("build", reason="build not installed")


def tracked(folder: Path) -> set[str]:
    """The files of the packages, as they are named in archives."""
    files = {path for package in FOLDERS for path in (folder / package).rglob("*") if path.is_file()}
    files |= {folder / "agents/dawn_agents/configs" / path.name for path in (folder / "configs").glob("*.toml")}
    return {path.relative_to(folder).as_posix() for path in files} - OF_DEVELOPERS


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    for name in ("agents", "dawn_env", *FOR_TESTS, *FILES):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture(scope="module")
def built(source, tmp_path_factory):
    """The archive of the sources, and the wheel that was made of it."""
    files, folder = tracked(source), tmp_path_factory.mktemp("dist")
    done = python("-m", "build", "--no-isolation", "--outdir", folder, source)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return files, archive, wheel


def test_archive_and_wheel_are_complete(built):
    files, archive, wheel = built
    name = f"dawn_env-{dawn_env.__version__}"
    with tarfile.open(archive) as packed:
        members = {member.name.removeprefix(f"{name}/"): member for member in packed.getmembers()}
    assert files <= set(members) and not any(member.issym() or member.islnk() for member in members.values())
    with zipfile.ZipFile(wheel) as packed:
        contents = {path for path in packed.namelist() if not path.startswith(f"{name}.dist-info/")}
        told = packed.read(f"{name}.dist-info/METADATA").decode()
        licences = {path for path in packed.namelist() if path.startswith(f"{name}.dist-info/licenses/")}
    assert contents == {path.removeprefix("agents/") for path in files}
    assert {"dawn_agents/py.typed", "dawn_env/py.typed"} <= contents
    assert "License-Expression: MIT\n" in told and "Programming Language :: Python :: 3.14\n" in told
    assert {Path(path).name for path in licences} == {"LICENSE", "NOTICE"} and len(licences) == 3, (
        "that of the fonts too"
    )


def test_the_archive_holds_all_that_its_tests_need_and_the_wheel_nothing_of_it(source, built):
    _, archive, wheel = built
    paths = {path for folder in FOR_TESTS for path in (source / folder).rglob("*") if path.is_file()}
    files = {path.relative_to(source).as_posix() for path in paths} - MADE
    with tarfile.open(archive) as packed:
        members = {path.partition("/")[2] for path in packed.getnames()}
    assert files | set(FILES) <= members and not MADE & members
    with zipfile.ZipFile(wheel) as packed:
        assert not LABORATORY & {part for path in packed.namelist() for part in Path(path).with_suffix("").parts}
