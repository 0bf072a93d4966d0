"""Sentence about the gain of one action over another, from simulations of both in the same deals."""

from typing import NamedTuple

import numpy as np

from dawn_agents.players.search.decision_judge import PLAYS, rollout_rules
from dawn_agents.players.search.simulator import Simulator
from dawn_env import engine
from dawn_env.actions import ACTIONS
from dawn_env.observation.player_view import View
from dawn_env.state import Decision, Result
from dawn_env.tables import COUNTRIES, DEMOCRAT, SPACE_ID, STABILITY
from dawn_env.views.choice_costs import assess, check_sum, winning_faces
from dawn_env.views.viewer_position import BOTH, viewer_position

_DEALS = 48
_CERTAIN = 2.0  # standard errors that a difference must have to be named
_LEAST = 0.25  # victory points below which a difference is not named
_NAMED = 2  # differences in a sentence
_WIN = 20  # victory points that a game is worth
_FACES = range(1, 7)


class _Gain(NamedTuple):
    words: str
    weight: float
    """The difference in victory points, about."""


def gain_words(view: View, better: str, other: str, seed: int) -> str:
    """Sentence about the advantage of ``better``: its odds, then points, scoring and early ends some card plays later.

    Deals depend on ``seed`` and on what the side of the view sees only.
    """
    odds, gains = _odds_words(view, better), _gains(view, better, other, seed)
    brings = " and ".join(gain.words for gain in gains[:_NAMED])
    later = f"after {PLAYS} more card plays it has {brings or 'nothing yet that stands out'}"
    return f"{odds}{'; ' if odds else ''}{later}."


def _odds_words(view: View, action: str) -> str:
    """Number of die faces with which an action succeeds; empty if no die is rolled."""
    state, space = view.deal(np.zeros(1, np.int64))[0], action.removeprefix("space:")
    faces = winning_faces(state, view.texts).get(action)
    if state.decision == Decision.CHECK and space in SPACE_ID:
        parts = check_sum(assess(state, view.side), SPACE_ID[space])["parts"]
        added = sum(number for _, number in parts)
        faces = sum(die + added > 2 * STABILITY[SPACE_ID[space]] for die in _FACES)
    return "" if faces is None else f"it succeeds with {faces} of the {len(_FACES)} faces of the die"


def _gains(view: View, better: str, other: str, seed: int) -> list[_Gain]:
    """Differences in favour of ``better`` that are more than chance, the largest first."""
    deals = view.deal(np.random.default_rng(seed).integers(0, 2**63 - 1, _DEALS))
    rules = rollout_rules(view)
    one, two = (_measures(view, _ends(deals, ACTIONS.index(text), rules)) for text in (better, other))
    found = []
    for name, (template, weight) in _MEASURES.items():
        lead = one[name] - two[name]
        mean, error = float(lead.mean()), float(lead.std() / np.sqrt(_DEALS - 1))
        if mean * weight >= _LEAST and mean > _CERTAIN * error:
            found.append(_Gain(template.format(one[name].mean(), two[name].mean(), mean), mean * weight))
    return sorted(found, key=lambda gain: -gain.weight)


_MEASURES = {
    "won": ("won the game in {:.0%} of the simulations instead of {:.0%}", _WIN),
    "kept": ("not lost the game in {:.0%} of the simulations instead of {:.0%}", _WIN),
    "vp": ("{2:.1f} VP more on the track", 1),
    **{country: (f"{{2:.1f}} VP more to come from a scoring of {country}", 1) for country in COUNTRIES},
}
"""Words and weight in victory points, by measure; a template is filled with both means and their difference."""


def _measures(view: View, ends: np.ndarray) -> dict[str, np.ndarray]:
    """Measures of ``STATE`` records [n] in favour of the side of a view: float64 [n] each."""
    sign = 1 if view.side == DEMOCRAT else -1
    results = np.array([Result.DEMOCRAT, Result.COMMUNIST])
    scores = sign * np.array([viewer_position(state, BOTH).scores for state in ends], float)
    return {
        "won": (ends["result"] == results[view.side]).astype(float),
        "kept": (ends["result"] != results[1 - view.side]).astype(float),
        "vp": sign * ends["vp"].astype(float),
        **dict(zip(COUNTRIES, scores.T, strict=True)),
    }


def _ends(deals: np.ndarray, action: int, rules: Simulator) -> np.ndarray:
    """``STATE`` records [n] some card plays after an action in ``deals`` [n], played by the rules of thumb."""
    states, left = deals.copy(), np.full(len(deals), PLAYS)
    running, actions = np.arange(len(deals)), np.full(len(deals), action)
    while running.size:
        taken = states[running]
        before = _card_play(taken)
        engine.advance(taken, actions[running])
        left[running] -= _card_play(taken) != before
        states[running] = taken
        running = running[(left[running] > 0) & (taken["result"] == Result.RUNNING)]
        actions[running] = [_choice(View(states[at]), rules) for at in running]
    return states


def _card_play(states: np.ndarray) -> np.ndarray:
    """Numbers int64 [n] that change with every card play."""
    turn, action_round, phasing = (states[name].astype(int) for name in ("turn", "action_round", "phasing"))
    return (turn * 16 + action_round) * 2 + phasing


def _choice(view: View, rules: Simulator) -> int:
    return int(np.argmax(np.where(view.mask, rules.scores(view), -np.inf)))
