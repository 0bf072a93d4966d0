"""Judging decisions: what the trained policy would do, what simulations say, where a game was lost."""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from agents.search.family_simulation import FamilySimulator
from agents.search.guide import new_scratch, score_view
from agents.search.simulation import Simulator
from agents.web.replay import Replay
from agents.web.wishes import BadRequest
from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.bids import is_bid
from dawn_env.errors import MissingExtra
from dawn_env.formats.narrate import decision_words
from dawn_env.layouts import FAMILY_LAYOUT, STANDARD_LAYOUT
from dawn_env.players import named_player
from dawn_env.state import DECISIONS, Decision, Result
from dawn_env.tables import DEMOCRAT
from dawn_env.view import View

_PLAYS = 4  # card plays of a simulation, as in the player ``search``
_MOST_ACTIONS = 24  # looked at, the best by the rule-based player's scores
_CHUNK, _DEALS = 8, 400
_HOPELESS = 3.0  # standard errors behind the best
_ENOUGH = 16  # deals without which nothing is hopeless
_LINE = 12  # decisions of a line
_LOSS_ACTIONS, _LOSS_DEALS = 8, 24
_LEAST_LOSS = 0.01  # of the chance of winning


class _StandardRules:
    """The rules of thumb of the standard game; ``FamilySimulator`` are those of family mode."""

    def __init__(self):
        self._scratch = new_scratch()
        self.values = Simulator(_PLAYS).values

    def scores(self, view: View) -> np.ndarray:
        """What they think of the legal actions, [A]."""
        return score_view(view.observation, view.mask, self._scratch)


def _rules(view: View) -> _StandardRules | FamilySimulator:
    """The rules of thumb for a decision; raises ``BadRequest`` for one of a bid, about which they say nothing."""
    if is_bid(DECISIONS.index(view.decision)):
        raise BadRequest("offers of a bid are not analysed; the positions after it are")
    return FamilySimulator(_PLAYS) if view.layout is FAMILY_LAYOUT else _StandardRules()


class Judgement:
    """The actions of one decision, judged better and better by simulations in positions dealt anew."""

    def __init__(self, view: View, most: int = _MOST_ACTIONS, also: int | None = None):
        """``most``: actions to look at; ``also``: one to look at in any case."""
        self.view, self._rules = view, _rules(view)
        scores = self._rules.scores(view)[view.legal]
        chosen = view.legal[np.argsort(-scores, kind="stable")][:most]
        self.actions = chosen if also is None or also in chosen else np.append(chosen, also)
        self._running = np.arange(len(self.actions))
        self._values = [[] for _ in self.actions]  # per action: chances of winning, in the same deals for all
        self._rng = np.random.default_rng(0)

    def add(self, deals: int) -> None:
        """Simulate the actions still worth it in so many more deals."""
        dealt = self.view.deal(self._rng.integers(0, 2**63 - 1, deals))
        values = self._rules.values(dealt, self.actions[self._running])
        chances = (1 + (values if self.view.side == DEMOCRAT else -values)) / 2
        for column, action in enumerate(self._running):
            self._values[action] += chances[:, column].tolist()
        self._drop_hopeless()

    @property
    def deals(self) -> int:
        """Simulations of the best action."""
        return len(self._values[self.order[0]])

    def chance(self, at: int) -> tuple[float, float]:
        """Mean chance of winning of the side to act after action ``at``, and its standard error."""
        values = self._values[at]
        return float(np.mean(values)), float(np.std(values) / np.sqrt(max(1, len(values) - 1)))

    @property
    def order(self) -> list[int]:
        """Places of the actions, best first; those dropped early count with the simulations they had."""
        return sorted(range(len(self.actions)), key=lambda at: -self.chance(at)[0])

    def behind(self, at: int) -> tuple[float, float]:
        """How far action ``at`` is behind the best one in the deals that both met, and the standard error."""
        best = self.order[0]
        common = min(len(self._values[at]), len(self._values[best]))
        leads = np.subtract(self._values[best][:common], self._values[at][:common])
        return float(leads.mean()), float(leads.std() / np.sqrt(max(1, common - 1)))

    def _drop_hopeless(self) -> None:
        if self.deals < _ENOUGH:
            return
        kept = []
        for at in self._running:
            lead, error = self.behind(at)
            if lead == 0 or lead < _HOPELESS * error:
                kept.append(at)
        self._running = np.array(kept)

    def rows(self) -> list[dict]:
        """The actions, best first, as JSON values."""
        found = []
        for at in self.order:
            chance, error = self.chance(at)
            found.append({
                "action": ACTIONS[self.actions[at]], "chance": round(chance, 4), "error": round(error, 4),
                "simulations": len(self._values[at]),
            })  # fmt: skip
        return found


@cache
def _policy():
    """The trained policies, None where the packages for them are not installed."""
    try:
        return named_player("pretrained")
    except (MissingExtra, ValueError):
        return None


def policy(view: View) -> dict:
    """``policy``: the trained policy's probabilities by action, None where it cannot be asked; ``unasked``: why not."""
    if view.layout is not STANDARD_LAYOUT:
        return {"policy": None, "unasked": "The trained policy plays the standard game only."}
    player = _policy()
    if player is None:
        return {"policy": None, "unasked": "The trained policy needs the extra train: pip install 'dawn_env[train]'."}
    chances = player.probabilities(view.observation[None], view.mask[None])[0]
    return {"policy": {ACTIONS[action]: round(float(chances[action]), 4) for action in view.legal}}


def analyse(view: View, stopped: Callable[[], bool], deals: int = _DEALS) -> Iterator[dict]:
    """What is found out about a decision, more and more exactly, until ``stopped`` says so."""
    fixed = {"decision": view.decision, "side": view.side, **policy(view)}
    judgement = Judgement(view)
    while True:
        judgement.add(_CHUNK)
        rows = judgement.rows()
        done = judgement.deals >= deals or stopped() or len(rows) == 1
        yield fixed | {"rows": rows, "line": line(view, rows[0]["action"]), "deals": judgement.deals, "done": done}
        if done:
            return


def line(view: View, action: str) -> list[str]:
    """How a side would go on after an action by the rules of thumb, in words, until it is no longer asked."""
    states, number, said = view.deal(np.zeros(1, np.int64)), ACTIONS.index(action), []
    rules = _rules(view)
    for _ in range(_LINE):
        s = states[0]
        said.append(decision_words(view.side, DECISIONS[s.decision], ACTIONS[number]))
        engine.advance(states, np.array([number]))
        if s.result != Result.RUNNING or s.actor != view.side or s.decision == Decision.NONE:
            break
        after = View(s)
        number = int(np.argmax(np.where(after.mask, rules.scores(after), -np.inf)))
    return said


def losses(replay: Replay, stopped: Callable[[], bool]) -> Iterator[dict]:
    """Decisions by which a side lost the most of its chance of winning, with the better action: one message at a time.

    ``{"done": share of the game looked at, "losses": [...]}``, the largest first.
    """
    found = []
    count = len(replay.decisions)
    for at, text in enumerate(replay.decisions):
        if stopped():
            return
        view = View(replay.states[at])
        judged = len(view.legal) > 1 and not is_bid(replay.states[at]["decision"])
        if judged and (loss := _loss(view, at, text, replay)):
            found.append(loss)
            found.sort(key=lambda loss: -loss["loss"])
        if at % 10 == 9 or at == count - 1:
            yield {"done": (at + 1) / count, "losses": found[:60]}


def _loss(view: View, at: int, text: str, replay: Replay) -> dict | None:
    judgement = Judgement(view, _LOSS_ACTIONS, also=ACTIONS.index(text))
    judgement.add(_LOSS_DEALS)
    played = judgement.actions.tolist().index(ACTIONS.index(text))
    best = judgement.order[0]
    lost, error = judgement.behind(played)
    if lost < max(_LEAST_LOSS, 2 * error):
        return None
    return {
        "at": at, "side": view.side, "loss": round(lost, 4), "error": round(error, 4),
        "words": replay.words(at),
        "better": decision_words(view.side, view.decision, ACTIONS[judgement.actions[best]]),
        "when": replay.when(at),
    }  # fmt: skip


def hint(view: View) -> dict:
    """Advice for a person: the best actions by some simulations."""
    judgement = Judgement(view, 12)
    for _ in range(4):
        judgement.add(_CHUNK)
    return {"type": "hint", "rows": judgement.rows()[:5], "line": line(view, judgement.rows()[0]["action"])}
