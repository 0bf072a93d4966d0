"""The library of this machine and the JavaScript package, made once."""

import pytest
from dawn_agents.commands import build_native
from paths import ROOT

from dawn_env.native import library


@pytest.fixture(scope="session")
def built():
    """Folder of the library; the package is completed in its place."""
    pytest.importorskip("ziglang", reason="needs the linker of ziglang")
    folder = ROOT / "build" / "native"
    arguments = ["--target", library.fitting(), "--out", str(folder), "--js", str(ROOT / "packages" / "js")]
    assert build_native.main(arguments) == 0
    return folder
