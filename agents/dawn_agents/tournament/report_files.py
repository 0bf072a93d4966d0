"""Reports and records as files, each written in full or not at all."""

import csv
import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path

from dawn_agents.rating.rating_bounds import known
from dawn_agents.tournament.tournament_report import Report, Standing
from dawn_env.formats.game_record import to_line
from dawn_env.support.atomic_files import whole_file

_COLUMNS = [field.name for field in fields(Standing) if field.name != "options"]


def report_json(report: Report) -> dict:
    """The report as JSON values; ``pairs`` is the cross table."""
    return {
        "anchor": report.ratings.anchor,
        "games": len(report.games),
        "advantage": report.ratings.advantage._asdict(),
        "draw": report.ratings.draw._asdict(),
        "luck": {"games": report.measured, "variance_ratio": report.variance_ratio},
        "players": [_standing_json(standing) for standing in report.standings],
        "pairs": [asdict(meeting) for meeting in report.meetings],
        "offers": [asdict(result) for result in report.offers],
        "reasons": [
            {"result": result, "reason": reason, "games": games}
            for (result, reason), games in sorted(report.reasons.items())
        ],
        "failures": [
            {"player": player, "failure": why, "games": games} for (player, why), games in report.failures.most_common()
        ],
    }


def _standing_json(standing: Standing) -> dict:
    return asdict(standing) | known(standing.rating, standing.low, standing.high, standing.beyond)


def write_json(report: Report, path: str | Path, **more: object) -> None:
    """``report_json`` and ``more`` keys to a file."""
    with whole_file(path, parents=True) as file:
        json.dump(report_json(report) | more, file, indent=1)
        file.write("\n")


def write_csv(report: Report, path: str | Path) -> None:
    """One line a player, with a heading."""
    with whole_file(path, parents=True) as file:
        writer = csv.DictWriter(file, _COLUMNS, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(_standing_json(standing) for standing in report.standings)


def write_records(records: Iterable[dict], path: str | Path) -> None:
    """Game records, one a line."""
    with whole_file(path, parents=True) as file:
        file.writelines(to_line(record) + "\n" for record in records)
