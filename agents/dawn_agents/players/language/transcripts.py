"""Transcripts of language models: a file of JSON lines for each game, complete up to the last answer."""

import json
import os
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any


class Transcript:
    """File of one game; each line is written at once."""

    def __init__(self, folder: str, side: str):
        """Make a new file in ``folder``, which is made if it is missing; raises ``OSError``."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        self.path = Path(folder) / f"{moment}-{side}-{secrets.token_hex(4)}.jsonl"
        self._file: IO = open(self.path, "x", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600))

    def write(self, kind: str, **facts: Any) -> None:
        """Write a line of JSON with its ``kind`` and the facts."""
        self._file.write(json.dumps({"kind": kind, **facts}, ensure_ascii=False) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
