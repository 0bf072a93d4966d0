"""Views as JSON and text: complete, as the schema says, of the sizes promised, and without secrets."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from dawn_agents.players.registry import make_player
from hidden_cards import random_positions, swap_hidden_cards
from paths import ROOT
from scenario import scenario

from dawn_env.actions import ACTIONS
from dawn_env.errors import MalformedPosition
from dawn_env.game import Game
from dawn_env.state import Zone
from dawn_env.tables import COMMUNIST, DEMOCRAT, SIDES, STABILITY, C
from dawn_env.views.narrated_game import NarratedGame
from dawn_env.views.text_reading import answers_of, observation_and_mask_of_text
from dawn_env.views.view_facts import card_facts, observation_and_mask, view_facts
from dawn_env.views.view_schema import view_schema
from dawn_env.views.view_text import DETAILS, facts_text
from scripts import make_docs

KINDS = {}, {"bid": True}, {"mode": "family"}
MOST_TOKENS = {"short": 400, "medium": 1_500}
"""Tokens that nineteen texts of twenty stay below, of the tokenizer o200k_base."""


class Moment(NamedTuple):
    """A position before a decision, and what its side has seen since its latest one."""

    game: Game
    events: list[dict[str, Any]]


def moments(seed: int, options: dict) -> Iterator[Moment]:
    """All decisions of a game, one in five random, the others those of the rule-based player."""
    told, rng, player = NarratedGame(seed, options), np.random.default_rng(seed), make_player("heuristic")
    while not told.game.over:
        game, view = told.game, told.game.view()
        yield Moment(game, told.heard[told.seat])
        ruled = int(player.choose(view.observation[None], view.mask[None])[0]) if not game.options.bid else -1
        told.step(ruled if ruled >= 0 and rng.random() < 0.8 else int(rng.choice(view.legal)))


# --- the JSON tells what the side knows --------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"mode": "family"}], ids=str)
def test_a_player_that_reads_json_only_chooses_as_the_rule_based_one(options):
    player, positions = make_player("heuristic"), 0
    for seed in range(100):
        for game in random_positions(seed, 5, options):
            view = game.view()
            seen, mask = observation_and_mask(json.loads(view.to_json()))
            assert player.choose(seen[None], mask[None]) == player.choose(view.observation[None], view.mask[None])
            positions += 1
        if positions >= 1_000:
            return
    raise AssertionError(f"{positions} positions only")


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_the_json_is_as_the_schema_says(options):
    schemas = pytest.importorskip("jsonschema", reason="the extra suite is not installed")
    referencing = pytest.importorskip("referencing")
    protocol = json.loads((ROOT / "docs/reference/protocol.schema.json").read_text())
    known = referencing.Registry().with_resource("protocol.schema.json", referencing.Resource.from_contents(protocol))
    check = schemas.Draft202012Validator(view_schema(), registry=known)
    for number, moment in enumerate(moments(4, options)):
        if number % 40 == 0:
            for side in range(SIDES):
                told = moment.events if side == moment.game.actor else []
                check.validate(json.loads(moment.game.view(side).to_json(told)))
    wrong = moment.game.view().facts() | {"vp": "many"}
    assert not check.is_valid(wrong)


def test_the_schema_is_written_down():
    page = ROOT / "docs/reference/view.schema.json"
    assert page.read_text(encoding="utf-8") == make_docs.pages_of_views()[page]


def test_board_cards_and_answers_are_told_as_they_are():
    game = scenario("D: 12 31 / C: 9 20", {"Berlin": (3, 1)}, turn=2)
    facts = game.view().facts()
    berlin = facts["spaces"]["Berlin"]
    assert (berlin["democrat"], berlin["communist"], berlin["country"]) == (3, 1, "East Germany")
    assert facts["countries"]["East Germany"]["power"] == "communist"
    side = game.actor
    assert [card["card"] for card in facts["hand"]] == ([12, 31], [9, 20])[side]
    assert {answer["action"] for answer in facts["legal"]} == set(game.legal)
    assert facts["question"] == "play a card" and facts["acts"]
    other = game.view(1 - side).facts()
    assert not other["acts"] and other["legal"] == [] and other["question"] is None


def test_a_support_check_comes_with_its_odds():
    game = scenario("C: 14", {"Leipzig": (4, 0), "Berlin": (1, 0)}, turn=2)
    game.step("check")
    (answer,) = [answer for answer in game.view().facts()["legal"] if answer["action"] == "space:Leipzig"]
    check = answer["check"]
    assert (
        check["exceed"] == 2 * STABILITY[ACTIONS.index("space:Leipzig")]
        and sum(check["parts"].values()) == check["added"]
    )
    assert answer["faces"] == sum(die + check["added"] > check["exceed"] for die in range(1, 7))


@pytest.mark.parametrize("options", [{}, {"mode": "family"}], ids=str)
def test_unseen_cards_are_those_that_are_drawn_or_hidden(options):
    for game in random_positions(6, 13, options):
        for side in range(SIDES):
            facts = game.view(side).facts()
            where, unseen = game.state.where, {*facts["piles"]["unseen"]}
            assert {*np.flatnonzero(where == Zone.DRAW_PILE)} <= unseen
            theirs = {*np.flatnonzero(where == Zone.HAND + 1 - side)}
            assert theirs - unseen <= {*facts["opponent"]["known"]}
            assert not unseen & {card["card"] for card in facts["hand"] + facts["drawn"]}
            hidden = np.isin(where, [Zone.DRAW_PILE, Zone.HAND + 1 - side, Zone.SET_ASIDE, Zone.DRAWN])
            if options:  # the card that is being played is no part of the observation of family mode
                hidden |= where == Zone.RESOLVING
            assert unseen <= {*np.flatnonzero(hidden)}


def test_every_card_is_told():
    told = [card_facts(card) for card in range(1, C)]
    assert all(card["title"] and card["event"] for card in told)
    assert sum(card["scores"] is not None for card in told) == 6


@pytest.mark.parametrize(
    "wrong", [{}, {"format": "dawn-view", "version": 99}, None, {"format": "dawn-view", "version": 1}]
)
def test_other_json_is_no_view(wrong):
    with pytest.raises(MalformedPosition, match="^a view"):
        observation_and_mask(wrong)


@pytest.mark.parametrize(("part", "value"), [("vp", 300), ("vp", "x"), ("my_support", {"Paris": 1}), ("my_hand", [0])])
def test_parts_that_do_not_fit_are_no_view(part, value):
    facts = Game(1).view().facts()
    facts["observation"]["parts"][part] = value
    with pytest.raises(MalformedPosition, match="^a view: the facts"):
        observation_and_mask(facts)


# --- the text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_texts_stay_below_the_sizes_promised(options):
    encoding = pytest.importorskip("bpe_openai", reason="needed to count tokens").get_encoding("o200k_base")
    sizes = {detail: [] for detail in MOST_TOKENS}
    for seed in (1, 2):
        for number, moment in enumerate(moments(seed, options)):
            if number % 8 == 0:
                facts = view_facts(moment.game.view(), moment.events)
                for detail, found in sizes.items():
                    found.append(len(encoding.encode(facts_text(facts, detail))))
    for detail, found in sizes.items():
        assert 50 < np.percentile(found, 95) < MOST_TOKENS[detail], (detail, np.percentile(found, [50, 95, 100]))


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_every_text_names_the_legal_answers_and_no_other(options, detail):
    for game in random_positions(11, 4, options):
        view = game.view()
        assert sorted(answers_of(view.text(detail))) == sorted(view.texts), view.text(detail)


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_the_full_text_holds_observation_and_mask(options):
    """Observations that are equal make every player choose alike."""
    positions = 0
    for seed in range(100):
        for game in random_positions(seed, 5, options):
            view = game.view()
            seen, mask = observation_and_mask_of_text(view.text("full"))
            assert (seen == view.observation).all() and (mask == view.mask).all(), view.text("full")
            positions += 1
        if positions >= 1_000:
            return
    raise AssertionError(f"{positions} positions only")


def test_the_full_text_of_the_side_that_waits_and_of_the_end_can_be_read():
    game = Game(4)
    while True:
        for side in range(SIDES):
            view = game.view(side)
            seen, mask = observation_and_mask_of_text(view.text("full"))
            assert (seen == view.observation).all() and (mask == view.mask).all()
        if game.over:
            return
        for _ in range(40):
            if not game.over:
                game.step(game.legal[-1])


def test_other_texts_cannot_be_read():
    full = Game(1).view().text("full")
    wrong = "", Game(1).view().text("medium"), full.replace("version 3", "version 2")
    wrong += full.replace("my_support: ", "my_support: x"), full.replace("setup_batch: 1", "setup_batch: 300")
    for text in wrong:
        assert text != full
        with pytest.raises(MalformedPosition, match="^a view: its text at the detail full"):
            observation_and_mask_of_text(text)


def test_another_detail_is_refused():
    with pytest.raises(ValueError, match="detail: one of short, medium, full expected, not 'long'"):
        Game(1).view().text("long")


def test_what_has_happened_is_told_in_words():
    moment = next(moment for moment in moments(3, {}) if moment.game.state.turn == 2)
    text = moment.game.view().text("short", moment.events)
    assert "Since your last decision:" in text and moment.game.view().text("short") != text


def test_seats_keep_what_they_have_heard_since_their_latest_decision_through_a_bid_too():
    told, ends = NarratedGame(3, {"bid": True}), set()
    rng = np.random.default_rng(3)
    while not told.game.over:
        seat, side, heard = told.seat, told.game.actor, [*told.heard[1 - told.seat]]
        if told.game.state.decisions % 10 == 0:
            assert told.text(seat, "short") == told.game.view().text("short", told.heard[seat])
        told.step(str(rng.choice(told.game.legal)))
        assert told.heard[1 - seat][: len(heard)] == heard and len(told.heard[seat]) < 200
        ends.add((seat, side))
    assert len(ends) == 4, "the bid has exchanged the sides"
    assert told.game.result == ("democrat", "communist")[told.winner ^ int(told.game.state.swapped)]


# --- secrets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", KINDS, ids=str)
@pytest.mark.parametrize("seed", range(20, 22))
def test_hidden_things_reach_neither_json_nor_text(seed, options):
    rng = np.random.default_rng(seed)
    for game in random_positions(seed, 9, options):
        for side in (DEMOCRAT, COMMUNIST):
            other = game.copy()
            if not options.get("bid") or game.state.turn or game.state.where[1:].max():
                swap_hidden_cards(other.state, side, rng)
            assert other.view(side).to_json() == game.view(side).to_json(), (game.decision, side)
            assert other.view(side).text("full") == game.view(side).text("full")


def test_the_side_that_waits_learns_nothing_of_a_secret_question():
    """Dealing from its view would show what is asked (ruling secret-questions)."""
    game = Game(1)
    waiting = game.view(1 - game.actor)
    assert not waiting.mask.any() and not waiting.acts
    with pytest.raises(ValueError, match="the view of the side to act expected"):
        waiting.deal(np.zeros(1, np.int64))
