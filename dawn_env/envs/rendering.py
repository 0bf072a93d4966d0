"""Render modes of the environments: text or pixels to the caller, or text for people to watch."""

from typing import TYPE_CHECKING

import numpy as np
from gymnasium.error import ResetNeeded

from dawn_env.options import GameOptions
from dawn_env.picture.board_text import board_text
from dawn_env.state import Decision, Result
from dawn_env.support.argument_checks import between
from dawn_env.support.safe_text import short_repr
from dawn_env.views.viewer_position import acting_viewer

if TYPE_CHECKING:
    from dawn_env.picture.frames import FramePainter

RENDER_MODES = ["human", "ansi", "rgb_array"]
RENDER_WIDTH = 1000
"""Pixels of a frame from left to right, unless an environment is given another ``render_width``."""


def checked_render_mode(mode: str | None) -> str | None:
    """``mode`` if there is such a one, or None; raises ``ValueError``, and ``MissingExtra`` if it cannot be had."""
    if mode is not None and mode not in RENDER_MODES:
        expected = f"one of {', '.join(RENDER_MODES)} or None"
        raise ValueError(f"render_mode: {expected} expected, not {short_repr(mode)}")
    if mode == "rgb_array":
        import dawn_env.picture.raster  # noqa: F401
    return mode


class Renderer:
    """Renders the games of an environment; frames of each game follow each other quickly, being much alike."""

    def __init__(self, mode: str | None, width: int, options: GameOptions):
        """``mode``: a render mode; ``width``: pixels of a frame from left to right, even; ``options`` of the games.

        Raises ``ValueError``, and ``MissingExtra`` where pixels cannot be had.
        """
        checked_render_mode(mode)
        self.width, self._game_mode = between(width, "render_width", 100, 10_000), options.mode
        if self.width % 2:
            raise ValueError(f"render_width: an even number expected, as videos have, not {width}")
        self._painters: dict[int, FramePainter] = {}
        self._latest = self._opening() if mode == "rgb_array" else None

    def rendered(self, state: np.record, mode: str | None, row: int = 0) -> str | np.ndarray | None:
        """Render the view of the side to act of the game in a row.

        ``ansi``: text with ANSI colours; ``rgb_array``: uint8 [height, width, 3], always equally high; with ``human``
        the text is printed instead, without a mode there is none. Raises ``ResetNeeded`` before the first game.
        """
        if state.decision == Decision.NONE and state.result == Result.RUNNING:
            raise ResetNeeded("reset the environment before rendering it")
        if mode is None:
            return None
        if mode == "rgb_array":
            if row not in self._painters:
                self._painters[row] = (self._latest or self._opening()).twin()
            self._latest = painter = self._painters[row]
            return painter.paint(state, acting_viewer(state))
        text = board_text(state)
        if mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def _opening(self) -> "FramePainter":
        from dawn_env.picture.frames import opening_painter  # needs an extra

        return opening_painter(self.width, self._game_mode)
