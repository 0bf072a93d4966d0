"""Programs that are started here as players, and talk over their standard streams."""

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from dawn_agents.external.connection import Connection
from dawn_agents.external.isolation import REFUSAL, can_isolate
from dawn_agents.external.line_program import LineProgram
from dawn_agents.external.protocol_player import Limits, ProtocolPlayer


class ProcessPlayer(ProtocolPlayer):
    """A program that speaks the protocol of docs/protocol.md on its standard input and output."""

    @dataclass(frozen=True)
    class Options(Limits):
        """``command`` as a shell would split it; ``isolate``: with processes and files of its own (needs bubblewrap);
        ``stderr``: a file to which its stderr is appended; the rest as for all programs."""

        command: str
        isolate: bool = False
        stderr: str = ""

        def __post_init__(self):
            super().__post_init__()
            words = shlex.split(self.command)
            if not words or shutil.which(words[0]) is None:
                raise ValueError(f"command: no program {words[0] if words else ''!r} is found")
            if self.isolate and not can_isolate():
                raise ValueError(REFUSAL)
            if self.stderr and not os.access(Path(self.stderr).absolute().parent, os.W_OK):
                raise ValueError(f"stderr: {self.stderr} cannot be written")

    def _connect(self) -> Connection:
        return LineProgram(shlex.split(self._options.command), self._options.isolate, self._options.stderr)
