"""Write what two policies of corrections have learnt to the file that the player ``tuned`` plays by.

``.venv/bin/python -m scripts.laboratory.export_tuned runs/tuned/policies``
"""

import argparse
from pathlib import Path

import numpy as np
from dawn_agents.heuristic.score_offsets import FILE, Corrections
from dawn_agents.networks.advice_networks import corrections_of
from dawn_agents.networks.policy_file import load_policy

from dawn_env.support.atomic_files import whole_file
from dawn_env.tables import SIDE_NAMES


def read(folder: Path) -> Corrections:
    """Corrections of ``democrat.zip`` and ``communist.zip`` in a folder; raises ``PolicyFileError``, ``ValueError``."""
    return corrections_of({side: load_policy(folder / f"{side}.zip")[0] for side in SIDE_NAMES})


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policies", type=Path, metavar="FOLDER", help="with democrat.zip and communist.zip")
    parser.add_argument("--to", type=Path, default=FILE, metavar="FILE", help="default: %(default)s")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Read and write."""
    options = parse(arguments)
    found = read(options.policies)
    with whole_file(options.to, "wb") as file:
        np.savez_compressed(file, **found._asdict())
    print(f"{options.to}: {options.to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
