"""Requests come in and answers go out, a line each, until the input ends."""

import json
import logging
from typing import BinaryIO

from dawn_agents.simulator.simulator import Simulator
from dawn_env.formats.foreign import parse_json
from dawn_env.support.plain_text import plain

LONGEST_LINE = 1 << 23
"""Bytes of a request; one that steps every game there may be is much shorter."""


def serve(source: BinaryIO, sink: BinaryIO, simulator: Simulator) -> None:
    """Answer all lines; empty ones are passed over."""
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            _skip(source, line)
            answer = {"error": f"a line of more than {LONGEST_LINE} bytes"}
        elif not line.strip():
            continue
        else:
            answer = _answer(line, simulator)
        sink.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        sink.flush()


def _answer(line: bytes, simulator: Simulator) -> dict:
    try:
        request = parse_json(line)
    except ValueError as error:
        return {"error": f"not a line of JSON: {plain(error)}"}
    try:
        return simulator.answer(request)
    except Exception as error:  # a mistake of ours must not take the games along
        logging.getLogger(__name__).exception("a request failed")
        return {"error": f"the engine failed, nothing has changed: {type(error).__name__}"}


def _skip(source: BinaryIO, line: bytes) -> None:
    """Read on to the end of a line."""
    while line and not line.endswith(b"\n"):
        line = source.readline(LONGEST_LINE)
