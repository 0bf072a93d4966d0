"""Pictures of positions: what they show, what they may not show, where things lie, and pixels."""

import json
import math
import sys
import types
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise

import gymnasium
import numpy as np
import pytest
from dawn_agents.commands import picture
from hidden_cards import random_positions, random_steps
from random_records import GOLDEN, golden_moment
from scenario import scenario

from dawn_env import dawn_v0
from dawn_env.formats.position_file import to_json
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.picture.board_geometry import FRAME, MAP, NARROW
from dawn_env.picture.country_panels import _pairs
from dawn_env.picture.drawing import WIDTH, board_svg
from dawn_env.picture.svg_elements import clipped, text_width, wrapped
from dawn_env.picture.theme import COLOURS, THEMES
from dawn_env.state import Result
from dawn_env.tables import BATTLEGROUND, COUNTRY_OF, SIDE_NAMES, SIDES, SPACE_ID, SPACES, STABILITY, S
from dawn_env.views.viewer_position import BOTH, VIEWERS, acting_viewer, viewer_position

NAME = "{http://www.w3.org/2000/svg}"
LAYOUTS = pytest.mark.parametrize("layout", [MAP, NARROW], ids=["wide", "narrow"])


# --- what may not be seen ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["standard", "family"])
@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_leave_no_trace(seed, mode):
    rng, hidden = np.random.default_rng(seed), 0
    for before, game, _ in random_steps(seed, {"mode": mode}):
        if rng.random() > 0.06:
            continue
        for side in range(SIDES):
            one, other = (now.redeal(side, seed + 5).state for now in (before, game))
            hidden += (other.where != game.state.where).any() or (other.power_cards != game.state.power_cards).any()
            moments = ((game.state, before.state), (other, one))
            pictures = [board_svg(now, SIDE_NAMES[side], then) for now, then in moments]
            assert pictures[0] == pictures[1], (game.decision, SIDE_NAMES[side])
    assert hidden > 4


@pytest.mark.parametrize("viewer", SIDE_NAMES)
def test_secret_questions_are_not_named(viewer):
    """What a side is asked only because of the cards in its hand is not told to the other."""
    for seed in range(40):
        for _, game, _ in random_steps(seed):
            if game.decision in ("cancel-with-home", "cancel-check", "give-card") and SIDE_NAMES[game.actor] != viewer:
                picture = board_svg(game.state, viewer)
                assert game.decision.replace("-", " ") not in picture
                return
    pytest.fail("no such question came up")


# --- what is shown -----------------------------------------------------------------------------------


def shown_spaces(svg: str) -> dict[str, ElementTree.Element]:
    return {group.get("data-space"): group for group in ElementTree.fromstring(svg).iter() if group.get("data-space")}


def words(element: ElementTree.Element) -> str:
    return " ".join(element.itertext())


@pytest.mark.parametrize("options", [{}, {"bid": True}, {"mode": "family"}])
def test_every_space_shows_its_support_and_who_controls_it(options):
    game = [position.copy() for position in random_positions(2, 1, options)][-40]
    spaces = shown_spaces(board_svg(game.state, BOTH))
    assert list(spaces) == list(SPACES)
    for space, name in enumerate(SPACES):
        democrat, communist = (int(points) for points in game.state.support[:, space])
        lead = democrat - communist
        holder = None if abs(lead) < STABILITY[space] else SIDE_NAMES[lead < 0]
        assert spaces[name].get("data-holder") == holder
        title = spaces[name].find(f"{NAME}title").text
        assert f"stability {STABILITY[space]}" in title and f"Democrat {democrat}, Communist {communist}" in title
        chips = [text.text for text in spaces[name].iter(f"{NAME}text") if text.get("font-size") == "11.5"]
        assert chips == [str(points) for points in (democrat, communist) if points]


def test_shapes_tell_sides_apart_without_colour():
    game = scenario("C: 1", {"Berlin": (0, 5), "Leipzig": (5, 0), "Erfurt": (0, 0)})
    spaces = shown_spaces(board_svg(game.state, BOTH))
    corners = {name: {part.get("rx", "0") for part in spaces[name].iter(f"{NAME}rect")} for name in spaces}
    assert corners["Leipzig"] == {"0"} and "14" in corners["Berlin"] and corners["Erfurt"] == {"4"}
    assert "url(#dawn-hatch)" in ElementTree.tostring(spaces["Berlin"]).decode()


def test_a_change_is_marked():
    game = scenario("C: 1", {"Berlin": (0, 2)})
    before = game.copy()
    game.state.support[0, SPACE_ID["Berlin"]] += 3
    spaces = shown_spaces(board_svg(game.state, BOTH, before.state))
    assert "D +3" in words(spaces["Berlin"])
    assert [name for name in spaces if 'class="change"' in ElementTree.tostring(spaces[name]).decode()] == ["Berlin"]
    assert board_svg(game.state, BOTH, game.state) == board_svg(game.state, BOTH)


def test_both_hands_of_a_struggle_are_seen_by_both_only():
    _, _, game = golden_moment(lambda game, _: game.decision == "defend")
    positions = {viewer: viewer_position(game.state, viewer) for viewer in VIEWERS}
    seen = {viewer: [at.power_hand(side) is not None for side in range(SIDES)] for viewer, at in positions.items()}
    assert seen[BOTH] == [True, True] and seen["democrat"] == [True, False]
    svgs = {viewer: board_svg(game.state, viewer) for viewer in VIEWERS}
    assert [svgs[viewer].count("Struggle cards:") for viewer in VIEWERS] == [1, 1, 2]
    assert "Power struggle in" in svgs["democrat"] and "led " in svgs["democrat"]


def test_every_position_of_a_game_can_be_drawn_in_every_theme():
    heights = set()
    for at, (before, game, _) in enumerate(random_steps(7)):
        if at % 17 == 0 or game.over:
            for viewer, theme in zip(VIEWERS, THEMES, strict=True):
                root = ElementTree.fromstring(board_svg(game.state, viewer, before.state, theme=theme))
                heights.add(root.get("height"))
    assert len(heights) == 1, "frames of a video are equally high"
    assert game.over and acting_viewer(game.state) == BOTH and "The game is over:" in board_svg(game.state, BOTH)


@pytest.mark.parametrize("options", [{}, {"bid": True}, {"mode": "family"}])
def test_the_column_has_the_words_of_the_view_and_all_of_them_fit(options):
    least = 99.0
    for position in random_positions(4, 7, options):
        root = ElementTree.fromstring(board_svg(position.state, int(position.actor)))
        rows = [row for row in root if row.tag == f"{NAME}text"]
        view, shown = View(position.state), "".join(row.text for row in rows).replace(" ", "")
        lines = view.text("short").replace("None for", "? for").splitlines()
        assert all(line.replace(" ", "") in shown for line in lines), position.decision
        assert MAP.width < min(float(row.get("x")) for row in rows)
        assert all(float(row.get("y")) < MAP.board_height - 6 for row in rows)
        least = min(least, *(float(row.get("font-size")) for row in rows))
    assert least > 7


def test_what_is_new_in_the_column_is_marked():
    game = scenario("C: 11 12", {"Berlin": (0, 2)})
    before = game.copy()
    game.step("card:11")
    root = ElementTree.fromstring(board_svg(game.state, BOTH, before.state))
    marks = {float(mark.get("y")) for mark in root if mark.tag == f"{NAME}rect" and mark.get("class") == "changed"}
    rows = [row for row in root if row.tag == f"{NAME}text"]
    new = [row.text for row in rows if any(0 < float(row.get("y")) - y < 11 for y in marks)]
    assert any("Being played: 11" in words for words in new)
    assert not any("12 Apparatchiks" in words or "USSR track" in words or "event" in words for words in new)


def test_arguments_are_checked():
    state = Game(1).state
    with pytest.raises(ValueError, match="^viewer: one of democrat, communist, both expected, not 'me'"):
        board_svg(state, "me")
    with pytest.raises(ValueError, match="^theme: one of light, dark, auto expected, not 'pink'"):
        board_svg(state, BOTH, theme="pink")
    with pytest.raises(ValueError, match="^width: at least one pixel"):
        board_svg(state, BOTH, width=0)


def test_notebooks_show_the_side_to_act():
    game = Game(3)
    assert game.state.result == Result.RUNNING
    assert game._repr_svg_() == board_svg(game.state, SIDE_NAMES[game.actor])


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("shade", [0, 1], ids=["light", "dark"])
def test_words_stand_out(shade):
    """A contrast of 4.5 at least, as the accessibility guidelines of the web want it."""
    colours = {name: pair[shade] for name, pair in COLOURS.items()} | {"white": "#ffffff"}
    grounds = {"white": ["democrat", "communist"], "ink": ["paper", "box", "east", "balkans"]}
    grounds |= dict.fromkeys(("soft", "democrat-word", "communist-word"), ["paper", "box", "east", "balkans"])
    for word, behind in grounds.items():
        for ground in behind:
            dim, bright = sorted((luminance(colours[word]), luminance(colours[ground])))
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, (word, ground)


# --- where things lie --------------------------------------------------------------------------------


def gap(one, other) -> float:
    """How far two boxes lie apart sideways or up and down, negative where they overlap."""
    far = ((one[axis] + one[axis + 2], other[axis] + other[axis + 2]) for axis in range(2))
    return max(max(one[axis], other[axis]) - min(ends) for axis, ends in enumerate(far))


def inside(inner, outer) -> bool:
    return all(
        outer[axis] <= inner[axis] and inner[axis] + inner[axis + 2] <= outer[axis] + outer[axis + 2]
        for axis in range(2)
    )


@LAYOUTS
def test_boxes_do_not_overlap_and_lie_in_their_countries(layout):
    assert all(gap(one, other) >= 6 for one, other in combinations(layout.spaces, 2))
    assert all(gap(one, other) >= 0 for one, other in combinations(layout.panels, 2))
    assert all(inside(layout.spaces[space], layout.panels[COUNTRY_OF[space]]) for space in range(S))
    assert all(0 <= panel.x and panel.x + panel.width <= layout.width for panel in layout.panels)


def covered(start, end, box) -> tuple[float, float]:
    """The part of the line between two points that lies in a box, as shares of the line; empty outside."""
    enters, leaves = 0.0, 1.0
    for axis in range(2):
        way, low, high = end[axis] - start[axis], box[axis] - start[axis], box[axis] + box[axis + 2] - start[axis]
        if way == 0:
            leaves = leaves if low < 0 < high else 0.0
            continue
        first, last = sorted((low / way, high / way))
        enters, leaves = max(enters, first), min(leaves, last)
    return enters, leaves


def outer_box(layout, space):
    """A space with its frame, or with its own edge."""
    (x, y, width, height), out = layout.spaces[space], FRAME if BATTLEGROUND[space] else 0.5
    return x - out, y - out, width + 2 * out, height + 2 * out


@LAYOUTS
def test_connections_run_under_no_other_space_and_ten_pixels_of_each_are_visible(layout):
    lines = _pairs(-1)
    assert len(lines) == 104
    for a, b in lines:
        if not layout.wide and COUNTRY_OF[a] != COUNTRY_OF[b]:
            continue  # told by name
        start, end = layout.spaces[a].centre, layout.spaces[b].centre
        for space in set(range(S)) - {a, b}:
            enters, leaves = covered(start, end, layout.spaces[space])
            assert enters >= leaves, (SPACES[a], SPACES[b], SPACES[space])
        parts = [covered(start, end, outer_box(layout, space)) for space in range(S)]
        hidden, reached = 0.0, 0.0
        for enters, leaves in sorted(part for part in parts if part[0] < part[1]):
            hidden += max(0.0, leaves - max(enters, reached))
            reached = max(reached, leaves)
        assert (1 - hidden) * math.dist(start, end) >= 10, (SPACES[a], SPACES[b])


@LAYOUTS
def test_names_fit_their_boxes(layout):
    for name, bold in zip(SPACES, BATTLEGROUND.tolist(), strict=True):
        lines = wrapped(name, layout.name_size, layout.box[0] - 12, bold)
        assert len(lines) <= 3, name
        assert all(text_width(line, layout.name_size, bold) <= layout.box[0] - 2 for line in lines), name


def test_text_is_measured():
    assert text_width("ii", 10) < text_width("WW", 10) < text_width("WW", 10, bold=True)
    assert clipped("Bulgarian Orthodox Church", 10, 60).endswith("…") and clipped("Iasi", 10, 60) == "Iasi"
    assert wrapped("Harghita/Covasna", 10, 60) == ["Harghita/", "Covasna"]


# --- pixels ------------------------------------------------------------------------------------------


@pytest.fixture
def raster():
    pytest.importorskip("resvg_py", reason="the extra picture is not installed")
    from dawn_env.picture import raster

    return raster


def test_letters_need_no_fonts_of_the_machine(raster):
    svg = board_svg(Game(1).state, BOTH, theme="light")
    picture, empty = (
        raster.to_array(svg, 720),
        raster.to_array(svg.replace("<text ", "<desc ").replace("</text>", "</desc>"), 720),
    )
    assert picture.shape[1:] == (720, 3) and picture.dtype == np.uint8
    assert (picture != empty).any(axis=-1).mean() > 0.02
    assert raster.to_png(svg)[:4] == b"\x89PNG"


def test_pettingzoo_renders(raster, capsys):
    from pettingzoo.test.render_test import render_test

    render_test(dawn_v0.env)
    assert "Decision of the" in capsys.readouterr().out


def test_gymnasium_records_videos(raster, monkeypatch, tmp_path):
    """With a stand-in for what encodes videos: ``RecordVideo`` gives it frames of one size."""
    clips = []

    class Clip:
        def __init__(self, frames, fps):
            clips.append((frames, fps))

        def write_videofile(self, path, logger):
            assert path.startswith(str(tmp_path))

    encoder = types.ModuleType("moviepy.video.io.ImageSequenceClip")
    encoder.ImageSequenceClip = Clip
    names = ["moviepy", "moviepy.video", "moviepy.video.io", encoder.__name__]
    for name in names:
        monkeypatch.setitem(sys.modules, name, encoder if name == names[-1] else types.ModuleType(name))
    env = gymnasium.make("dawn_env/DawnSeat-v0", render_mode="rgb_array")
    env = gymnasium.wrappers.RecordVideo(env, str(tmp_path), video_length=4)
    env.reset(seed=1)
    for _ in range(5):
        env.step(env.action_space.sample())
    env.close()
    (frames, fps), *_ = clips
    assert fps == 1 and len(frames) >= 4 and len({frame.shape for frame in frames}) == 1
    assert all(side % 2 == 0 for side in frames[0].shape[:2]), "what encodes videos wants even sides"
    assert any((one != other).any() for one, other in pairwise(frames))


def test_without_the_extra_the_environments_name_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "dawn_env.picture.raster", raising=False)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for make in (
        lambda: dawn_v0.raw_env(render_mode="rgb_array"),
        lambda: gymnasium.make("dawn_env/DawnSeat-v0", render_mode="rgb_array"),
    ):
        with pytest.raises(ImportError, match=r"^resvg_py not installed; to install: pip install .*\[picture\]'$"):
            make()


# --- the script --------------------------------------------------------------------------------------


@pytest.fixture
def draw(tmp_path):
    def run(file, *words, out="board.svg"):
        return picture.main([str(file), "--out", str(tmp_path / out), *words]), tmp_path / out

    return run


def test_the_script_draws_records_and_positions(draw, tmp_path):
    status, picture = draw(GOLDEN, "--game", "2", "--decision", "100", "--viewer", "democrat", "--width", "720")
    assert status == 0 and f'viewBox="0 -6 {WIDTH:g} ' in picture.read_text() and 'width="720"' in picture.read_text()
    game = Game(5)
    for name, text in (("kept.json", game.to_json()), ("position.json", json.dumps(to_json(game.state)))):
        (tmp_path / name).write_text(text)
        assert draw(tmp_path / name, "--viewer", "both")[0] == 0
        assert len(shown_spaces(picture.read_text())) == S


def test_the_script_makes_png(draw, raster):
    status, picture = draw(GOLDEN, "--decision", "40", "--theme", "dark", "--width", "400", out="board.png")
    assert status == 0 and picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("side", range(SIDES))
def test_viewers_are_named_by_the_constants_too(side):
    state = Game(seed=7).state
    assert board_svg(state, side) == board_svg(state, np.int64(side)) == board_svg(state, SIDE_NAMES[side])
    for wrong in (-1, SIDES, True):
        with pytest.raises(ValueError, match="^viewer: one of democrat, communist, both expected"):
            board_svg(state, wrong)
