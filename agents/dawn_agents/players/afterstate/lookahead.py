"""Judging every legal action by the value of the position after it.

An action is tried on a copy of the game in which everything that its side does not know was dealt anew, with fresh
dice, so that nothing secret plays a part. Values are good where a card play has settled and poor inside one:
``SETTLE`` therefore plays on, greedily by the values, until the card play of the side is over, and judges there. Where
the opponent's values are known, the opponent answers first, greedily by them and with the cards dealt to it, in power
struggles, too.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from dawn_agents.players.afterstate.network import (
    HEADS,
    MARGINS,
    RESULT,
    UNITS,
    Evaluation,
    atanh,
    new_evaluation,
    sum_changes,
    sum_position,
    tanh,
    write_heads,
)
from dawn_agents.players.held_cards import is_overdue
from dawn_env.observation.view_layouts import ViewLayout, call_view
from dawn_env.rules.chance import DIE, roll, seed_generator
from dawn_env.rules.flow import call_step
from dawn_env.state import Decision, Reason, Result, new_states
from dawn_env.support.compiling import entry, jit
from dawn_env.tables import DEMOCRAT

STEP, SETTLE, EVERYWHERE = range(3)
"""Depths of a judgement. ``STEP``: the position after the action. ``SETTLE``: at choices of cards and their use and in
power struggles, the position after the card play. ``EVERYWHERE``: that position at every decision."""
RESULT_VP = 25.0
"""Victory points that half a unit of log odds of winning is worth, where the result counts."""
_HELD_VP = 12.0  # a scoring card held too long: the game is lost whatever the points
_MOST_VP, _AUTOMATIC_VP = 30.0, 20.0
_SEEDS = 128  # of each face of the first die
_FACES = np.array([0, 2, 4, 1, 3, 5])  # of the first die, in the order of the deals: three show low and high ones, too
_LONGEST = 30  # decisions of a side in a card play
_MOST_REPEATS = 5  # of a placement
_SHORT = 4  # spaces that are looked at again for the next point of a placement
_MASK32 = 0xFFFFFFFF


class Lookahead(NamedTuple):
    """Work space of one thread; ``A`` actions."""

    evaluation: Evaluation  # by the side that judges
    reply: Evaluation  # by its opponent, who answers
    seeds: np.ndarray  # int64 [6, _SEEDS] seeds by the face of their first die
    states: np.ndarray  # STATE [2]: the position after an action, and one that may follow it
    mask: np.ndarray  # int8 [A]
    actions: np.ndarray  # int64 [A] the legal actions
    utilities: np.ndarray  # float64 [A] victory points of each
    heads: np.ndarray  # float64 [A, HEADS] values of each by head, in victory points and -1 ... 1
    best: np.ndarray  # float64 [HEADS]
    mix: np.ndarray  # float64 [HEADS] weight of each head in a utility
    replies: np.ndarray  # bool [1]: the opponent answers before an action is judged, where it is settled
    won: np.ndarray  # float64 [1] victory points that a victory counts as (``evaluate``); 0: the final ones
    short: np.ndarray  # int64 [_SHORT] placements to be looked at again, -1 for none
    tried: np.ndarray  # float64 [A] their utilities
    plans: np.ndarray  # int64 [A, _LONGEST, 2] by action tried: decisions that follow in its card play, and answers
    planned: np.ndarray  # int64 [A] length of each plan; -1: the action has not been tried yet


def new_lookahead(width: int, layout: ViewLayout) -> Lookahead:
    """Work space for networks of a width, in games of a ``layout``."""
    count = layout.actions
    return Lookahead(
        new_evaluation(width, layout), new_evaluation(width, layout), seeds_by_die(), new_states(2),
        np.zeros(count, np.int8), np.zeros(count, np.int64), np.zeros(count), np.zeros((count, HEADS)), np.zeros(HEADS),
        np.zeros(HEADS), np.zeros(1, np.bool_), np.zeros(1), np.zeros(_SHORT, np.int64), np.zeros(count),
        np.zeros((count, _LONGEST, 2), np.int64), np.zeros(count, np.int64),
    )  # fmt: skip


class Judge(NamedTuple):
    """Evaluator of positions for a side: its weights float32 [ROWS, W], and work space."""

    side: int
    weights: np.ndarray
    evaluation: Evaluation


@cache
def seeds_by_die() -> np.ndarray:
    """int64 [6, 128] seeds of games by the face of the first die that follows: samples can have each face in turn."""
    seeds = np.zeros((DIE, _SEEDS), np.int64)
    _find_seeds(new_states(1), seeds, np.ones(1, np.int64))
    seeds.setflags(write=False)
    return seeds


def deal_seeds(seeds: np.ndarray, count: int) -> np.ndarray:
    """int64 [K, count] seeds of deals whose first dice show as many different faces as can be.

    ``seeds`` int64 [K]: one for each position.
    """
    table, number, seeds = seeds_by_die(), np.arange(count), seeds[:, None]
    return table[(seeds + _FACES[number % DIE]) % DIE, (seeds // DIE + 7 * number) % table.shape[1]]


@entry
def _find_seeds(states, seeds, random):
    s = states[0]
    for face in range(DIE):
        found = 0
        while found < seeds.shape[1]:
            seed = draw32(random) << 30 | draw32(random) >> 2
            seed_generator(s, seed)
            s.tape_len[:] = 0
            if roll(s) == face + 1:
                seeds[face, found] = seed
                found += 1


@jit
def draw32(random):
    """32 random bits; ``random`` int64 [1] is the state of a generator (xorshift), not 0."""
    x = random[0]
    x ^= (x << 13) & _MASK32
    x ^= x >> 17
    x ^= (x << 5) & _MASK32
    random[0] = x
    return x


@jit
def draw_seed(face, random, k):
    """A seed whose first die shows ``face`` + 1."""
    return k.seeds[face, draw32(random) % _SEEDS]


# --- the value of a position ---------------------------------------------------------------------------


@jit
def vp_of(s, side):
    """Victory points, positive when the side leads."""
    return float(s.vp) if side == DEMOCRAT else -float(s.vp)


@jit
def _final_vp(s, side):
    """Victory points that an end of the game counts as."""
    vp, won = float(s.vp), 1.0 if s.result == Result.DEMOCRAT else -1.0
    if s.reason == Reason.HELD_SCORING_CARD:
        vp = min(max(vp + won * _HELD_VP, -_AUTOMATIC_VP), _AUTOMATIC_VP)
    elif s.reason == Reason.AUTOMATIC_VICTORY:
        vp = won * _AUTOMATIC_VP
    vp = min(max(vp, -_MOST_VP), _MOST_VP)
    return vp if side == DEMOCRAT else -vp


@jit
def _result(s, side):
    """Result of a game that is over: 1 for a win of the side, -1 for a loss, 0 for a draw."""
    won = int(s.result == Result.DEMOCRAT) - int(s.result == Result.COMMUNIST)
    return float(won if side == DEMOCRAT else -won)


@jit
def observe(view, s, judge, k):
    """Write the observation of the judge to place 0 and the legal actions to ``k.mask``."""
    e = judge.evaluation
    call_view(view, s, judge.side, e.inputs.x[0], k.mask)
    sum_position(judge.weights, e)


@jit
def evaluate(view, s, judge, k):
    """Write the value of a position that follows that of place 0 into ``heads`` of the judge's work space.

    Margins are final victory points, the result is between -1 and 1. If ``k.won`` is not 0, a victory counts as
    ``k.won`` points, tanh keeps margins of running games below it, and overdue scoring cards (``is_overdue``) lose.
    The observation that was judged stays in place 1.
    """
    e, side, weights, won = judge.evaluation, judge.side, judge.weights, k.won[0]
    if s.result != Result.RUNNING or (won and is_overdue(s, side)):
        e.heads[RESULT] = _result(s, side) if s.result != Result.RUNNING else -1.0
        for head in range(MARGINS):
            e.heads[head] = won * e.heads[RESULT] if won else _final_vp(s, side)
        return
    call_view(view, s, side, e.inputs.x[1], k.mask)
    sum_changes(weights, e)
    write_heads(weights, e.sums[1], e)
    vp = vp_of(s, side)
    for head in range(MARGINS):
        margin = vp + UNITS[head] * e.heads[head]
        e.heads[head] = won * tanh(margin / won) if won else margin
    e.heads[RESULT] = tanh(e.heads[RESULT])


@jit
def _utility(heads, mix):
    total = mix[RESULT] * RESULT_VP * atanh(heads[RESULT]) if mix[RESULT] else 0.0
    for head in range(MARGINS):
        total += mix[head] * heads[head]
    return total


@jit
def _judge_step(step, view, s, action, seed, judge, k):
    """Utility of ``action`` in a copy of ``s`` with other dice."""
    k.states[1] = s
    seed_generator(k.states[1], seed)
    call_step(step, k.states[1], action)
    evaluate(view, k.states[1], judge, k)
    return _utility(judge.evaluation.heads, k.mix)


# --- playing on ---------------------------------------------------------------------------------------


@jit
def is_settled(s, side, turn, action_round, phasing):
    """True if the card play is over in which ``side`` has made its last move, or the opponent decides."""
    if s.result != Result.RUNNING or s.actor != side or s.decision == Decision.CARD:
        return True
    return s.turn != turn or s.action_round != action_round or s.phasing != phasing


@jit
def same_chance(one, other):
    """True if two copies of a game have the same generator: no chance has played between them."""
    for stream in range(2):
        for word in range(4):
            if one.generator[stream, word] != other.generator[stream, word]:
                return False
    return True


@jit
def _places(decision):
    """True for decisions that may give or take several points one by one."""
    return (
        decision == Decision.OPS_PLACE
        or decision == Decision.PLACE
        or decision == Decision.REMOVE
        or decision == Decision.SETUP
    )


@jit
def _shorten(c, k):
    """Store the best of the placements just tried."""
    for i in range(_SHORT):
        best = -1
        for action in range(len(k.actions)):
            if c.legal[action] and (best < 0 or k.tried[action] > k.tried[best]):
                best = action
        k.short[i] = best
        if best >= 0:
            k.tried[best] = -np.inf


@jit
def _best_short(step, view, judge, random, k):
    """The best of the placements noted, for one more point; -1 where none is legal."""
    c, best, chosen, seed = k.states[0], -np.inf, -1, draw_seed(draw32(random) % DIE, random, k)
    for i in range(_SHORT):
        action = k.short[i]
        if action >= 0 and c.legal[action]:
            utility = _judge_step(step, view, c, action, seed, judge, k)
            if utility > best:
                best, chosen = utility, action
    return chosen


@jit
def _best_action(step, view, judge, random, k):
    """The best action by the value after one step, all with the same dice, which are not those that follow."""
    c, best, chosen, count = k.states[0], -np.inf, -1, 0
    seed = draw_seed(draw32(random) % DIE, random, k)
    for action in range(len(k.actions)):
        if c.legal[action]:
            count, chosen = count + 1, action
    if count == 1:
        return chosen
    for action in range(len(k.actions)):
        if c.legal[action]:
            k.tried[action] = _judge_step(step, view, c, action, seed, judge, k)
            if k.tried[action] > best:
                best, chosen = k.tried[action], action
    if _places(c.decision):
        _shorten(c, k)
    return chosen


@jit
def _choose_greedily(step, view, before, judge, random, k):
    """Return the best action for the judge in ``k.states[0]``; ``before``: kind of its previous decision, -1: none."""
    decision = int(k.states[0].decision)
    chosen = _best_short(step, view, judge, random, k) if decision == before and _places(decision) else -1
    return chosen if chosen >= 0 else _best_action(step, view, judge, random, k)


@jit
def _settle(step, view, dealt, action, mine, theirs, random, k):
    """Play out the card play of ``mine`` in ``k.states[0]``, then the answer of ``theirs`` if ``k.replies``, and write
    the value of the resulting position into ``k.evaluation.heads``.

    ``k.states[0]`` is the deal ``dealt`` after ``action``. When the action is tried in its first deal, the decisions
    made before any die is rolled are stored as its plan; the other deals repeat the plan instead of searching again.
    """
    c, before, plan, planned = k.states[0], -1, k.plans[action], k.planned[action]
    turn, action_round, phasing = c.turn, c.action_round, c.phasing
    is_first = planned < 0
    if is_first:
        k.planned[action] = 0
    for i in range(_LONGEST):
        if is_settled(c, mine.side, turn, action_round, phasing):
            break
        if i < planned and plan[i, 0] == c.decision and c.legal[plan[i, 1]]:
            call_step(step, c, plan[i, 1])
            continue
        planned = 0
        chosen = _choose_greedily(step, view, before, mine, random, k)
        before = int(c.decision)
        if is_first and same_chance(dealt, c):
            plan[i, 0], plan[i, 1] = before, chosen
            k.planned[action] = i + 1
        call_step(step, c, chosen)
    if k.replies[0] and c.result == Result.RUNNING and c.actor == theirs.side:
        _reply(step, view, theirs, random, k)
    evaluate(view, c, mine, k)


@jit
def _reply(step, view, theirs, random, k):
    """Decide for ``theirs`` in ``k.states[0]`` until its card play, the turn or the game is over, or the other side has
    to decide."""
    c, before, cards, turn = k.states[0], -1, 0, k.states[0].turn
    observe(view, c, theirs, k)
    for _ in range(_LONGEST):
        cards += c.decision == Decision.CARD
        if cards > 1:
            break
        chosen = _choose_greedily(step, view, before, theirs, random, k)
        before = int(c.decision)
        call_step(step, c, chosen)
        if c.result != Result.RUNNING or c.actor != theirs.side or c.turn != turn:
            break


@jit
def _keep_best(e, k):
    for head in range(HEADS):
        k.best[head] = e.heads[head]


@jit
def _repeat(step, view, decision, action, mine, k):
    """Value of the best of ``k.states[0]`` and of the same placement again and again, in ``k.evaluation.heads``."""
    c, e = k.states[0], k.evaluation
    best = _utility(e.heads, k.mix)
    _keep_best(e, k)
    for _ in range(_MOST_REPEATS):
        if c.result != Result.RUNNING or c.decision != decision or c.actor != mine.side or not c.legal[action]:
            break
        call_step(step, c, action)
        evaluate(view, c, mine, k)
        utility = _utility(e.heads, k.mix)
        if utility > best:
            best = utility
            _keep_best(e, k)
    for head in range(HEADS):
        e.heads[head] = k.best[head]


@jit
def _is_use_of_card(decision):
    return (
        decision == Decision.CARD
        or decision == Decision.USE
        or decision == Decision.OPS
        or decision == Decision.BOTH_ORDER
    )


@jit
def _is_struggle(decision):
    """True if the decision is one of a power struggle: stakes, an attack, or its suit."""
    return decision == Decision.STAKES or decision == Decision.ATTACK or decision == Decision.SUIT


# --- all actions ---------------------------------------------------------------------------------------


@jit
def _judge(step, view, dealt, action, mine, theirs, depth, random, k):
    """Value of an action in a position dealt anew, in ``k.evaluation.heads``; True if chance has played."""
    c, decision = k.states[0], dealt.decision
    k.states[0] = dealt
    call_step(step, c, action)
    chance = not same_chance(dealt, c)
    if depth == EVERYWHERE or (depth == SETTLE and (_is_use_of_card(decision) or _is_struggle(decision))):
        _settle(step, view, dealt, action, mine, theirs, random, k)
        return chance
    evaluate(view, c, mine, k)
    if depth == SETTLE and _places(decision):
        _repeat(step, view, decision, action, mine, k)
    return chance


@jit
def judge_of(side, weights, k):
    """Return the ``Judge`` for ``side`` in work space ``k``; ``weights`` float32 [2, ROWS, W] by side."""
    return Judge(side, weights[side], k.evaluation)


@jit
def _judges(side, weights, k):
    """Return the ``Judge`` for ``side`` and the one for its opponent."""
    return judge_of(side, weights, k), Judge(1 - side, weights[1 - side], k.reply)


@jit
def _list_action(action, place, k):
    """Put an action that has not been tried yet into a place of ``k.actions``, with sums of 0 in ``k.heads``."""
    k.actions[place], k.planned[action] = action, -1
    for head in range(HEADS):
        k.heads[place, head] = 0.0


@jit
def _list_actions(s, k):
    """List the legal actions and return their count."""
    count = 0
    for action in range(len(k.actions)):
        if s.legal[action]:
            _list_action(action, count, k)
            count += 1
    return count


@jit
def _try_actions(step, view, deals, first, last, count, mine, theirs, depth, random, k):
    """Add the values of the first ``count`` actions in some of the deals to ``k.heads``; True if chance has played."""
    chance = False
    for deal in range(first, last):
        for i in range(count):
            chance |= _judge(step, view, deals[deal], k.actions[i], mine, theirs, depth, random, k)
            for head in range(HEADS):
                k.heads[i, head] += k.evaluation.heads[head]
    return chance


@entry
def judge_candidates(step, view, deals, side, candidates, weights, depth, randoms, k, values):
    """Judge the ``candidates`` int64 [K, M] of K positions; their values in victory points go to ``values`` [K, M].

    A row of candidates ends at its first -1. Values are means over all ``deals`` STATE [K, n], positions as ``side``
    sees them with hidden cards dealt anew. ``weights``, ``depth`` and ``k`` as of ``judge_actions``;
    ``randoms`` int64 [K, 1]: generators; ``values`` float64.
    """
    mine, theirs = _judges(side, weights, k)
    for row in range(len(deals)):
        observe(view, deals[row, 0], mine, k)
        count = 0
        while count < candidates.shape[1] and candidates[row, count] >= 0:
            _list_action(candidates[row, count], count, k)
            count += 1
        _try_actions(step, view, deals[row], 0, deals.shape[1], count, mine, theirs, depth, randoms[row], k)
        _write_utilities(count, deals.shape[1], k)
        for i in range(count):
            values[row, i] = k.utilities[i]


@jit
def _write_utilities(count, deals, k):
    """Utilities of the mean values of ``count`` actions over so many deals."""
    for i in range(count):
        for head in range(HEADS):
            k.best[head] = k.heads[i, head] / deals
        k.utilities[i] = _utility(k.best, k.mix)


@jit
def judge_actions(step, view, deals, side, weights, depth, fewest, random, k):
    """Judge all legal actions: list them in ``k.actions``, their values in ``k.utilities``; return their count.

    ``deals`` STATE [n]: the position as ``side`` sees it, hidden things dealt anew; values are means over the first
    ``fewest`` of them, or over all where chance plays. ``weights`` float32 [2, ROWS, W] by side; ``depth``: one of
    ``STEP``, ``SETTLE``, ``EVERYWHERE``. Leaves the sums of the position in place 0.
    """
    mine, theirs = _judges(side, weights, k)
    observe(view, deals[0], mine, k)
    count, tried, wanted = _list_actions(deals[0], k), 0, fewest
    while tried < wanted:
        if _try_actions(step, view, deals, tried, tried + 1, count, mine, theirs, depth, random, k):
            wanted = len(deals)
        tried += 1
    _write_utilities(count, tried, k)
    return count


@jit
def _keep_better_half(count, k):
    """Move the better half of the actions, two at least, to the front; their number."""
    kept = max((count + 1) // 2, 2)
    for place in range(kept):
        best = place
        for i in range(place + 1, count):
            if k.utilities[i] > k.utilities[best]:
                best = i
        k.actions[place], k.actions[best] = k.actions[best], k.actions[place]
        k.utilities[place], k.utilities[best] = k.utilities[best], k.utilities[place]
        for head in range(HEADS):
            k.heads[place, head], k.heads[best, head] = k.heads[best, head], k.heads[place, head]
    return kept


@jit
def best_action(step, view, deals, side, priors, weights, depth, fewest, random, k):
    """Return the action with the highest sum of value (``judge_actions``) and prior.

    ``priors`` float64 [A]: victory points added to the value of each action.

    The better half of the actions is tried in as many deals again, the better half of these in twice as many, until all
    deals have been used (sequential halving); two at least stay to the end. The opponent answers from the second round
    on only: answers take half of the time, and most actions drop out in the first. In power struggles, where its cards
    decide, it answers in all rounds. Where neither chance plays nor the opponent answers, the first round decides.
    """
    mine, theirs = _judges(side, weights, k)
    observe(view, deals[0], mine, k)
    count, tried, wanted, replies = _list_actions(deals[0], k), 0, fewest, k.replies[0]
    struggle = replies and _is_struggle(deals[0].decision)
    answered = struggle or (replies and _is_use_of_card(deals[0].decision))
    if count == 1:
        return k.actions[0]
    while True:
        k.replies[0] = struggle or (replies and tried > 0)
        chance = _try_actions(step, view, deals, tried, wanted, count, mine, theirs, depth, random, k)
        tried = wanted
        _write_utilities(count, tried, k)
        for i in range(count):
            k.utilities[i] += priors[k.actions[i]]
        if not (chance or answered) or tried == len(deals):
            break
        count, wanted = _keep_better_half(count, k), min(2 * tried, len(deals))
    k.replies[0] = replies
    return k.actions[best_of(count, k)]


@jit
def best_of(count, k):
    """Place in ``k.actions`` of the action with the highest utility, the first of equals."""
    best = 0
    for i in range(count):
        if k.utilities[i] > k.utilities[best]:
            best = i
    return best


@entry
def choose_rows(
    first, last, number, step, view, deals, sides, priors, weights, depth, fewest, randoms, works, actions
):  # fmt: skip
    """Write the best action of positions ``first`` ... ``last`` - 1 into ``actions`` int64 [K].

    ``deals`` STATE [K, n], ``sides`` int64 [K] to decide, ``priors`` float64 [K, A] victory points that are added to
    the value of each action, ``weights`` float32 [2, ROWS, W] by side, ``randoms`` int64
    [K, 1] generators, ``works``: a ``Lookahead`` for each thread, of which ``number`` is used.
    """
    k = works[number]
    for row in range(first, last):
        side = sides[row]
        actions[row] = best_action(step, view, deals[row], side, priors[row], weights, depth, fewest, randoms[row], k)
    return 0
