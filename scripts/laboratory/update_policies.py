"""Rewrite policy files for today's observation, where parts changed their meaning, but neither names nor sizes.

``python -m scripts.laboratory.update_policies agents/dawn_agents/pretrained/*.zip``: the weights stay; measure the
policies anew.
"""

import argparse
import json
import zipfile
from pathlib import Path

from dawn_agents.networks.policy_file import load_policy

from dawn_env.observation.view_layouts import layout_of_sides
from dawn_env.options import GameOptions
from dawn_env.support.atomic_files import atomic_write


def update(path: Path) -> None:
    """Rewrite one file; raises ``SystemExit`` where the parts of its observation have other names."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    metadata = json.loads(files["policy.json"])
    layout = layout_of_sides(GameOptions.of(metadata["rules"]))
    parts = {part.name: part.digest for part in layout.table}
    if list(metadata["observation_parts"]) != list(parts):
        raise SystemExit(f"{path}: the parts of its observation have other names: it has to be trained anew")
    metadata |= {"observation_version": layout.version, "observation_parts": parts}
    files["policy.json"] = json.dumps(metadata, indent=1).encode()
    with atomic_write(path, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    load_policy(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    for file in parser.parse_args().files:
        update(file)
