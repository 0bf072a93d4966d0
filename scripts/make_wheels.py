"""Wheels that carry the engine compiled ahead, one for each platform, in dist/; docs/how-to/native.md."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dawn_env.native import link

ROOT = Path(__file__).resolve().parents[1]
PLATFORMS = {
    "manylinux2014_x86_64": ("linux-x86-64-v2", "linux-x86-64-v3"),
    "manylinux2014_aarch64": ("linux-arm64",),
    "macosx_11_0_arm64": ("macos-arm64",),
    "win_amd64": ("windows-x86-64",),
}
"""Tags of wheels, and the targets whose libraries they carry."""


def main(arguments: list[str] | None = None) -> int:
    """Build the wheels; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", nargs="+", choices=PLATFORMS, default=list(PLATFORMS))
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args(arguments)
    code = link.engine_code(ROOT / "build" / "native")
    for platform in options.platform:
        with tempfile.TemporaryDirectory() as folder:
            _build_wheel(Path(folder), platform, code, options.out)
    return 0


def _build_wheel(folder: Path, platform: str, code: bytes, out: Path) -> None:
    """Build the wheel of a platform from a copy of the sources."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for target in PLATFORMS[platform]:
        link.build(code, target, folder / "dawn_env" / "native" / "lib")
    tag = f"-C--build-option=--plat-name={platform}"
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", tag, "--outdir", out, folder], check=True
    )


if __name__ == "__main__":
    sys.exit(main())
