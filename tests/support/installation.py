"""A wheel installed in a virtual environment of its own, whose other packages come from here."""

import os
import subprocess
import sys
from pathlib import Path


class Installation:
    """The environment in ``folder / "venv"`` with an empty folder ``work``; ``hidden``: packages it is not to have."""

    def __init__(self, folder: Path, wheel: Path, hidden: tuple[str, ...] = (), **variables: str):
        self.work, venv = folder / "work", folder / "venv"
        self.python, self.dawn = venv / "bin" / "python", venv / "bin" / "dawn"
        self.work.mkdir()
        unset = ("PYTHONPATH", "DAWN_ENV_LIBRARY")
        self.environment = {name: value for name, value in os.environ.items() if name not in unset} | variables
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True, timeout=120)
        (packages,) = venv.glob("lib/*/site-packages")
        for entry in (entry for path in sys.path if path.endswith("site-packages") for entry in Path(path).iterdir()):
            left_out = entry.name.startswith(("dawn_env", *hidden)) or entry.suffix == ".pth"
            if not left_out and not (packages / entry.name).exists():
                (packages / entry.name).symlink_to(entry)
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "--no-index", "--no-deps", "--quiet"]
        subprocess.run([*pip, wheel], check=True, timeout=120)

    def run(self, *words: object, **variables: str) -> subprocess.CompletedProcess:
        """A program, ``python`` or ``dawn``, with these words, ended."""
        settings = {"cwd": self.work, "env": self.environment | variables, "capture_output": True, "text": True}
        return subprocess.run(list(map(str, words)), timeout=300, **settings)

    def says(self, *words: object, **variables: str) -> str:
        """What ``dawn`` says with these words; it must end well."""
        done = self.run(self.dawn, *words, **variables)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
