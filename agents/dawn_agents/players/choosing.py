"""Common parts of players that choose by a policy: options, versions of files, the games they can play. No torch."""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dawn_env.errors import PlayerFailure
from dawn_env.observation.view_layouts import ViewLayout


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """Options of policies: play the likeliest action (greedy), or with ``sample`` one drawn by its probability.

    ``temperature``: divides the logits before a draw, so that below 1 likely actions become likelier.
    Specifications take the words ``greedy`` and ``sample`` for ``sample=false`` and ``sample=true``.
    """

    WORDS: ClassVar = {"greedy": "sample=false", "sample": "sample=true"}

    sample: bool = False
    temperature: float = 1.0

    def __post_init__(self):
        if not 0 < self.temperature < float("inf"):
            raise ValueError(f"temperature: more than 0 expected, not {self.temperature}")
        if self.temperature != 1 and not self.sample:
            raise ValueError("temperature: needs sample=true; without it the likeliest action is taken")

    def to_json(self) -> dict[str, Any]:
        """Options by name; the temperature only if it is not 1, as in results kept before there was one."""
        return {name: value for name, value in asdict(self).items() if name != "temperature" or value != 1}


def file_version(path: Path) -> str:
    """A version that changes with the contents of a policy file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def check_game(name: str, trained: ViewLayout, game: ViewLayout) -> None:
    """Raise ``PlayerFailure`` unless a policy can play."""
    if trained is not game:
        raise PlayerFailure(f"{name} was trained for the {trained.name} game and cannot play the {game.name} game")


def check_width(name: str, trained: ViewLayout, observations: np.ndarray) -> None:
    """Raise ``PlayerFailure`` for observations of another kind of game."""
    if observations.shape[1] != trained.size:
        raise PlayerFailure(f"{name} was trained for the {trained.name} game, not for this one")
