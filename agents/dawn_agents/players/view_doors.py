"""Players that know no more than the JSON, or the text, of their view: proof that either suffices to play."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_env.actions import action_id
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import BatchPlayer, ViewPlayer
from dawn_env.views.view_facts import observation_and_mask
from dawn_env.views.view_text import SHORT

_SPACES = "space:NAME"
_CARD = re.compile(r"card:\d+")
_REMARK = re.compile(r": | \(")


class JsonPlayer(ViewPlayer):
    """Another player's choices, made from ``View.to_json`` alone."""

    @dataclass(frozen=True)
    class Options:
        """``json:PLAYER``, such as ``json:heuristic``: the player who is asked."""

        player: str

    def __init__(self, name: str, seed: int, options: Options):
        super().__init__(name, seed, options)
        asked = make_player(options.player, seed)
        if not isinstance(asked, BatchPlayer):
            asked.close()
            raise BadSpec(f"json: a player that answers observations expected, not {options.player}")
        self._player = asked
        self.version = f"{type(self).version}+{asked.version}"  # type: ignore[misc]  # differs between players

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Tell the player who is asked."""
        self._player.begin_game(side, options)

    def choose(self, view: View) -> int:
        """The player's answer to the observation that is in the JSON."""
        observation, mask = observation_and_mask(json.loads(view.to_json()))
        return int(self._player.choose(observation[None], mask[None])[0])

    def close(self) -> None:
        """Close the player."""
        self._player.close()


class TextPlayer(ViewPlayer):
    """Any of the answers that the short text of the view names, drawn by a hash of the text and the seed."""

    def choose(self, view: View) -> int:
        """Choose one of the action ids listed in the text."""
        text = view.text(SHORT)
        answers = list(answers_of(text))
        drawn = blake2b(f"{self.seed}\n{text}".encode(), digest_size=8).digest()
        return action_id(answers[int.from_bytes(drawn, "little") % len(answers)])


def answers_of(text: str) -> Iterator[str]:
    """The answers that a text of ``View.text("short")`` names, as texts of actions."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines, 1) if line.startswith("Decide: ")), len(lines))
    for line in lines[start:]:
        if line.startswith(_SPACES):
            yield from (f"space:{name}" for name in line.partition(", NAME: ")[2].split(", "))
        elif cards := _CARD.findall(line):
            yield from cards
        else:
            yield _REMARK.split(line)[0]
