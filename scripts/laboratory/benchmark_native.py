"""Compare the batch speed of numba, the compiled libraries and WebAssembly.

Run as ``.venv/bin/python -m scripts.laboratory.benchmark_native``. Each engine plays random games in a process of its
own, one process at a time. Printed are medians over the rounds: decisions per processor second, and the ratio to numba
in the same round. Needs ``make js`` and node.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from dawn_env.native import library
from dawn_env.support.progress_bars import with_progress

ROOT = Path(__file__).resolve().parents[2]
_BUILT = ROOT / "build" / "native"
_PLAY = """
import sys, time
import numpy as np
from dawn_env.batch import Batch
from dawn_env.host.random_play import random_actions
count, steps = 1024, int(sys.argv[1])
batch, actions = Batch(count, 0, threads=1), np.zeros(count, np.int64)
def play(steps):
    for _ in range(steps):
        random_actions(batch.states, batch.masks, actions)
        batch.step(actions)
play(100)
for _ in sys.stdin:
    started = time.process_time()
    play(steps)
    print(count * steps / (time.process_time() - started), flush=True)
"""


def _worker(command: list, libraries: str = "off") -> subprocess.Popen:
    environment = os.environ | {"DAWN_ENV_LIBRARY": libraries, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _workers(steps: int, folder: Path) -> dict[str, subprocess.Popen]:
    """Processes that wait, by name; numba is the first."""
    python = [sys.executable, "-c", _PLAY, str(steps)]
    workers = {"numba": _worker(python)}
    fitting = library.fitting()
    for name in ("linux-x86-64-v3", "linux-x86-64-v2") if fitting == "linux-x86-64-v3" else (fitting,):
        shutil.copytree(_BUILT / name, folder / name / fitting)  # also where the machine would choose another
        workers[name] = _worker(python, str(folder / name))
    if node := shutil.which("node"):
        workers["wasm32"] = _worker([node, Path(__file__).with_suffix(".mjs"), str(steps)])
    return workers


def _measure(worker: subprocess.Popen) -> float:
    worker.stdin.write("\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


def main() -> int:
    """Measure and print; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--steps", type=int, default=50, help="of 1,024 games, in a round")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workers = _workers(options.steps, Path(folder))
        rounds = [
            {name: _measure(worker) for name, worker in workers.items()}
            for _ in with_progress(range(options.rounds), "rounds", unit="rounds")
        ]
        for worker in workers.values():
            worker.stdin.close()
            worker.wait()
    for name in workers:
        speed = statistics.median(measured[name] for measured in rounds)
        ratio = statistics.median(measured[name] / measured["numba"] for measured in rounds)
        print(f"{name:16} {speed:>10,.0f} decisions a second, {ratio:.3f} of numba's")
    return 0


if __name__ == "__main__":
    sys.exit(main())
