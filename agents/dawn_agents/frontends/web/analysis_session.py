"""Judging decisions: what the trained policy would do, what simulations say, where a game was lost."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

import numpy as np

from dawn_agents.frontends.web import client_messages
from dawn_agents.frontends.web.client_messages import StudyMessage
from dawn_agents.frontends.web.replays import Replay
from dawn_agents.players.search.decision_judge import ActionEstimates, DecisionLoss, Judge, rollout_rules
from dawn_agents.players.search.search_options import Options
from dawn_agents.players.search.search_player import SearchPlayer
from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.bids import is_bid
from dawn_env.events.narration import decision_words
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import STANDARD_LAYOUT
from dawn_env.players import make_player
from dawn_env.state import DECISIONS, Decision, Result
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import DEMOCRAT, SIDE_NAMES

_MOST_ACTIONS = 24  # looked at, the best by the rule-based player's scores
_CHUNK, _DEALS = 8, 400
_LINE = 12  # decisions of a line
_MOST_LOSSES = 60  # told
_LOSS_SIMS, _LOSS_DEALS = 100, 32  # of the search that names a better action, and to compare the two


_policy = cache(lambda: make_player("pretrained"))


def policy(view: View) -> dict:
    """``policy``: the trained policy's probabilities by action, None where it cannot be asked; ``unasked``: why not."""
    if view.layout is not STANDARD_LAYOUT:
        return {"policy": None, "unasked": "The trained policy plays the standard game only."}
    probabilities = _policy().probabilities(view.observation[None], view.mask[None])[0]
    return {"policy": {ACTIONS[action]: round(float(probabilities[action]), 4) for action in view.legal}}


def _rows(judgement: ActionEstimates) -> list[dict]:
    """The actions, best first, as JSON values."""
    found = []
    for at in judgement.order:
        chance, error = judgement.chance(at)
        found.append({
            "action": ACTIONS[judgement.actions[at]], "chance": round(chance, 4), "error": round(error, 4),
            "simulations": judgement.simulations(at),
        })  # fmt: skip
    return found


def analyse(view: View, stopped: Callable[[], bool]) -> Iterator[dict]:
    """Analysis of a decision with growing precision, until ``stopped`` returns True."""
    fixed = {"side": view.side, **policy(view)}
    judgement = ActionEstimates.of_best(view, _MOST_ACTIONS)
    while True:
        judgement.add(_CHUNK)
        rows = _rows(judgement)
        done = judgement.deals >= _DEALS or stopped() or len(rows) == 1
        yield fixed | {"rows": rows, "line": line(view, rows[0]["action"]), "done": done}
        if done:
            return


def line(view: View, action: str) -> list[str]:
    """Continuation of a side after an action by the rules of thumb, in words."""
    states, number, said = view.deal(np.zeros(1, np.int64)), ACTIONS.index(action), []
    rules = rollout_rules(view)
    for _ in range(_LINE):
        s = states[0]
        said.append(decision_words(view.side, DECISIONS[s.decision], ACTIONS[number]))
        engine.advance(states, np.array([number]))
        if s.result != Result.RUNNING or s.actor != view.side or s.decision == Decision.NONE:
            break
        after = View(s)
        number = int(np.argmax(np.where(after.mask, rules.scores(after), -np.inf)))
    return said


def losses(replay: Replay, stopped: Callable[[], bool], first: int = DEMOCRAT) -> Iterator[dict]:
    """Decisions by which a side lost the most of its chance of winning, with the better action: one message at a time.

    ``{"done": share of the game looked at, "own": share that decisions of side ``first`` have, "losses": [...]}``: they
    are looked for and told first, then the largest. What was judged before is known at once.
    """
    found, judge, sides = [], _judge(), replay.states["actor"][: len(replay.decisions)]
    order, own = np.argsort(sides != first, kind="stable").tolist(), int((sides == first).sum())
    if not order:
        yield {"done": 1, "own": 1, "losses": []}
    for number, at in enumerate(order, 1):
        if stopped():
            return
        view = View(replay.states[at])
        judged = len(view.legal) > 1 and not is_bid(replay.states[at]["decision"])
        if judged and (verdict := judged_decision(replay, at, view, judge)).is_mistake:
            found.append(_told(verdict, view, at, replay))
            found.sort(key=lambda loss: (loss["side"] != first, -loss["loss"]))
        if number % 10 == 0 or number in (own, len(order)):
            replay.keep_verdicts()
            yield {"done": number / len(order), "own": own / len(order), "losses": found[:_MOST_LOSSES]}


def _judge() -> Judge:
    return Judge(SearchPlayer(options=Options(sims=_LOSS_SIMS)), _LOSS_DEALS)


def judged_decision(replay: Replay, at: int, view: View, judge: Judge | None = None) -> DecisionLoss:
    """Loss of the decision taken in position ``at``, whose ``view`` is given; kept with the replay."""
    if at not in replay.verdicts:
        replay.verdicts[at] = (judge or _judge()).verdict(view, ACTIONS.index(replay.decisions[at]))
    return replay.verdicts[at]


def _told(verdict: DecisionLoss, view: View, at: int, replay: Replay) -> dict:
    return {
        "at": at, "side": view.side, "loss": round(verdict.loss, 4), "error": round(verdict.error, 4),
        "words": replay.words(at),
        "better": decision_words(view.side, view.decision, ACTIONS[verdict.better]),
        "when": replay.when(at),
    }  # fmt: skip


def hint(view: View) -> dict:
    """Advice for a person: the best actions by some simulations."""
    judgement = ActionEstimates.of_best(view, 12)
    for _ in range(4):
        judgement.add(_CHUNK)
    return {"type": "hint", "rows": _rows(judgement)[:5]}


class AnalysisSession:
    """Connection to a replay, with its latest analysis."""

    def __init__(self, kept: Replay, threads: ThreadPoolExecutor, send: Callable[[dict], None]):
        self._replay, self._threads, self._send = kept, threads, send
        self._number = 0  # of the latest investigation; others stop

    def stop(self) -> None:
        """End what is being looked into."""
        self._number += 1

    async def take(self, message: str) -> None:
        """Carry out a ``StudyMessage`` given as JSON; raises ``BadRequest``."""
        wanted = client_messages.read(StudyMessage, message)
        self.stop()
        if wanted.type == "analyse":
            at = client_messages.replay_index(wanted.at, len(self._replay.decisions))
            if self._replay.states[at]["result"] == Result.RUNNING:
                self._look_into({"type": "analysis", "at": at}, analyse, View(self._replay.states[at]))
        elif wanted.type == "losses":
            first = SIDE_NAMES.index(wanted.side)
            self._look_into({"type": "losses"}, partial(losses, first=first), self._replay)

    def _look_into(self, head: dict, find, subject) -> None:
        number, loop = self._number, asyncio.get_running_loop()

        def run():
            try:
                for found in find(subject, lambda: number != self._number):
                    loop.call_soon_threadsafe(self._report, number, head | found)
            except Exception as error:  # a thread's errors would else be seen by nobody
                loop.call_soon_threadsafe(self._report, number, {"type": "error", "text": escape_text(error)})

        loop.run_in_executor(self._threads, run)

    def _report(self, number: int, found: dict) -> None:
        if number == self._number:
            self._send(found)
