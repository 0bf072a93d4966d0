"""The library of this machine and the JavaScript package, made once for all test processes."""

import build_native
import pytest
from filelock import FileLock
from paths import ROOT

from dawn_env.native import library


@pytest.fixture(scope="session")
def built():
    """Folder of the library; the package is completed in its place."""
    pytest.importorskip("ziglang", reason="needs the linker of ziglang")
    folder, package = ROOT / "build" / "native", ROOT / "packages" / "js"
    with FileLock(folder / "tests.lock", timeout=300):
        assert build_native.main(["--target", library.fitting(), "--out", str(folder), "--js", str(package)]) == 0
    return folder
