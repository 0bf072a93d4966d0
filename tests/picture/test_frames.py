"""Frames that follow each other are the pictures of their positions."""

import copy
import pickle

import numpy as np
import pytest

from dawn_env import DawnSeat, Game, GameOptions, RandomPlayer, choose_action, dawn_v0
from dawn_env.observation.player_view import View
from dawn_env.picture.drawing import board_svg, document, picture_pieces
from dawn_env.views.viewer_position import acting_viewer

frames = pytest.importorskip("dawn_env.picture.frames", reason="the extra picture is not installed")
from dawn_env.picture import raster  # noqa: E402

STALE = 120
"""Levels of a colour that a wrong shape or letter differs by somewhere; edges are smoothed within them."""


def positions(options, seed, skip, count):
    """Every ``skip``-th position of a game, ``count`` of them."""
    game, player = Game(seed, options), RandomPlayer(seed)
    for _ in range(count):
        for _ in range(skip):
            if not game.over:
                game.step(choose_action(player, View(game.state)))
        yield game.state


def assert_alike(frame, wanted):
    difference = np.abs(frame.astype(int) - wanted)
    assert frame.shape == wanted.shape and difference.max() < STALE and (difference > 8).mean() < 1e-3


@pytest.mark.parametrize("viewer", ["democrat", "both"])
@pytest.mark.parametrize("options", [{}, {"bid": True}, {"mode": "family"}])
def test_frames_do_not_depend_on_the_ones_before(options, viewer):
    painter = frames.FramePainter(1000)
    for number, state in enumerate(positions(GameOptions.of(options), 5, 4, 40)):
        frame = painter.paint(state, viewer)
        if number % 8 == 0:
            assert_alike(frame, frames.FramePainter(1000).paint(state, viewer))


def test_frames_are_the_picture():
    painter = frames.FramePainter(1440)
    for state in positions(GameOptions(), 8, 40, 5):
        frame = painter.paint(state, acting_viewer(state))
        assert_alike(frame, raster.to_array(board_svg(state, acting_viewer(state), theme="light")))


def test_pieces_draw_nothing_beyond_their_rectangles():
    seen = set()
    for options in (GameOptions(), GameOptions(mode="family")):
        for state in positions(options, 2, 60, 3):
            for piece in {*picture_pieces(state, "both")} - seen:
                _assert_within(piece)
                seen.add(piece)


def _assert_within(piece, around=40):
    left, top = round(piece.x) - around, round(piece.y) - around
    size = round(piece.width) + 2 * around, round(piece.height) + 2 * around
    paper = f'<rect x="{left}" y="{top}" width="{size[0]}" height="{size[1]}" class="paper"/>'
    drawn = raster.to_array(document("", paper + piece.content, (left, top, *size), 1, "light"))
    rows, columns = np.nonzero((drawn != drawn[0, 0]).any(axis=2))
    if len(rows):
        assert around - 2 <= columns.min() and columns.max() <= size[0] - around + 2, piece.content
        assert around - 2 <= rows.min() and rows.max() <= size[1] - around + 2, piece.content


def test_only_what_has_changed_is_painted_anew(monkeypatch):
    game, painter, pixels = Game(seed=3), frames.FramePainter(1000), []
    monkeypatch.setattr(frames, "to_array", lambda svg: pixels.append((found := raster.to_array(svg)).size) or found)
    whole = painter.paint(game.state, "both").size
    assert pixels == [whole]
    assert (painter.paint(game.state, "both") == painter.paint(game.state, "both")).all() and len(pixels) == 1
    game.step(game.legal[0])
    painter.paint(game.state, "both")
    assert 0 < sum(pixels[1:]) < whole / 4


def test_environments_take_the_width_and_hand_out_frames_of_their_own():
    env = DawnSeat(render_mode="rgb_array", render_width=720)
    env.reset(seed=1)
    frame = env.render()
    assert frame.shape[1] == 720 and frame.shape[0] % 2 == 0
    frame[:] = 0
    assert env.render().mean() > 100
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert_alike(twin.render(), env.render())
    assert dawn_v0.env(render_mode="rgb_array").unwrapped._renderer.width == 1000
    for width in (0, 999, 1000.0, 10**9):
        with pytest.raises(ValueError, match="^render_width: an "):
            DawnSeat(render_width=width)
