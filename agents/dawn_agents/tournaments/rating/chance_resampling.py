"""Chance repeated: what else could have come of every step of a game in which dice were rolled or cards drawn.

Before such a step the record is copied, and the step taken again from the copies with other generators: same hidden
state, same decision, other chance. What happened less the mean of what might have happened, both as win probabilities,
is the correction of that step. Its mean is zero whatever the chance of winning says, since what happened is one more
drawing of the same kind. For that it may be sorted by what was known before the step only (``ChanceKind``).

The first word of each generator is drawn systematically over the repetitions: each is uniform by itself, together they
are evenly spread, so that six repetitions of one die show every face.
"""

from collections.abc import Sequence
from enum import auto

import numpy as np

from dawn_agents.players.win_probability.win_probability_regression import new_work, tables, win_probability
from dawn_env import engine
from dawn_env.errors import IllegalAction
from dawn_env.options import STANDARD, GameOptions
from dawn_env.rules.bid import is_bidding
from dawn_env.rules.chance import random_word
from dawn_env.rules.flow import call_step
from dawn_env.state import Chance, Decision, Result, Stream, new_states
from dawn_env.support.compiling import AutoIntEnum, entry, jit
from dawn_env.support.seeds import row_seeds

DICE_REPEATS = 6
"""Repetitions of a step that has rolled dice alone."""
CARD_REPEATS = 8
"""Repetitions of a step in which cards were drawn."""
DEAL_REPEATS = 16
"""Other first deals that are compared with that of a game."""


class ChanceKind(AutoIntEnum):
    """Kind of a step by what chance decides in it, known before the step is taken."""

    FIRST_DEAL = auto()
    CHECK = auto()
    PLAY = auto()
    STRUGGLE = auto()
    OTHER = auto()


KINDS = len(ChanceKind)
PERIODS = 3
"""Turns 1 to 3, 4 to 7, 8 to 10: the decks of the game."""
_FIRST_OF_PERIOD = 1, 4, 8
_WORD = 0xFFFFFFFF
_OTHER_SEED = 0x6C75636B6C75636B  # with a seed, the one of other chance
_ROTATION = 7  # of the first sum in a generator's output (rules.chance)


@jit
def kind_of(s):
    """The kind of the step that answers the pending decision."""
    if s.struggle >= 0:
        return ChanceKind.STRUGGLE
    if s.decision == Decision.CHECK:
        return ChanceKind.CHECK
    if s.decision == Decision.CARD or s.decision == Decision.USE:
        return ChanceKind.PLAY
    return ChanceKind.OTHER


@jit
def period_of(s):
    """Period of the turn: 0, 1 or 2."""
    return int(s.turn >= _FIRST_OF_PERIOD[1]) + int(s.turn >= _FIRST_OF_PERIOD[2])


@jit
def _draws_cards(s):
    for kind in range(len(s.tape_len)):
        if kind != Chance.DICE and s.tape_len[kind]:
            return True
    return False


@jit
def _same_generators(s, before):
    for stream in range(s.generator.shape[0]):
        for word in range(s.generator.shape[1]):
            if s.generator[stream, word] != before.generator[stream, word]:
                return False
    return True


@jit
def _begin_stream(s, stream, first, source):
    """Give a stream a random state of which the first word is ``first``."""
    for word in range(3):
        s.generator[stream, word] = random_word(source, Stream.DICE)
    s.generator[stream, 1] |= 1  # never all zero
    a = int(s.generator[stream, 0])
    turned = (first - a) & _WORD
    s.generator[stream, 3] = ((turned >> _ROTATION | turned << (32 - _ROTATION)) - a) & _WORD


@jit
def _mean_of_repeats(step, before, action, repeats, states, tables, work, source):
    """Mean chance of winning over repetitions of a step."""
    total, s = 0.0, states[0]
    start_dice, start_cards = random_word(source, Stream.DICE), random_word(source, Stream.DICE)
    for i in range(repeats):
        states[0] = before
        spread = (i << 32) // repeats
        _begin_stream(s, Stream.DICE, (start_dice + spread) & _WORD, source)
        _begin_stream(s, Stream.CARDS, (start_cards + spread) & _WORD, source)
        call_step(step, s, action)
        total += win_probability(s, tables, work)
    return total / repeats


@jit
def _first_deal(states, tables, work):
    """Correction of the deal with which ``states[0]`` has begun, from those of the others."""
    total = 0.0
    for row in range(1, len(states)):
        total += win_probability(states[row], tables, work)
    return win_probability(states[0], tables, work) - total / (len(states) - 1)


@entry
def _repeat(step, states, copies, actions, repeats, tables, work, chance_corrections):
    """Replay ``states[0]``, a game that has begun, as have the others of ``states``.

    ``copies`` [2]: work space. Fills ``chance_corrections`` float64 [KINDS, PERIODS]. Returns how many actions were
    taken: those before the first that is not legal.
    """
    s, before, source = states[0], copies[0], states[1]
    chance_corrections[:] = 0
    if not is_bidding(s):  # a bid decides who gets which side, so it is no luck of a side, nor is the deal after it
        chance_corrections[ChanceKind.FIRST_DEAL, 0] = _first_deal(states, tables, work)
    for taken in range(len(actions)):
        action = actions[taken]
        if s.result != Result.RUNNING or not 0 <= action < len(s.legal) or not s.legal[action]:
            return taken
        copies[0] = s
        call_step(step, s, action)
        if not is_bidding(before) and not _same_generators(s, before):
            count = repeats[int(_draws_cards(s))]
            mean = _mean_of_repeats(step, before, action, count, copies[1:], tables, work, source)
            chance_corrections[kind_of(before), period_of(before)] += win_probability(s, tables, work) - mean
    return len(actions)


def chance_corrections(seed: int, actions: Sequence[int], options: GameOptions = STANDARD) -> np.ndarray:
    """float64 [KINDS, PERIODS]: corrections of the game of that seed and these actions, in points of the Democrat.

    Raises ``IllegalAction`` when there is no such game.
    """
    states = new_states(1 + DEAL_REPEATS)
    engine.reset(states, np.append(seed, row_seeds(seed ^ _OTHER_SEED, DEAL_REPEATS)), options)
    found, ids = np.zeros((KINDS, PERIODS)), np.array(list(actions), np.int64)
    repeats = np.array([DICE_REPEATS, CARD_REPEATS])
    taken = _repeat(engine.step(), states, new_states(2), ids, repeats, tables(), new_work(), found)
    if taken < len(ids):
        raise IllegalAction(f"action {taken} of game {seed} is not legal there")
    return found
