"""Dispatch ends in an error: a record, an instruction or a decision that the rules do not know stops the step.

Nothing from outside gets so far (``dawn_env.validation.state_validity``); here the rules are asked directly.
"""

from functools import cache

import numpy as np
import pytest
from dawn_agents.players.heuristic import card_decisions, struggle_decisions
from dawn_agents.players.heuristic_values import event_values as heuristic_events
from dawn_agents.players.heuristic_values.position_record import new_position
from dawn_agents.players.registry import make_player

from dawn_env import engine
from dawn_env.actions import SPACE0, A, Word
from dawn_env.batch import Batch
from dawn_env.cards.event_conditions import Test as ConditionTest
from dawn_env.cards.event_tables import CONDITIONS, PROGRAM
from dawn_env.cards.event_verbs import FIRST_CUSTOM, FIRST_CUSTOM_QUESTION, Opcode, SpaceTest
from dawn_env.envs.aec import env
from dawn_env.envs.seat_games import LearnerGames
from dawn_env.errors import ChanceError, MalformedPosition
from dawn_env.game import Game
from dawn_env.observation import SLICES, observe
from dawn_env.rules import card_play, cards, struggle, turn
from dawn_env.rules.events import custom_cards, event_interpreter, hand_verbs, space_verbs
from dawn_env.rules.frames import PlayStep, push
from dawn_env.rules.operations import operations, support_checks
from dawn_env.state import ERRORS, Decision, Error, FrameKind, Zone
from dawn_env.tables import FACE_ID

UNKNOWN = 99
MESSAGE = "at no step that the rules know"

PICKS = {Opcode.PICK_PLACE, Opcode.PICK_REMOVE, Opcode.PICK_REPLACE, Opcode.PICK_TAKE_CONTROL}
REGIONS = {Opcode.ADD, Opcode.CLEAR, Opcode.FILL}
CUSTOM = set(range(FIRST_CUSTOM, len(Opcode)))
ASKING = {*PICKS, *range(FIRST_CUSTOM_QUESTION, len(Opcode))}
ASKING |= {Opcode.NAME_COUNTRY, Opcode.CHOOSE, Opcode.PLAY_FROM_DISCARD}


def plain(function):
    """A compiled function as Python."""
    return getattr(function, "py_func", function)


@cache
def started() -> Game:
    """A new game, to copy."""
    return Game(1)


def state_in(kind: int, **columns):
    """A record whose innermost frame is of a kind, and that frame."""
    s = started().copy().state
    f = plain(push)(s, kind, 0, 1)
    f.country = 0
    for name, value in columns.items():
        f[name] = value
    return s, f


def instruction(**columns):
    """An instruction of an event."""
    row = PROGRAM[:1].copy()[0]
    for name, value in columns.items():
        row[name] = value
    return row


def all_but(known, enumeration) -> list[int]:
    """The members of an enumeration that are not known, and what is no member."""
    return [value for value in (-1, *enumeration, len(enumeration), UNKNOWN) if value not in set(known)]


# --- what the record says --------------------------------------------------------------------------

STEPPING = [
    (UNKNOWN, {}),
    (-1, {}),
    (FrameKind.TURN, {"step": UNKNOWN}),
    (FrameKind.TURN, {"step": -1}),
    (FrameKind.PLAY, {"step": UNKNOWN}),
    (FrameKind.PLAY, {"step": PlayStep.SECOND, "second": UNKNOWN}),
    (FrameKind.CHECKS, {"step": UNKNOWN, "left": 1}),
    (FrameKind.EVENT, {"pc": -1}),
    (FrameKind.EVENT, {"pc": len(PROGRAM)}),
    (FrameKind.STRUGGLE, {"step": UNKNOWN}),
]


@pytest.mark.parametrize(("kind", "columns"), STEPPING)
def test_frames_at_no_known_step(kind, columns):
    s, _ = state_in(kind, **columns)
    rows = np.array([s])
    engine.advance(rows, np.array([engine.RUN]))
    assert rows[0].error == Error.BROKEN


@pytest.mark.parametrize("action", [0, Word.YES])
@pytest.mark.parametrize("kind", [UNKNOWN, FrameKind.TURN, FrameKind.PLAY, FrameKind.STRUGGLE])
def test_decisions_that_no_frame_asks(kind, action):
    s, _ = state_in(kind)
    s.decision = UNKNOWN
    rows = np.array([s])
    engine.advance(rows, np.array([action]))
    assert rows[0].error == Error.BROKEN


def test_what_has_stopped_a_game_is_told():
    s, _ = state_in(FrameKind.TURN, step=UNKNOWN)
    game = Game.of(s)
    before = game.to_bytes()
    with pytest.raises(MalformedPosition, match=MESSAGE):
        game.resume()
    assert game.to_bytes() == before
    assert engine.exception_for(Error.STACK_FULL) is MalformedPosition
    assert engine.exception_for(Error.SCRIPT_DRY) is ChanceError
    assert len(ERRORS) == len(Error)


def test_batches_and_environments_tell_it_too():
    for step in (
        lambda batch: batch.step(batch.masks.argmax(1)),
        lambda batch: batch.step_rows([1], batch.masks[1:].argmax(1)),
    ):
        batch = Batch(2, 1)
        batch.states[1].frames[0].kind = UNKNOWN
        with pytest.raises(MalformedPosition, match=f"row 1: .*{MESSAGE}"):
            step(batch)
    one = env()
    one.reset(seed=1)
    one.unwrapped._states[0].frames[0].kind = UNKNOWN
    with pytest.raises(MalformedPosition, match=MESSAGE):
        one.step(int(one.observe(one.agent_selection)["action_mask"].argmax()))
    games = LearnerGames(1)
    games.reset(1)
    games.states[0].frames[0].kind = UNKNOWN
    with pytest.raises(MalformedPosition, match=MESSAGE):
        games.step(games.masks.argmax(1))


# --- what the declarations say ---------------------------------------------------------------------


def stops(function, s, *arguments) -> bool:
    """Whether a function of the rules stops the step with an error."""
    s.error = Error.NONE
    plain(function)(s, *arguments)
    return s.error == Error.BROKEN


@pytest.mark.parametrize(
    ("function", "known", "more"),
    [
        (custom_cards.step_custom, CUSTOM, ()),
        (space_verbs.change_region, REGIONS, ()),
        (space_verbs.step_pick, PICKS, ()),
        (space_verbs.pick, PICKS, (0,)),
    ],
)
def test_verbs_that_a_function_does_not_know(function, known, more):
    for opcode in all_but(known, Opcode):
        s, f = state_in(FrameKind.EVENT)
        assert stops(function, s, f, instruction(opcode=opcode, count=1), *more), opcode


@pytest.mark.parametrize("opcode", [-1, len(Opcode), UNKNOWN])
def test_programs_of_no_known_verb(monkeypatch, opcode):
    monkeypatch.setattr(event_interpreter, "PROGRAM", np.array([instruction(opcode=opcode, count=1)], PROGRAM.dtype))
    for name in ("step_pick", "step_custom", "pick", "answer_custom"):
        monkeypatch.setattr(event_interpreter, name, plain(getattr(event_interpreter, name)))
    s, f = state_in(FrameKind.EVENT)
    assert stops(event_interpreter.step_event, s, f)
    assert stops(event_interpreter.answer_event, s, f, UNKNOWN, SPACE0)


def test_answers_to_verbs_that_ask_nothing(monkeypatch):
    monkeypatch.setattr(event_interpreter, "pick", plain(event_interpreter.pick))
    for opcode in sorted(set(Opcode) - ASKING):
        monkeypatch.setattr(event_interpreter, "PROGRAM", np.array([instruction(opcode=opcode)], PROGRAM.dtype))
        s, f = state_in(FrameKind.EVENT)
        assert stops(event_interpreter.answer_event, s, f, Decision.PLACE, SPACE0), opcode


def test_countries_spaces_and_cards_of_no_known_kind(monkeypatch):
    s, f = state_in(FrameKind.EVENT)
    monkeypatch.setattr(
        event_interpreter, "PROGRAM", np.array([instruction(opcode=Opcode.NAME_COUNTRY, extra=UNKNOWN)])
    )
    assert stops(event_interpreter.step_event, s, f)
    for where in all_but(SpaceTest, SpaceTest):
        assert stops(space_verbs.meets_space_test, s, 0, where, 0)
    row = CONDITIONS[:1].copy()
    for test in all_but(ConditionTest, ConditionTest):
        row["test"] = test
        monkeypatch.setattr(cards, "CONDITIONS", row)
        assert stops(cards.holds, s, 0, 0)
    s.where[1] = Zone.DISCARD_PILE
    assert stops(hand_verbs.ask_event_from_discard, s, f, instruction(extra=UNKNOWN))


# --- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "known"),
    [
        (turn.answer_turn, "SETUP CARD STRIKE_CARD STASI_CARD EXTRA_ROUND LAST_STRUGGLE SWAP_CARD"),
        (card_play.answer_play, "USE BOTH_ORDER EVENT_AFTER HOME_CARD CANCEL_WITH_HOME"),
        (struggle.answer_struggle, "STAKES ATTACK REMOVE SUIT DEFEND SUPPORT_LOSS POWER"),
        (custom_cards.answer_custom, "COUNTRY MOVE DESTROY REVOLT EXIT_VISAS TAKE_DISCARD CANCEL_CHECK SAMIZDAT "
         "KEEP_CARD GIVE_CARD LENIN HIDEOUT PARTY"),
    ],
)  # fmt: skip
def test_answers_to_what_was_not_asked(answer, known):
    of_event = (instruction(),) if answer is custom_cards.answer_custom else ()
    for decision in all_but({Decision[name] for name in known.split()}, Decision):
        s, f = state_in(FrameKind.EVENT)
        assert stops(answer, s, f, *of_event, decision, SPACE0 if of_event else Word.YES), decision


def test_words_that_no_operation_or_check_knows():
    s, f = state_in(FrameKind.CHECKS)
    assert stops(operations.conduct, s, 0, 1, 1, 0, Word.EVENT)
    assert stops(support_checks.answer_checks, s, f, Word.EVENT)


def test_leads_that_are_none():
    s, f = state_in(FrameKind.STRUGGLE)
    s.attacker = 0
    s.power_cards[:] = 1
    before = s.power_cards.copy()
    assert stops(struggle._lead, s, f, FACE_ID["tactic-fails"])
    assert before.sum() == s.power_cards.sum()


# --- the rule-based player -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["heuristic", "heuristic:level=2", "pretrained"])
def test_rule_based_players_know_every_decision_they_can_be_asked(name):
    player, seen, mask = make_player(name), observe(Game(1).state, 1)[None], np.zeros((1, A), np.int8)
    for decision in Decision:
        seen[0, SLICES["decision"]] = 0
        seen[0, SLICES["decision"].start + decision] = 1
        assert player.choose(seen, mask) == 0, decision


def test_the_rule_based_player_stops_where_it_knows_nothing():
    p, mask, scores = new_position()[0], np.ones(A, np.int8), np.zeros(A, np.float32)
    p.decision = UNKNOWN
    assert stops(card_decisions.score_words, p, mask, scores)
    assert stops(struggle_decisions._attack_gain, p, FACE_ID["tactic-fails"])
    for opcode in all_but({*PICKS}, Opcode):
        assert stops(heuristic_events.pick_changes, p, 0, opcode, 1, 0), opcode
