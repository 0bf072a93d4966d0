"""Provenance of a report: version, command line, date, machine, and facts from its command."""

import argparse
import re
import shlex
from collections.abc import Mapping
from datetime import UTC, datetime

from dawn_agents.machine_speed import machine
from dawn_agents.tournaments.reporting.tables import Sheet


def provenance(options: argparse.Namespace, **facts: object) -> dict[str, object]:
    """Provenance of a report written by a command with ``options``, as JSON values, with further ``facts``.

    ``options.key``, a secret, is left out of the command line.
    """
    found = machine()
    version = found.pop("version")
    found |= {"date": datetime.now(UTC).isoformat(timespec="seconds")}
    words, key = options.words, getattr(options, "key", None)
    if key:
        words = [re.sub(rf"^((?:--[a-z-]+=)?){re.escape(key)}$", r"\1...", word) for word in words]
    return {"version": version, **facts, "command": shlex.join(words), **found}


def provenance_sheet(origin: Mapping[str, object]) -> Sheet:
    """The last table of a page: one row for each fact of ``provenance`` that is known."""
    rows = [(key.replace("_", " "), _text(value)) for key, value in origin.items() if value is not None]
    return Sheet("Provenance", ("what", "value"), rows, words=2)


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {setting}" for name, setting in value.items()) or "standard"
    return str(value)
