"""Pictures of family mode and of bids: what they show, what they have not, and what must not be seen."""

from xml.etree import ElementTree

import pytest
from hidden_cards import random_steps
from scripted_cases import situation

from dawn_env.game import Game
from dawn_env.picture.board_text import board_text
from dawn_env.picture.drawing import board_svg
from dawn_env.state import Reason
from dawn_env.tables import COMMUNIST, SIDE_NAMES
from dawn_env.views.viewer_position import BOTH, VIEWERS, viewer_position

FAMILY, BID = {"mode": "family"}, {"bid": True}
NAME = "{http://www.w3.org/2000/svg}"
STANDARD_ONLY = ("USSR", "Tiananmen", "Power", "In play", "ops value", "Set-up")
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
    assert game.over and f"The game is over: {SIDE_NAMES[game.state.result - 1]}" in shown


def test_the_clock_has_a_placement_phase_and_eight_rounds():
    placing, moving = situation("family; turn 3; D: 2 3 / C: 1"), situation("family; turn 3; round 6; Poznan 0-4")
    for game, when in ((placing, "turn 3, placement"), (moving, "turn 3, round 6")):
        svg = board_svg(game.state, BOTH)
        assert f"1989: Dawn of Freedom, family mode, {when}, VP +0" in words(svg)
        assert f"You are the Democrat. {when.capitalize()}" in words(svg)
        assert when in board_text(game.state).lower()


def test_hands_and_decks_are_those_of_the_colours():
    power = "power deal D rally-1 march-5 / C petition-6"
    game = situation(f"family; D: 2 3 / C: 1 6 9; Szczecin 5-0; Poznan 0-4; Gdansk 3-0; {power}")
    shown = words(board_svg(game.state, "democrat"))
    assert all(text in shown for text in ("Struggle cards: Rally 1, March 5. Opponent holds 1", "hand: 3 cards"))
    assert "Draw pile 50/41" in shown and "Petition 6" not in shown
    seen = viewer_position(game.state, "democrat")
    assert seen.deck_size == (50, 41) and seen.power_deck_size == 49


@pytest.mark.parametrize("seed", range(3))
def test_countries_say_what_the_scoring_of_the_turn_would_give(seed):
    """After a scoring the support is as it was: what the picture says is what VP have changed by."""
    checked = 0
    for before, game, _ in random_steps(seed, FAMILY):
        if game.vp != before.vp or game.state.reason == Reason.FINAL_SCORING:
            assert sum(viewer_position(game.state, "democrat").scores) == game.vp - before.vp
            checked += 1
    assert checked > 2


def test_a_take_over_shows_from_where_to_where_and_its_sums():
    game = fight()
    assert game.decision == "attack-card"
    game.take("power:march-5")
    svg = board_svg(game.state, "democrat")
    shown = words(svg)
    assert "Moving: 4 points of the democrat from Szczecin to Poznan, attack 9 against 8." in shown
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
    assert "from Szczecin to ?" in words(board_svg(game.state, "communist"))
    game.take("space:Gdansk")
    assert "from Szczecin to Gdansk" in words(board_svg(game.state, "communist"))
    assert not viewer_position(game.state, BOTH).is_take_over


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
    own, other = "Offer of the first player: 3 for the democrat", "Offer of the second player: ? for the democrat"
    for viewer, expected in (("democrat", [own]), ("communist", [other]), (BOTH, [own, other])):
        shown = words(board_svg(game.state, viewer))
        assert "Bid for sides" in shown
        assert [offer for offer in (own, other) if offer in shown] == expected
    assert "Decision of the second player: offer-points" in board_text(game.state)
    game.step("points:3")
    assert game.decision == "own-offer"
    assert all(offer in words(board_svg(game.state, "communist")) for offer in (own, other.replace("?", "3")))
