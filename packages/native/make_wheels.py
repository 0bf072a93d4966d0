"""Wheels that carry the engine compiled ahead, one for each platform, in dist/; docs/how-to/native.md."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dawn_native import link

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = {
    "manylinux2014_x86_64": ("linux-x86-64-v2", "linux-x86-64-v3"),
    "manylinux2014_aarch64": ("linux-arm64",),
    "macosx_11_0_arm64": ("macos-arm64",),
    "win_amd64": ("windows-x86-64",),
}
"""Tags of wheels, and the targets whose libraries they carry."""
_SETUP = """
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True

class AnyPython(bdist_wheel):
    def get_tag(self):
        return "py3", "none", self.plat_name

setup(distclass=WithLibrary, cmdclass={"bdist_wheel": AnyPython})
"""
"""Marks the wheel as one with compiled code, of no particular Python: setuptools takes the libraries for data."""
_NO_SOURCES = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "node_modules", "build", "dist", "runs")


def main(arguments: list[str] | None = None) -> int:
    """Build the wheels; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", nargs="+", choices=PLATFORMS, default=list(PLATFORMS))
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args(arguments)
    for platform in options.platform:
        with tempfile.TemporaryDirectory() as folder:
            _build_wheel(Path(folder), platform, options.out)
    return 0


def _build_wheel(folder: Path, platform: str, out: Path) -> None:
    """Build the wheel of a platform from a copy of the sources."""
    shutil.copytree(ROOT, folder, symlinks=True, ignore=_NO_SOURCES, dirs_exist_ok=True)
    for library in link.build_missing(PLATFORMS[platform], ROOT / "build" / "native"):
        shutil.copytree(library.parent, folder / "dawn_env" / "native" / "lib" / library.parent.name)
    (folder / "setup.py").write_text(_SETUP)
    tag = f"-C--build-option=--plat-name={platform}"
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", tag, "--outdir", out, folder], check=True
    )


if __name__ == "__main__":
    sys.exit(main())
