"""Programs that are started here as players, and talk over their standard streams."""

import shlex
import shutil
from dataclasses import dataclass

from dawn_agents.external.connection import Connection
from dawn_agents.external.line_program import LineProgram
from dawn_agents.external.protocol_player import Limits, ProtocolPlayer


class ProcessPlayer(ProtocolPlayer):
    """A program that speaks the protocol of docs/protocol.md on its standard input and output."""

    @dataclass(frozen=True)
    class Options(Limits):
        """``command`` as a shell would split it; the rest as for all programs."""

        command: str

        def __post_init__(self):
            super().__post_init__()
            words = shlex.split(self.command)
            if not words or shutil.which(words[0]) is None:
                raise ValueError(f"command: no program {words[0] if words else ''!r} is found")

    def _connect(self) -> Connection:
        return LineProgram(shlex.split(self._options.command))
