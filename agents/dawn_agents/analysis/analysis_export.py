"""An analysis as files, each written in full or not at all."""

import csv
import json
from dataclasses import asdict, fields
from pathlib import Path

from dawn_agents.analysis.judged_games import FORMAT
from dawn_agents.analysis.loss_profiles import Analysis, Row
from dawn_env.support.atomic_files import whole_file


def analysis_json(analysis: Analysis) -> dict:
    """The analysis as JSON values, every decision among them."""
    return {
        "format": FORMAT,
        "judging": asdict(analysis.judging),
        "profile": [asdict(row) for row in analysis.rows],
        "mistakes": [
            {"place": mistake.place, "player": mistake.player} | asdict(mistake.decision)
            for mistake in analysis.mistakes
        ],
        "games": [{"place": place} | asdict(game) for place, game in zip(analysis.places, analysis.games, strict=True)],
    }


def write_json(analysis: Analysis, path: Path) -> None:
    """``analysis_json`` to a file."""
    with whole_file(path, parents=True) as file:
        json.dump(analysis_json(analysis), file, indent=1)
        file.write("\n")


def write_csv(analysis: Analysis, path: Path) -> None:
    """The profiles, a line for each of their rows, with a heading."""
    with whole_file(path, parents=True) as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)])
        writer.writeheader()
        writer.writerows(asdict(row) for row in analysis.rows)
