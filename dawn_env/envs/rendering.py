"""Render modes of the environments that show one game: as text to the caller, or printed for people to watch."""

import numpy as np

from dawn_env.envs.board_text import board_text
from dawn_env.support.plain_text import quoted

RENDER_MODES = ["human", "ansi"]


def checked_render_mode(mode: str | None) -> str | None:
    """``mode`` if there is such a one, or None; raises ``ValueError``."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: one of {', '.join(RENDER_MODES)} or None expected, not {quoted(mode)}")
    return mode


def rendered(state: np.record, mode: str | None) -> str | None:
    """The board as text with ANSI colours; with ``human`` it is printed instead, without a mode there is none."""
    if mode is None:
        return None
    text = board_text(state)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None
