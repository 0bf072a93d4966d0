"""Pictures of family mode and of bids: what they show, what they have not, and what must not be seen."""

from xml.etree import ElementTree

import pytest
from hidden_cards import random_steps
from scripted_cases import situation

from dawn_env.game import Game
from dawn_env.picture.board_text import board_text
from dawn_env.picture.drawing import board_svg, part_svg
from dawn_env.picture.viewer_position import BOTH, VIEWERS, viewer_position
from dawn_env.state import Reason, Result
from dawn_env.tables import COMMUNIST, COUNTRIES, COUNTRY_OF, SIDE_NAMES, SPACES

FAMILY, BID = {"mode": "family"}, {"bid": True}
NAME = "{http://www.w3.org/2000/svg}"
STANDARD_ONLY = ("USSR", "Tiananmen", "Power", "Lasting", "removed", "neutral card", "set-up", "Power struggle")
ROUND = "family; round 1; Szczecin 5-0; Poznan 0-4; Gdansk 3-0"


def fight() -> Game:
    """The Democrat takes over Poznan from Szczecin with 4 points; 4 + 5 against 1 + 4 + 3."""
    game = situation(f"{ROUND}; dice 5 1; power deal D march-5 / C rally-1 petition-6")
    return game.take("space:Szczecin", "space:Poznan", "points:4")


def words(svg: str) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


# --- what is shown -----------------------------------------------------------------------------------


def test_a_picture_of_family_mode_has_what_the_game_has_and_nothing_else():
    heights, decisions = set(), set()
    for at, (before, game, _) in enumerate(random_steps(5, FAMILY)):
        if at % 23 and not game.over:
            continue
        decisions.add(game.decision)
        for viewer in VIEWERS:
            svg = board_svg(game.state, viewer, before.state)
            heights.add(ElementTree.fromstring(svg).get("height"))
            shown = words(svg.partition("</style>")[2].join(("<svg>", "")))
            assert not [word for word in STANDARD_ONLY if word in shown], game.decision
    assert len(decisions) > 4 and len(heights) == 1, "frames of a video are equally high"
    assert game.over and f"{SIDE_NAMES[game.state.result - 1].capitalize()} wins" in shown


def test_the_clock_has_a_placement_phase_and_eight_rounds():
    placing, moving = situation("family; turn 3; D: 2 3 / C: 1"), situation("family; turn 3; round 6; Poznan 0-4")
    for game, when in ((placing, "turn 3, placement"), (moving, "turn 3, round 6")):
        svg = board_svg(game.state, BOTH)
        assert f"1989: Dawn of Freedom, family mode, {when}, VP +0" in words(svg) and "placement" in svg
        assert when in board_text(game.state).lower()


def test_hands_and_decks_are_those_of_the_colours():
    power = "power deal D rally-1 march-5 / C petition-6"
    game = situation(f"family; D: 2 3 / C: 1 6 9; Szczecin 5-0; Poznan 0-4; Gdansk 3-0; {power}")
    shown = words(board_svg(game.state, "democrat"))
    assert all(text in shown for text in ("Democrat: 2 cards", "2 struggle cards", "rally 1", "march 5", "3 not seen"))
    assert "1 struggle card, 1 not seen" in shown and "petition 6" not in shown
    seen = viewer_position(game.state, "democrat")
    assert (seen.deck_size, seen.discards) == ((50, 41), (0, 0)) and seen.power_deck_size == 49


@pytest.mark.parametrize("seed", range(3))
def test_countries_say_what_the_scoring_of_the_turn_would_give(seed):
    """After a scoring the support is as it was: what the picture says is what VP have changed by."""
    checked = 0
    for before, game, _ in random_steps(seed, FAMILY):
        if game.vp != before.vp or game.state.reason == Reason.FINAL_SCORING:
            assert sum(viewer_position(game.state, "democrat").scores) == game.vp - before.vp
            checked += 1
    assert checked > 2
    total = sum(viewer_position(game.state, BOTH).scores)
    assert f"{SIDE_NAMES[total < 0].capitalize()} +" in words(board_svg(game.state, BOTH))


def test_a_take_over_shows_from_where_to_where_and_what_the_sums_are_made_of():
    game = fight()
    assert game.decision == "attack-card"
    game.take("power:march-5")
    svg = board_svg(game.state, "democrat")
    shown = words(svg)
    assert "Take-over of Poznan" in shown and "Szczecin → Poznan: 4 points" in shown
    assert "4 points + die 5, and march 5" in shown and "die 1 + 4 points + stability 3" in shown
    titles = [title.text for title in ElementTree.fromstring(svg).iter(f"{NAME}title")]
    assert [title.partition(":")[0] for title in titles if "support moves from here" in title] == ["Szczecin"]
    assert [title.partition(":")[0] for title in titles if "support moves to here" in title] == ["Poznan"]


def test_an_empty_space_is_defended_by_a_die_alone():
    game = situation("family; round 1; Szczecin 5-0; dice 5 6; power deal D march-5")
    game.take("space:Szczecin", "space:Poznan", "points:2")
    fought = viewer_position(game.state, BOTH).fight
    assert (fought.attack_die, fought.defence_die, fought.points, fought.stability) == (5, 6, 0, 0)


def test_a_shift_is_no_take_over():
    game = situation(ROUND).take("space:Szczecin")
    assert "From Szczecin" in words(board_svg(game.state, "communist"))
    game.take("space:Gdansk")
    assert "Shift to Gdansk" in words(board_svg(game.state, "communist"))


# --- what may not be seen ----------------------------------------------------------------------------


def test_what_can_be_counted_is_shown():
    game = Game(1, FAMILY)
    game.state.power_known[COMMUNIST] = game.state.power_cards[3]
    seen = viewer_position(game.state, "democrat")
    assert seen.power_hand(COMMUNIST).sum() == 3


# --- bids --------------------------------------------------------------------------------------------


def test_a_bid_shows_each_player_their_own_offer_until_both_are_open():
    game = Game(1, BID)
    for action in ("offer:democrat", "points:3", "offer:democrat"):
        game.step(action)
    own, other = (f"{player} player offers the Democrat" for player in ("First", "Second"))
    own += " with 3 points"
    for viewer, expected in (("democrat", [own]), ("communist", [other]), (BOTH, [own, other])):
        shown = words(board_svg(game.state, viewer))
        assert "Second player decides: offer points" in shown and "bid for sides" in shown
        assert [offer for offer in (own, other) if offer in shown] == expected
    assert "Decision of the second player: offer-points" in board_text(game.state)
    game.step("points:3")
    assert game.decision == "own-offer"
    assert all(offer in words(board_svg(game.state, "communist")) for offer in (own, f"{other} with 3 points"))
    game.step("yes")
    assert "player offers" not in words(board_svg(game.state, "communist")) and game.state.result == Result.RUNNING


# --- parts -----------------------------------------------------------------------------------------------------


def test_a_country_alone_shows_its_spaces_and_what_changed():
    game = Game(seed=7)
    before = game.copy()
    game.step("space:Warszawa")
    picture = part_svg(game.state, "both", "Poland", before.state)
    spaces = {space for space in SPACES if f'data-space="{space}"' in picture}
    assert spaces == {SPACES[at] for at in range(len(SPACES)) if COUNTRIES[COUNTRY_OF[at]] == "Poland"}
    assert "C +1" in picture and len(picture) < 20_000


def test_a_hand_alone_is_that_of_its_viewer():
    game = Game(seed=7)
    hands = {viewer: part_svg(game.state, viewer, "hand") for viewer in SIDE_NAMES}
    assert "Poland Scoring" in hands["communist"] and "Poland Scoring" not in hands["democrat"]


@pytest.mark.parametrize(("mode", "part"), [("standard", "Prussia"), ("standard", "struggle"), ("family", "hand")])
def test_a_part_that_is_not_there_is_refused_with_those_there_are(mode, part):
    game = Game(seed=7, options={"mode": mode})
    with pytest.raises(ValueError, match=f"part: one of East Germany, .*struggle.* expected.*not '{part}'"):
        part_svg(game.state, "both", part)
