"""Answers of players to a ``Host``, and results of its games."""

from typing import NamedTuple

import numpy as np

from dawn_env.actions import ACTIONS
from dawn_env.bids import Offer
from dawn_env.errors import IllegalAction, PlayerFailure
from dawn_env.observation.player_view import View
from dawn_env.players import Player, ViewPlayer
from dawn_env.support.safe_text import escape_text


class Ending(NamedTuple):
    """Result of a game. Pairs are by side (Democrat, Communist), ``offers`` by seat.

    ``result`` as in a game record; ``reason`` too, or ``forfeit``, then ``failure`` says why. ``players``: None for
    external seats. ``length`` counts the decisions of both sides, ``decisions`` those of each, bids of players left
    out. ``seconds`` of thinking and ``actions``: where they are recorded.
    """

    row: int
    seed: int
    result: str
    reason: str
    vp: int
    turn: int
    length: int
    players: tuple[Player | None, Player | None]
    seconds: tuple[float, float]
    decisions: tuple[int, int]
    offers: tuple[Offer, ...]
    failure: str
    actions: list[int]


def ask(player: Player, views: list[View], observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Query a player in K games; returns its answers, int64 [K], without checking that they are legal.

    ``views`` of the games for a ``ViewPlayer``, ``observations`` int8 [K, F] and ``masks`` int8 [K, A] for others.
    Raises what the player raises, ``IllegalAction`` for anything but an integer a game.
    """
    if not isinstance(player, ViewPlayer):
        answers = np.asarray(player.choose(observations, masks))
    else:
        answers = np.array(player.choose_each(views))
    if answers.shape != masks.shape[:1] or answers.dtype.kind not in "iu":
        text = f"answered {answers.shape} of {answers.dtype} where integers {masks.shape[:1]} were expected"
        raise IllegalAction(f"{player.name} {text}")
    return answers.astype(np.int64)


def illegal_answer(action: int, mask: np.ndarray) -> PlayerFailure:
    """Failure for an answer outside the legal actions of ``mask`` [A]."""
    inside = 0 <= action < len(mask)
    what = f"{ACTIONS[action]}, which is not legal" if inside else f"{action}, outside 0 ... {len(mask) - 1}"
    return PlayerFailure(f"answered {what}")


def failure_text(error: BaseException) -> str:
    """One line on why a game was lost."""
    told = isinstance(error, (PlayerFailure, IllegalAction))
    return escape_text(error if told else f"{type(error).__name__}: {error}")
