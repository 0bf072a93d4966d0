"""Render modes of the environments that show one game: text or pixels to the caller, or text for people to watch."""

import numpy as np
from gymnasium.error import ResetNeeded

from dawn_env.picture.board_text import board_text
from dawn_env.picture.drawing import board_svg
from dawn_env.picture.theme import LIGHT
from dawn_env.picture.viewer_position import acting_viewer
from dawn_env.state import Decision, Result
from dawn_env.support.safe_text import short_repr

RENDER_MODES = ["human", "ansi", "rgb_array"]


def checked_render_mode(mode: str | None) -> str | None:
    """``mode`` if there is such a one, or None; raises ``ValueError``, and ``MissingExtra`` if it cannot be had."""
    if mode is not None and mode not in RENDER_MODES:
        expected = f"one of {', '.join(RENDER_MODES)} or None"
        raise ValueError(f"render_mode: {expected} expected, not {short_repr(mode)}")
    if mode == "rgb_array":
        import dawn_env.picture.raster  # noqa: F401
    return mode


def rendered(state: np.record, mode: str | None) -> str | np.ndarray | None:
    """Render the view of the side to act.

    ``ansi``: text with ANSI colours; ``rgb_array``: uint8 [height, width, 3], 1,440 pixels wide, always equally high;
    with ``human`` the text is printed instead, without a mode there is none. Raises ``ResetNeeded`` before the first
    game.
    """
    if state.decision == Decision.NONE and state.result == Result.RUNNING:
        raise ResetNeeded("reset the environment before rendering it")
    if mode is None:
        return None
    if mode == "rgb_array":
        from dawn_env.picture.raster import to_array  # needs an extra

        return to_array(board_svg(state, acting_viewer(state), theme=LIGHT))
    text = board_text(state)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None
