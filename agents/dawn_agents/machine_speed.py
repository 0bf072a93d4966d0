"""Speed of the engine on this machine, and what the machine is."""

import os
import platform
import re
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path

import numpy as np

from dawn_env import __version__
from dawn_env.batch import Batch
from dawn_env.host.random_play import random_actions
from dawn_env.support.compiling import how_it_runs

ROOT = Path(__file__).resolve().parents[2]


def per_second(step: Callable[[], int], seconds: float) -> float:
    """Rate per second of the counts that ``step`` returns, measured over ``seconds``."""
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        count += step()
    return count / (time.perf_counter() - start)


def batch_figures(count: int, seconds: float) -> dict[str, float]:
    """Decisions and games per second of one core, masks and observations written, games restarted."""
    batch, actions, games = Batch(count, 0, threads=1), np.zeros(count, np.int64), 0

    def step() -> int:
        nonlocal games
        random_actions(batch.states, batch.masks, actions)
        batch.step(actions)
        games += int(batch.ended.sum())
        return count

    for _ in range(50):  # so that the games are at all stages
        step()
    games, start = 0, time.perf_counter()
    rate = per_second(step, seconds)
    return {
        "batch_decisions_per_second": rate,
        "batch_games_per_second": games / (time.perf_counter() - start),
    }


def machine() -> dict[str, str]:
    """Machine, versions and day of the measurement."""
    return {
        "date": date.today().isoformat(),
        "version": f"{__version__}{_commit()}",
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "engine": how_it_runs(),
    }


def _commit() -> str:
    """Commit of the sources, in brackets; empty outside the project's own repository."""
    with suppress(OSError, subprocess.CalledProcessError):
        command = ["git", "--git-dir", str(ROOT / ".git"), "rev-parse", "--short", "HEAD"]
        return f" ({subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()})"
    return ""


def _processor() -> str:
    """Model of the processor where the system tells it."""
    with suppress(OSError):
        if model := re.search(r"^model name\s*: (.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE):
            return model[1]
    return platform.processor() or "unknown"
